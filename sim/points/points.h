/*
 * points.h - many points, each computed once, and their results in order.
 *
 * A point is one of many computations that do not depend on each other: a run of a sweep, some
 * caches of a curve, a setting that is tried.  Its result is bytes.  Workers compute several at
 * once, so results come in any order; what is made of them does not depend on it.
 *
 *	static int
 *	square(void *self, size_t i, FILE *out, struct error *e)
 *	{
 *		uint64_t result = i * i;
 *
 *		fwrite(&result, sizeof(result), 1, out);
 *		return 0;
 *	}
 *
 *	const struct points p = { .n = 100, .jobs = 4, .make = square };
 *	uint64_t	    result[100];
 *
 *	failed = points_collect(&p, result, sizeof(*result), sizeof(*result), e);
 */
#ifndef SIM_POINTS_H
#define SIM_POINTS_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { POINT_NAME = 256 };

struct points {
	size_t	    n;
	unsigned    jobs;	  /* workers at once; 0: this process alone, undisturbed */
	const char *doing, *unit; /* "simulating", "points": a line of progress; NULL: none */
	void	   *self;

	/* In a worker: write the result of point i. */
	int (*make)(void *self, size_t i, FILE *out, struct error *e);

	/* What an error of point i begins with, such as "csq --policy lru"; NULL or "": nothing. */
	void (*name)(const void *self, size_t i, char name[POINT_NAME]);
};

/* In the parent: the result of point i, or of all points one after the other. */
typedef int point_taker(void *to, size_t i, const char *text, size_t bytes, struct error *e);
typedef int point_writer(void *to, const char *text, size_t bytes, struct error *e);

/*
 * Compute all points.  The results
 * - go to take(), in order of completion;
 * - go to write(), each as soon as all before it have gone there;
 * - are of `bytes` each, and lie `stride` bytes apart from `first` on.
 *
 * 0, or -1 after the first error; points in progress are still finished, and of several errors that
 * of the first point is kept, so that it does not depend on the speed of the workers.  SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT stop workers at once: -1, and the exit code is EXIT_SIGNALLED + the signal.
 */
int points_run(const struct points *p, point_taker *take, void *to, struct error *e);
int points_print(const struct points *p, point_writer *write, void *to, struct error *e);
int points_collect(const struct points *p, void *first, size_t bytes, size_t stride,
    struct error *e);

point_writer point_to_file; /* to: a FILE */

#endif
