/*
 * linux26.c - the two readahead windows of Linux 2.6.11 to 2.6.22.
 *
 *	----[ current: start, size ][ ahead: ahead_start, ahead_size ]----
 *
 * The rules are applied once a call, and again at the block up to which they
 * have read.  Sequential reads get a current window and, from the second call
 * on, a window ahead of it; when they cross into the ahead window, it becomes
 * the current one and a larger one is read ahead.  A read elsewhere reads the
 * blocks that it requests, and both windows are dropped.  A block that was
 * evicted before it was reached makes the next window smaller.  After 256
 * blocks that were to be read ahead but were cached already, readahead stops
 * until a block is missing.
 *
 * O(1) a reference, O(blocks) when it reads; 40 bytes per open file.
 */
#include "prefetch/windows.h"

enum version { V2_6_11, V2_6_22, VERSIONS };

static const char *const version_words[VERSIONS] = { "2.6.11", "2.6.22" };

enum { MIN_BYTES = 16 << 10, IN_CACHE = 256 };
enum { FLAG_MISS = 1, FLAG_IN_CACHE = 2 };

struct window {
	uint32_t start, size, ahead_start, ahead_size;
	int64_t	 prev; /* the last block requested; -1: none */
	uint32_t flags, hits;
	uint32_t next; /* block of the call at which the rules are applied again */
	uint8_t	 advice;
	bool	 advised; /* advice has come since the open, before the first read */
};

struct linux26 {
	uint64_t       version, pages, kb;
	struct window *window; /* per open file */
	uint32_t       min;    /* blocks */
};

static const struct param linux26_params[] = {
	{ "version", PARAM_WORD, V2_6_22, 0, VERSIONS - 1, offsetof(struct linux26, version),
	    "version of the kernel; versions differ in the first window, and in the rest of a dropped one",
	    version_words },
	{ "pages", PARAM_COUNT, 32, 0, 1 << 16, offsetof(struct linux26, pages),
	    "largest window, in blocks; 0: nothing is read ahead", NULL },
	WINDOW_KB_PARAM(struct linux26, kb),
	{ 0 },
};

/* One reference, the state of its open file, and the plan to write. */
struct query {
	const struct linux26 *ra;
	struct window	     *w;
	const struct demand  *d;
	struct plan	     *plan;
	uint32_t	      max; /* the largest window here */
};

/* ---- sizes ---- */

static uint32_t
initial_size(const struct query *q, uint32_t n)
{
	uint32_t size = power_of_two(n), max = q->max;

	if (q->ra->version == V2_6_22)
		return window_first(n, max);
	return size <= max / 64 ? size * size : size <= max / 4 ? max / 4 : max;
}

static uint32_t
next_size(const struct query *q)
{
	struct window *w = q->w;

	if (!(w->flags & FLAG_MISS))
		return window_next(w->size, q->max);
	w->flags &= ~(uint32_t)FLAG_MISS;
	plan_note(q->plan, "a block was evicted before it was reached: a smaller window");
	if (w->size < 2) /* the kernel's subtraction wraps */
		return q->max;
	return at_most(w->size > q->ra->min + 2 ? w->size - 2 : q->ra->min, q->max);
}

/* ---- reading ---- */

/* 2.6.22 keeps the end of the ahead window. */
static void
turn_off(const struct query *q)
{
	struct window *w = q->w;

	w->start = w->size = w->flags = 0;
	w->ahead_size = q->ra->version == V2_6_22 ? w->ahead_start + w->ahead_size : 0;
	w->ahead_start = 0;
}

/* The number of these blocks that are not in the cache. */
static uint32_t
count_absent(const struct demand *d, uint32_t start, uint32_t n)
{
	uint32_t absent = 0;

	for (uint32_t i = start; i < d->end && i - start < n; i++)
		absent += i == d->index ? d->absent : !demand_holds(d, i);
	return absent;
}

/* Read n blocks from `start` on.  False: too many reads ahead found their blocks in the cache. */
static bool
read_blocks(const struct query *q, uint32_t start, uint32_t n)
{
	struct window *w = q->w;

	plan_add(q->plan, start, n);
	if (start + n > q->d->end)
		plan_note(q->plan,
		    start < q->d->end ? "cut by the end of the file"
				      : "behind the end of the file");
	if (count_absent(q->d, start, n)) {
		w->hits = 0;
		return true;
	}
	w->hits += n;
	if (w->hits < IN_CACHE)
		return true;
	plan_note(q->plan, "256 blocks ahead were cached already: no readahead until a miss");
	turn_off(q);
	w->flags = FLAG_IN_CACHE;
	return false;
}

static void
read_ahead_window(const struct query *q)
{
	struct window *w = q->w;

	w->ahead_size = next_size(q);
	w->ahead_start = w->start + w->size;
	plan_note(q->plan, "the ahead window");
	read_blocks(q, w->ahead_start, w->ahead_size);
}

/* ---- the rules ---- */

static void
start_windows(const struct query *q, uint32_t index, uint32_t n, uint32_t request)
{
	struct window *w = q->w;

	plan_note(q->plan,
	    index ? "it follows the previous read: a first window"
		  : "the start of the file: a first window");
	w->size = initial_size(q, n);
	w->start = index;
	if (read_blocks(q, index, w->size) && request >= q->max)
		read_ahead_window(q);
}

static void
move_windows(const struct query *q)
{
	struct window *w = q->w;

	if (!w->ahead_start)
		read_ahead_window(q);
	if (w->ahead_start) {
		if (w->prev < w->ahead_start)
			return;
		plan_note(q->plan,
		    "the process crosses into the ahead window: it becomes the current one");
		w->start = w->ahead_start;
		w->size = w->ahead_size;
		read_ahead_window(q);
	}
	/* Since 2.6.17: the process must not seem to have read beyond the window. */
	if (q->ra->version == V2_6_22 && w->prev >= (int64_t)w->ahead_start + w->ahead_size)
		w->prev = (int64_t)w->ahead_start + w->ahead_size - 1;
}

/* `request` blocks are wanted from the demanded one on. */
static void
apply_rules(const struct query *q, uint32_t request)
{
	struct window *w = q->w;
	uint32_t       index = q->d->index, n;
	bool	       sequential;

	if (index == w->prev && --request)
		index++;
	sequential = index == w->prev + 1;
	w->prev = index;
	n = at_most(request, q->max);
	if (!n || w->flags & FLAG_IN_CACHE)
		return;
	w->prev += n - 1;
	if (sequential && !w->size) {
		start_windows(q, index, n, request);
	} else if (!sequential) {
		plan_note(q->plan,
		    w->size || w->ahead_start
			? "elsewhere: the windows are dropped, the requested blocks are read"
			: "elsewhere: only the requested blocks are read");
		turn_off(q);
		read_blocks(q, index, n);
	} else {
		move_windows(q);
	}
}

static bool
is_planned(const struct plan *plan, uint32_t index)
{
	for (unsigned i = 0; i < plan->n; i++)
		if (index - plan->extent[i].index < plan->extent[i].count)
			return true;
	return false;
}

static void
start_call(struct window *w, const struct demand *d)
{
	if (d->call->fresh)
		*w =
		    (struct window){ .prev = -1, .advice = w->advised ? w->advice : ADVICE_NORMAL };
	w->next = d->index;
}

static void
linux26_access(void *self, const struct demand *d, struct plan *plan)
{
	struct linux26 *ra = self;
	struct window  *w = &ra->window[d->call->open];
	struct query	q = { ra, w, d, plan, (uint32_t)ra->pages };

	if (d->index == d->first && !d->again)
		start_call(w, d);
	if (w->advice == ADVICE_RANDOM)
		q.max = 0;
	else if (w->advice == ADVICE_SEQUENTIAL)
		q.max *= 2;
	if (d->index == w->next) {
		apply_rules(&q, d->left);
		w->next = (uint32_t)(w->prev + 1);
	}
	if (d->absent && !is_planned(plan, d->index)) {
		w->flags = (w->flags | FLAG_MISS) & ~(uint32_t)FLAG_IN_CACHE;
		w->hits = 0;
	}
}

static void
linux26_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	struct linux26 *ra = self;
	struct window  *w = &ra->window[a->open];

	if (a->fresh) {
		*w = (struct window){ .prev = -1 };
		w->advised = true;
	}
	if (a->kind != ADVICE_WILLNEED) {
		w->advice = (uint8_t)a->kind;
		return;
	}
	plan_note(plan, "WILLNEED: read, up to half of the cache");
	plan_add(plan, d->index, at_most(d->left, d->cache->nframes / 2));
}

/* ---- setting up ---- */

static int
linux26_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct linux26 *ra = self;

	ra->pages = window_pages(ra->pages, ra->kb, t);
	ra->min = (MIN_BYTES + t->block_bytes - 1) >> t->block_shift;
	ra->window = windows_new(t, sizeof(*ra->window), e);
	if (!ra->window)
		return -1;
	for (uint32_t i = 0; i < t->nopen; i++)
		ra->window[i].prev = -1;
	return 0;
}

static void
linux26_release(void *self)
{
	free(((struct linux26 *)self)->window);
}

static const char *const linux26_state_names[] = { "start", "size", "ahead", "ahead size",
	"previous", "flags", "cached", NULL };

static void
linux26_state(const void *self, uint32_t open, int64_t *value)
{
	const struct window *w = &((const struct linux26 *)self)->window[open];

	value[0] = w->start;
	value[1] = w->size;
	value[2] = w->ahead_start;
	value[3] = w->ahead_size;
	value[4] = w->prev;
	value[5] = w->flags;
	value[6] = w->hits;
}

PREFETCHER(linux26,
    .plugin = { .name = "linux26",
	.summary = "readahead of Linux 2.6.11 to 2.6.22, a current and an ahead window",
	.source = "Linux 2.6.11 to 2.6.22, mm/readahead.c",
	.state_size = sizeof(struct linux26),
	.params = linux26_params,
	.either = (const char *const[]){ "pages", "kb", NULL } },
    .init = linux26_init, .release = linux26_release, .access = linux26_access,
    .advise = linux26_advise, .state_names = linux26_state_names, .state = linux26_state);
