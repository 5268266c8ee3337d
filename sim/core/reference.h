/* reference.h - what one call does to the cache. */
#ifndef SIM_REFERENCE_H
#define SIM_REFERENCE_H

#include "sim/core/engine.h"

/*
 * Go on with process p's current call.  True: it has all its blocks.  False:
 * the process sleeps and the call goes on when it wakes.
 */
bool call_run(struct engine *g, struct process *p, const struct access *a);

/* Read what the prefetcher has planned; for advice, where d has no call, none of it is demand. */
void plan_run(struct node *n, const struct process *p, const struct demand *d,
    const struct plan *plan);

/* Drop the block in frame f, which is neither dirty nor in flight. */
void block_drop(struct node *n, frame_t f);

#endif
