/*
 * linux.c - the two lists of today's Linux, with refault distance.
 *
 * A block enters the inactive list.  Its first access sets a bit, the second
 * moves it to the active list and clears the bit.  The oldest inactive block is
 * evicted, whatever its bit.  An evicted block leaves a shadow: the age of the
 * inactive list, which counts the blocks that have left it.  A block that is
 * read again is active at once if that age has advanced by no more than the
 * length of the active list: with as many frames more, it would not have left.
 *
 * Blocks are freed in batches, of `batch` at least.  A batch takes the oldest
 * 1/4096 of the inactive list, then 1/2048, and so on until it is large enough.
 * The oldest blocks of the active list go back to the inactive one, with their
 * bits, in the same shares, if the inactive list is too short, or if a block
 * became active at once since the batch before: then other blocks are in use
 * than before, and the active list is no longer protected.
 *
 *	Linux 6.1, as documented and measured; J. Weiner: mm: thrash
 *	detection-based file cache sizing, Linux 3.15, 2014, and mm: vmscan:
 *	fix IO/refault regression in cache workingset transition, Linux 4.12,
 *	2017; M. Gorman: Understanding the Linux Virtual Memory Manager, 2004
 *	(shares, batches).
 *
 * A kernel 6.1 reads as many pages, within 0.5 % without and 2 % with readahead,
 * for csq (traces/samples) with 3,871 to 24,363 pages; docs/policies.md has five
 * other traces.
 *
 * Prefetching: a prefetched block is active as soon as it is fetched if it has
 * a near shadow, and leaves one even if it is evicted unused, unlike in other
 * policies: the kernel treats all blocks that it fetches alike.  Its first demand
 * reference is its first access.  O(1) amortised.
 *
 * Departures: the kernel evicts the blocks of a batch at once, where one goes
 * for each that comes here.  It evicts dirty blocks later than clean ones,
 * mapped ones by the bits of page tables, in zones and by priority; counts all
 * file pages for `ratio`, not the size of the cache; rounds distances in large
 * memories; and forgets shadows by the memory that they take.  8 bytes a block
 * of the trace, 4 a descriptor (marks.h).
 */
#include <stdlib.h>

#include "policies/marks.h"
#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { ACTIVE = 1 << 0, MARKED = 1 << 1 }; /* of a frame's list */
enum { DISTANCE_ACTIVE, DISTANCE_ALL };
enum { DEMOTED_KEEP, DEMOTED_CLEAR };
enum { RATIO_MAX = 10000, BATCH = 32, BATCH_MAX = 1 << 20, SHARE_SHIFT = 12 };
#define NOT_GIVEN UINT64_MAX /* of ratio */

struct two_lists {
	struct flist active, inactive; /* heads: newest */
	struct marks marks;
	uint64_t    *shadow;	      /* by slot: the age when the block was evicted, or 0 */
	uint64_t     age;	      /* of the inactive list: blocks that have left it */
	uint64_t     near_to;	      /* the shadow of the incoming block, or 0 */
	uint64_t     left;	      /* of a batch: blocks that go before the next one begins */
	uint64_t     restored_before; /* the last batch */
	uint64_t     ratio, batch, distance, demoted;
	uint64_t     refaults, restored, activated, deactivated;
};

static const char *const distance_words[] = { "active", "all", NULL };
static const char *const demoted_words[] = { "keep", "clear", NULL };

static const struct param linux_params[] = {
	MARKS_PARAM(struct two_lists),
	{ "distance", PARAM_WORD, DISTANCE_ACTIVE, 0, DISTANCE_ALL,
	    offsetof(struct two_lists, distance),
	    "a refault is near within the length of the active list, or of both lists",
	    distance_words },
	{ "demoted", PARAM_WORD, DEMOTED_KEEP, 0, DEMOTED_CLEAR,
	    offsetof(struct two_lists, demoted),
	    "bit of a block that goes back to the inactive list: kept, or cleared", demoted_words },
	{ "ratio", PARAM_COUNT, NOT_GIVEN, 1, RATIO_MAX, offsetof(struct two_lists, ratio),
	    "active blocks for each inactive one; default 1 below 1G, else the root of 10 a G",
	    NULL },
	{ "batch", PARAM_COUNT, BATCH, 1, BATCH_MAX, offsetof(struct two_lists, batch),
	    "blocks that are freed at a time, at least", NULL },
	{ 0 },
};

static const struct counter linux_counters[] = {
	{ "refaults", "blocks", "read again while they had a shadow",
	    offsetof(struct two_lists, refaults) },
	{ "restored", "blocks", "active at once, as their refault was near",
	    offsetof(struct two_lists, restored) },
	{ "activated", "blocks", "active by their second access",
	    offsetof(struct two_lists, activated) },
	{ "deactivated", "blocks", "moved back to the inactive list",
	    offsetof(struct two_lists, deactivated) },
	{ 0 },
};

static uint64_t
default_ratio(const struct cache *c, const struct trace *t)
{
	double	 bytes = (double)c->nframes * t->block_bytes / cache_rate(c);
	uint64_t ten = 10 * ((uint64_t)bytes >> 30), root = 1;

	while ((root + 1) * (root + 1) <= ten)
		root++;
	return root;
}

static int
linux_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct two_lists *l = self;

	l->batch = cache_scaled(c, l->batch);
	if (l->ratio == NOT_GIVEN)
		l->ratio = default_ratio(c, t);
	l->shadow = memory_table(c->nblocks, sizeof(*l->shadow));
	if (!l->shadow)
		return error_set(e, "out of memory for the shadows of %u blocks", c->nblocks);
	return marks_init(&l->marks, t, e);
}

static void
linux_release(void *self)
{
	struct two_lists *l = self;

	marks_release(&l->marks);
	free(l->shadow);
}

static struct flist *
list_of(struct two_lists *l, const struct frame *fr)
{
	return fr->list & ACTIVE ? &l->active : &l->inactive;
}

/* ---- references ---- */

/* Frame f, which is in no list, leaves the inactive list for the active one. */
static void
activate(struct two_lists *l, struct cache *c, frame_t f)
{
	c->frame[f].list = ACTIVE;
	flist_push(&l->active, c->frame, f);
	l->age++;
}

static void
enter_inactive(struct two_lists *l, struct cache *c, frame_t f, uint8_t bits)
{
	c->frame[f].list = bits;
	flist_enter(&l->inactive, c, f);
}

static void
accessed(struct two_lists *l, struct cache *c, frame_t f, const struct use *u)
{
	struct frame *fr = &c->frame[f];

	if (!marks_count(&l->marks, u))
		return;
	if (!(fr->list & MARKED)) {
		fr->list |= MARKED;
	} else if (!(fr->list & ACTIVE)) {
		flist_remove(&l->inactive, c->frame, f);
		activate(l, c, f);
		l->activated++;
	}
}

/* Had the incoming block a shadow that is near? */
static bool
is_near(const struct two_lists *l)
{
	uint64_t most =
	    (uint64_t)l->active.len + (l->distance == DISTANCE_ALL ? l->inactive.len : 0);

	return l->near_to && l->age - l->near_to <= most;
}

/* A distance beyond the size of the cache is never near: there is no shadow from so long ago. */
static bool
linux_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct two_lists *l = self;
	uint64_t	 *shadow = &l->shadow[slots_find(&c->slots, b)];

	l->near_to = *shadow && l->age - *shadow <= c->nframes ? *shadow : 0;
	*shadow = 0;
	return l->near_to != 0;
}

static void
linux_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct two_lists *l = self;
	bool		  ahead = c->frame[f].flags & FRAME_PREFETCHED;

	l->refaults += l->near_to != 0;
	if (is_near(l) && (ahead || !marks_rewrites(&l->marks, u))) {
		activate(l, c, f);
		l->restored++;
	} else {
		enter_inactive(l, c, f, 0);
	}
	if (!ahead)
		accessed(l, c, f, u);
}

static void
linux_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	accessed(self, c, f, u);
}

/* ---- eviction ---- */

/* Move the n oldest active blocks to the inactive list. */
static void
deactivate(struct two_lists *l, struct cache *c, uint64_t n)
{
	for (; n; n--) {
		frame_t f = flist_last_evictable(&l->active, c->frame);

		if (!f)
			return;
		flist_remove(&l->active, c->frame, f);
		enter_inactive(l, c, f, l->demoted == DEMOTED_KEEP ? c->frame[f].list & MARKED : 0);
		l->deactivated++;
	}
}

/*
 * Choose how many blocks are freed, and deactivate what goes with them.  A
 * share that exceeds a batch by itself is cut to it in both lists.
 */
static void
begin_batch(struct two_lists *l, struct cache *c)
{
	uint64_t inactive = l->inactive.len, active = l->active.len, freed = 0, out, down;
	bool	 unprotected = l->restored != l->restored_before;

	for (int shift = SHARE_SHIFT; shift >= 0 && freed < l->batch; shift--) {
		out = inactive >> shift;
		down = unprotected || inactive * l->ratio < active ? active >> shift : 0;
		if (out > l->batch) {
			out = l->batch;
			down = down < l->batch ? down : l->batch;
		}
		deactivate(l, c, down);
		freed += out;
		active -= down;
		inactive += down - out;
	}
	ASSERT(freed < 2 * l->batch);
	l->left = freed;
	l->restored_before = l->restored;
}

static frame_t
linux_evict(void *self, struct cache *c, block_t incoming)
{
	struct two_lists *l = self;
	frame_t		  f;

	ASSERT(l->active.len + l->inactive.len <= c->nused);
	if (!l->left)
		begin_batch(l, c);
	l->left -= l->left > 0;
	f = flist_last_evictable(&l->inactive, c->frame);
	if (!f)
		f = flist_last_evictable(&l->active, c->frame);
	flist_remove(list_of(l, &c->frame[f]), c->frame, f);
	l->shadow[slots_find(&c->slots, c->frame[f].block)] = ++l->age;
	return f;
}

static void
linux_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(list_of(self, &c->frame[f]), c->frame, f);
}

POLICY(linux,
    .plugin = {
	.name = "linux",
	.summary = "two lists with refault distance, as Linux has them today (6.1)",
	.source = "Linux 6.1; J. Weiner: mm: thrash detection-based file cache sizing, Linux 3.15, 2014",
	.state_size = sizeof(struct two_lists),
	.params = linux_params,
	.counters = linux_counters,
    },
    .on_hit = HIT_MOVES,
    .places = 1 << INSERT_TAIL,
    .needs = NEEDS_USE,
    .init = linux_init,
    .release = linux_release,
    .hit = linux_hit,
    .miss = linux_miss,
    .evict = linux_evict,
    .insert = linux_insert,
    .remove = linux_remove);
