/*
 * opt.c - the optimum without prefetching: the block referenced farthest in
 * the future goes.
 *
 * Knows the trace.  A heap holds the frames by the next demand reference to
 * their blocks.  Of blocks that are never referenced again, the one touched
 * longest ago goes; any choice among them is optimal.
 *
 *	L. A. Belady.  A study of replacement algorithms for a virtual-storage
 *	computer.  IBM Systems Journal 5(2), 1966.
 *
 * Prefetching: a prefetched block has the rank of its next demand reference.
 * With a prefetcher this is no bound: every prefetch gets a frame, even if the
 * victim is needed first.  Nor is it one where processes run at the same time
 * and make their references in another order than the trace.  O(log frames).
 */
#include "sim/core/fheap.h"
#include "sim/core/policy.h"

struct opt {
	struct fheap	     heap;
	const struct future *future;
	uint64_t	     touches;
};

static int
opt_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct opt *o = self;

	o->future = future;
	return fheap_init(&o->heap, c, e);
}

static void
opt_release(void *self)
{
	fheap_release(&((struct opt *)self)->heap);
}

static void
rank(struct opt *o, const struct cache *c, frame_t f)
{
	uint32_t next = future_next(o->future, c->frame[f].block);

	fheap_set(&o->heap, f, (struct rank){ FUTURE_NEVER - next, ++o->touches });
}

static void
opt_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	rank(self, c, f);
}

static frame_t
opt_evict(void *self, struct cache *c, block_t incoming)
{
	return fheap_take_evictable(&((struct opt *)self)->heap, c->frame);
}

static void
opt_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	rank(self, c, f);
}

static void
opt_remove(void *self, struct cache *c, frame_t f)
{
	fheap_remove(&((struct opt *)self)->heap, f);
}

POLICY(opt,
    .plugin = {
	.name = "opt",
	.summary = "farthest next reference, by knowing the trace: a bound without prefetching (Belady 1966)",
	.source = "L. A. Belady: A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2), 1966",
	.state_size = sizeof(struct opt),
    },
    .on_hit = HIT_IGNORES,
    .needs = NEEDS_FUTURE,
    .init = opt_init,
    .release = opt_release,
    .hit = opt_hit,
    .evict = opt_evict,
    .insert = opt_insert,
    .remove = opt_remove);
