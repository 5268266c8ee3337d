/* share_points.h - every combination of traces and settings of shared memory, by forked workers. */
#ifndef SIM_SHARE_POINTS_H
#define SIM_SHARE_POINTS_H

#include "sim/points/points.h"
#include "sim/setup/grid.h"
#include "sim/studies/share/report/share_report.h"
#include "sim/studies/share/share_programs.h"

struct share_points;

/* What a worker prints of a run. */
typedef int share_printer(const struct share_points *p, const struct share_report *r, FILE *out,
    struct error *e);

/* Point i: of trace i / grid.npoints, with setting i % grid.npoints. */
struct share_points {
	const struct options *o;
	unsigned	      jobs;
	struct grid	      grid;
	struct program	     *program;
	unsigned	      nprograms;
	size_t		      n;
	struct share_columns  columns; /* of the protocols of the lists */
	share_printer	     *print;
};

/* Check all settings, read all programs.  Release p in any case. */
int  share_points_init(struct share_points *p, const struct share_programs *s, struct error *e);
void share_points_release(struct share_points *p);

/* The options of a point, and the plug-ins that they choose; release c if this succeeds. */
int share_point_options(const struct share_points *p, size_t i, struct options *o, struct error *e);
int share_configure(struct share_config *c, const struct options *o, struct error *e);
void share_config_release(struct share_config *c);

/* With the settings, which must outlive it; without a result. */
struct share_report share_report_of(const struct program *p, const struct share_config *c,
    const struct options *o);

static inline const struct program *
share_point_program(const struct share_points *p, size_t i)
{
	return &p->program[i / p->grid.npoints];
}

/* All of them, and what is printed of each.  An error names its point. */
struct points share_points_work(struct share_points *p, share_printer *print);

#endif
