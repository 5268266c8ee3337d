/*
 * outcomes.h - the class of each prefetched block: what it was good for, and
 * what it cost.
 *
 * When a prefetch evicts a block, the victim is remembered with its culprit
 * until it is referenced or fetched again.  A demand miss on it hurts the
 * culprit: that prefetch was costly (if used) or polluting (if not).  The
 * classes are a reduction of the table in
 *
 *	V. Srinivasan, E. S. Davidson, G. S. Tyson.  A prefetch taxonomy.
 *	IEEE Transactions on Computers 53(2), 2004.
 *
 * It looks one victim deep.  A victim that would have left anyway hurts as
 * well, unless a shadow (shadow.h) tells that it would.
 *
 * The same misses are estimated by a filter of 4,096 bits, small enough for a
 * controller, as in
 *
 *	S. Srinath, O. Mutlu, H. Kim, Y. N. Patt.  Feedback directed prefetching.
 *	HPCA 2007.
 *
 * Five bytes per block of the trace; nothing on a plain hit.
 */
#ifndef SIM_OUTCOMES_H
#define SIM_OUTCOMES_H

#include "sim/base/error.h"
#include "sim/core/prefetch.h"
#include "sim/core/stats.h"

enum fate { FATE_OPEN, FATE_TIMELY, FATE_LATE, FATE_COSTLY, FATE_USELESS, FATE_POLLUTING, FATES };

/* The class of a prefetched block has changed; block is NIL if none has. */
struct turn {
	block_t	  block;
	enum fate from, to;
};

enum { FILTER_SHIFT = 12, FILTER_BITS = 1 << FILTER_SHIFT };

struct outcomes {
	/*
	 * Of an evicted block, the prefetched block that took its frame; of an
	 * unused prefetched block, the block that it evicted, or HURT.
	 */
	block_t	     *other;
	uint8_t	     *fate; /* of an evicted block: its culprit's fate so far */
	block_t	      nblocks;
	struct slots *slots; /* where both have the entry of a block */
	uint64_t      filter[FILTER_BITS / 64];
};

/* nblocks entries for the blocks of those slots, which are borrowed. */
int  outcomes_init(struct outcomes *o, struct slots *slots, block_t nblocks, struct error *e);
void outcomes_release(struct outcomes *o);
void outcomes_forget(struct outcomes *o); /* counting starts */

/*
 * b is fetched ahead of need and evicts the victim, if that is not NIL.  unused: the victim was an
 * unused prefetched block itself.
 */
void outcomes_prefetched(struct outcomes *o, block_t b, block_t victim, bool unused);

/*
 * A demand missed b.  leaves: it would have missed b without prefetching, too.  True: a prefetch
 * had evicted b; *turn is what becomes of that prefetch.
 */
bool outcomes_missed(struct outcomes *o, block_t b, bool leaves, struct stats *st,
    struct turn *turn);

/* The prefetched block b was used, in time or late, or evicted unused: its class. */
enum fate outcomes_resolved(struct outcomes *o, block_t b, enum outcome how, struct stats *st);

#endif
