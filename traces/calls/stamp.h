/*
 * stamp.h - what strace writes in front of a call: the process and the time.
 *
 *	7013  1795413617.923212 read(...       -f -ttt
 *	[pid  7013] 12:34:56.923212 read(...   -f -tt, on standard error
 *	7013       0.000213 read(...           -f -r: since the line before
 *	read(...) = 10 <0.000012>              -T alone
 */
#ifndef TRACES_STAMP_H
#define TRACES_STAMP_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct input;

enum stamp_form { STAMP_NONE, STAMP_SECONDS, STAMP_DAY };

struct stamp {
	const char     *call; /* what is behind */
	uint32_t	pid;
	bool		has_pid, brackets;
	bool		whole; /* without a fraction of a second */
	enum stamp_form form;
	uint64_t	ns; /* since whatever the form says */
};

/* False: the line has nothing behind that. */
bool stamp_scan(const char *line, struct stamp *s);

/*
 * Are the lines numbered, from 1 on, as cat -n and editors do it?  Then stamp_number() is the length
 * of the number of a line, with the blanks around it and a colon; 0: it has none.
 */
bool   stamp_are_numbered(const char *head, size_t n);
size_t stamp_number(const char *line);

/* Times since 1970 are later than this, if the clock was set. */
#define CLOCK_EPOCH_NS ((uint64_t)100000000 * 1000000000)

/* How times are found: of seconds, from the first lines. */
enum clock_kind {
	CLOCK_UNKNOWN,
	CLOCK_EPOCH,	   /* -ttt */
	CLOCK_DAY,	   /* -t, -tt: times of day */
	CLOCK_DIFFERENCES, /* -r: their running sum */
	CLOCK_DURATIONS,   /* -T alone: the sum of durations */
	CLOCK_NONE,
};

struct clock {
	enum clock_kind kind;
	uint64_t	sum_ns; /* of differences */
	usec_t		now;	/* the end of the last call, of durations */
	usec_t		latest; /* time of day */
	usec_t		days;	/* that have passed, in microseconds */
};

/* Choose the kind by the first line and what follows it in the input, with a note. */
int clock_choose(struct clock *c, const struct stamp *first, struct input *in, struct error *e);

/* The time of a line; false: it has none, as it should. */
bool clock_time(struct clock *c, const struct stamp *s, struct input *in, usec_t *time);

/* All times of day from this one on are of the next day. */
void clock_next_day(struct clock *c, usec_t *time);

/* A call that began at that time has taken so long (-1: unknown): when it ended. */
usec_t clock_end(struct clock *c, usec_t began, usec_t lasted);

#endif
