/*
 * lirs.c - LIRS: blocks that come back soon after their last reference stay.
 *
 * LIR blocks have a low inter-reference recency, the number of other blocks
 * between two references to the same one; most of the cache is theirs.  All
 * others are HIR.  The stack S has the blocks by last reference, down to the
 * oldest LIR block: LIR, resident HIR, and ghosts, HIR blocks that have left
 * the cache.  A HIR block that is referenced while it is in S becomes LIR, and
 * the LIR block at the bottom of S becomes HIR.  The queue Q has the resident
 * HIR blocks; the oldest of them is evicted.
 *
 *	S. Jiang, X. Zhang.  LIRS: an efficient low inter-reference recency set
 *	replacement policy to improve buffer cache performance.  ACM SIGMETRICS,
 *	2002.
 *
 * Departures: HIR blocks have 10 % of the cache and at least 32 frames, not
 * 1 %, as a readahead batch passes through them, and S has twice the blocks of
 * the cache.  Both are what AccuSim has.  A longer S drops its oldest HIR
 * block.
 *
 * Prefetching: a prefetched block enters Q, not S; a ghost of it keeps its
 * place there.  Its first demand reference is treated as the miss would have
 * been.  A block evicted before that leaves no ghost of its own.  If the cache
 * is full, prefetched blocks have the frames for HIR blocks only: with less
 * than two batches of them, they are evicted before they are used.
 *
 * S is a ring in which a reference writes the block behind the newest entry.
 * An older entry of the block is then void, as `place` no longer points to it.
 * So a reference to a LIR block changes no links, and a ghost is an entry like
 * any other.  O(1) amortised.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { HIR, LIR }; /* of a frame's list */
enum { HIR_LEAST = 32, STACK_LEAST = 64, SOON = 16 };

#define PLACE_LIR (UINT32_C(1) << 31)  /* of a place: the entry is of a LIR block */
#define STACK_MOST (UINT32_C(1) << 29) /* so that a place has room for twice as many entries */
#define NOT_GIVEN UINT64_MAX	       /* of a parameter */

struct lirs {
	struct flist q;	    /* head: newest */
	block_t	    *entry; /* [mask + 1]: S, with void entries */
	uint32_t *place; /* by slot: of a block in S, 1 + the index of its entry, and PLACE_LIR */
	uint32_t  bottom, top, mask; /* entries bottom .. top - 1, modulo mask + 1 */
	uint32_t  lowest;	     /* no entry below it is of a HIR block */
	uint32_t  in_s, smax;
	frame_t	  lirs, lirs_most;
	uint64_t  hir_part, smax_part, accusim;
};

static const struct param lirs_params[] = {
	{ "hir", PARAM_PART, NOT_GIVEN, 1, SHARE_ONE, offsetof(struct lirs, hir_part),
	    "frames for HIR blocks; default 10% and at least 32b, but at most half of the cache",
	    NULL },
	{ "smax", PARAM_PART, NOT_GIVEN, 1, 1000 * (uint64_t)SHARE_ONE,
	    offsetof(struct lirs, smax_part),
	    "blocks in the stack S; default 200% and at least 64b", NULL },
	{ "accusim", PARAM_COUNT, 0, 0, 1, offsetof(struct lirs, accusim),
	    "1: only misses become LIR at first, while more than hir frames are empty", NULL },
	{ 0 },
};

/* The frames for HIR blocks. */
static int
hir_frames(const struct lirs *s, const struct cache *c, frame_t *hir, struct error *e)
{
	frame_t half = c->nframes / 2, tenth = c->nframes / 10;
	frame_t least = (frame_t)cache_scaled(c, HIR_LEAST);

	if (s->hir_part != NOT_GIVEN)
		return cache_part(c, s->hir_part, c->nframes, "hir of lirs", hir, e);
	*hir = tenth > least ? tenth : least;
	*hir = *hir < half ? *hir : half;
	*hir = *hir ? *hir : 1;
	return 0;
}

/* The blocks in S. */
static int
stack_blocks(struct lirs *s, const struct cache *c, struct error *e)
{
	uint64_t part = s->smax_part;

	if (part == NOT_GIVEN)
		part = c->nframes < cache_scaled(c, STACK_LEAST / 2) ? PART_BLOCKS + STACK_LEAST
								     : 2 * SHARE_ONE;
	return cache_part(c, part, STACK_MOST - 1, "smax of lirs", &s->smax, e);
}

/* A ring in which three of four entries are void, so that squeeze() is rare. */
static int
stack_init(struct lirs *s, const struct cache *c, struct error *e)
{
	uint32_t most = (s->smax > s->lirs_most ? s->smax : s->lirs_most) + 1;

	if (s->lirs_most >= STACK_MOST)
		return error_usage(e, "lirs has at most %u blocks: choose a smaller cache, not %u",
		    STACK_MOST, c->nframes);
	most = most < c->nblocks ? most : c->nblocks;
	for (s->mask = 3; s->mask / 4 < most && s->mask < 2 * STACK_MOST - 1;
	     s->mask = 2 * s->mask + 1)
		;
	s->entry = memory_table((size_t)s->mask + 1, sizeof(*s->entry));
	s->place = memory_table(c->nblocks, sizeof(*s->place));
	if (!s->entry || !s->place)
		return error_set(e, "out of memory for a stack of %u blocks of %u", most,
		    c->nblocks);
	return 0;
}

static int
lirs_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct lirs *s = self;
	frame_t	     hir;

	if (hir_frames(s, c, &hir, e) || stack_blocks(s, c, e))
		return -1;
	s->lirs_most = c->nframes - hir;
	return stack_init(s, c, e);
}

static void
lirs_release(void *self)
{
	struct lirs *s = self;

	free(s->entry);
	free(s->place);
}

/* ---- the stack ---- */

ALWAYS_INLINE uint32_t *
place_of(const struct lirs *s, const struct cache *c, block_t b)
{
	return &s->place[slots_find(&c->slots, b)];
}

/* The place of the block of entry i; NULL: the entry is void. */
ALWAYS_INLINE uint32_t *
place_at(const struct lirs *s, const struct cache *c, uint32_t i)
{
	uint32_t *place = place_of(s, c, s->entry[i & s->mask]);

	return (*place & ~PLACE_LIR) == (i & s->mask) + 1 ? place : NULL;
}

/* The ring is full: move the entries that are not void to its bottom. */
static void
squeeze(struct lirs *s, const struct cache *c)
{
	uint32_t to = s->bottom, lowest = s->lowest;

	for (uint32_t i = s->bottom; i != s->top; i++) {
		uint32_t *place = place_at(s, c, i);

		__builtin_prefetch(place_of(s, c, s->entry[(i + SOON) & s->mask]));
		if (i == lowest)
			s->lowest = to;
		if (!place)
			continue;
		s->entry[to & s->mask] = s->entry[i & s->mask];
		*place = (*place & PLACE_LIR) | ((to & s->mask) + 1);
		to++;
	}
	if (lowest == s->top)
		s->lowest = to;
	s->top = to;
	ASSERT(s->top - s->bottom <= s->mask); /* an entry was void */
}

/* Block b goes to the top; lir is PLACE_LIR or 0. */
ALWAYS_INLINE void
push(struct lirs *s, const struct cache *c, block_t b, uint32_t lir)
{
	if (unlikely(s->top - s->bottom > s->mask))
		squeeze(s, c);
	ASSERT(s->top - s->bottom <= s->mask && s->lowest - s->bottom <= s->top - s->bottom);
	s->entry[s->top & s->mask] = b;
	*place_of(s, c, b) = lir | ((s->top & s->mask) + 1);
	s->top++;
}

ALWAYS_INLINE void
forget(struct lirs *s, uint32_t *place)
{
	ASSERT(!*place || s->in_s);
	s->in_s -= *place != 0;
	*place = 0;
}

/* S begins with a LIR block. */
ALWAYS_INLINE void
prune(struct lirs *s, const struct cache *c)
{
	while (s->bottom != s->top) {
		uint32_t *place = place_at(s, c, s->bottom);

		if (place && *place & PLACE_LIR)
			return;
		__builtin_prefetch(place_of(s, c, s->entry[(s->bottom + SOON) & s->mask]));
		if (place)
			forget(s, place);
		s->lowest += s->lowest == s->bottom;
		s->bottom++;
	}
}

/* Drop the lowest HIR block of S if that is too long. */
ALWAYS_INLINE void
shorten(struct lirs *s, const struct cache *c)
{
	while (unlikely(s->in_s > s->smax) && s->lowest != s->top) {
		uint32_t *place = place_at(s, c, s->lowest++);

		__builtin_prefetch(place_of(s, c, s->entry[(s->lowest + SOON) & s->mask]));
		if (place && !(*place & PLACE_LIR))
			forget(s, place);
	}
}

/* ---- references ---- */

static void
enqueue(struct lirs *s, struct cache *c, frame_t f)
{
	c->frame[f].list = HIR;
	flist_push(&s->q, c->frame, f);
}

/* The block of frame f is no longer LIR, nor in S. */
static void
demote(struct lirs *s, struct cache *c, frame_t f)
{
	ASSERT(
	    s->lirs && c->frame[f].list == LIR && *place_of(s, c, c->frame[f].block) & PLACE_LIR);
	forget(s, place_of(s, c, c->frame[f].block));
	s->lirs--;
	prune(s, c);
}

/* Frame f, which is in no list, is referenced; fill: it becomes LIR even if it is not in S. */
static void
touch(struct lirs *s, struct cache *c, frame_t f, bool fill)
{
	block_t b = c->frame[f].block;
	bool	known = *place_of(s, c, b) != 0;

	s->in_s += !known;
	if (known || fill) {
		c->frame[f].list = LIR;
		push(s, c, b, PLACE_LIR);
		if (++s->lirs > s->lirs_most) {
			frame_t oldest = cache_find(c, s->entry[s->bottom & s->mask]);

			demote(s, c, oldest);
			enqueue(s, c, oldest);
		}
	} else {
		push(s, c, b, 0);
		enqueue(s, c, f);
	}
	prune(s, c);
	shorten(s, c);
}

static void
lirs_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lirs	   *s = self;
	const struct frame *fr = &c->frame[f];

	if (fr->list == LIR) {
		push(s, c, fr->block, PLACE_LIR);
		prune(s, c);
		return;
	}
	flist_remove(&s->q, c->frame, f);
	touch(s, c, f, fr->flags & FRAME_PREFETCHED && !s->accusim && s->lirs < s->lirs_most);
}

static bool
lirs_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	return *place_of(self, c, b) != 0;
}

static const void *
lirs_expect(const void *self, block_t b)
{
	return &((const struct lirs *)self)->place[b];
}

/* The lowest LIR block of S that is not in flight. */
static frame_t
lowest_evictable(const struct lirs *s, const struct cache *c)
{
	for (uint32_t i = s->bottom; i != s->top; i++) {
		const uint32_t *place = place_at(s, c, i);
		frame_t		f = cache_find(c, s->entry[i & s->mask]);

		if (place && *place & PLACE_LIR && !(c->frame[f].flags & FRAME_INFLIGHT))
			return f;
	}
	return NIL;
}

static frame_t
lirs_evict(void *self, struct cache *c, block_t incoming)
{
	struct lirs *s = self;
	frame_t	     f = flist_last_evictable(&s->q, c->frame);

	ASSERT(s->lirs + s->q.len <= c->nused && s->lirs <= s->lirs_most);
	if (likely(f)) {
		flist_remove(&s->q, c->frame, f);
		return f;
	}
	f = lowest_evictable(s, c);
	demote(s, c, f);
	return f;
}

static void
lirs_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lirs *s = self;
	frame_t	     used = s->accusim ? s->lirs + s->q.len : s->lirs;

	if (c->frame[f].flags & FRAME_PREFETCHED) {
		c->frame[f].list = HIR;
		flist_enter(&s->q, c, f);
	} else {
		touch(s, c, f, used < s->lirs_most);
	}
}

static void
lirs_remove(void *self, struct cache *c, frame_t f)
{
	struct lirs *s = self;

	if (c->frame[f].list == LIR) {
		demote(s, c, f);
		return;
	}
	flist_remove(&s->q, c->frame, f);
	forget(s, place_of(s, c, c->frame[f].block));
}

POLICY(lirs,
    .plugin = {
	.name = "lirs",
	.summary = "blocks that come back soon after their last reference stay (Jiang, Zhang 2002)",
	.source = "S. Jiang, X. Zhang: LIRS: an efficient low inter-reference recency set replacement policy to improve buffer cache performance, SIGMETRICS 2002",
	.state_size = sizeof(struct lirs),
	.params = lirs_params,
    },
    .on_hit = HIT_MARKS,
    .places = 1 << INSERT_TAIL,
    .init = lirs_init,
    .release = lirs_release,
    .hit = lirs_hit,
    .miss = lirs_miss,
    .expect = lirs_expect,
    .evict = lirs_evict,
    .insert = lirs_insert,
    .remove = lirs_remove);
