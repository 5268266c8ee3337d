/*
 * opt.c - the optimum without prefetching: the block referenced farthest in
 * the future goes.
 *
 * Knows the trace.  Of blocks that are never referenced again, the one touched
 * longest ago goes; any choice among them is optimal.
 *
 *	L. A. Belady.  A study of replacement algorithms for a virtual-storage
 *	computer.  IBM Systems Journal 5(2), 1966.
 *
 * Frames are sorted by the number of the next reference to their blocks: the
 * frames of 512 successive references are a list, and a tree of bits (bits.h) leads
 * to the last list that is not empty.  O(1), but for the search of a list.
 *
 * Prefetching: a prefetched block has the rank of its next demand reference.
 * With a prefetcher this is no bound: every prefetch gets a frame, even if the
 * victim is needed first.  Nor is it one where processes run at the same time
 * and make their references in another order than the trace.
 */
#include <stdlib.h>

#include "sim/base/bits.h"
#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { LIST_BITS = 9 };

struct opt {
	const struct future *future;
	uint32_t	    *next;   /* [frame]: reference */
	frame_t		    *first;  /* [reference / 512]: a list of frames, or NIL */
	struct bits	     filled; /* those of the lists that are not empty */
	uint32_t	     lists;
	struct flist	     never; /* referenced again; head: touched last */
};

static int
opt_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct opt *o = self;

	o->future = future;
	o->lists = (future->references >> LIST_BITS) + 1;
	o->next = memory_table((size_t)c->nframes + 1, sizeof(*o->next));
	o->first = memory_table(o->lists, sizeof(*o->first));
	if (o->next && o->first && !bits_init(&o->filled, o->lists, e))
		return 0;
	return error_set(e, "out of memory for opt and %u references", o->lists << LIST_BITS);
}

static void
opt_release(void *self)
{
	struct opt *o = self;

	free(o->next);
	free(o->first);
	bits_release(&o->filled);
}

/* ---- frames ---- */

ALWAYS_INLINE void
enter(struct opt *o, struct cache *c, frame_t f)
{
	struct frame *fr = c->frame;
	uint32_t      next = o->next[f] = future_next(o->future, fr[f].block);
	frame_t	     *first = &o->first[next >> LIST_BITS];

	ASSERT(next == FUTURE_NEVER || next < o->future->references);
	if (next == FUTURE_NEVER) {
		flist_push(&o->never, fr, f);
		return;
	}
	fr[f].prev = NIL;
	fr[f].next = *first;
	if (*first)
		fr[*first].prev = f;
	else
		bits_set(&o->filled, next >> LIST_BITS);
	*first = f;
}

ALWAYS_INLINE void
leave(struct opt *o, struct cache *c, frame_t f)
{
	struct frame *fr = c->frame;
	frame_t	      prev = fr[f].prev, next = fr[f].next;
	uint32_t      list = o->next[f] >> LIST_BITS;

	if (o->next[f] == FUTURE_NEVER) {
		flist_remove(&o->never, fr, f);
		return;
	}
	ASSERT((prev ? fr[prev].next : o->first[list]) == f && (!next || fr[next].prev == f));
	if (next)
		fr[next].prev = prev;
	if (prev)
		fr[prev].next = next;
	else if (!(o->first[list] = next))
		bits_clear(&o->filled, list);
}

static void
opt_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	leave(self, c, f);
	enter(self, c, f);
}

/* The frame of a list that is needed last, but before reference `end`, and not in flight, or NIL. */
static frame_t
last_of(const struct opt *o, const struct frame *fr, uint32_t list, uint32_t end)
{
	frame_t last = NIL;

	for (frame_t f = o->first[list]; f; f = fr[f].next)
		if (!(fr[f].flags & FRAME_INFLIGHT) && o->next[f] < end &&
		    (!last || o->next[f] > o->next[last]))
			last = f;
	return last;
}

/* The frame that is needed last before reference `end`, and is not in flight, or NIL. */
static frame_t
farthest(const struct opt *o, const struct cache *c, uint32_t end)
{
	uint32_t list = (end >> LIST_BITS) + 1;
	frame_t	 f = NIL;

	list = list < o->lists ? list : o->lists;
	while (!f && (list = bits_before(&o->filled, list)) != BITS_NONE)
		f = last_of(o, c->frame, list, end);
	return f;
}

static frame_t
opt_evict(void *self, struct cache *c, block_t incoming)
{
	struct opt *o = self;
	frame_t	    f = flist_last_evictable(&o->never, c->frame);

	if (!f)
		f = farthest(o, c, FUTURE_NEVER);
	ASSERT(f && o->next[f] >= future_next(o->future, c->frame[f].block));
	leave(o, c, f);
	return f;
}

static frame_t
opt_leaves(const void *self, const struct cache *c, frame_t before)
{
	const struct opt *o = self;
	uint32_t	  end = before ? o->next[before] : FUTURE_NEVER;
	frame_t		  f = before ? c->frame[before].prev : o->never.tail;

	if (end != FUTURE_NEVER)
		return farthest(o, c, end);
	while (f && c->frame[f].flags & FRAME_INFLIGHT)
		f = c->frame[f].prev;
	return f ? f : farthest(o, c, FUTURE_NEVER);
}

static void
opt_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	enter(self, c, f);
}

static void
opt_remove(void *self, struct cache *c, frame_t f)
{
	leave(self, c, f);
}

POLICY(opt,
    .plugin = {
	.name = "opt",
	.summary = "farthest next reference, by knowing the trace: a bound without prefetching (Belady 1966)",
	.source = "L. A. Belady: A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2), 1966",
	.state_size = sizeof(struct opt),
    },
    .on_hit = HIT_MOVES,
    .needs = NEEDS_FUTURE,
    .init = opt_init,
    .release = opt_release,
    .hit = opt_hit,
    .evict = opt_evict,
    .leaves = opt_leaves,
    .insert = opt_insert,
    .remove = opt_remove);
