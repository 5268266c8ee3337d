/* reference.h - the effect of one call on the cache. */
#ifndef SIM_REFERENCE_H
#define SIM_REFERENCE_H

#include "sim/core/engine/engine.h"

/*
 * Continue process p's current call.  True: the call has all its blocks.
 * False: the process sleeps, and the call continues when it wakes.
 */
bool call_run(struct engine *g, struct process *p, const struct access *a);

/* Carry out a plan of the prefetcher; for advice d has no call, and no block counts as demand. */
bool plan_run(struct node *n, const struct process *p, const struct demand *d, struct plan *plan);

/* Read a block that is not in the cache ahead of its use; d has no call. */
void block_read_ahead(struct node *n, const struct demand *d, block_t b);

/* Drop the block in frame f, which is neither dirty nor in flight. */
void block_drop(struct node *n, frame_t f);

#endif
