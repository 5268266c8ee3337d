/* reference.h - what one call does to the cache. */
#ifndef SIM_REFERENCE_H
#define SIM_REFERENCE_H

#include "sim/core/sim.h"

/*
 * Go on with reader r's current call.  True: it has all its blocks.  False:
 * the reader sleeps and the call goes on when it wakes.
 */
bool call_run(struct sim *s, struct reader *r, const struct access *a);

/* Read what the prefetcher has planned; for advice, where d has no call, none of it is demand. */
void plan_run(struct sim *s, const struct reader *r, const struct demand *d,
    const struct plan *plan);

/* Throw out the block in frame f, which is neither dirty nor in flight. */
void block_drop(struct sim *s, frame_t f);

#endif
