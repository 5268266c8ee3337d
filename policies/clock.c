/*
 * clock.c - second chance: FIFO with a bit per frame.
 *
 * A reference sets the bit.  Eviction looks at the oldest frame: if its bit is
 * set, the bit is cleared and the frame becomes the newest; else it is the
 * victim.
 *
 *	F. J. Corbato.  A paging experiment with the Multics system.
 *	MIT Project MAC, 1968.
 *
 * Prefetching: a prefetched block enters with its bit clear, and its first
 * demand reference sets the bit to `init`, so that prefetch and first
 * reference together count as one.  O(1) amortised; a frame in flight is
 * skipped and keeps its bit.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

struct clock_state {
	struct flist list; /* head: newest */
	uint64_t     init; /* the bit of a block just fetched by demand */
};

static const struct param clock_params[] = {
	{ "init", PARAM_COUNT, 0, 0, 1, offsetof(struct clock_state, init),
	    "bit of a block just loaded: 1 if loading counts as a use", NULL },
	{ 0 },
};

static void
clock_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	const struct clock_state *clock = self;
	struct frame		 *fr = &c->frame[f];

	fr->list = fr->flags & FRAME_PREFETCHED ? (uint8_t)clock->init : 1;
}

static frame_t
clock_evict(void *self, struct cache *c, block_t incoming)
{
	struct clock_state *clock = self;
	frame_t		    f;

	ASSERT(clock->list.len <= c->nused);
	while (f = flist_last_evictable(&clock->list, c->frame), c->frame[f].list) {
		c->frame[f].list = 0;
		flist_to_head(&clock->list, c->frame, f);
	}
	flist_remove(&clock->list, c->frame, f);
	return f;
}

static void
clock_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct clock_state *clock = self;
	struct frame	   *fr = &c->frame[f];

	fr->list = fr->flags & FRAME_PREFETCHED ? 0 : (uint8_t)clock->init;
	flist_enter(&clock->list, c, f);
}

static void
clock_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(&((struct clock_state *)self)->list, c->frame, f);
}

POLICY(clock,
    .plugin = {
	.name = "clock",
	.summary = "second chance: FIFO with a reference bit (Corbato 1968)",
	.source = "F. J. Corbato: A paging experiment with the Multics system, MIT Project MAC, 1968",
	.state_size = sizeof(struct clock_state),
	.params = clock_params,
    },
    .on_hit = HIT_MARKS,
    .places = 1 << INSERT_TAIL,
    .hit = clock_hit,
    .evict = clock_evict,
    .insert = clock_insert,
    .remove = clock_remove);
