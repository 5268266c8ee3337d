/*
 * linux.c - the two lists of today's Linux, with refault distance.
 *
 * A block enters the inactive list.  Its first access sets a bit, the second
 * moves it to the active list and clears the bit.  The oldest inactive block is
 * evicted, whatever its bit; before, while the inactive list is too short, the
 * oldest active block goes back to it, with its bit.  An evicted block leaves a
 * shadow: the age of the inactive list, which counts the blocks that have left
 * it.  A block that is read again is active at once if that age has advanced by
 * no more than the length of the active list: with as many frames more, it
 * would not have left.
 *
 *	Linux 6.1, as documented and measured; J. Weiner: mm: thrash
 *	detection-based file cache sizing, Linux 3.15, 2014.
 *
 * Without readahead, the reads of csq (traces/samples) miss 97.4 to 100.3 % of
 * the pages that a kernel 6.1 read with 3,894 to 20,355 pages; with
 * demoted=clear, 97.6 to 105.8 %.
 *
 * Prefetching: a prefetched block enters the inactive list without a bit, and
 * its first demand reference is its first access, which makes it active if it
 * had a shadow that was near enough when it was fetched.  A block evicted
 * before that leaves no shadow.  O(1) amortised.
 *
 * Departures: the kernel frees 32 pages or more at a time, which changes the
 * misses of csq by at most 0.3 %.  It makes prefetched blocks active when they
 * are fetched; evicts dirty blocks later than clean ones, mapped ones by the
 * bits of page tables, in zones and by priority; counts all file pages for
 * `ratio`, not the size of the cache; rounds distances in large memories; and
 * forgets shadows by the memory that they take.  8 bytes a block of the trace,
 * 4 a descriptor (marks.h).
 */
#include <stdlib.h>

#include "policies/marks.h"
#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { ACTIVE = 1 << 0, MARKED = 1 << 1, WAS_GHOST = 1 << 2 }; /* of a frame's list */
enum { DISTANCE_ACTIVE, DISTANCE_ALL };
enum { DEMOTED_KEEP, DEMOTED_CLEAR };
enum { RATIO_MAX = 10000 };
#define NOT_GIVEN UINT64_MAX /* of ratio */

struct two_lists {
	struct flist active, inactive; /* heads: newest */
	struct marks marks;
	uint64_t    *shadow;  /* by slot: the age when the block was evicted, or 0 */
	uint64_t     age;     /* of the inactive list: blocks that have left it */
	uint64_t     near_to; /* the shadow of the incoming block, or 0 */
	uint64_t     ratio, distance, demoted;
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
	{ 0 },
};

static const struct counter linux_counters[] = {
	{ "refaults", "blocks", "demanded again while they had a shadow",
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

	if (c->frame[f].flags & FRAME_PREFETCHED) {
		enter_inactive(l, c, f, is_near(l) ? WAS_GHOST : 0);
		return;
	}
	l->refaults += l->near_to != 0;
	if (is_near(l) && !marks_rewrites(&l->marks, u)) {
		activate(l, c, f);
		l->restored++;
	} else {
		enter_inactive(l, c, f, 0);
	}
	accessed(l, c, f, u);
}

static void
linux_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct two_lists *l = self;
	struct frame	 *fr = &c->frame[f];

	if (unlikely(fr->list & WAS_GHOST)) {
		fr->list &= (uint8_t)~WAS_GHOST;
		if (!marks_rewrites(&l->marks, u)) {
			flist_remove(&l->inactive, c->frame, f);
			activate(l, c, f);
			l->restored++;
		}
	}
	accessed(l, c, f, u);
}

/* ---- eviction ---- */

/* While the inactive list is too short, move the oldest active blocks to it. */
static void
deactivate(struct two_lists *l, struct cache *c)
{
	while (l->inactive.len * l->ratio < l->active.len) {
		frame_t f = flist_last_evictable(&l->active, c->frame);

		if (!f)
			return;
		flist_remove(&l->active, c->frame, f);
		enter_inactive(l, c, f, l->demoted == DEMOTED_KEEP ? c->frame[f].list & MARKED : 0);
		l->deactivated++;
	}
}

static frame_t
linux_evict(void *self, struct cache *c, block_t incoming)
{
	struct two_lists *l = self;
	frame_t		  f;

	deactivate(l, c);
	f = flist_last_evictable(&l->inactive, c->frame);
	if (!f)
		f = flist_last_evictable(&l->active, c->frame);
	flist_remove(list_of(l, &c->frame[f]), c->frame, f);
	l->age++;
	if (!(c->frame[f].flags & FRAME_PREFETCHED))
		l->shadow[slots_find(&c->slots, c->frame[f].block)] = l->age;
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
