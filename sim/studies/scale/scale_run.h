/* scale_run.h - a program of the user, timed with several numbers of threads. */
#ifndef SIM_SCALE_RUN_H
#define SIM_SCALE_RUN_H

#include "sim/setup/options.h"
#include "sim/studies/scale/timings.h"

/*
 * A number of threads with which the program fails has no more runs; the others go on.  -1: that
 * has happened, or a signal has stopped bufsim; t, which is to be released, has the good runs.
 * A program without marks has all of its time as its region, which *marked tells.
 */
int scale_run(struct timings *t, const struct options *o, bool *marked, struct error *e);

#endif
