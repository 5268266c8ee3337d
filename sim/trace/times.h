/*
 * times.h - the unit of the times in a file, and whether it can be true.
 *
 * Columns of numbers do not name their unit.  Calls that are less than a
 * microsecond apart on average, or more than 100 seconds, are hardly those of
 * a program or a device: the unit is probably another one.  Slow devices are
 * doubted earlier.
 */
#ifndef SIM_TIMES_H
#define SIM_TIMES_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct trace;

enum time_unit { TIME_S, TIME_MS, TIME_US, TIME_NS, TIME_100NS, TIME_UNITS };

extern const char *const time_unit_word[TIME_UNITS + 1]; /* "s", ..., NULL */
extern const char *const time_unit_name[TIME_UNITS];	 /* "seconds", ... */

/* A whole number of units in microseconds; false: too many. */
bool times_to_us(enum time_unit unit, uint64_t n, usec_t *us);

/* How the unit was chosen. */
enum times_choice {
	TIMES_GIVEN,   /* by the user: it is not doubted */
	TIMES_USUAL,   /* as usual in the format */
	TIMES_CHANGED, /* to another one, as the usual one cannot be true */
	TIMES_EITHER,  /* the usual one, but `other` could be true as well */
};

struct time_scale {
	enum time_unit	  unit, other; /* TIME_UNITS: the format has no other unit than its own */
	enum times_choice choice;
	uint32_t apart_us; /* calls of the usual unit are further apart, on average; 0: 1 us */
};

/* Can n calls from `first` to `last`, in this unit, be true? */
bool times_are_plausible(enum time_unit unit, double first, double last, uint64_t n);

/* Is the time, in this unit, one of 1995 to 2050?  Units of 100 ns are counted from 1601. */
bool times_is_of_today(enum time_unit unit, double time);

/*
 * Note in the trace which unit was taken if it is in doubt, and what to type for another; first
 * and last are microseconds.  An error if they are too far apart.  params: of --format, or NULL.
 */
int times_judge(struct trace *t, const struct time_scale *times, usec_t first, usec_t last,
    const char *params, struct error *e);

#endif
