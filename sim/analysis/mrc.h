/*
 * mrc.h - the misses of LRU at every cache size, from one pass.
 *
 * LRU keeps the c blocks referenced last, so a reference hits in a cache that
 * is larger than its stack distance: the number of distinct other blocks
 * referenced since the last reference to its block.  A histogram of the
 * distances gives the whole curve.
 *
 *	R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger.  Evaluation
 *	techniques for storage hierarchies.  IBM Systems Journal 9(2), 1970.
 */
#ifndef SIM_MRC_H
#define SIM_MRC_H

#include "sim/trace/slots.h"

enum {
	MRC_LEVELS = 7,
	MRC_BATCH = 64, /* references handled together */
	MRC_BLOCKS_MAX = UINT32_MAX / 4 - 64,
};

struct mrc {
	uint32_t *last; /* [nblocks] slot of a block's last reference; 0: none yet */
	block_t	  nblocks;
	uint32_t  nslots, next;	     /* the slot of the next reference, from 1 */
	uint64_t *hole;		     /* a bit per slot: its block has been referenced again */
	uint32_t *level[MRC_LEVELS]; /* holes in each word, then in each node of the level before */
	unsigned  nlevels;
	uint32_t  distinct; /* blocks so far */
	uint64_t  references;
	uint64_t *misses; /* [nblocks + 1] references by distance; by cache size once finished */

	block_t	 batch[MRC_BATCH]; /* references to come */
	unsigned nbatch;
};

/* Blocks are 1 .. nblocks - 1. */
int  mrc_init(struct mrc *m, block_t nblocks, struct error *e);
void mrc_release(struct mrc *m);

void mrc_flush(struct mrc *m);

/* The next reference is to block b. */
ALWAYS_INLINE void
mrc_reference(struct mrc *m, block_t b)
{
	m->batch[m->nbatch++] = b;
	if (m->nbatch == MRC_BATCH)
		mrc_flush(m);
}

/* After the last reference. */
void mrc_finish(struct mrc *m);

/* Enter all references of a trace, for which m has slots_most() blocks, and finish. */
int mrc_trace(struct mrc *m, const struct trace *t, struct error *e);

/* After mrc_finish(): the misses of a cache of that many blocks. */
static inline uint64_t
mrc_misses(const struct mrc *m, uint64_t cache_blocks)
{
	return m->misses[cache_blocks < m->distinct ? cache_blocks : m->distinct];
}

#endif
