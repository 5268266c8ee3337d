/*
 * wtinylfu.c - W-TinyLFU: a block that leaves a small window competes by frequency for a place behind it.
 *
 * New blocks enter the window W, an LRU list.  The main part is two LRU lists:
 * probation A, and B, which protects blocks that were hit in A.  When W is
 * full, its oldest block takes the place of the oldest of A if it was
 * referenced more often, and is evicted if not.
 *
 *	G. Einziger, R. Friedman, B. Manes.  TinyLFU: a highly efficient cache
 *	admission policy.  ACM Transactions on Storage 13(4), 2017.
 *
 * References to every block, also to those that have left, are counted up to
 * 15.  After 10 references for each frame all counts are halved, and from then
 * on after 5.  A line of counts is halved when it is next looked at.
 *
 * Departures: there is a count for each block, at half a byte, so that no two
 * blocks share one; sketch=1 counts in a count-min sketch of four rows as the
 * authors' library does.  There is no doorkeeper, the filter before the counts
 * that is optional in the paper.  The window is at least 32 blocks, or half of
 * a cache below 64: a smaller one throws out what was read ahead before it can
 * be used.
 *
 * Prefetching: a prefetched block enters the window and is not counted; its
 * first demand reference counts, and leaves it where it is.  O(1) amortised.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"
#include "sim/trace/chance.h"

enum { WINDOW, PROBATION, PROTECTED, LISTS }; /* of a frame's list */
#define NOT_GIVEN UINT64_MAX		      /* of a part */

/* Counts of 4 bits, eight to a word: 120 in a cache line, with the number of times they were halved. */
enum { WORDS = 15, LINE_COUNTS = 8 * WORDS, COUNT_MOST = 15, ROWS = 4 };

struct line {
	uint32_t word[WORDS];
	uint32_t halved;
};

struct wtinylfu {
	struct flist list[LISTS]; /* heads: newest */
	struct line *line;
	size_t	     row_mask; /* of a sketch: counts in a row, minus 1 */
	uint64_t     counted, sample;
	uint32_t     halved; /* how often all counts were halved */
	frame_t	     window, protected;
	uint64_t     window_part, protected_share, sketch;
};

static const struct param wtinylfu_params[] = {
	{ "window", PARAM_PART, NOT_GIVEN, 1, SHARE_ONE, offsetof(struct wtinylfu, window_part),
	    "blocks in the window; if not given 0.01 but at least 32b and at most half", NULL },
	{ "protected", PARAM_SHARE, SHARE_ONE / 5 * 4, 0, SHARE_ONE,
	    offsetof(struct wtinylfu, protected_share),
	    "share of the rest for blocks that were hit there", NULL },
	{ "sketch", PARAM_COUNT, 0, 0, 1, offsetof(struct wtinylfu, sketch),
	    "1: count references in a count-min sketch, where blocks share counts", NULL },
	{ 0 },
};

/* ---- counts ---- */

static int
counts_init(struct wtinylfu *w, const struct cache *c, struct error *e)
{
	size_t n = c->nblocks, row = 32;

	while (row < 4 * (size_t)c->nframes)
		row *= 2;
	if (w->sketch)
		n = ROWS * row;
	w->row_mask = row - 1;
	w->sample = 10 * (uint64_t)c->nframes;
	w->line = memory_table(n / LINE_COUNTS + 1, sizeof(*w->line));
	return w->line ? 0 : error_set(e, "out of memory for counts of %zu blocks", n);
}

static unsigned
count_at(const struct wtinylfu *w, size_t i)
{
	const struct line *l = &w->line[i / LINE_COUNTS];
	uint32_t	   times = w->halved - l->halved;
	unsigned	   at = (unsigned)(i % LINE_COUNTS);

	return times > 3 ? 0 : (l->word[at / 8] >> 4 * (at % 8) & COUNT_MOST) >> times;
}

static void
line_halve(struct line *l, uint32_t times)
{
	static const uint32_t kept[] = { UINT32_MAX, 0x77777777, 0x33333333, 0x11111111, 0 };
	uint32_t	      mask = kept[times < 4 ? times : 4];

	for (unsigned i = 0; i < WORDS; i++)
		l->word[i] = l->word[i] >> (times & 3) & mask;
	l->halved += times;
}

/* False: the count was at its most. */
static bool
count_raise(struct wtinylfu *w, size_t i)
{
	struct line *l = &w->line[i / LINE_COUNTS];
	unsigned     at = (unsigned)(i % LINE_COUNTS);
	uint32_t    *word = &l->word[at / 8], one = UINT32_C(1) << 4 * (at % 8);

	if (unlikely(l->halved != w->halved))
		line_halve(l, w->halved - l->halved);
	if ((*word & COUNT_MOST * one) == COUNT_MOST * one)
		return false;
	*word += one;
	return true;
}

/* The place of a block's count in one row of the sketch. */
static size_t
place(const struct wtinylfu *w, uint64_t hash, unsigned row)
{
	return row * (w->row_mask + 1) + (((hash >> 32) + row * (hash | 1)) & w->row_mask);
}

static unsigned
frequency(const struct wtinylfu *w, const struct cache *c, block_t b)
{
	uint64_t hash = w->sketch ? chance_mix(b) : 0;
	unsigned least = COUNT_MOST;

	if (likely(!w->sketch))
		return count_at(w, slots_find(&c->slots, b));
	for (unsigned row = 0; row < ROWS; row++) {
		unsigned n = count_at(w, place(w, hash, row));

		least = n < least ? n : least;
	}
	return least;
}

static bool
sketch_raise(struct wtinylfu *w, block_t b)
{
	uint64_t hash = chance_mix(b);
	bool	 any = false;

	for (unsigned row = 0; row < ROWS; row++)
		any |= count_raise(w, place(w, hash, row));
	return any;
}

/* Count a reference to block b. */
static void
count(struct wtinylfu *w, struct cache *c, block_t b)
{
	if (unlikely(w->sketch) ? !sketch_raise(w, b) : !count_raise(w, cache_number(c, b)))
		return;
	ASSERT(w->counted < w->sample);
	if (unlikely(++w->counted == w->sample)) {
		w->counted /= 2;
		w->halved++;
	}
}

/* ---- lists ---- */

static int
window_init(struct wtinylfu *w, const struct cache *c, struct error *e)
{
	bool	given = w->window_part != NOT_GIVEN;
	frame_t half = c->nframes > 1 ? c->nframes / 2 : 1, least = half < 32 ? half : 32;

	if (cache_part(c, given ? w->window_part : SHARE_ONE / 100, given ? c->nframes : half,
		"window of wtinylfu", &w->window, e))
		return -1;
	if (!given && w->window < least)
		w->window = least;
	return 0;
}

static int
wtinylfu_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct wtinylfu *w = self;

	if (window_init(w, c, e))
		return -1;
	w->protected = (frame_t)((c->nframes - w->window) * w->protected_share / SHARE_ONE);
	if (!w->protected)
		w->protected = 1;
	return counts_init(w, c, e);
}

static void
wtinylfu_release(void *self)
{
	free(((struct wtinylfu *)self)->line);
}

static void
move(struct wtinylfu *w, struct cache *c, frame_t f, uint8_t list)
{
	flist_remove(&w->list[c->frame[f].list], c->frame, f);
	c->frame[f].list = list;
	flist_push(&w->list[list], c->frame, f);
}

static void
wtinylfu_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct wtinylfu *w = self;
	struct frame	*fr = &c->frame[f];

	count(w, c, fr->block);
	if (fr->flags & FRAME_PREFETCHED)
		return;
	if (likely(fr->list != PROBATION)) {
		flist_to_head(&w->list[fr->list], c->frame, f);
		return;
	}
	move(w, c, f, PROTECTED);
	if (w->list[PROTECTED].len > w->protected)
		move(w, c, w->list[PROTECTED].tail, PROBATION);
	ASSERT(w->list[PROTECTED].len <= w->protected);
}

static bool
wtinylfu_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	if (demand)
		count(self, c, b);
	return false;
}

static frame_t
wtinylfu_evict(void *self, struct cache *c, block_t incoming)
{
	struct wtinylfu *w = self;
	frame_t		 newer = flist_last_evictable(&w->list[WINDOW], c->frame);
	frame_t		 older = flist_last_evictable(&w->list[PROBATION], c->frame);

	ASSERT(w->list[WINDOW].len + w->list[PROBATION].len + w->list[PROTECTED].len <= c->nused);
	if (!older)
		older = flist_last_evictable(&w->list[PROTECTED], c->frame);
	if (!older ||
	    (w->list[WINDOW].len >= w->window && newer &&
		frequency(w, c, c->frame[newer].block) <= frequency(w, c, c->frame[older].block))) {
		flist_remove(&w->list[WINDOW], c->frame, newer);
		return newer;
	}
	flist_remove(&w->list[c->frame[older].list], c->frame, older);
	if (w->list[WINDOW].len >= w->window && newer)
		move(w, c, newer, PROBATION);
	return older;
}

static void
wtinylfu_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct wtinylfu *w = self;

	c->frame[f].list = WINDOW;
	flist_push(&w->list[WINDOW], c->frame, f);
	if (w->list[WINDOW].len > w->window)
		move(w, c, w->list[WINDOW].tail, PROBATION);
}

static void
wtinylfu_remove(void *self, struct cache *c, frame_t f)
{
	struct wtinylfu *w = self;

	flist_remove(&w->list[c->frame[f].list], c->frame, f);
}

static const void *
wtinylfu_expect(const void *self, block_t b)
{
	const struct wtinylfu *w = self;

	return w->sketch ? w->line : &w->line[b / LINE_COUNTS];
}

POLICY(wtinylfu,
    .plugin = {
	.name = "wtinylfu",
	.summary = "a window, and admission behind it by frequency (Einziger et al. 2017)",
	.source = "G. Einziger, R. Friedman, B. Manes: TinyLFU: a highly efficient cache admission policy, ACM Trans. Storage 13(4), 2017",
	.state_size = sizeof(struct wtinylfu),
	.params = wtinylfu_params,
    },
    .unsampled = "one frequent block can hold up all others, and a sample seldom has it",
    .on_hit = HIT_MOVES,
    .init = wtinylfu_init,
    .release = wtinylfu_release,
    .hit = wtinylfu_hit,
    .miss = wtinylfu_miss,
    .evict = wtinylfu_evict,
    .insert = wtinylfu_insert,
    .remove = wtinylfu_remove,
    .expect = wtinylfu_expect);
