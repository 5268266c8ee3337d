/*
 * node.h - one cache with its policy, its prefetcher, the outcomes of its
 * prefetches and its dirty blocks.
 *
 * A node has no time and no device: the engine (engine.h) runs it.
 */
#ifndef SIM_NODE_H
#define SIM_NODE_H

#include "sim/core/config.h"
#include "sim/core/engine/ages.h"
#include "sim/core/engine/outcomes.h"
#include "sim/core/engine/shadow.h"
#include "sim/core/engine/writeback.h"

struct engine;

struct node {
	struct engine	    *engine; /* that runs it; untimed: NULL */
	struct stats	     stats; /* of its references and prefetches; others are in the engine */
	const struct policy *policy;
	const struct prefetcher *prefetcher;
	void			*policy_self, *prefetcher_self;
	unsigned		 needs; /* of the policy: NEEDS_* */
	struct cache		 cache;
	struct future		 future; /* if the policy needs it */
	struct outcomes		 outcomes;
	struct prefetch_ages	 ages;
	struct shadow		 shadow; /* if cfg asks for it */
	struct writeback	 writeback;
	uint8_t			*touched; /* a bit by slot: the block has been referenced before */
};

int node_init(struct node *n, struct engine *engine, const struct config *cfg,
    const struct trace *t, struct error *e);

/* To be called also if that failed. */
void node_release(struct node *n);

/* Counting starts: blocks in flight for a call, and prefetched blocks, were counted before. */
void node_forget_outcomes(struct node *n);

/* Count the prefetched blocks that were never used, and the ages of the others. */
void node_count_prefetched(struct node *n);

/* The first reference to block b? */
ALWAYS_INLINE bool
node_touch(struct node *n, block_t b)
{
	block_t slot = cache_number(&n->cache, b);
	uint8_t bit = (uint8_t)(1u << (slot & 7)), was = n->touched[slot >> 3];

	ASSERT(slot < n->cache.nblocks);
	n->touched[slot >> 3] = was | bit;
	return !(was & bit);
}

/*
 * Block b of the demand's file is brought in or hit.  Returns the context for
 * the policy, in *to; NULL if the policy does not need it.
 */
ALWAYS_INLINE const struct use *
node_use(const struct node *n, const struct demand *d, block_t b, struct use *to)
{
	if (likely(!(n->needs & NEEDS_USE)))
		return NULL;
	*to = (struct use){ .file = d->file,
		.index = b - d->base,
		.process = d->process,
		.open = d->call ? d->call->open : 0,
		.write = d->call && d->call->write,
		.now = d->now };
	return to;
}

/* A demand references block b: advance the future. */
ALWAYS_INLINE void
node_pass(struct node *n, block_t b)
{
	if (unlikely(n->needs & NEEDS_FUTURE))
		future_pass(&n->future, b);
}

/* Tell the policy that the resident block in frame f is referenced. */
ALWAYS_INLINE void
node_hit(struct node *n, const struct demand *d, block_t b, frame_t f)
{
	struct use use;

	n->policy->hit(n->policy_self, &n->cache, f, node_use(n, d, b, &use));
}

#endif
