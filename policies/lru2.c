/*
 * lru2.c - LRU-2: the block whose last but one reference is oldest goes.
 *
 * References to a block that follow each other within crp references of the
 * cache are one: a program that touches a block twice does not use it twice.
 * A block referenced within crp references waits in a list and is not evicted
 * unless all others are in flight or there too.  The others are in a heap by
 * the time of their last but one reference, 0 if there was only one; blocks
 * with equal times go in the order of their last touches.  The times of
 * evicted blocks are remembered.
 *
 *	E. J. O'Neil, P. E. O'Neil, G. Weikum.  The LRU-K page replacement
 *	algorithm for database disk buffering.  ACM SIGMOD, 1993.
 *
 * Departures: the paper remembers evicted blocks for a time; here their number
 * is limited, as in AccuSim (Butt, Gniady and Hu, SIGMETRICS 2005), and the
 * one evicted first is forgotten first.
 *
 * Prefetching: a prefetched block waits in the list as if referenced, but its
 * times stay what was remembered.  Its first demand reference counts as the
 * one that brings it in.  If it is evicted before that it is forgotten.
 * O(log frames); frames enter the heap only when a victim is needed, so that a
 * hit is O(1) until then.
 *
 * accusim=1 treats it as AccuSim did: the first demand reference leaves the
 * block where it is, in the list or in the heap, and changes no times but that
 * of the last touch if some are remembered.  An eviction looks through the list.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/fheap.h"
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"

enum { RECENT, RANKED }; /* of a frame's list */

/* Numbers of references; 0: never. */
struct times {
	uint64_t last_but_one, last; /* uncorrelated */
	uint64_t touched;	     /* of a frame only */
};

struct lru2 {
	struct flist  recent, history; /* heads: newest */
	struct fheap  ranked;
	struct ghosts ghosts; /* in history */
	struct times *of_frame, *of_ghost;
	uint64_t      crp, history_part, accusim;
	uint64_t      now;	/* demand references so far */
	uint64_t      turn;	/* of the frames that entered the heap */
	struct times  incoming; /* what is remembered of the block of the last miss() */
	frame_t	      limit;	/* of the length of history */
};

static const struct param lru2_params[] = {
	{ "crp", PARAM_COUNT, 20, 0, UINT32_MAX, offsetof(struct lru2, crp),
	    "references within which those to one block count as one", NULL },
	{ "history", PARAM_PART, SHARE_ONE, 1, SHARE_ONE, offsetof(struct lru2, history_part),
	    "evicted blocks remembered", NULL },
	{ "accusim", PARAM_COUNT, 0, 0, 1, offsetof(struct lru2, accusim),
	    "1: the first reference to a prefetched block does not move it", NULL },
	{ 0 },
};

static int
lru2_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct lru2 *l = self;

	l->crp = cache_scaled(c, l->crp);
	if (cache_part(c, l->history_part, c->nframes, "history of lru2", &l->limit, e) ||
	    fheap_init(&l->ranked, c, e) || ghosts_init(&l->ghosts, l->limit + 1, c, e))
		return -1;
	l->of_frame = memory_table((size_t)c->nframes + 1, sizeof(*l->of_frame));
	l->of_ghost = memory_table((size_t)l->ghosts.n + 1, sizeof(*l->of_ghost));
	if (l->of_frame && l->of_ghost)
		return 0;
	return error_set(e, "out of memory for the history of %u blocks", c->nframes);
}

static void
lru2_release(void *self)
{
	struct lru2 *l = self;

	fheap_release(&l->ranked);
	ghosts_release(&l->ghosts);
	free(l->of_frame);
	free(l->of_ghost);
}

static void
unlink_frame(struct lru2 *l, struct cache *c, frame_t f)
{
	if (c->frame[f].list == RECENT)
		flist_remove(&l->recent, c->frame, f);
	else
		fheap_remove(&l->ranked, f);
}

static void
push_recent(struct lru2 *l, struct cache *c, frame_t f)
{
	c->frame[f].list = RECENT;
	flist_push(&l->recent, c->frame, f);
}

/* A demand reference that brings its block in, or would have without a prefetch. */
static void
shift(struct times *t, uint64_t now)
{
	ASSERT(t->last_but_one <= t->last && t->last <= now);
	*t = (struct times){ .last_but_one = t->last, .last = now, .touched = now };
}

/* The first demand reference to a prefetched block.  True: it stays in its place. */
static bool
first_reference(const struct lru2 *l, struct times *t)
{
	if (l->accusim && t->last)
		t->touched = l->now;
	else
		shift(t, l->now);
	return l->accusim;
}

static void
lru2_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lru2  *l = self;
	struct times *t = &l->of_frame[f];

	l->now++;
	if (c->frame[f].flags & FRAME_PREFETCHED) {
		if (first_reference(l, t))
			return;
	} else {
		if (l->now - t->touched > l->crp) {
			t->last_but_one = t->touched;
			t->last = l->now;
		}
		t->touched = l->now;
	}
	unlink_frame(l, c, f);
	push_recent(l, c, f);
}

static bool
lru2_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct lru2 *l = self;
	frame_t	     ghost = ghosts_find(&l->ghosts, c, b);

	l->now += demand;
	l->incoming = (struct times){ 0 };
	if (!ghost)
		return false;
	l->incoming = l->of_ghost[ghost];
	ghosts_remove(&l->ghosts, &l->history, c, ghost);
	return true;
}

/* The correlated period of these frames has ended. */
static void
rank_recent(struct lru2 *l, struct cache *c)
{
	for (frame_t f = l->recent.tail, newer; f; f = newer) {
		newer = c->frame[f].prev;
		if (l->now - l->of_frame[f].touched <= l->crp) {
			if (l->accusim)
				continue; /* the list is not in order */
			return;
		}
		flist_remove(&l->recent, c->frame, f);
		c->frame[f].list = RANKED;
		fheap_set(&l->ranked, f, (struct rank){ l->of_frame[f].last_but_one, ++l->turn });
	}
}

static void
remember(struct lru2 *l, const struct cache *c, frame_t f)
{
	frame_t ghost = ghosts_push_most(&l->ghosts, &l->history, l->limit, c, c->frame[f].block);

	l->of_ghost[ghost] = l->of_frame[f];
}

static frame_t
lru2_evict(void *self, struct cache *c, block_t incoming)
{
	struct lru2 *l = self;
	frame_t	     f;

	ASSERT(l->recent.len + l->ranked.n <= c->nused);
	rank_recent(l, c);
	f = fheap_take_evictable(&l->ranked, c->frame);
	if (!f) {
		f = flist_last_evictable(&l->recent, c->frame);
		flist_remove(&l->recent, c->frame, f);
	}
	if (!(c->frame[f].flags & FRAME_PREFETCHED))
		remember(l, c, f);
	return f;
}

static void
lru2_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lru2  *l = self;
	struct times *t = &l->of_frame[f];

	*t = l->incoming;
	if (c->frame[f].flags & FRAME_PREFETCHED)
		t->touched = l->now;
	else
		shift(t, l->now);
	push_recent(l, c, f);
}

static void
lru2_remove(void *self, struct cache *c, frame_t f)
{
	unlink_frame(self, c, f);
}

static const void *
lru2_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct lru2 *)self)->ghosts, b);
}

POLICY(lru2,
    .plugin = {
	.name = "lru2",
	.summary = "oldest last but one reference (O'Neil, O'Neil, Weikum 1993)",
	.source = "E. J. O'Neil, P. E. O'Neil, G. Weikum: The LRU-K page replacement algorithm for database disk buffering, ACM SIGMOD, 1993",
	.state_size = sizeof(struct lru2),
	.params = lru2_params,
    },
    .on_hit = HIT_MOVES,
    .init = lru2_init,
    .release = lru2_release,
    .hit = lru2_hit,
    .miss = lru2_miss,
    .evict = lru2_evict,
    .insert = lru2_insert,
    .remove = lru2_remove,
    .expect = lru2_expect);
