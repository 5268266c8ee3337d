/*
 * evictions.h - the blocks that leave a simulated cache, call by call.
 *
 * A replay that evicts these pages before each call keeps the memory of the
 * real machine as the simulated policy would.
 *
 * A block that leaves during a call leaves before it, so that there is room,
 * unless the call has used it or brought it in: then it leaves before the next
 * one, for the real call must find it as the simulated one did.  A call reads
 * each of its blocks once, so without prefetching the pages read are exactly
 * the blocks missed.  A prefetcher may bring in a block, see it leave and
 * bring it in again, all for one call: the real page is read once and stays.
 */
#ifndef SIM_EVICTIONS_H
#define SIM_EVICTIONS_H

#include "sim/core/simulate.h"

struct evictions {
	block_t *block; /* in the order in which they leave */
	size_t	*end;	/* [ncalls + 1] end of each call's blocks in block[] */
	size_t	 n, ncalls;
};

/*
 * Simulate serial replay, and record what leaves the cache while each call
 * runs.  *out: the statistics.
 */
int  evictions_init(struct evictions *v, const struct config *cfg, const struct trace *t,
     struct stats *out, struct error *e);
void evictions_release(struct evictions *v);

/* The blocks that leave before call i, or with i = v->ncalls behind the last; *n is their number. */
const block_t *evictions_of(const struct evictions *v, size_t i, size_t *n);

#endif
