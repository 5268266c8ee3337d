/* points.h - every combination of lists of settings, simulated by forked workers. */
#ifndef SIM_POINTS_H
#define SIM_POINTS_H

#include <stdio.h>

#include "sim/base/map.h"
#include "sim/report/compare/ranking.h"
#include "sim/report/identity.h"
#include "sim/setup/grid.h"
#include "sim/setup/inputs.h"

struct point {
	unsigned trace;
	uint64_t setting; /* of the grid */
};

struct points {
	const struct options *o;
	unsigned	      jobs; /* processes at once */
	struct grid	      grid;
	struct inputs	      inputs;
	struct trace	     *trace;
	unsigned	      ntraces;
	struct point	     *point; /* in the order of the traces and lists, each once */
	size_t		      n;
	struct identity	     *identity[IDENTITY_PLUGINS]; /* of each value of identity_option[] */
	struct names	      keys;			  /* key of point i: number i + 1 */
	struct names	      alike;			  /* their keys without contents of files */
	uint32_t	      nalike;
	unsigned	      nchanged; /* rows in a file that differ in those contents only */
};

/* Check all values, load the traces of o, make the points.  Release p in any case. */
int  points_init(struct points *p, const struct options *o, struct error *e);
void points_release(struct points *p);

/* The number of the point that a row of n fields belongs to; SIZE_MAX: none. */
size_t points_place(void *points, char *const *field, unsigned n);

struct points_work {
	const size_t *todo; /* numbers of points */
	size_t	      ntodo;
	void	     *self;

	/* In a worker: the result of a run, as bytes. */
	int (*print)(const struct report *r, FILE *out, struct error *e);

	/* In the parent, in order of completion: the result of todo[i]. */
	int (*take)(void *self, size_t i, const char *text, size_t bytes, struct error *e);
};

/* As work_run().  An error names its point. */
int points_run(struct points *p, const struct points_work *w, struct error *e);

/* Simulate points and print them ranked. */
int points_table(struct points *p, const size_t *todo, size_t ntodo, enum ranking_form form,
    FILE *out, struct error *e);

#endif
