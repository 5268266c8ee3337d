/*
 * backward.c - a controller that reads backwards where a file is read from its
 * end, and otherwise leaves it to the prefetcher inside it.
 *
 * A block that is missing lies before the last one that was read through the
 * open file, by less than twice the blocks that are wanted: the file is read
 * backwards.  The window ends there, and is twice as long as the request; when
 * a miss follows a reference inside the last window, it ends where that one
 * begins, and is longer by twice its length, so that windows grow threefold:
 *
 *		 window			last window
 *	|<--------------------------->|<---------->|
 *			      x request	   ^ read before
 *
 * A window is at most `pages` blocks.  One that would not reach down to the
 * first block of the request is not read: the request is no part of a run.
 *
 *	Wu Fengguang.  [PATCH 20/28] readahead: backward prefetching method.
 *	linux-kernel mailing list, 15 November 2006 (363577027.21937@ustc.edu.cn):
 *	a part of the adaptive readahead, which Linux did not take in.
 *
 * There the rule comes behind those for runs in order and before that for
 * single pages; here the inner prefetcher plans as well, and what it adds to a
 * backward run is the request, and at most blocks that were read before.  The
 * request is longer by `gap` pages, the patch's readahead_hit_rate.  As in the
 * patch there is no mark: each window waits for a miss.  After advice that
 * reads are random there are none.  O(1) a reference, 20 bytes per open file.
 */
#include <string.h>

#include "prefetch/inner.h"
#include "prefetch/windows.h"

struct run {		   /* of an open file */
	uint32_t last;	   /* block that was read last */
	uint32_t start, n; /* the last window; 0 blocks: it is not read backwards */
	bool	 begun, random;
};

struct backward {
	struct instance inside; /* the inner prefetcher and its state */

	uint64_t    pages, kb, gap;
	struct run *run; /* by open file */
	uint64_t    windows, blocks;
};

static const struct param backward_params[] = {
	{ "pages", PARAM_COUNT, 32, 0, WINDOW_PAGES_MAX, offsetof(struct backward, pages),
	    "largest window, in blocks; 0: nothing is read backwards", NULL },
	WINDOW_KB_PARAM(struct backward, kb),
	{ "gap", PARAM_COUNT, 1, 0, WINDOW_PAGES_MAX, offsetof(struct backward, gap),
	    "blocks by which a request counts as longer: how far apart calls may be", NULL },
	{ 0 },
};

static const struct counter backward_counters[] = {
	{ "windows", "windows", "read backwards", offsetof(struct backward, windows) },
	{ "blocks", "blocks", "in them, also of requests", offsetof(struct backward, blocks) },
	{ 0 },
};

/* Where the window for a request that begins at d->index ends, and its blocks; 0: none is read. */
static uint32_t
window_below(const struct backward *b, const struct run *r, const struct demand *d, uint32_t *end)
{
	uint64_t n = d->left + b->gap;

	if (!r->begun || !d->index || d->index >= r->last || d->index + 2 * n <= r->last)
		return 0;
	if (r->last - r->start < r->n) {
		*end = r->start;
		n += 2 * (uint64_t)r->n;
	} else {
		*end = r->last;
		n *= 2;
	}
	n = at_most(at_most(n, b->pages), *end);
	return *end <= d->index + n ? (uint32_t)n : 0;
}

/* In front of what is planned, so that the blocks are requested in order. */
static void
plan_before(struct plan *plan, uint32_t index, uint32_t count)
{
	if (plan->n == PLAN_MAX)
		plan->n--;
	memmove(plan->extent + 1, plan->extent, plan->n * sizeof(*plan->extent));
	plan->extent[0] = (struct extent){ .index = index, .count = count };
	plan->n++;
}

static void
backward_access(void *self, const struct demand *d, struct plan *plan)
{
	struct backward *b = self;
	struct run	*r = &b->run[d->call->open];
	uint32_t	 n = 0, end = 0;

	inner_access(&b->inside, d, plan);
	if (d->index == d->first && !d->again && d->call->fresh)
		*r = (struct run){ .random = r->random };
	if (d->absent && b->pages) {
		n = r->random ? 0 : window_below(b, r, d, &end);
		r->n = n;
	}
	r->last = d->index;
	r->begun = true;
	if (likely(!n))
		return;
	r->start = end - n;
	b->windows++;
	b->blocks += n;
	plan_note(plan, "it is read backwards: a window that ends where reads began");
	plan_before(plan, r->start, n);
}

static void
backward_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	struct backward *b = self;

	pass_advise(self, a, d, plan);
	if (a->kind != ADVICE_WILLNEED)
		b->run[a->open].random = a->kind == ADVICE_RANDOM;
}

static int
backward_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct backward *b = self;

	b->pages = window_pages(b->pages, b->kb, t);
	if (inner_start(&b->inside, chosen, t, e))
		return -1;
	if (!inner_of(&b->inside)
		 ->access) /* without reading ahead there is none backwards either */
		b->pages = 0;
	b->run = windows_new(t, sizeof(*b->run), e);
	return b->run ? 0 : -1;
}

static void
backward_release(void *self)
{
	struct backward *b = self;

	inner_stop(&b->inside);
	free(b->run);
}

static const char *const backward_state_names[] = { "start", "size", "last", NULL };

static void
backward_state(const void *self, uint32_t open, int64_t *value)
{
	const struct run *r = &((const struct backward *)self)->run[open];

	value[0] = r->n ? (int64_t)r->start : -1;
	value[1] = r->n;
	value[2] = r->begun ? (int64_t)r->last : -1;
}

PREFETCHER(backward,
    .plugin = { .name = "backward",
	.summary = "controller: reads backwards where a file is read from its end (Wu 2006)",
	.source =
	    "Wu Fengguang: [PATCH 20/28] readahead: backward prefetching method, linux-kernel mailing list, 15 November 2006",
	.state_size = sizeof(struct backward),
	.params = backward_params,
	.counters = backward_counters,
	.either = (const char *const[]){ "pages", "kb", NULL },
	.around = "ondemand",
	.inner = pass_inner },
    .init = backward_init, .release = backward_release, .access = backward_access,
    .wrote = pass_wrote, .advise = backward_advise, .pace = pass_pace, .outcome = pass_outcome,
    .evicted = pass_evicted, .finished = pass_finished, .dropped = pass_dropped,
    .order = pass_order, .state_names = backward_state_names, .state = backward_state);
