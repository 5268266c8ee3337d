/* pool_buddy.c - the buddy system under one lock. */
#include "sim/studies/frames/model/pool.h"
#include "sim/studies/frames/model/zone.h"

struct buddy {
	struct guard *guard;
	struct zone   zone;
};

static int
buddy_init(void *self, const struct arena *a, unsigned threads, struct error *e)
{
	struct buddy *b = self;

	(void)threads;
	b->guard = guard_new(e);
	return !b->guard ? -1 : zone_init(&b->zone, a, e);
}

static void
buddy_release(void *self)
{
	struct buddy *b = self;

	zone_release(&b->zone);
	lines_free(b->guard);
}

static page_t
buddy_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct buddy *b = self;
	page_t	      page;

	guard_lock(b->guard, t);
	page = zone_take(&b->zone, t, order);
	guard_unlock(b->guard, t);
	return page;
}

static void
buddy_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	struct buddy *b = self;

	guard_lock(b->guard, t);
	zone_give(&b->zone, t, page, order);
	guard_unlock(b->guard, t);
}

static uint64_t
buddy_free_pages(const void *self)
{
	const struct buddy *b = self;

	return b->zone.lists->free_pages;
}

static int
buddy_largest_order(const void *self)
{
	const struct buddy *b = self;

	return zone_largest_order(&b->zone);
}

POOL(buddy,
    .plugin = { .name = "buddy",
	.summary = "the buddy system under one lock: every request splits, every free merges",
	.state_size = sizeof(struct buddy),
	.source = "Knowlton, CACM 8(10), 1965; Knuth, TAOCP 1, 2.5" },
    .init = buddy_init, .release = buddy_release, .alloc = buddy_alloc, .free = buddy_free,
    .free_pages = buddy_free_pages, .largest_order = buddy_largest_order);
