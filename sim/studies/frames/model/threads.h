/* threads.h - players on threads of this machine, timed by its clock. */
#ifndef SIM_FRAMES_THREADS_H
#define SIM_FRAMES_THREADS_H

#include "sim/studies/frames/model/player.h"
#include "sim/studies/frames/model/trial.h"

/*
 * Run all players to their ends.  On Linux each thread stays on a core: the first on the first one
 * that this process may use, the next on the next, and round again; elsewhere the system chooses.
 *
 * elapsed_ns: from when the first thread leaves the barrier to when the last one ends.  A take or
 * give of a pool that does nothing costs 3 ns, on a core of a Xeon of 2023. l: NULL, or the time of
 * each take and give, with that of reading the clock, 25 ns there.
 *
 * 0, or -1: no memory, or no threads.
 */
int threads_run(struct players *p, double *elapsed_ns, struct trial_latency *l, struct error *e);

#endif
