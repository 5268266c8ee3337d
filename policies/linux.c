/*
 * linux.c - the two lists of today's Linux, with refault distance.
 *
 * A block enters the inactive list.  Its first access sets a bit, the second
 * moves it to the active list.  When the cache is full, a batch of the oldest
 * inactive blocks is reclaimed; before, while the inactive list is too short,
 * the oldest active blocks go back to it.  A reclaimed block leaves a shadow:
 * the age of the inactive list, which counts the blocks that have left it.  A
 * block that is read again is active at once if that age has advanced by no
 * more than the length of the active list: with as many frames more, it would
 * not have left.  A read of csq (traces/samples) without readahead by a kernel
 * 6.1 took within 5.8 % of the pages counted here, at six sizes; within 2.8 %
 * with demoted=keep.
 *
 *	Linux 6.1, as documented and measured; J. Weiner: mm: thrash
 *	detection-based file cache sizing, Linux 3.15, 2014.
 *
 * Prefetching: a prefetched block enters the inactive list without a bit, and
 * its first demand reference is its first access, which makes it active if it
 * had a shadow that was near enough when it was fetched.  A block reclaimed
 * before that leaves no shadow.  O(1) amortised.
 *
 * Departures: the kernel frees a whole batch; here reclaimed blocks stay until
 * their frames are needed.  A reference to one is a hit (counted as rescued),
 * but else a refault, so that the lists are those of the kernel, and misses
 * and rescued blocks are together the pages that it reads.  A batch is at most
 * a quarter of the cache.  Of the references, a policy sees the process, not
 * the descriptor (marks.h).  The kernel also makes prefetched blocks active
 * when they are fetched; reclaims dirty blocks later than clean ones, mapped
 * ones by the bits of page tables, in zones and by priority; counts all file
 * pages for `ratio`, not the size of the cache; rounds distances in large
 * memories; and forgets shadows by the memory that they take.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/marks.h"
#include "sim/core/policy.h"

enum { ACTIVE = 1, RECLAIMED = 2, MARKED = 4, WAS_GHOST = 8 }; /* of a frame's list */
enum { MARKS_KERNEL, MARKS_ALL };
enum { DISTANCE_ACTIVE, DISTANCE_ALL };
enum { DEMOTED_CLEAR, DEMOTED_KEEP };
enum { RATIO_MAX = 10000 };

struct two_lists {
	struct flist active, inactive, reclaimed; /* heads: newest */
	struct marks marks;
	uint64_t    *shadow;  /* by slot: the age when the block was reclaimed, or 0 */
	uint64_t     age;     /* of the inactive list: blocks that have left it */
	uint64_t     near_to; /* the shadow of the incoming block, or 0 */
	frame_t	     batch, nshadows;
	uint64_t     batch_most, ratio, shadows_part, which_marks, distance, demoted;
	uint64_t     refaults, restored, activated, deactivated, rescued;
};

static const char *const marks_words[] = { "kernel", "all", NULL };
static const char *const distance_words[] = { "active", "all", NULL };
static const char *const demoted_words[] = { "clear", "keep", NULL };

static const struct param linux_params[] = {
	{ "batch", PARAM_COUNT, 32, 1, 65536, offsetof(struct two_lists, batch_most),
	    "blocks reclaimed at a time, at most a quarter of the cache", NULL },
	{ "marks", PARAM_WORD, MARKS_KERNEL, 0, MARKS_ALL, offsetof(struct two_lists, which_marks),
	    "accesses: reads of another block than the process's last one of the file; or all references",
	    marks_words },
	{ "distance", PARAM_WORD, DISTANCE_ACTIVE, 0, DISTANCE_ALL,
	    offsetof(struct two_lists, distance),
	    "a refault is near within the length of the active list, or of both lists",
	    distance_words },
	{ "demoted", PARAM_WORD, DEMOTED_CLEAR, 0, DEMOTED_KEEP,
	    offsetof(struct two_lists, demoted),
	    "bit of a block that goes back to the inactive list: cleared, or kept", demoted_words },
	{ "ratio", PARAM_COUNT, RATIO_MAX + 1, 1, RATIO_MAX, offsetof(struct two_lists, ratio),
	    "active blocks for each inactive one; if not given, 1 below 1G, else the root of 10 a G",
	    NULL },
	{ "shadows", PARAM_PART, SHARE_ONE, 1, SHARE_ONE, offsetof(struct two_lists, shadows_part),
	    "distance up to which a block is remembered; a larger one is not near", NULL },
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
	{ "rescued", "blocks", "hit after they were reclaimed: a kernel reads them again",
	    offsetof(struct two_lists, rescued) },
	{ 0 },
};

static uint64_t
ratio_of(const struct cache *c, const struct trace *t)
{
	uint64_t ten = 10 * ((uint64_t)c->nframes * t->block_bytes >> 30), root = 0;

	while ((root + 1) * (root + 1) <= ten)
		root++;
	return root ? root : 1;
}

static int
linux_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct two_lists *l = self;
	frame_t		  quarter = c->nframes < 4 ? 1 : c->nframes / 4;

	l->batch = l->batch_most < quarter ? (frame_t)l->batch_most : quarter;
	if (l->ratio > RATIO_MAX)
		l->ratio = ratio_of(c, t);
	if (cache_part(c, l->shadows_part, c->nframes, "shadows of linux", &l->nshadows, e))
		return -1;
	l->shadow = memory_table(c->nblocks, sizeof(*l->shadow));
	if (!l->shadow)
		return error_set(e, "out of memory for the shadows of %u blocks", c->nblocks);
	return l->which_marks == MARKS_KERNEL ? marks_init(&l->marks, t, e) : 0;
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
	if (fr->list & RECLAIMED)
		return &l->reclaimed;
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
accessed(struct two_lists *l, struct cache *c, frame_t f, const struct use *u)
{
	struct frame *fr = &c->frame[f];

	if (l->which_marks == MARKS_KERNEL && !marks_count(&l->marks, u))
		return;
	if (!(fr->list & MARKED)) {
		fr->list |= MARKED;
	} else if (!(fr->list & ACTIVE)) {
		flist_remove(&l->inactive, c->frame, f);
		activate(l, c, f);
		l->activated++;
	}
}

/* A write needs no data, so that it is no refault of what it overwrites. */
static bool
rewrites(const struct two_lists *l, const struct use *u)
{
	return l->which_marks == MARKS_KERNEL && u->write;
}

/* Had the incoming block a shadow that is near? */
static bool
is_near(const struct two_lists *l)
{
	uint64_t most =
	    (uint64_t)l->active.len + (l->distance == DISTANCE_ALL ? l->inactive.len : 0);

	return l->near_to && l->age - l->near_to <= most;
}

static void
enter_inactive(struct two_lists *l, struct cache *c, frame_t f, uint8_t bits)
{
	c->frame[f].list = bits;
	flist_push(&l->inactive, c->frame, f);
}

/* A demanded block comes. */
static void
enter(struct two_lists *l, struct cache *c, frame_t f, const struct use *u)
{
	l->refaults += l->near_to != 0;
	if (is_near(l) && !rewrites(l, u)) {
		activate(l, c, f);
		l->restored++;
	} else {
		enter_inactive(l, c, f, 0);
	}
	accessed(l, c, f, u);
}

/* Take the shadow of block b away.  False: it had none, or one from long ago. */
static bool
take_shadow(struct two_lists *l, const struct cache *c, block_t b)
{
	uint64_t *shadow = &l->shadow[slots_find(&c->slots, b)];

	l->near_to = 0;
	if (!*shadow)
		return false;
	if (l->age - *shadow < l->nshadows)
		l->near_to = *shadow;
	*shadow = 0;
	return l->near_to != 0;
}

static bool
linux_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	return take_shadow(self, c, b);
}

static void
linux_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct two_lists *l = self;

	if (c->frame[f].flags & FRAME_PREFETCHED)
		enter_inactive(l, c, f, is_near(l) ? WAS_GHOST : 0);
	else
		enter(l, c, f, u);
}

static void
linux_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct two_lists *l = self;
	struct frame	 *fr = &c->frame[f];

	if (unlikely(fr->list & RECLAIMED)) {
		flist_remove(&l->reclaimed, c->frame, f);
		take_shadow(l, c, fr->block);
		l->rescued++;
		enter(l, c, f, u);
		return;
	}
	if (unlikely(fr->list & WAS_GHOST)) {
		fr->list &= (uint8_t)~WAS_GHOST;
		if (!rewrites(l, u)) {
			flist_remove(&l->inactive, c->frame, f);
			activate(l, c, f);
			l->restored++;
		}
	}
	accessed(l, c, f, u);
}

/* ---- reclaim ---- */

/* Move a batch back to the inactive list.  False: all active blocks are in flight. */
static bool
deactivate(struct two_lists *l, struct cache *c)
{
	frame_t moved = 0, before;

	for (frame_t f = l->active.tail; f && moved < l->batch; f = before) {
		before = c->frame[f].prev;
		if (c->frame[f].flags & FRAME_INFLIGHT)
			continue;
		flist_remove(&l->active, c->frame, f);
		enter_inactive(l, c, f, l->demoted == DEMOTED_KEEP ? c->frame[f].list & MARKED : 0);
		moved++;
	}
	l->deactivated += moved;
	return moved != 0;
}

/* Reclaim one block.  False: all that are left are in flight. */
static bool
reclaim(struct two_lists *l, struct cache *c)
{
	struct flist *from = &l->inactive;
	frame_t	      f;

	while (l->inactive.len * l->ratio < l->active.len && deactivate(l, c))
		;
	f = flist_last_evictable(from, c->frame);
	if (!f) {
		from = &l->active;
		f = flist_last_evictable(from, c->frame);
	}
	if (!f)
		return false;
	flist_remove(from, c->frame, f);
	c->frame[f].list = RECLAIMED;
	flist_push(&l->reclaimed, c->frame, f);
	l->age++;
	if (!(c->frame[f].flags & FRAME_PREFETCHED))
		l->shadow[slots_find(&c->slots, c->frame[f].block)] = l->age;
	return true;
}

static frame_t
linux_evict(void *self, struct cache *c, block_t incoming)
{
	struct two_lists *l = self;
	frame_t		  f = flist_last_evictable(&l->reclaimed, c->frame);

	if (!f) {
		for (frame_t n = 0; n < l->batch && reclaim(l, c);)
			n++;
		f = flist_last_evictable(&l->reclaimed, c->frame);
	}
	flist_remove(&l->reclaimed, c->frame, f);
	return f;
}

static void
linux_remove(void *self, struct cache *c, frame_t f)
{
	struct two_lists *l = self;
	struct frame	 *fr = &c->frame[f];

	if (fr->list & RECLAIMED) /* a block that is dropped has no shadow */
		take_shadow(l, c, fr->block);
	flist_remove(list_of(l, fr), c->frame, f);
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
    .needs = NEEDS_USE,
    .init = linux_init,
    .release = linux_release,
    .hit = linux_hit,
    .miss = linux_miss,
    .evict = linux_evict,
    .insert = linux_insert,
    .remove = linux_remove);
