/*
 * pool_lazy.c - the buddy system below a layer of single pages for each thread.
 *
 * A thread takes single pages from its layer, the last freed first; when that is empty, one at a
 * time from the buddy system.  A page that is freed stays in the layer until this holds the limit;
 * beyond it, pages fall through to the buddy system.  Larger requests go there at once.  Pages in
 * the layer of a thread are lost to the others until frames_drain().
 *
 * The source has a limit and a batch, but does not say what the batch is for.  Known are the splits
 * and merges of four loads with limit 186 and batch 31: pages that are taken by the batch do not
 * lead to them, whatever the order of the lists.  Two rules for the pages beyond the limit do: each
 * falls through by itself, in any order of the lists; or, if a free page of the buddy system is
 * chosen by its address, the oldest fall through until the layer holds a batch less than the limit.
 * The first is the default, the second is release=batch; here the buddy system gives the page that
 * came last, which costs 41,523 splits and not 41,490 where 600 pages are taken by turns.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/studies/frames/model/pool.h"
#include "sim/studies/frames/model/zone.h"

enum { RELEASE_PAGE, RELEASE_BATCH };

struct layer {
	_Alignas(2 * LINE_BYTES) page_t *page; /* the oldest first */
	size_t count;
};

struct lazy {
	uint64_t limit, batch, release;

	struct guard *guard; /* of the zone */
	struct zone   zone;
	struct layer *layer; /* of each thread */
	unsigned      threads;
};

static const char *const release_words[] = { "page", "batch", NULL };

static const struct param lazy_params[] = {
	{ "limit", PARAM_COUNT, 186, 0, 1 << 24, offsetof(struct lazy, limit),
	    "single pages in the layer of a thread", NULL },
	{ "batch", PARAM_COUNT, 31, 1, 1 << 24, offsetof(struct lazy, batch),
	    "pages below the limit to which release=batch goes", NULL },
	{ "release", PARAM_WORD, RELEASE_PAGE, 0, RELEASE_BATCH, offsetof(struct lazy, release),
	    "beyond the limit: the page alone, or the oldest, down to limit - batch",
	    release_words },
	{ 0 },
};

static int
lazy_init(void *self, const struct arena *a, unsigned threads, struct error *e)
{
	struct lazy *l = self;
	size_t	     room = l->limit < a->pages ? (size_t)l->limit : a->pages;

	l->guard = guard_new(e);
	if (!l->guard || zone_init(&l->zone, a, e))
		return -1;
	l->layer = lines_new(threads, sizeof(*l->layer));
	if (!l->layer)
		return error_set(e, "out of memory for the layers of %u threads", threads);
	l->threads = threads;
	for (unsigned i = 0; i < threads; i++) {
		l->layer[i].page = lines_new(room + 1, sizeof(page_t));
		if (!l->layer[i].page)
			return error_set(e, "out of memory for a layer of %zu pages", room);
	}
	return 0;
}

static void
lazy_release(void *self)
{
	struct lazy *l = self;

	for (unsigned i = 0; i < l->threads; i++)
		lines_free(l->layer[i].page);
	lines_free(l->layer);
	zone_release(&l->zone);
	lines_free(l->guard);
}

static page_t
lazy_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct lazy  *l = self;
	struct layer *y = &l->layer[t->number];
	page_t	      page;

	if (!order && y->count)
		return y->page[--y->count];
	guard_lock(l->guard, t);
	page = zone_take(&l->zone, t, order);
	guard_unlock(l->guard, t);
	return page;
}

/* The n oldest pages of a layer. */
static void
give_oldest(struct lazy *l, struct frames_thread *t, struct layer *y, size_t n)
{
	guard_lock(l->guard, t);
	for (size_t i = 0; i < n; i++)
		zone_give(&l->zone, t, y->page[i], 0);
	guard_unlock(l->guard, t);
	y->count -= n;
	memmove(y->page, y->page + n, y->count * sizeof(*y->page));
}

static void
lazy_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	struct lazy  *l = self;
	struct layer *y = &l->layer[t->number];

	if (!order && y->count < l->limit) {
		y->page[y->count++] = page;
	} else if (!order && l->release == RELEASE_BATCH) {
		y->page[y->count++] = page;
		give_oldest(l, t, y, l->batch < y->count ? (size_t)l->batch + 1 : y->count);
	} else {
		guard_lock(l->guard, t);
		zone_give(&l->zone, t, page, order);
		guard_unlock(l->guard, t);
	}
}

static void
lazy_drain(void *self, struct frames_thread *t)
{
	struct lazy  *l = self;
	struct layer *y = &l->layer[t->number];

	give_oldest(l, t, y, y->count);
}

static uint64_t
lazy_free_pages(const void *self)
{
	const struct lazy *l = self;
	uint64_t	   n = l->zone.lists->free_pages;

	for (unsigned i = 0; i < l->threads; i++)
		n += l->layer[i].count;
	return n;
}

static int
lazy_largest_order(const void *self)
{
	const struct lazy *l = self;
	int		   order = zone_largest_order(&l->zone);

	return order < 0 && lazy_free_pages(l) ? 0 : order;
}

POOL(lazy,
    .plugin = { .name = "lazy",
	.summary = "the buddy system below a layer of single pages for each thread, up to a limit",
	.state_size = sizeof(struct lazy),
	.params = lazy_params,
	.source = "Linux 2.6.32, as described by Park and Choi, about 2010" },
    .init = lazy_init, .release = lazy_release, .alloc = lazy_alloc, .free = lazy_free,
    .drain = lazy_drain, .free_pages = lazy_free_pages, .largest_order = lazy_largest_order);
