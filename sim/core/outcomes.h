/*
 * outcomes.h - the outcome and the cost of each prefetched block.
 *
 * When a prefetch evicts a block, the victim is remembered with its culprit
 * until it is referenced or fetched again.  A demand miss on it hurts the
 * culprit: that prefetch was costly (if used) or polluting (if not).  The
 * classes are a reduction of the table in
 *
 *	V. Srinivasan, E. S. Davidson, G. S. Tyson.  A prefetch taxonomy.
 *	IEEE Transactions on Computers 53(2), 2004.
 *
 * It looks one victim deep, and a victim that would have left anyway counts
 * as well.  Five bytes per block of the trace; nothing on a plain hit.
 */
#ifndef SIM_OUTCOMES_H
#define SIM_OUTCOMES_H

#include "sim/base/error.h"
#include "sim/core/prefetch.h"
#include "sim/core/stats.h"

struct outcomes {
	/*
	 * Of an evicted block, the prefetched block that took its frame; of an
	 * unused prefetched block, the block that it evicted, or HURT.
	 */
	block_t *other;
	uint8_t *fate; /* of an evicted block: its culprit's fate so far */
	block_t	 nblocks;
};

/* Blocks are known by numbers below nblocks: those of cache_number(). */
int  outcomes_init(struct outcomes *o, block_t nblocks, struct error *e);
void outcomes_release(struct outcomes *o);
void outcomes_forget(struct outcomes *o, size_t used); /* the first blocks: counting starts again */

/* The prefetch of culprit evicted victim; unused: the victim was an unused prefetched block. */
void outcomes_evicted(struct outcomes *o, block_t culprit, block_t victim, bool unused);

/* b is fetched ahead of need. */
void outcomes_prefetched(struct outcomes *o, block_t b);

/* A demand missed b. */
void outcomes_missed(struct outcomes *o, block_t b, struct stats *st);

/* The prefetched block b was used, in time or late, or evicted unused. */
void outcomes_resolved(struct outcomes *o, block_t b, enum outcome how, struct stats *st);

#endif
