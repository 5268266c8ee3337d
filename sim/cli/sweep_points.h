/* sweep_points.h - the points of a sweep: every combination of traces and lists of settings. */
#ifndef SIM_SWEEP_POINTS_H
#define SIM_SWEEP_POINTS_H

#include "sim/base/map.h"
#include "sim/points/points.h"
#include "sim/points/rows.h"
#include "sim/points/slice.h"
#include "sim/report/compare/ranking.h"
#include "sim/report/identity.h"
#include "sim/setup/grid.h"
#include "sim/setup/inputs.h"

struct sweep_point {
	unsigned trace;
	uint64_t setting; /* of the grid */
	size_t	 place;	  /* among all points */
};

/* What a worker prints of a run. */
typedef int run_printer(const struct report *r, FILE *out, struct error *e);

struct sweep_points {
	const struct options *o;
	unsigned	      jobs; /* processes at once */
	struct grid	      grid;
	struct inputs	      inputs;
	struct trace	     *trace;
	unsigned	      ntraces;
	size_t		      n;     /* of all: in the order of the traces and lists, each once */
	struct sweep_point   *point; /* [nleft] that are to be simulated, at first all */
	size_t		      nleft;
	run_printer	     *print;
	struct identity	     *identity[IDENTITY_PLUGINS]; /* of each value of identity_option[] */
	struct names	      keys;			  /* key of point i: number i + 1 */
	struct names	      alike;			  /* their keys without contents of files */
	uint32_t	      nalike;
	unsigned	      nchanged; /* rows in a file that differ in those contents only */
};

/* Check all values, load the traces of o, make the points.  Release p in any case. */
int  sweep_points_init(struct sweep_points *p, const struct options *o, struct error *e);
void sweep_points_release(struct sweep_points *p);

/* The place of the point that a row of n fields belongs to; SIZE_MAX: none. */
size_t sweep_points_place(void *points, char *const *field, unsigned n);

/* Leave only the points of a slice that are not among the rows; rows may be NULL. */
void sweep_points_leave(struct sweep_points *p, const struct points_slice *s,
    const struct rows *there);

/* Those that are left, and what is printed of each.  An error names its point. */
struct points sweep_points_work(struct sweep_points *p, run_printer *print);

/* Simulate those that are left and print them ranked. */
int sweep_points_table(struct sweep_points *p, enum ranking_form form, FILE *out, struct error *e);

#endif
