/*
 * events.h - what the formats of the block layer share: blkparse and blktrace.
 *
 * A request shows up several times, as it is submitted (Q), issued to the
 * driver (D) and completed (C).  One of these is taken: Q if any is in the
 * trace, else D, else C.  The first 64 KB decide; if a better one turns up
 * behind them, the trace is read again from its beginning.
 */
#ifndef TRACES_EVENTS_H
#define TRACES_EVENTS_H

#include "sim/trace/format.h"

/* The better ones first; values of the parameter. */
enum event_action { EVENT_AUTO, EVENT_Q, EVENT_D, EVENT_C, EVENT_OTHER };

struct events {
	uint64_t	  asked; /* enum event_action: the parameter */
	enum event_action taken; /* EVENT_AUTO: not chosen yet */
	uint32_t	  major, minor;
	char		  volume[24]; /* of that device; empty: none yet */
};

/* The row of the table of parameters; the state begins with struct events. */
#define EVENTS_PARAM                                                                               \
	{                                                                                          \
		"action", PARAM_WORD, EVENT_AUTO, 0, EVENT_C, offsetof(struct events, asked),      \
		    "requests as they were submitted (Q), issued (D) or completed (C); auto: "     \
		    "the first of these in the trace",                                             \
		    events_words                                                                   \
	}

extern const char *const events_words[];

/* Choose what is taken; best: the best of those in the beginning, or EVENT_OTHER. */
void events_choose(struct events *v, enum event_action best);

/* Is this event of interest: taken, or better than what is taken? */
ALWAYS_INLINE bool
events_wants(const struct events *v, enum event_action a)
{
	return a == v->taken || (a < v->taken && v->asked == EVENT_AUTO);
}

/* A read or write by an action that is better than what is taken: READ_AGAIN, or -1. */
int events_again(struct events *v, enum event_action better, const char *format, struct input *in,
    struct error *e);

/* At the end: say what was taken. */
void events_note(const struct events *v, struct input *in);

/* "8,16". */
const char *events_volume(struct events *v, uint32_t major, uint32_t minor);

/* ---- a clock that leaps ---- */

/*
 * Logs exist with a single time stamp decades ahead.  A time more than a day away from the one
 * before is replaced by that, if the next one is a day away from it as well, or there is none.
 */
#define LEAP_US ((uint64_t)24 * 3600 * 1000000)

static inline bool
event_leaps(uint64_t time, uint64_t other, uint64_t day)
{
	return (time > other ? time - other : other - time) > day;
}

void events_note_leap(struct input *in);

#endif
