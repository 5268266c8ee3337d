/*
 * timings.h - how long runs of a parallel program took, in all and in its region of interest.
 *
 * Read from CSV: the columns threads, total and region, in any order; a row for each run, times in
 * seconds.  Of the optional columns program tells several programs apart, user and system are the
 * processor time of the run; others are ignored.
 */
#ifndef SIM_SCALE_TIMINGS_H
#define SIM_SCALE_TIMINGS_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum {
	THREADS_MAX = 1000000,
	SECONDS_MAX = 1000000000,
	TIMED_PROGRAMS_MAX = 1000,
	LEVELS_MAX = 1000
};

struct timed_run {
	uint32_t threads;
	double	 total, region; /* s; 0 < region <= total */
	double	 user, system;	/* s of processor time; NAN, or both 0: unknown */
};

/* All runs with so many threads. */
struct timed_level {
	uint32_t		threads;
	const struct timed_run *run;
	size_t			nruns;
	double			total, region, user, system; /* means, s */
};

/* What the kernel has of the processor time, 0 .. 1; NAN: unknown. */
double timed_level_kernel(const struct timed_level *l);

struct timed_program {
	char		   *name;
	struct timed_run   *run; /* by threads, then by time */
	size_t		    nruns;
	uint32_t	    room;
	struct timed_level *level; /* by threads, at least two; the first has 1 thread */
	size_t		    nlevels;
};

struct timings {
	struct timed_program *program; /* in the order in which they were first added */
	size_t		      n;
};

/* Zeroed, t is empty.  Release it in any case. */
int timings_add(struct timings *t, const char *program, const struct timed_run *r, struct error *e);

/*
 * After the last run: make the levels.  An error, which begins with what, if a program has no run
 * with 1 thread, or no other.
 */
int timings_end(struct timings *t, const char *what, struct error *e);

/*
 * Both, from a file; "-" is standard input.  Programs without a name get that of the file.  An
 * error names the file and the row, and says what to type.
 */
int  timings_read(struct timings *t, const char *path, struct error *e);
void timings_release(struct timings *t);

#endif
