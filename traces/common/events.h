/*
 * events.h - what the formats of the block layer share: blkparse, blktrace and ftrace.
 *
 * A request shows up several times, as it is submitted (Q), issued to the
 * driver (D) and completed (C).  One of these is taken: Q if any is in the
 * trace, else D, else C.  The first 64 KB decide; if a better one turns up
 * behind them, the trace is read again from its beginning.
 *
 * A request to a volume, such as one of LVM, shows up again as it is mapped to
 * the disk below: a remap (A) tells the places of both.  So one of them is left
 * out, if both volumes are in the trace.  A request that the driver gives back
 * (R) is issued twice.  Without remaps nothing is left out; a note tells if the
 * requests of one volume look like those of another, so many sectors further on.
 */
#ifndef TRACES_EVENTS_H
#define TRACES_EVENTS_H

#include "sim/base/map.h"
#include "sim/trace/format.h"
#include "sim/trace/scan.h"

/* The better ones first; values of the parameter. */
enum event_action {
	EVENT_AUTO,
	EVENT_Q,
	EVENT_D,
	EVENT_C,
	EVENT_REMAP,
	EVENT_REQUEUE,
	EVENT_OTHER
};

/* Which of two requests is read that a remap shows to be one; values of the parameter. */
enum event_layer { LAYER_UPPER, LAYER_LOWER, LAYER_BOTH };

struct volume {
	char	 name[24]; /* "8,16" */
	unsigned seen;	   /* bits of enum event_action: of its requests, here or ahead */
	bool	 given;	   /* one of its requests has been read */
	bool	 is_upper; /* its requests are mapped to another volume */
};

/* Sectors of a volume on their way. */
struct extent {
	uint32_t major, minor;
	uint64_t sector;
	uint32_t sectors;
};

/* Extents that are expected to show up once more. */
struct expected {
	struct map at;	    /* volume and first sector: the number of sectors */
	uint64_t   extents; /* that have not shown up yet */
};

/* A request that was read, and the shift that most of the latest ones have from one of another volume. */
struct placed {
	uint32_t volume, sectors;
	uint64_t sector;
};

enum { EVENTS_LATEST = 8 };

struct shifts {
	struct placed latest[EVENTS_LATEST]; /* the newest at n modulo their number */
	uint64_t      n;
	uint32_t      from, to;
	uint64_t      shift, votes; /* sectors; more for it than against it */
	uint64_t      same, of;	    /* that have it, of those to `to` since it was found */
	uint64_t      jumps, end;   /* of these, not where the one before ended */
};

struct events {
	uint64_t	  asked, layer; /* enum event_action and event_layer: the parameters */
	enum event_action taken;	/* EVENT_AUTO: not chosen yet */
	struct volume	 *volume;
	uint32_t	  nvolumes, capacity;
	struct map	  number;	      /* of a device: that of its volume, from 1 */
	uint32_t	  major, minor, last; /* the last device, and its number or NIL */
	struct expected	  remapped, requeued;
	uint32_t	  lower, upper;	     /* numbers of the first volumes that a remap relates */
	uint64_t	  repeats, reissues; /* left out */
	bool	      outdated; /* requests have been read that are left out when reading again */
	struct shifts shifts;
	char	      note[3][300];
};

/* The rows of the table of parameters; the state begins with struct events. */
#define EVENTS_PARAMS                                                                              \
	{ "action", PARAM_WORD, EVENT_AUTO, 0, EVENT_C, offsetof(struct events, asked),            \
		"requests as they were submitted (Q), issued (D) or completed (C); auto: "         \
		"the first of these in the trace",                                                 \
		events_words },                                                                    \
	{                                                                                          \
		"layer", PARAM_WORD, LAYER_UPPER, 0, LAYER_BOTH, offsetof(struct events, layer),   \
		    "of a request to a volume and its remap to the disk below: the upper or the "  \
		    "lower one, or both",                                                          \
		    events_layers                                                                  \
	}

extern const char *const events_words[], *const events_layers[];

/* "8,16": the place behind it, or NULL. */
ALWAYS_INLINE const char *
events_device(const char *s, struct extent *x)
{
	uint64_t major, minor;

	s = scan_digits(s, UINT32_MAX, &major);
	s = s && *s == ',' ? scan_digits(s + 1, UINT32_MAX, &minor) : NULL;
	if (!s)
		return NULL;
	x->major = (uint32_t)major;
	x->minor = (uint32_t)minor;
	return s;
}

/* Choose what is taken; best: the best of those in the beginning, or EVENT_OTHER. */
void events_choose(struct events *v, enum event_action best);

/* Is this event of interest: taken, or better than what is taken? */
ALWAYS_INLINE bool
events_wants(const struct events *v, enum event_action a)
{
	return a == v->taken || (a < v->taken && v->asked == EVENT_AUTO);
}

/* v->outdated, or a read or write by an action that may be better than what is taken: READ_AGAIN, or -1. */
int events_again(struct events *v, enum event_action action, const char *format, struct input *in,
    struct error *e);

/* At the end: say what was taken, and what was left out. */
void events_note(struct events *v, const char *format, struct input *in);

/*
 * Looking ahead: there is such an event of a request, or a remap of one from this volume.  0, or -1.
 */
int events_expect(struct events *v, enum event_action a, const struct extent *x, struct error *e);

/* The extent was mapped from one of another volume.  0, or -1. */
int events_remap(struct events *v, const struct extent *x, const struct extent *from,
    struct error *e);

/* The request was given back by the driver.  0, or -1. */
int events_requeue(struct events *v, const struct extent *x, struct error *e);

/* Is the request, which is taken, to be read?  1; 0: it repeats another one; -1: out of memory. */
int events_take(struct events *v, const struct extent *x, struct error *e);

/* What of a record the extent tells: its volume, offset and length.  1; -1: out of memory. */
int events_record(struct events *v, const struct extent *x, struct record *r, struct error *e);

void events_release(struct events *v);

/* ---- a clock that leaps ---- */

/*
 * Logs exist with a single time stamp decades ahead.  A time more than a day away from the one
 * before is replaced by that, if the next one is a day away from it as well, or there is none.
 */
#define LEAP_US ((uint64_t)DAY_US)

static inline bool
event_leaps(uint64_t time, uint64_t other, uint64_t day)
{
	return (time > other ? time - other : other - time) > day;
}

void events_note_leap(struct input *in);

#endif
