/*
 * random.c - any block goes, each with the same probability.
 *
 * What remains of a policy that knows nothing about references; it has no
 * worst case such as LRU's loop.  The same seed gives the same victims.
 *
 *	L. A. Belady.  A study of replacement algorithms for a virtual-storage
 *	computer.  IBM Systems Journal 5(2), 1966.  (There: RAND.)
 *
 * Prefetching: a prefetched block is a block like any other.  O(1); a frame in
 * flight is drawn in vain.
 */
#include "sim/core/policy.h"
#include "sim/trace/chance.h"

enum { ABSENT, RESIDENT }; /* of a frame's list */

struct random_state {
	uint64_t seed; /* and then the state of the generator */
};

static const struct param random_params[] = {
	{ "seed", PARAM_COUNT, 0, 0, UINT64_C(1) << 62, offsetof(struct random_state, seed),
	    "another number gives other victims", NULL },
	{ 0 },
};

static void
random_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
}

static frame_t
random_evict(void *self, struct cache *c, block_t incoming)
{
	struct random_state *r = self;
	const struct frame  *fr;

	do {
		fr = &c->frame[1 + ((chance_next(&r->seed) >> 32) * c->nused >> 32)];
	} while (fr->list == ABSENT || fr->flags & FRAME_INFLIGHT);
	c->frame[fr - c->frame].list = ABSENT;
	return (frame_t)(fr - c->frame);
}

static void
random_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	ASSERT(c->frame[f].list == ABSENT);
	c->frame[f].list = RESIDENT;
}

static void
random_remove(void *self, struct cache *c, frame_t f)
{
	c->frame[f].list = ABSENT;
}

POLICY(random,
    .plugin = {
	.name = "random",
	.summary = "any block, each with the same probability (Belady 1966)",
	.source = "L. A. Belady: A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2), 1966",
	.state_size = sizeof(struct random_state),
	.params = random_params,
    },
    .on_hit = HIT_IGNORES,
    .hit = random_hit,
    .evict = random_evict,
    .insert = random_insert,
    .remove = random_remove);
