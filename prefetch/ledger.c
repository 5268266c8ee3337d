/*
 * ledger.c - a controller that weighs each plan in time: it passes a plan of
 * another prefetcher if its blocks are expected to save more than they cost.
 *
 * For n blocks behind the call, in microseconds of the device's time:
 *
 *	saved	for each block used soon (probes.h) its transfer, and for each
 *		call that it completes a miss; for each other block what it saves
 *		later, less the cost of its frame until then (later.h)
 *	cost	the transfers.  If no process waits for the request: also its
 *		positioning, and both times the share that processes wait for
 *		(prices.h)
 *
 * Everything is learned during the run, from plans passed and vetoed alike, and
 * from trials (trial.h).  Frames are lent: blocks that were not used leave
 * first (lent.h).  What remains of a plan has no holes: a prefetcher believes
 * that a vetoed window was read, and plans its end first, which would split the
 * next request.
 *
 * Blocks of the current call are never vetoed.  O(1) a reference, O(n) a plan.
 * bufsim's own: docs/ledger.md.
 */
#include <math.h>
#include <stdlib.h>

#include "prefetch/inner.h"
#include "prefetch/lent.h"
#include "prefetch/trial.h"

struct verdict { /* in microseconds */
	double saved, cost;
	double certain; /* of what is saved: transfers of blocks used soon */
	double later;	/* what another block saves, less its frame */
	double misses;	/* what the calls save that it completes */

	double blocks, used, calls; /* numbers; expected: blocks used soon, calls completed */
	double share;		    /* of the cost that processes wait for, from 0 to 1 */
};

struct ledger {
	struct prices prices;
	struct later  later;
	struct probes probes;
	struct lent   lent;
	struct trial  trial;

	struct instance inside;	  /* the inner prefetcher and its state */
	uint32_t       *expected; /* per open file: the block behind its last call */
	bool		next; /* the current call begins there, or in the last block of that call */
	block_t		taken; /* the block whose frame was taken back last */
	struct verdict	last;  /* of the current reference, if it has blocks */

	uint64_t passed, vetoed, tried, vetoed_blocks, regretted, taken_blocks;
};

static const struct param ledger_params[] = {
	PROBES_PARAMS(struct ledger, probes),
	LATER_PARAMS(struct ledger, later),
	PRICES_PARAMS(struct ledger, prices),
	TRIAL_PARAMS(struct ledger, trial),
	{ 0 },
};

static const struct counter ledger_counters[] = {
	{ "passed_plans", "plans", "expected to save more than they cost",
	    offsetof(struct ledger, passed) },
	{ "vetoed_plans", "plans", "expected to cost more than they save",
	    offsetof(struct ledger, vetoed) },
	{ "trial_plans", "plans", "vetoed to learn what a miss costs",
	    offsetof(struct ledger, tried) },
	{ "vetoed_blocks", "blocks", "not read ahead; counted at each veto",
	    offsetof(struct ledger, vetoed_blocks) },
	{ "regretted_blocks", "blocks",
	    "vetoed and not used soon, but missed before they would have left the cache",
	    offsetof(struct ledger, regretted) },
	{ "taken_back_blocks", "blocks", "read ahead, not used, and evicted first",
	    offsetof(struct ledger, taken_blocks) },
	{ 0 },
};

/* ---- the verdict ---- */

/* n blocks behind the call. */
static struct verdict
weigh(const struct ledger *l, const struct demand *d, uint32_t n)
{
	const struct prices *p = &l->prices;
	double		     transfer = prices_of_transfer(p), next = prices_of_miss(p, MISS_NEXT);
	double		     stride = prices_of_miss(p, MISS_STRIDE);
	double		     share = d->absent ? 1 : prices_share(p, d->now);
	double		     frame = later_frame(&l->later, p);
	double later = later_saves(&l->later, d->cache, p, share * transfer + frame) - frame;
	struct verdict v = { .cost = share * transfer * n,
		.later = later,
		.blocks = n,
		.share = share };

	if (!d->absent)
		v.cost += share * prices_apart(p);
	for (unsigned step = 0, from = 0; from < n; step++) {
		struct tally e = probes_expect(&l->probes, d->file, step);
		uint32_t     to =
			step == PROBE_STEPS - 1 || probes_end(step) > n ? n : probes_end(step);
		double blocks = to - from;

		v.used += blocks * (double)e.used;
		v.calls += blocks * ((double)e.next + (double)e.stride);
		v.misses += blocks * ((double)e.next * next + (double)e.stride * stride);
		from = to;
	}
	v.certain = v.used * transfer;
	v.saved = v.certain + v.misses + (v.blocks - v.used) * later;
	return v;
}

static bool
decide(struct ledger *l, const struct demand *d, uint32_t n, struct plan *plan)
{
	l->last = weigh(l, d, n);
	if (l->last.saved <= l->last.cost) {
		l->vetoed++;
		plan_note(plan, "costs more than it saves: vetoed");
		return false;
	}
	if (l->last.certain < l->last.cost && trial_vetoes(&l->trial, d->file)) {
		l->tried++;
		plan_note(plan, "saves more than it costs, but vetoed to learn what a miss costs");
		return false;
	}
	l->passed++;
	plan_note(plan, "saves more than it costs: passed");
	return true;
}

/* ---- the plan ---- */

/* The plan up to `end`, without holes. */
static void
cut(const struct demand *d, struct plan *plan, uint32_t end)
{
	bool	 itself = plan->n && plan->extent[0].index == d->index;
	uint32_t first = d->index + !itself;

	plan->n = 0;
	plan_add(plan, first, end > first ? end - first : 0);
}

/* The end of the plan, but not behind `limit`; at least `least`. */
static uint32_t
end_of(const struct plan *plan, uint32_t least, uint32_t limit)
{
	uint32_t end = least;

	for (unsigned i = 0; i < plan->n; i++) {
		const struct extent *e = &plan->extent[i];
		uint32_t last = e->index + e->count < limit ? e->index + e->count : limit;

		if (e->count && e->index < limit && last > end)
			end = last;
	}
	return end;
}

/* Blocks from `first` to `end` that are not in the cache; a bit for each of the first 64. */
static uint32_t
count_absent(const struct demand *d, uint32_t first, uint32_t end, uint64_t *absent)
{
	uint32_t n = 0;

	*absent = 0;
	for (uint32_t k = first; k < end; k++) {
		if (demand_holds(d, k))
			continue;
		n++;
		if (k - first < PROBE_BLOCKS)
			*absent |= 1ull << (k - first);
	}
	return n;
}

static void
restrain(struct ledger *l, const struct demand *d, struct plan *plan)
{
	uint32_t after = d->index + d->left, end = end_of(plan, after, d->end), n;
	uint64_t absent;
	bool	 passes;

	n = count_absent(d, after, end, &absent);
	passes = n && decide(l, d, end - after, plan);
	if (!n && end > after)
		plan_note(plan, "nothing to weigh: all of it is in the cache or being read");
	if (n)
		probes_open(&l->probes, d, after, end - after, absent, !passes);
	if (passes) {
		lent_add(&l->lent, d, after, end - after);
		cut(d, plan, end);
		return;
	}
	l->vetoed_blocks += n;
	plan->trimmed += n;
	cut(d, plan, end_of(plan, d->index, after));
}

/* ---- hooks ---- */

/* Learn from a reference. */
static void
observe(struct ledger *l, const struct demand *d)
{
	bool begins = d->index == d->first, later, soon;

	if (begins) {
		l->next = l->expected[d->call->open] - d->index <= 1;
		l->expected[d->call->open] = d->index + d->left;
	}
	later = later_demand(&l->later, d, l->next);
	l->regretted += later && d->absent;
	soon = probes_demand(&l->probes, d, l->next);
	if (begins && d->absent && (soon || later))
		prices_miss(&l->prices, d->base + d->index,
		    l->next	? MISS_NEXT
			: later ? MISS_FAR
				: MISS_STRIDE);
	if (d->how == REF_LATE)
		prices_late(&l->prices, d->base + d->index, d->now);
}

static void
ledger_access(void *self, const struct demand *d, struct plan *plan)
{
	struct ledger *l = self;

	if (!d->again)
		observe(l, d);
	if (!inner_of(&l->inside)->access)
		return;
	l->last.blocks = 0;
	inner_of(&l->inside)->access(l->inside.self, d, plan);
	if (plan->n)
		restrain(l, d, plan);
}

/* A program that gives advice knows its pattern. */
static void
ledger_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	const struct ledger *l = self;

	inner_of(&l->inside)->advise(l->inside.self, a, d, plan);
}

static void
ledger_outcome(void *self, block_t b, enum outcome how)
{
	const struct ledger *l = self;

	inner_outcome(&l->inside, b, how);
}

static void
ledger_evicted(void *self, block_t b)
{
	struct ledger *l = self;

	inner_evicted(&l->inside, b);
	if (b != l->taken) /* the others have not become older */
		later_evicted(&l->later, b);
	l->taken = 0;
}

static void
ledger_finished(void *self, const struct finished *f)
{
	struct ledger *l = self;

	if (inner_of(&l->inside)->finished)
		inner_of(&l->inside)->finished(l->inside.self, f);
	prices_finished(&l->prices, f);
}

static block_t
ledger_spare(void *self, const struct cache *c)
{
	struct ledger *l = self;

	if (later_saves(&l->later, c, &l->prices, 0) > later_frame(&l->later, &l->prices))
		return 0;
	l->taken = lent_take(&l->lent, c);
	l->taken_blocks += l->taken != 0;
	return l->taken;
}

static int
ledger_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct ledger *l = self;

	if (inner_start(&l->inside, chosen, t, e))
		return -1;
	l->lent.probes = &l->probes;
	l->expected = calloc((size_t)t->nopen + 1, sizeof(*l->expected));
	if (!l->expected)
		return error_set(e, "out of memory for %u open files", t->nopen);
	return later_init(&l->later, t, e) || probes_init(&l->probes, t, &l->later, e) ? -1 : 0;
}

static void
ledger_release(void *self)
{
	struct ledger *l = self;

	inner_stop(&l->inside);
	probes_release(&l->probes);
	later_release(&l->later);
	free(l->expected);
}

static const struct instance *
ledger_inner(const void *self, unsigned n)
{
	return n ? NULL : &((const struct ledger *)self)->inside;
}

/* "used" and "calls" are shares of the blocks weighed, "miss" is for a call, "later" for a block. */
static const char *const ledger_state_names[] = { "saving us", "cost us", "used %", "calls %",
	"transfer us", "miss us", "later us", "waited %", NULL };

static int64_t
percent(double x, double of)
{
	return of > 0 ? llround(100 * x / of) : 0;
}

static void
ledger_state(const void *self, uint32_t open, int64_t *value)
{
	const struct ledger  *l = self;
	const struct verdict *v = l->last.blocks > 0 ? &l->last : &(const struct verdict){ 0 };

	value[0] = llround(v->saved);
	value[1] = llround(v->cost);
	value[2] = percent(v->used, v->blocks);
	value[3] = percent(v->calls, v->blocks);
	value[4] = llround(prices_of_transfer(&l->prices));
	value[5] = v->calls > 0 ? llround(v->misses / v->calls)
				: llround(prices_of_miss(&l->prices, MISS_NEXT));
	value[6] = llround(v->later);
	value[7] = percent(v->share, 1);
}

PREFETCHER(ledger,
	.plugin = {
	    .name = "ledger",
	    .summary = "controller: passes another prefetcher's plans that are expected to save more time than they cost",
	    .source = "bufsim, docs/ledger.md",
	    .state_size = sizeof(struct ledger),
	    .params = ledger_params,
	    .counters = ledger_counters,
	    .around = "linux24",
	    .inner = ledger_inner,
	},
	.init = ledger_init,
	.release = ledger_release,
	.access = ledger_access,
	.advise = ledger_advise,
	.outcome = ledger_outcome,
	.evicted = ledger_evicted,
	.finished = ledger_finished,
	.spare = ledger_spare,
	.state_names = ledger_state_names,
	.state = ledger_state);
