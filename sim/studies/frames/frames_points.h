/* frames_points.h - every combination of allocators of page frames and what they are measured with. */
#ifndef SIM_CLI_FRAMES_POINTS_H
#define SIM_CLI_FRAMES_POINTS_H

#include "sim/base/map.h"
#include "sim/setup/grid.h"
#include "sim/studies/frames/report/frames_report.h"

struct frames_points {
	const struct options *o;
	struct grid	      grid;
	struct instance	      recording; /* the load of all points; without FILE, none */
	struct names	      names;	 /* of the recording and its parameters */
	struct frames_report *report;	 /* [n]; other texts are the grid's */
	size_t		      n;
};

/* Check all settings; nothing is measured.  Release p in any case. */
int  frames_points_init(struct frames_points *p, const struct options *o, struct error *e);
void frames_points_release(struct frames_points *p);

/* Measure one after the other: two at once would disturb each other.  An error names its point. */
int frames_points_run(struct frames_points *p, struct error *e);

#endif
