/*
 * pools.h - what tests of allocators of page frames share: opening one.
 */
#ifndef TESTS_UNIT_FRAMES_POOLS_H
#define TESTS_UNIT_FRAMES_POOLS_H

#include "sim/registry.h"
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/support.h"

enum { POOLS_MAX = 16, PAGES_MAX = 1 << 13 };

/* An open arena of its own, and what a test has taken from it. */
struct drawn {
	struct frames *frames;
	struct choice  choice;
	void	      *page[PAGES_MAX];
	uint8_t	       order[PAGES_MAX];
	uint32_t       n;
};

static inline void
draw_open(struct drawn *d, const char *pool, struct frames_shape shape)
{
	struct error e = { 0 };

	d->n = 0;
	REQUIRE(!registry_choose(PLUGIN_POOL, pool, &d->choice, &e), "%s: %s", pool, e.text);
	d->frames = frames_open(&d->choice, &shape, &e);
	REQUIRE(d->frames != NULL, "%s: %s", pool, e.text);
}

static inline void
draw_close(struct drawn *d)
{
	frames_close(d->frames);
	choice_release(&d->choice);
}

/* False: the request has failed. */
static inline bool
draw_page(struct drawn *d, unsigned thread, unsigned order)
{
	void *page = frames_alloc(frames_thread(d->frames, thread), order);

	if (!page)
		return false;
	d->page[d->n] = page;
	d->order[d->n++] = (uint8_t)order;
	return true;
}

/* The i-th that was taken, by that thread; the last one fills its place. */
static inline void
return_page(struct drawn *d, unsigned thread, uint32_t i)
{
	frames_free(frames_thread(d->frames, thread), d->page[i], d->order[i]);
	d->page[i] = d->page[--d->n];
	d->order[i] = d->order[d->n];
}

static inline const char *
pool_name(int i)
{
	return PLUGIN_POOL->list[i]->name;
}

static inline int
pool_number(void)
{
	int n = 0;

	while (PLUGIN_POOL->list[n])
		n++;
	return n;
}

#endif
