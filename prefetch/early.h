/*
 * early.h - early eviction: blocks that were read ahead, and not used in time,
 * leave before the replacement policy chooses a victim.
 *
 * Most blocks of a plan that are not used soon are never used, but to the policy
 * they are new, and it would keep them for a whole turn of the cache.  So a plan
 * is due when a quarter of the cache has come after its blocks; what is unused
 * then goes first, oldest plan first.  A wrong plan then costs its transfer, and
 * its frames for a quarter of the time:
 *
 *	clock	100           132                   388
 *		plan of 32    its blocks are there  due, with 1024 frames:
 *						    132 + 1024 / 4 = 388
 *
 * If the later uses of its file are then worth more than a frame (reuse.h), the plan
 * is left to the policy.
 *
 * A queue of the last EARLY_PLANS plans; a plan that no longer fits in is
 * forgotten, and its blocks leave as the policy says.  It suffices if the plans
 * of a quarter of the cache fit in: plans of 4 blocks, the smallest window of
 * readahead, for 4 x 4 x 8192 frames (512 MiB).  O(1) a block.
 */
#ifndef PREFETCH_EARLY_H
#define PREFETCH_EARLY_H

#include "prefetch/probes.h"

enum { EARLY_PLANS = 8192 };

struct early_plan {
	file_t	 file;
	uint32_t first, n; /* blocks of the file that are left */
	uint32_t due;	   /* clock of reuse.h */
	bool	 leaving;  /* its blocks are being evicted */
};

struct early {
	const struct probes *probes;
	struct early_plan    plan[EARLY_PLANS];
	uint32_t	     oldest, newest;
};

/* A plan is carried out. */
void early_add(struct early *q, const struct demand *d, const struct absence *a);

/* Is the oldest plan old enough?  False: early_victim() would return 0. */
static inline bool
early_is_due(const struct early *q, const struct cache *c)
{
	const struct early_plan *p = &q->plan[q->oldest % EARLY_PLANS];

	return q->oldest != q->newest &&
	    (!p->n || probes_has_come(reuse_clock(q->probes->reuse, c), p->due));
}

/* The oldest block that is to leave early, or 0. */
block_t early_victim(struct early *q, const struct cache *c, const struct prices *p);

#endif
