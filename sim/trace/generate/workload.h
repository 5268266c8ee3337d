/*
 * workload.h - names for shapes with parameters: "stride-3" is
 * strided:size=4M,calls=200,step=12K.
 *
 * What --pattern and bufsim generate name is a workload: one of these, or a
 * shape (shape.h) with parameters, or several shapes (sim/setup/pattern.h).
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim/base/nearest.h"
#include "sim/base/types.h"

struct workload {
	const char *name, *group, *pattern, *summary;
};

extern const struct workload workloads[]; /* group by group; ends with a NULL name */

/*
 * Does names contain the workload?  names: "all", or names of workloads and
 * groups, separated by commas.
 */
bool workload_selected(const struct workload *p, const char *names);

/* Does names consist of such names only? */
bool workload_known(const char *names);

/* Offer all these names. */
void workload_offer(struct nearest *near);

#endif
