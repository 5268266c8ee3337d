/*
 * pool_ondemand.c - blocks with a lock each, whose free pages are merged only when a request needs
 * them together.
 *
 * A block has a stack of its free pages and a map with a bit for each.  A single page is popped
 * from and pushed to the stack, in constant time, without a split or merge; its bit is set when a
 * request needs the map.  A request of 2^k pages looks for 2^k aligned bits, in the whole free
 * blocks first, and takes the pages out of the middle of the stack, where the last one fills the
 * hole.  Freeing them pushes single pages.
 *
 * A thread takes pages from its current block; when that is empty, from the next one with free
 * pages, which becomes its current one.  Two maps with a bit for each block tell which may have
 * free pages, and which may be wholly free; they have no lock.  A bit is set when a block comes to
 * that state, and cleared by the thread that looks there in vain, so that a page that is taken and
 * freed by turns does not write them.  A page goes back to its own block, whichever thread frees
 * it.
 *
 * Counts: a request of 2^k > 1 pages that is met is one merge, the only one there is, though it
 * takes 2^k pages out of the stack; nothing is ever split.
 *
 * The source gives blocks with locks and free maps, and merging on demand; the stack, the order of
 * the search and the current block of a thread are ours.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "sim/studies/frames/model/pool.h"

enum { WORD_BITS = 64 };

/* One bit for each block. */
struct blocks {
	_Atomic uint64_t *word;
	uint32_t	  words;
};

struct block {
	struct guard guard;
	_Alignas(LINE_BYTES)
	    uint32_t count;	     /* free pages: under the lock; also read without, as a hint */
	bool	  in_some, in_whole; /* its bits in the maps of blocks */
	uint32_t  mapped; /* of the stack, from the bottom: pages with a bit and a place */
	uint32_t *stack;  /* of free pages, numbered in the block */
	uint32_t *place;  /* in the stack */
	uint64_t *map;	  /* a bit for each page */
};

/* What only one thread uses. */
struct current {
	_Alignas(2 * LINE_BYTES) uint32_t block;
};

struct ondemand {
	const struct arena *arena;
	struct block	   *block;
	struct current	   *current;
	struct blocks	    some, whole; /* that may have free pages, that may be wholly free */
	uint32_t	    words;	 /* of the map of a block */
	uint32_t	   *pages;	 /* stacks, and places */
	uint64_t	   *maps;
};

/* ---- maps of blocks ---- */

static int
blocks_init(struct blocks *s, uint32_t blocks, struct error *e)
{
	s->words = (blocks + WORD_BITS - 1) / WORD_BITS;
	s->word = lines_new(s->words, sizeof(*s->word));
	return s->word ? 0 : error_set(e, "out of memory for a map of %u blocks", blocks);
}

static void
blocks_add(struct blocks *s, struct frames_thread *t, uint32_t block)
{
	touch(t, &s->word[block / WORD_BITS]);
	atomic_fetch_or(&s->word[block / WORD_BITS], UINT64_C(1) << block % WORD_BITS);
}

static void
blocks_remove(struct blocks *s, struct frames_thread *t, uint32_t block)
{
	touch(t, &s->word[block / WORD_BITS]);
	atomic_fetch_and(&s->word[block / WORD_BITS], ~(UINT64_C(1) << block % WORD_BITS));
}

/* The first block of the map from that one on, then from the start.  NO_PAGE: the map is empty. */
static uint32_t
blocks_from(const struct blocks *s, struct frames_thread *t, uint32_t block)
{
	uint32_t at = block / WORD_BITS;
	uint64_t mask = ~UINT64_C(0) << block % WORD_BITS;

	for (uint32_t i = 0; i <= s->words; i++, mask = ~UINT64_C(0)) {
		uint64_t word;

		touch(t, &s->word[at]);
		word = atomic_load(&s->word[at]) & mask;
		if (word)
			return at * WORD_BITS + (uint32_t)__builtin_ctzll(word);
		at = at + 1 < s->words ? at + 1 : 0;
	}
	return NO_PAGE;
}

/* ---- one block, under its lock ---- */

static inline void
set_count(struct block *b, uint32_t count)
{
	__atomic_store_n(&b->count, count, __ATOMIC_RELAXED);
}

static inline void
push(struct block *b, struct frames_thread *t, uint32_t page)
{
	touch(t, &b->stack[b->count]);
	b->stack[b->count] = page;
	set_count(b, b->count + 1);
}

static inline void
flip_bit(struct block *b, struct frames_thread *t, uint32_t page)
{
	touch(t, &b->map[page / WORD_BITS]);
	b->map[page / WORD_BITS] ^= UINT64_C(1) << page % WORD_BITS;
}

static inline uint32_t
pop(struct block *b, struct frames_thread *t)
{
	uint32_t at = b->count - 1;
	uint32_t page = b->stack[at];

	touch(t, &b->stack[at]);
	set_count(b, at);
	if (unlikely(at < b->mapped)) {
		b->mapped = at;
		flip_bit(b, t, page);
	}
	return page;
}

/* Give a bit and a place to the pages that came since the last time. */
static void
map_pages(struct block *b, struct frames_thread *t)
{
	for (; b->mapped < b->count; b->mapped++) {
		uint32_t page = b->stack[b->mapped];

		touch(t, &b->stack[b->mapped]);
		touch(t, &b->place[page]);
		b->place[page] = b->mapped;
		flip_bit(b, t, page);
	}
}

/* Wherever it is in the stack, of which all is mapped: the last page takes its place. */
static void
take_out(struct block *b, struct frames_thread *t, uint32_t page)
{
	uint32_t at = b->place[page];
	uint32_t last = b->stack[--b->mapped];

	touch(t, &b->place[page]);
	touch(t, &b->stack[b->mapped]);
	touch(t, &b->stack[at]);
	touch(t, &b->place[last]);
	b->stack[at] = last;
	b->place[last] = at;
	set_count(b, b->mapped);
	flip_bit(b, t, page);
}

/* Bits that begin 2^order set bits, aligned; order <= 6. */
static uint64_t
runs_in(uint64_t word, unsigned order)
{
	static const uint64_t aligned[] = { ~UINT64_C(0), 0x5555555555555555, 0x1111111111111111,
		0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1 };

	for (unsigned k = 0; k < order; k++)
		word &= word >> (1u << k);
	return word & aligned[order];
}

static bool
all_set(struct frames_thread *t, const uint64_t *word, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++) {
		touch(t, &word[i]);
		if (~word[i])
			return false;
	}
	return true;
}

/* The first page of a free run; NO_PAGE: there is none. */
static uint32_t
find_run(const struct block *b, struct frames_thread *t, uint32_t words, unsigned order)
{
	uint32_t step = order > 6 ? 1u << (order - 6) : 1;

	for (uint32_t i = 0; i < words; i += step) {
		uint64_t found;

		if (order > 6) {
			if (all_set(t, b->map + i, step))
				return i * WORD_BITS;
			continue;
		}
		touch(t, &b->map[i]);
		found = runs_in(b->map[i], order);
		if (found)
			return i * WORD_BITS + (uint32_t)__builtin_ctzll(found);
	}
	return NO_PAGE;
}

/* ---- requests ---- */

static struct block *
enter(struct ondemand *d, struct frames_thread *t, uint32_t block)
{
	struct block *b = &d->block[block];

	guard_lock(&b->guard, t);
	touch(t, &b->count);
	return b;
}

static page_t
alloc_page(struct ondemand *d, struct frames_thread *t)
{
	uint32_t *current = &d->current[t->number].block;

	do {
		struct block *b = enter(d, t, *current);

		if (likely(b->count)) {
			page_t page = (*current << d->arena->max_order) + pop(b, t);

			guard_unlock(&b->guard, t);
			return page;
		}
		if (b->in_some) {
			b->in_some = false;
			blocks_remove(&d->some, t, *current);
		}
		guard_unlock(&b->guard, t);
		*current = blocks_from(&d->some, t, *current);
	} while (*current != NO_PAGE);
	*current = 0;
	return NO_PAGE;
}

/* From that block, under its lock. */
static page_t
take_run(struct ondemand *d, struct frames_thread *t, uint32_t block, unsigned order)
{
	struct block *b = &d->block[block];
	uint32_t      first;

	map_pages(b, t);
	first = find_run(b, t, d->words, order);
	if (first == NO_PAGE)
		return NO_PAGE;
	for (uint32_t i = 0; i < 1u << order; i++)
		take_out(b, t, first + i);
	t->counts.merges++;
	return block * d->arena->block_pages + first;
}

static page_t
take_of_whole(struct ondemand *d, struct frames_thread *t, uint32_t from, unsigned order)
{
	page_t page = NO_PAGE;

	for (uint32_t i; page == NO_PAGE && (i = blocks_from(&d->whole, t, from)) != NO_PAGE;) {
		struct block *b = enter(d, t, i);

		if (b->count == d->arena->block_pages) {
			page = take_run(d, t, i, order);
		} else if (b->in_whole) {
			b->in_whole = false;
			blocks_remove(&d->whole, t, i);
		}
		guard_unlock(&b->guard, t);
	}
	return page;
}

static page_t
take_of_some(struct ondemand *d, struct frames_thread *t, uint32_t from, unsigned order)
{
	page_t page = NO_PAGE;

	for (uint32_t n = 0; page == NO_PAGE && n < d->arena->blocks; n++) {
		uint32_t i = from + n < d->arena->blocks ? from + n : from + n - d->arena->blocks;
		struct block *b = &d->block[i];

		touch(t, &b->count);
		if (__atomic_load_n(&b->count, __ATOMIC_RELAXED) < 1u << order)
			continue;
		guard_lock(&b->guard, t);
		page = take_run(d, t, i, order);
		guard_unlock(&b->guard, t);
	}
	return page;
}

static page_t
ondemand_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct ondemand *d = self;
	uint32_t	 from;
	page_t		 page;

	if (!order)
		return alloc_page(d, t);
	from = d->current[t->number].block;
	page = take_of_whole(d, t, from, order);
	return page == NO_PAGE ? take_of_some(d, t, from, order) : page;
}

static void
ondemand_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	struct ondemand *d = self;
	uint32_t	 block = page >> d->arena->max_order;
	uint32_t	 first = page & (d->arena->block_pages - 1);
	struct block	*b = enter(d, t, block);

	for (uint32_t i = 1u << order; i-- > 0;) /* taken in rising order */
		push(b, t, first + i);
	if (unlikely(!b->in_some)) {
		b->in_some = true;
		blocks_add(&d->some, t, block);
	}
	if (unlikely(b->count == d->arena->block_pages && !b->in_whole)) {
		b->in_whole = true;
		blocks_add(&d->whole, t, block);
	}
	guard_unlock(&b->guard, t);
}

/* ---- between operations ---- */

static uint64_t
ondemand_free_pages(const void *self)
{
	const struct ondemand *d = self;
	uint64_t	       n = 0;

	for (uint32_t i = 0; i < d->arena->blocks; i++)
		n += d->block[i].count;
	return n;
}

static int
ondemand_largest_order(const void *self)
{
	const struct ondemand *d = self;
	struct frames_thread   start = { 0 };
	int		       largest = -1;

	for (uint32_t i = 0; i < d->arena->blocks; i++) {
		struct block *b = &d->block[i];

		map_pages(b, &start);
		while (largest < (int)d->arena->max_order && b->count >= 1u << (largest + 1) &&
		    find_run(b, &start, d->words, (unsigned)(largest + 1)) != NO_PAGE)
			largest++;
	}
	return largest;
}

/* ---- start and end ---- */

/* All pages are free, the lowest on top. */
static void
fill_block(struct ondemand *d, uint32_t i)
{
	struct frames_thread start = { 0 };
	struct block	    *b = &d->block[i];
	uint32_t	     pages = d->arena->block_pages;

	b->stack = d->pages + (size_t)i * 2 * pages;
	b->place = b->stack + pages;
	b->map = d->maps + (size_t)i * d->words;
	for (uint32_t page = pages; page-- > 0;)
		push(b, &start, page);
	b->in_some = b->in_whole = true;
	blocks_add(&d->some, &start, i);
	blocks_add(&d->whole, &start, i);
}

static int
ondemand_init(void *self, const struct arena *a, unsigned threads, struct error *e)
{
	struct ondemand *d = self;

	d->arena = a;
	d->words = (a->block_pages + WORD_BITS - 1) / WORD_BITS;
	if (blocks_init(&d->some, a->blocks, e) || blocks_init(&d->whole, a->blocks, e))
		return -1;
	d->block = lines_new(a->blocks, sizeof(*d->block));
	d->current = lines_new(threads, sizeof(*d->current));
	d->pages = lines_new((size_t)a->pages, 2 * sizeof(*d->pages));
	d->maps = lines_new((size_t)a->blocks * d->words, sizeof(*d->maps));
	if (!d->block || !d->current || !d->pages || !d->maps)
		return error_set(e, "out of memory for %u blocks", a->blocks);
	for (unsigned i = 0; i < threads; i++) /* apart */
		d->current[i].block = (uint32_t)((uint64_t)i * a->blocks / threads);
	for (uint32_t i = 0; i < a->blocks; i++)
		fill_block(d, i);
	return 0;
}

static void
ondemand_release(void *self)
{
	struct ondemand *d = self;

	lines_free(d->block);
	lines_free(d->current);
	lines_free(d->pages);
	lines_free(d->maps);
	lines_free(d->some.word);
	lines_free(d->whole.word);
}

POOL(ondemand,
    .plugin = { .name = "ondemand",
	.summary = "a lock, a map and a stack of free pages for each block; merges on request only",
	.state_size = sizeof(struct ondemand),
	.source = "Park and Choi, about 2010" },
    .init = ondemand_init, .release = ondemand_release, .alloc = ondemand_alloc,
    .free = ondemand_free, .free_pages = ondemand_free_pages,
    .largest_order = ondemand_largest_order);
