/* frames.c - an allocator of page frames: arena, pool, threads. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sim/studies/frames/model/pool.h"

struct frames {
	struct arena	      arena;
	const struct pool    *pool;
	void		     *self;
	struct frames_thread *thread;
	unsigned	      threads;
	_Atomic uint8_t
	    *state; /* of a page: the order of what it begins, plus 1; NULL: no checks */
	_Atomic(const char *) wrong; /* that has been seen; NULL: nothing */
};

/* ---- checks ---- */

enum { TAKEN = FRAME_ORDERS + 1 }; /* part of what another page begins */

/* The first of them is kept. */
static void
wrong(struct frames *f, const char *what)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&f->wrong, &none, what);
}

/* The pool has given out 2^order pages: none of them may be taken. */
static void
check_taken(struct frames *f, page_t page, unsigned order)
{
	for (page_t i = 0; i < 1u << order; i++)
		if (atomic_exchange(&f->state[page + i], (uint8_t)(i ? TAKEN : order + 1)))
			wrong(f, "the allocator gave out a page twice");
}

/* What is wrong with a free; NULL: nothing, and the pages are marked free. */
static const char *
check_given(struct frames *f, page_t page, unsigned order)
{
	uint8_t was;

	if (page == NO_PAGE)
		return "a free of what is not a page of this arena";
	was = atomic_load(&f->state[page]);
	if (was == order + 1 && was != TAKEN &&
	    atomic_compare_exchange_strong(&f->state[page], &was, 0)) {
		for (page_t i = 1; i < 1u << order; i++)
			atomic_store(&f->state[page + i], 0);
		return NULL;
	}
	if (!was)
		return "a free of a page that is free already, or was never allocated";
	return was == TAKEN ? "a free of a page that is not the first of what was allocated"
			    : "a free with an order that is not that of the allocation";
}

/* ---- operations ---- */

void *
frames_alloc(struct frames_thread *t, unsigned order)
{
	struct frames *f = t->frames;
	page_t	       page = NO_PAGE;

	if (likely(order <= f->arena.max_order))
		page = f->pool->alloc(f->self, t, order);
	if (unlikely(page == NO_PAGE)) {
		t->counts.failed++;
		return NULL;
	}
	t->counts.operations++;
	if (unlikely(f->state != NULL))
		check_taken(f, page, order);
	return arena_address(&f->arena, page);
}

void
frames_free(struct frames_thread *t, void *address, unsigned order)
{
	struct frames *f = t->frames;
	page_t	       page = arena_page(&f->arena, address);

	if (unlikely(f->state != NULL)) {
		const char *what = check_given(f, page, order);

		if (what) {
			wrong(f, what);
			return;
		}
	}
	t->counts.operations++;
	f->pool->free(f->self, t, page, order);
}

void
frames_drain(struct frames_thread *t)
{
	struct frames *f = t->frames;

	if (f->pool->drain)
		f->pool->drain(f->self, t);
}

/* ---- between operations ---- */

struct frames_counts
frames_counts(const struct frames *f)
{
	struct frames_counts sum = { 0 };

	for (unsigned i = 0; i < f->threads; i++) {
		const struct frames_counts *n = &f->thread[i].counts;

		sum.operations += n->operations;
		sum.failed += n->failed;
		sum.splits += n->splits;
		sum.merges += n->merges;
		sum.lock_acquisitions += n->lock_acquisitions;
		sum.lock_contended += n->lock_contended;
	}
	return sum;
}

void
frames_counts_zero(struct frames *f)
{
	for (unsigned i = 0; i < f->threads; i++)
		f->thread[i].counts = (struct frames_counts){ 0 };
}

const struct arena *
frames_arena(const struct frames *f)
{
	return &f->arena;
}

struct frames_thread *
frames_thread(struct frames *f, unsigned number)
{
	ASSERT(number < f->threads);
	return &f->thread[number];
}

uint64_t
frames_free_pages(const struct frames *f)
{
	return f->pool->free_pages(f->self);
}

int
frames_largest_order(const struct frames *f)
{
	return f->pool->largest_order(f->self);
}

static uint64_t
taken_pages(const struct frames *f)
{
	uint64_t n = 0;

	for (page_t i = 0; i < f->arena.pages; i++)
		n += f->state[i] != 0;
	return n;
}

int
frames_check(struct frames *f, struct error *e)
{
	const char *what = atomic_load(&f->wrong);
	uint64_t    taken, unused;

	if (!f->state)
		return 0;
	if (what)
		return error_set(e, "%s: %s", f->pool->plugin.name, what);
	for (unsigned i = 0; i < f->threads; i++)
		frames_drain(&f->thread[i]);
	taken = taken_pages(f);
	unused = frames_free_pages(f);
	if (taken + unused != f->arena.pages)
		return error_set(e, "%s: %" PRIu64 " pages are taken and %" PRIu64 " free, of %u",
		    f->pool->plugin.name, taken, unused, f->arena.pages);
	return 0;
}

/* ---- start and end ---- */

static int
start_threads(struct frames *f, uint64_t threads, struct error *e)
{
	if (!threads || threads > FRAME_THREADS_MAX)
		return error_usage(e, "1 to %d threads use an allocator, not %" PRIu64,
		    FRAME_THREADS_MAX, threads);
	f->thread = lines_new(threads, sizeof(*f->thread));
	if (!f->thread)
		return error_no_memory(e);
	f->threads = (unsigned)threads;
	for (unsigned i = 0; i < threads; i++)
		f->thread[i] = (struct frames_thread){ .frames = f, .number = i };
	return 0;
}

static int
start_checks(struct frames *f, struct error *e)
{
	f->state = calloc(f->arena.pages, sizeof(*f->state));
	return f->state ? 0
			: error_set(e, "out of memory for the checks of %u pages", f->arena.pages);
}

static int
start_pool(struct frames *f, const struct choice *pool, struct error *e)
{
	f->self = plugin_state(pool->plugin, pool->params, e);
	if (!f->self)
		return -1;
	f->pool = (const struct pool *)(const void *)pool->plugin;
	return f->pool->init(f->self, &f->arena, f->threads, e);
}

struct frames *
frames_open(const struct choice *pool, const struct frames_shape *s, struct error *e)
{
	struct frames *f = calloc(1, sizeof(*f));

	if (!f) {
		error_no_memory(e);
		return NULL;
	}
	if (!arena_open(&f->arena, s->blocks, s->block_pages, e) &&
	    !start_threads(f, s->threads, e) && (!s->checked || !start_checks(f, e)) &&
	    !start_pool(f, pool, e))
		return f;
	frames_close(f);
	return NULL;
}

void
frames_close(struct frames *f)
{
	if (!f)
		return;
	if (f->pool)
		plugin_free(f->self, f->pool->release);
	lines_free(f->thread);
	free(f->state);
	arena_close(&f->arena);
	free(f);
}
