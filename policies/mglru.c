/*
 * mglru.c - the multi-generational LRU of Linux, for files read by calls.
 *
 * Blocks are in two to four generations, numbered from the oldest to the
 * youngest.  A block enters the oldest; eviction takes the block that entered
 * first from there, and goes on to the next generation when it is empty.  A
 * new youngest one is begun when only two are left, or three of which the
 * youngest has more than a half of the blocks or the oldest less than a
 * quarter.
 *
 * An access moves nothing, it is counted: a block with N accesses is in tier
 * log2 N, rounded up, of four.  Of each tier, refaults are compared with
 * evictions while the same generation is the oldest, plus half of those before,
 * and so on; a refault counts if the block left the generation that is still the
 * oldest.  Where a tier's blocks come back more than twice as often as
 * those of tier 0, blocks of it and of higher tiers are protected: they go to
 * the old end of the next generation, and their count begins again.
 *
 *	Linux 6.1, as documented: Multi-Gen LRU, Documentation/mm and
 *	Documentation/admin-guide/mm, 2022 (Y. Zhao).
 *
 * A block enters the second oldest of four with enter=second, as later kernels
 * have it.
 *
 * Prefetching: a prefetched block enters where others do, with a count of 0,
 * and its first demand reference is its first access.  A block evicted before
 * that is neither counted nor remembered.  O(1) amortised.
 *
 * Departures: no page tables, thus no block is young because it is mapped, and
 * generations are begun for eviction only.  One type of pages, one zone.  The
 * kernel evicts at least 64 at a time, and moves dirty blocks, and blocks in
 * flight, to the next generation.  It forgets evicted blocks by the memory that
 * they take, not by their number.  It was not compared with a kernel.  8 bytes a
 * block of the trace, 4 a descriptor (marks.h).
 */
#include <stdlib.h>

#include "policies/marks.h"
#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { GENERATIONS_MIN = 2, GENERATIONS_MAX = 4, TIERS = 4, COUNT_MAX = 5 };
enum { ENTER_OLDEST, ENTER_SECOND };

/* A frame's list: its generation, its accesses, and of a prefetched block: was its count full? */
enum { GENERATION = 3, COUNT_SHIFT = 2, COUNT = 7 << COUNT_SHIFT, WAS_FULL = 1 << 5 };

/* A shadow: the number of the eviction, and accesses. */
enum { SHADOW_SHIFT = 3, SHADOW_COUNT = 7 };

struct tier {
	uint64_t refaulted, evicted, protected;	      /* since the oldest generation is that */
	uint64_t mean_refaulted, mean_evicted_or_not; /* of earlier ones, each half of the next */
};

struct mglru {
	struct flist generation[GENERATIONS_MAX]; /* by number modulo their most; heads: newest */
	struct marks marks;
	uint64_t   *shadow; /* by slot: the number of the block's eviction and its accesses, or 0 */
	uint64_t    evictions; /* of blocks that have shadows, */
	uint64_t    since;     /* and so many of them before the oldest generation was that */
	uint64_t    oldest, youngest;
	struct tier tier[TIERS];
	uint64_t    found; /* the shadow of the incoming block, or 0 */
	frame_t	    nshadows;
	uint64_t    least, shadows_part, enters;
	uint64_t    refaults, protected, aged;
};

static const char *const enter_words[] = { "oldest", "second", NULL };

static const struct param mglru_params[] = {
	MARKS_PARAM(struct mglru),
	{ "enter", PARAM_WORD, ENTER_OLDEST, 0, ENTER_SECOND, offsetof(struct mglru, enters),
	    "blocks enter the oldest generation, or the second oldest while there are four (6.8)",
	    enter_words },
	{ "least", PARAM_COUNT, 64, 1, 65536, offsetof(struct mglru, least),
	    "refaults of a tier before it can be protected", NULL },
	{ "shadows", PARAM_PART, SHARE_ONE, 1, SHARE_ONE, offsetof(struct mglru, shadows_part),
	    "evictions after which an evicted block is forgotten", NULL },
	{ 0 },
};

static const struct counter mglru_counters[] = {
	{ "refaults", "blocks", "demanded again in the generation of their eviction",
	    offsetof(struct mglru, refaults) },
	{ "protected", "blocks", "moved to the next generation instead of evicted",
	    offsetof(struct mglru, protected) },
	{ "aged", "generations", "begun", offsetof(struct mglru, aged) },
	{ 0 },
};

static int
mglru_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct mglru *m = self;

	m->youngest = GENERATIONS_MAX - 1;
	m->least = cache_scaled(c, m->least);
	if (cache_part(c, m->shadows_part, c->nframes, "shadows of mglru", &m->nshadows, e))
		return -1;
	m->shadow = memory_table(c->nblocks, sizeof(*m->shadow));
	if (!m->shadow)
		return error_set(e, "out of memory for the shadows of %u blocks", c->nblocks);
	return marks_init(&m->marks, t, e);
}

static void
mglru_release(void *self)
{
	struct mglru *m = self;

	marks_release(&m->marks);
	free(m->shadow);
}

static struct flist *
generation(struct mglru *m, uint64_t number)
{
	return &m->generation[number % GENERATIONS_MAX];
}

static struct flist *
list_of(struct mglru *m, const struct frame *fr)
{
	return &m->generation[fr->list & GENERATION];
}

static unsigned
generations(const struct mglru *m)
{
	return (unsigned)(m->youngest - m->oldest) + 1;
}

/* ---- references ---- */

static uint8_t
count_of(uint8_t list)
{
	return (uint8_t)((list & COUNT) >> COUNT_SHIFT);
}

static void
accessed(struct mglru *m, struct frame *fr, const struct use *u)
{
	if (marks_count(&m->marks, u) && count_of(fr->list) < COUNT_MAX)
		fr->list += 1 << COUNT_SHIFT;
}

/* The count cannot tell how often a block was used that comes back with a full one: begin in tier 1. */
static void
begin_higher(struct frame *fr)
{
	fr->list = (uint8_t)((fr->list & GENERATION) | 1 << COUNT_SHIFT);
}

static unsigned
tier_of(uint8_t count)
{
	static const uint8_t tier[COUNT_MAX + 1] = { 0, 0, 1, 2, 2, 3 };

	return tier[count];
}

static bool
mglru_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct mglru *m = self;
	uint64_t     *shadow = &m->shadow[slots_find(&c->slots, b)];

	m->found = 0;
	if (!*shadow)
		return false;
	ASSERT(*shadow >> SHADOW_SHIFT <= m->evictions);
	if (m->evictions - (*shadow >> SHADOW_SHIFT) < m->nshadows)
		m->found = *shadow;
	*shadow = 0;
	return m->found != 0;
}

static void
mglru_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct mglru *m = self;
	struct frame *fr = &c->frame[f];
	uint8_t	      count = m->found & SHADOW_COUNT;
	bool	      recent = m->found >> SHADOW_SHIFT > m->since;
	bool	      full = recent && count == COUNT_MAX;
	bool	      second = m->enters == ENTER_SECOND && generations(m) == GENERATIONS_MAX;
	uint64_t      number = m->oldest + second;

	fr->list = number % GENERATIONS_MAX;
	flist_push(generation(m, number), c->frame, f);
	if (fr->flags & FRAME_PREFETCHED) {
		fr->list |= full ? WAS_FULL : 0;
		return;
	}
	if (recent && !marks_rewrites(&m->marks, u)) {
		m->refaults++;
		m->tier[tier_of(count)].refaulted++;
		if (full)
			begin_higher(fr);
	}
	accessed(m, fr, u);
}

static void
mglru_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct mglru *m = self;
	struct frame *fr = &c->frame[f];

	if (unlikely(fr->list & WAS_FULL)) {
		fr->list &= (uint8_t)~WAS_FULL;
		if (!marks_rewrites(&m->marks, u))
			begin_higher(fr);
	}
	accessed(m, fr, u);
}

/* ---- generations ---- */

static void
carry(struct tier *t)
{
	t->mean_refaulted = (t->mean_refaulted + t->refaulted) / 2;
	t->mean_evicted_or_not = (t->mean_evicted_or_not + t->evicted + t->protected) / 2;
	t->refaulted = t->evicted = t->protected = 0;
}

/* The oldest generation is the first with blocks, but two remain. */
static void
pass_empty(struct mglru *m)
{
	while (generations(m) > GENERATIONS_MIN && !generation(m, m->oldest)->len) {
		m->oldest++;
		m->since = m->evictions;
		for (unsigned i = 0; i < TIERS; i++)
			carry(&m->tier[i]);
	}
}

static bool
should_age(const struct mglru *m)
{
	uint64_t total = 0;
	frame_t	 old, young;

	if (generations(m) != GENERATIONS_MIN + 1)
		return generations(m) <= GENERATIONS_MIN;
	for (unsigned i = 0; i < GENERATIONS_MAX; i++)
		total += m->generation[i].len;
	young = m->generation[m->youngest % GENERATIONS_MAX].len;
	old = m->generation[m->oldest % GENERATIONS_MAX].len;
	return (uint64_t)young * 2 > total || (uint64_t)old * 4 < total;
}

/* There are blocks: make the oldest generation one that has some, of three or four. */
static void
turn(struct mglru *m)
{
	do {
		pass_empty(m);
		if (should_age(m)) {
			ASSERT(generations(m) < GENERATIONS_MAX);
			m->youngest++;
			m->aged++;
		}
	} while (!generation(m, m->oldest)->len);
}

/* ---- eviction ---- */

/* The lowest tier whose blocks come back so often that they are protected, or TIERS. */
static unsigned
lowest_protected(const struct mglru *m)
{
	const struct tier *t = m->tier;
	double		   base_refaulted = (double)(t->mean_refaulted + t->refaulted) + 1;
	double		   base = (double)(t->mean_evicted_or_not + t->evicted + m->least);

	for (unsigned i = 1; i < TIERS; i++) {
		uint64_t refaulted = t[i].mean_refaulted + t[i].refaulted;
		uint64_t all = t[i].mean_evicted_or_not + t[i].evicted + t[i].protected;

		if (refaulted >= m->least &&
		    (double)refaulted * base > base_refaulted * (double)all * 2)
			return i;
	}
	return TIERS;
}

/* Frame f, of the oldest generation, goes to the old end of the next one. */
static void
protect(struct mglru *m, struct cache *c, frame_t f)
{
	struct frame *fr = &c->frame[f];
	struct flist *next = generation(m, m->oldest + 1);

	ASSERT((fr->list & GENERATION) == m->oldest % GENERATIONS_MAX);
	m->tier[tier_of(count_of(fr->list))].protected ++;
	m->protected ++;
	flist_remove(generation(m, m->oldest), c->frame, f);
	fr->list = (m->oldest + 1) % GENERATIONS_MAX;
	flist_append(next, c->frame, f);
}

static void
remember(struct mglru *m, const struct cache *c, const struct frame *fr)
{
	m->shadow[slots_find(&c->slots, fr->block)] =
	    ++m->evictions << SHADOW_SHIFT | count_of(fr->list);
}

/* The victim, after older blocks have been protected; NIL: all of the oldest generation are in flight. */
static frame_t
choose(struct mglru *m, struct cache *c)
{
	unsigned lowest = lowest_protected(m);
	frame_t	 before;

	for (frame_t f = generation(m, m->oldest)->tail; f; f = before) {
		before = c->frame[f].prev;
		if (c->frame[f].flags & FRAME_INFLIGHT)
			continue;
		if (tier_of(count_of(c->frame[f].list)) < lowest)
			return f;
		protect(m, c, f);
	}
	return NIL;
}

static frame_t
mglru_evict(void *self, struct cache *c, block_t incoming)
{
	struct mglru *m = self;
	struct frame *fr;
	frame_t	      f;

	ASSERT(generations(m) >= GENERATIONS_MIN && generations(m) <= GENERATIONS_MAX);
	do {
		turn(m);
		f = choose(m, c);
	} while (!f && !generation(m, m->oldest)->len);
	for (uint64_t number = m->oldest + 1; !f; number++)
		f = flist_last_evictable(generation(m, number), c->frame);
	fr = &c->frame[f];
	flist_remove(list_of(m, fr), c->frame, f);
	pass_empty(m);
	if (!(fr->flags & FRAME_PREFETCHED)) {
		m->tier[tier_of(count_of(fr->list))].evicted++;
		remember(m, c, fr);
	}
	return f;
}

static void
mglru_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(list_of(self, &c->frame[f]), c->frame, f);
}

POLICY(mglru,
    .plugin = {
	.name = "mglru",
	.summary = "multi-generational LRU, as Linux has it (6.1), for files that are read by calls",
	.source = "Linux 6.1: Multi-Gen LRU, Documentation/mm/multigen_lru.rst, 2022",
	.state_size = sizeof(struct mglru),
	.params = mglru_params,
	.counters = mglru_counters,
    },
    .on_hit = HIT_MARKS,
    .needs = NEEDS_USE,
    .init = mglru_init,
    .release = mglru_release,
    .hit = mglru_hit,
    .miss = mglru_miss,
    .evict = mglru_evict,
    .insert = mglru_insert,
    .remove = mglru_remove);
