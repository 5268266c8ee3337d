/*
 * scale_self.h - the sweep of bufsim itself, timed with several numbers of workers.
 *
 * The region is the simulation of all points by the workers.  Outside of it are loading and
 * compiling the traces, making the points, and writing the table.
 */
#ifndef SIM_SCALE_SELF_H
#define SIM_SCALE_SELF_H

#include "sim/setup/options.h"
#include "sim/studies/scale/timings.h"

/* Each run is a process of its own.  As turns_time(): -1 leaves in t, which is to be released, the runs until then. */
int scale_self(struct timings *t, const struct options *o, struct error *e);

#endif
