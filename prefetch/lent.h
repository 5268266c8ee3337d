/*
 * lent.h - frames lent to blocks that were read ahead: which may be taken back?
 *
 * Blocks that were read ahead and not used are evicted before the replacement
 * policy chooses, once a quarter of the cache has come after them.  A wrong
 * plan then costs its transfer, and its frames for a while only.  If the later
 * uses of its file are then worth more than a frame, it is left to the policy.
 *
 * A queue of the last plans; a plan that no longer fits in is forgotten, and
 * its blocks leave as the policy says.  O(1) a block.
 */
#ifndef PREFETCH_LENT_H
#define PREFETCH_LENT_H

#include "prefetch/probes.h"

enum { LENT_PLANS = 8192 };

struct lent_plan {
	file_t	 file;
	uint32_t first, n; /* blocks of the file that are left */
	uint32_t due;	   /* clock of later.h, a quarter of the cache after what it brings in */
	bool	 back;	   /* its frames are being taken back */
};

struct lent {
	const struct probes *probes;
	struct lent_plan     plan[LENT_PLANS];
	uint32_t	     oldest, newest;
};

/* A plan is carried out. */
void lent_add(struct lent *l, const struct demand *d, const struct absence *a);

/* Is the oldest plan old enough?  False: lent_take() would return 0. */
static inline bool
lent_is_due(const struct lent *l, const struct cache *c)
{
	const struct lent_plan *p = &l->plan[l->oldest % LENT_PLANS];

	return l->oldest != l->newest &&
	    (!p->n || probes_has_come(later_clock(l->probes->later, c), p->due));
}

/* The oldest block that may be taken back, or 0. */
block_t lent_take(struct lent *l, const struct cache *c, const struct prices *p);

#endif
