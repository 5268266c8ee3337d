/*
 * linux24.c - the readahead window of Linux 2.4 (as in 2.4.16 to 2.4.22).
 *
 * Every open file has a window of blocks already asked for:
 *
 *	      |<-------- win -------->|
 *	------[ older batch ][ newest ]------
 *			     |<-len-->|
 *				      end
 *
 * A call that starts outside it resets it.  A block whose read is not
 * complete and which is beyond the newest batch starts a synchronous batch
 * behind itself; a readable block inside the newest batch starts the next
 * one asynchronously.  Each batch doubles the budget, up to a maximum.
 *
 * Quirk kept: a batch cut by the end of the file counts one block that does
 * not exist.  A last block that is only partly filled is never read ahead.
 * O(1) a reference, 20 bytes per open file.
 */
#include <stdlib.h>

#include "sim/prefetch.h"

enum { HEADER_BYTES = 2048 }; /* so small a read at the very start is no sign of a scan */

struct window {
	uint32_t budget; /* blocks in the next batch */
	uint32_t end;	 /* just past the last block asked for */
	uint32_t len;	 /* of the newest batch */
	uint32_t win;	 /* of the newest batch and, if that was asynchronous, the one before */
	bool	 inside; /* the current call started inside the window */
};

struct linux24 {
	uint64_t       min, max;
	struct window *window; /* per open file */
	uint32_t       block_shift;
};

static const struct param linux24_params[] = {
	{ "max", PARAM_COUNT, 31, 0, 1 << 16, offsetof(struct linux24, max),
	    "largest budget of a batch, in blocks" },
	{ "min", PARAM_COUNT, 3, 0, 1 << 16, offsetof(struct linux24, min),
	    "smallest budget of a call inside its window, in blocks" },
	{ 0 },
};

static uint32_t
at_most(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

static uint32_t
at_least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a > b ? a : b);
}

static void
start_call(struct linux24 *ra, struct window *w, const struct demand *d)
{
	uint32_t within = (uint32_t)(d->call->offset & ((1u << ra->block_shift) - 1));
	uint64_t bytes = (uint64_t)within + d->call->length;

	if (d->call->fresh)
		*w = (struct window){ 0 };
	w->inside = d->index <= w->end && d->index + w->win >= w->end;
	if (!w->inside)
		*w = (struct window){ 0 };
	if (d->index == 0 && bytes <= HEADER_BYTES) {
		w->budget = 0;
		return;
	}
	w->budget = at_least(w->budget, (bytes >> ra->block_shift) + 1);
	if (w->inside)
		w->budget = at_least(w->budget, ra->min);
	w->budget = at_most(w->budget, ra->max);
}

/* Ask for up to `budget` blocks behind block `start`. */
static void
batch(struct linux24 *ra, struct window *w, uint32_t start, uint32_t budget, uint64_t whole,
    struct plan *plan)
{
	uint32_t n;

	if (!budget)
		return;
	n = at_most(budget, whole - start); /* the last one counted may not exist */
	plan_add(plan, start + 1, at_most(n, whole - start - 1));
	w->len += n;
	w->win += w->len;
	w->end = start + n + 1;
	w->budget = at_most(2 * (uint64_t)w->budget, ra->max);
}

static void
linux24_access(void *self, const struct demand *d, struct plan *plan)
{
	struct linux24 *ra = self;
	struct window  *w = &ra->window[d->call->open];
	uint64_t	whole = d->call->file_size >> ra->block_shift;
	uint32_t	idx = d->index;

	if (idx == d->first)
		start_call(ra, w, d);
	if (d->locked) {
		if (w->len && idx < w->end && idx + w->win >= w->end)
			return; /* asked for already */
		w->win = 0;
		w->len = 1;
		if (idx >= whole || !w->budget) {
			w->end = idx + 1;
			w->win = 1;
			return;
		}
		batch(ra, w, idx, w->budget, whole, plan);
	} else if (w->inside && w->budget && w->end >= 1 && idx <= w->end &&
	    idx + w->len >= w->end && w->end - 1 < whole) {
		w->win = w->len;
		w->len = 0;
		batch(ra, w, w->end - 1, w->budget + 1, whole, plan);
	}
}

static int
linux24_init(void *self, const struct trace *t, struct error *e)
{
	struct linux24 *ra = self;

	ra->block_shift = t->block_shift;
	ra->window = calloc((size_t)t->nopen + 1, sizeof(*ra->window));
	return ra->window ? 0 : error_set(e, "out of memory for %u readahead windows", t->nopen);
}

static void
linux24_release(void *self)
{
	free(((struct linux24 *)self)->window);
}

const struct prefetcher	       prefetcher_linux24 = {
	       .plugin = {
		   .name = "linux24",
		   .summary = "readahead of Linux 2.4, a doubling window per open file",
		   .state_size = sizeof(struct linux24),
		   .params = linux24_params,
	       },
	       .init = linux24_init,
	       .release = linux24_release,
	       .access = linux24_access,
};
