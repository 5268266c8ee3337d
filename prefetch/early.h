/*
 * early.h - early eviction: blocks that were read ahead, and not used soon, leave
 * before the replacement policy chooses a victim.
 *
 * Most blocks of a plan that are not used soon are never used, but to the policy
 * they are new, and it would keep them for a whole turn of the cache.  That is
 * dear in a cache that nearly holds what is used: few blocks come, a turn takes long,
 * and each frame would save several misses meanwhile.  So what a plan brought in, and
 * what is unused when a use is no longer soon (probes.h), is weighed again:
 *
 *	not soon, by the blocks	    it leaves, unless later uses of its file (reuse.h) are
 *	of its own file		    worth more than a frame until a quarter of the
 *				    cache has come: 1/4 of its price
 *	a quarter of the cache	    it leaves, unless they are worth more than a frame; then
 *	has come		    it is left to the policy
 *
 *	its file has brought in	    100			196	    blocks
 *		plan of 32	      its blocks are there	not soon: 100 + 32 + 64
 *
 * The blocks of its own file are counted, since a slow stream uses its blocks late by
 * any other clock.  A wrong plan then costs its transfer, and its frames for at most a
 * quarter of the time.
 *
 * A queue of the last EARLY_PLANS plans; those that wait go to its end.  A plan that no
 * longer fits in is forgotten, and its blocks leave as the policy says.  It suffices if
 * the plans of a quarter of the cache fit in: plans of 4 blocks, the smallest window
 * of readahead, for 4 x 4 x 8192 frames (512 MiB).  O(1) an eviction.
 */
#ifndef PREFETCH_EARLY_H
#define PREFETCH_EARLY_H

#include "prefetch/known.h"
#include "prefetch/probes.h"

enum { EARLY_PLANS = 8192 };

struct early_plan {
	file_t	       file;
	uint32_t       first, n; /* blocks of the file that are left */
	struct horizon end;
	bool	       leaving; /* its blocks are being evicted */
};

struct early {
	const struct probes *probes;
	const struct known  *known; /* or NULL: blocks that will not be used leave at once */
	struct early_plan    plan[EARLY_PLANS];
	uint32_t	     oldest, newest;
};

/* A plan is carried out. */
void early_add(struct early *q, const struct demand *d, const struct absence *a);

/* A block that is to leave early, or 0. */
block_t early_victim(struct early *q, const struct cache *c, const struct prices *p);

#endif
