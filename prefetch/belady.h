/*
 * belady.h - the misses of the optimum, from the next references alone.
 *
 * A block is known by the number of its next reference, so that the cache is a
 * set of numbers, and the victim is the greatest of them.  Frames whose blocks
 * are never referenced again are only counted.  O(1) a reference, two bits.
 *
 *	L. A. Belady.  A study of replacement algorithms for a virtual-storage
 *	computer.  IBM Systems Journal 5(2), 1966.
 */
#ifndef PREFETCH_BELADY_H
#define PREFETCH_BELADY_H

#include "sim/base/bits.h"
#include "sim/core/prefetch.h"

struct belady {
	struct bits held;   /* the next references to the blocks that are in the cache */
	uint32_t    vacant; /* frames without such a block */
};

/* The caller sets `vacant` to the number of frames. */
static inline int
belady_init(struct belady *b, uint32_t references, struct error *e)
{
	return bits_init(&b->held, references, e);
}

static inline void
belady_release(struct belady *b)
{
	bits_release(&b->held);
}

/* A block with its next reference there is in the cache from the start. */
static inline void
belady_hold(struct belady *b, uint32_t next)
{
	if (next == FUTURE_NEVER)
		return;
	bits_set(&b->held, next);
	b->vacant--;
}

/*
 * Reference number i is made; the one after it to the same block is `next`.
 * True: it misses, and *victim is the next reference to the block that leaves;
 * FUTURE_NEVER if none leaves that is referenced again.
 */
static inline bool
belady_refer(struct belady *b, uint32_t i, uint32_t next, uint32_t *victim)
{
	bool miss = !bits_has(&b->held, i);

	*victim = FUTURE_NEVER;
	if (!miss) {
		bits_clear(&b->held, i);
		b->vacant++;
	} else if (!b->vacant) {
		*victim = bits_last(&b->held);
		bits_clear(&b->held, *victim);
		b->vacant++;
	}
	belady_hold(b, next);
	return miss;
}

#endif
