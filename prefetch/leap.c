/*
 * leap.c - follow the difference that most of the recent differences between
 * references equal.
 *
 * The last H differences of a file are kept.  The trend is the strict
 * majority of the newest H/split of them, or of twice as many, and so on up to
 * H: a few stray references do not break it.  A miss reads ahead along
 * the trend, or along the last one if there is none: as many blocks as were
 * used since the last time and one more, rounded up to a power of two, but at
 * least half of what it was then.
 *
 *	H. Al Maruf, M. Chowdhury.  Effectively prefetching remote memory with
 *	Leap.  USENIX Annual Technical Conference, 2020.
 *	Majority: R. S. Boyer, J S. Moore.  MJRTY, a fast majority vote
 *	algorithm.  Automated Reasoning, 1991.
 *
 * Departures: the paper follows the page faults of a process, bufsim the
 * references to a file; a reference to the same block again is left out.
 * H, split and max are bufsim's own.  A block that a plan fetches for the rest
 * of a call counts as read ahead, so that one call of r blocks reads the same
 * blocks as r calls of one.  O(1) a reference, O(H) a miss, 4 H + 32 bytes per file.
 */
#include "prefetch/windows.h"
#include "sim/base/memory.h"

enum { HISTORY_MAX = 1024 };

struct past {		 /* of a file; differences are modulo 2^32 */
	uint64_t n;	 /* differences so far */
	uint32_t last;	 /* block; meaningful if begun */
	uint32_t trend;	 /* the last one; 0: none yet */
	uint32_t uses;	 /* of blocks read ahead, since the last plan */
	uint32_t window; /* blocks of the last plan */
	bool	 begun;
};

struct leap {
	uint64_t history, split, max;

	const struct trace *trace;
	struct past	   *past;
	uint32_t	   *ring; /* [history] for each file */

	uint64_t plans, no_trend;
};

static const struct param leap_params[] = {
	{ "H", PARAM_COUNT, 32, 1, HISTORY_MAX, offsetof(struct leap, history),
	    "differences that are kept", NULL },
	{ "split", PARAM_COUNT, 2, 1, HISTORY_MAX, offsetof(struct leap, split),
	    "the trend is first looked for in this part of them: the newest H / split", NULL },
	{ "max", PARAM_COUNT, 8, 0, PLAN_MAX, offsetof(struct leap, max),
	    "blocks read ahead at a time, at most", NULL },
	{ 0 },
};

static const struct counter leap_counters[] = {
	{ "plans", "plans", "along a trend", offsetof(struct leap, plans) },
	{ "no_trend_misses", "misses", "when no difference had a majority",
	    offsetof(struct leap, no_trend) },
	{ 0 },
};

/* The difference that was k before the newest. */
static uint32_t
difference(const struct leap *l, const struct past *p, const uint32_t *ring, uint32_t k)
{
	return ring[(p->n - 1 - k) % l->history];
}

/* The strict majority of the newest w differences, or 0. */
static uint32_t
majority(const struct leap *l, const struct past *p, const uint32_t *ring, uint32_t w)
{
	uint32_t candidate = 0, votes = 0, count = 0;

	for (uint32_t k = 0; k < w; k++) {
		uint32_t x = difference(l, p, ring, k);

		if (!votes)
			candidate = x;
		votes += x == candidate ? 1 : UINT32_MAX;
	}
	for (uint32_t k = 0; k < w; k++)
		count += difference(l, p, ring, k) == candidate;
	return count > w / 2 ? candidate : 0;
}

static uint32_t
find_trend(const struct leap *l, const struct past *p, const uint32_t *ring)
{
	uint64_t w = l->history / l->split;
	uint32_t trend = 0;

	for (w = w ? w : 1; w <= l->history && w <= p->n && !trend; w *= 2)
		trend = majority(l, p, ring, (uint32_t)w);
	return trend;
}

/* How many blocks to read ahead after a miss; continued: it follows the trend. */
static uint32_t
window_of(const struct leap *l, const struct past *p, bool continued)
{
	uint32_t n = p->uses ? power_of_two(p->uses + 1) : continued;

	if (n > l->max)
		n = (uint32_t)l->max;
	return n < p->window / 2 ? p->window / 2 : n;
}

static void
plan_along(const struct demand *d, uint32_t trend, uint32_t n, struct plan *plan)
{
	uint32_t index = d->index + trend;

	if (trend == 1) {
		plan_add(plan, index, index + n <= d->end ? n : d->end - index);
		return;
	}
	for (; n && index < d->end; n--, index += trend)
		plan_add(plan, index, 1);
}

static void
miss(struct leap *l, struct past *p, const uint32_t *ring, const struct demand *d,
    struct plan *plan)
{
	uint32_t trend = find_trend(l, p, ring);

	l->no_trend += !trend;
	p->window = window_of(l, p, trend && difference(l, p, ring, 0) == trend);
	p->uses = 0;
	if (trend)
		p->trend = trend;
	if (!p->window || !p->trend)
		return;
	l->plans++;
	plan_note(plan, trend ? "missing: along the trend" : "missing: along the last trend");
	plan_along(d, p->trend, p->window, plan);
}

static void
leap_access(void *self, const struct demand *d, struct plan *plan)
{
	struct leap *l = self;
	struct past *p = &l->past[d->file];
	uint32_t    *ring = &l->ring[d->file * l->history];

	if (p->begun && d->index != p->last)
		ring[p->n++ % l->history] = d->index - p->last;
	p->begun = true;
	p->last = d->index;
	if (d->absent)
		miss(l, p, ring, d, plan);
	else
		p->uses += d->how != REF_HIT && d->how != REF_DELAYED;
}

static int
leap_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct leap *l = self;

	l->trace = t;
	l->past = calloc((size_t)t->nfiles + 1, sizeof(*l->past));
	l->ring = memory_table(((size_t)t->nfiles + 1) * l->history, sizeof(*l->ring));
	if (l->past && l->ring)
		return 0;
	return error_set(e, "out of memory for the differences of %u files", t->nfiles);
}

static void
leap_release(void *self)
{
	struct leap *l = self;

	free(l->past);
	free(l->ring);
}

static const char *const leap_state_names[] = { "trend", "window", "uses", NULL };

static void
leap_state(const void *self, uint32_t open, int64_t *value)
{
	const struct leap *l = self;
	const struct past *p = &l->past[l->trace->open[open].file];

	value[0] = (int32_t)p->trend;
	value[1] = p->window;
	value[2] = p->uses;
}

PREFETCHER(leap,
	.plugin = {
	    .name = "leap",
	    .summary = "along the majority of recent differences (Al Maruf and Chowdhury 2020)",
	    .source = "H. Al Maruf, M. Chowdhury: Effectively prefetching remote memory with Leap, USENIX ATC 2020",
	    .state_size = sizeof(struct leap),
	    .params = leap_params,
	    .counters = leap_counters,
	},
	.init = leap_init,
	.release = leap_release,
	.access = leap_access,
	.state_names = leap_state_names,
	.state = leap_state);
