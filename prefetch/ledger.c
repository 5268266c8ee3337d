/*
 * ledger.c - a controller that weighs each plan in time: it passes a plan of
 * another prefetcher if its blocks are expected to save more than they cost.
 *
 * For the blocks behind the call that are not in the cache, in microseconds of
 * the device's time:
 *
 *	saved	for each block used soon (probes.h) its transfer, and its share
 *		of the miss of its call; for each other block what it saves
 *		later, less the cost of its frame until then (later.h)
 *	cost	the transfers, and the positioning of one request, since those of
 *		a plan follow each other; both times the share that processes
 *		wait for (prices.h).  Blocks that continue a missing block of the
 *		call make its request longer: no positioning, but a process
 *		waits for all of it
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
	double misses;	/* what the calls save that are not missed */

	double blocks, used, calls; /* numbers; expected: blocks used soon, calls not missed */
	double share;		    /* of the cost that processes wait for, from 0 to 1 */
};

struct stream {	       /* of an open file */
	uint32_t end;  /* of its last call */
	bool	 next; /* that call continued the one before, or began in its last block */
};

struct ledger {
	struct instance inside; /* the inner prefetcher and its state */

	struct prices prices;
	struct later  later;
	struct probes probes;
	struct lent   lent;
	struct trial  trial;

	struct stream *stream; /* [nopen] */
	block_t	       taken;  /* the block whose frame was taken back last */
	struct verdict last;   /* of the current reference, if it has blocks */

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

/* What their uses soon are expected to save. */
static void
weigh_uses(const struct ledger *l, file_t file, const struct absence *a, struct verdict *v)
{
	double next = prices_of_miss(&l->prices, MISS_NEXT);
	double stride = prices_of_miss(&l->prices, MISS_STRIDE);

	for (unsigned step = 0; step < PROBE_STEPS; step++) {
		double	     blocks = a->step[step];
		struct tally e;

		if (!a->step[step])
			continue;
		e = probes_expect(&l->probes, file, step);
		v->used += blocks * (double)e.used;
		v->calls += blocks * ((double)e.next + (double)e.stride);
		v->misses += blocks * ((double)e.next * next + (double)e.stride * stride);
	}
}

static struct verdict
weigh(const struct ledger *l, const struct demand *d, const struct absence *a)
{
	const struct prices *p = &l->prices;
	double		     transfer = prices_of_transfer(p), share = prices_share(p, d->now);
	double		     alone = a->n - a->riding, apart = alone > 0 ? prices_apart(p) : 0;
	double		     waited = transfer * (a->riding ? 1 : share);
	double		     frame = later_frame(&l->later, p);
	struct verdict	     v = {
		      .cost = transfer * a->riding + share * (transfer * alone + apart),
		      .later = later_saves(&l->later, d->cache, p, waited + frame) - frame,
		      .blocks = a->n,
	};

	weigh_uses(l, d->file, a, &v);
	v.certain = v.used * transfer;
	v.saved = v.certain + v.misses + (v.blocks - v.used) * v.later;
	v.share = (a->riding + share * alone) / v.blocks;
	return v;
}

static bool
decide(struct ledger *l, const struct demand *d, const struct absence *a, struct plan *plan)
{
	l->last = weigh(l, d, a);
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

/* The plan up to `end`, without holes; all of it into folios as its beginning. */
static void
cut(const struct demand *d, struct plan *plan, uint32_t end)
{
	bool	 itself = plan->n && plan->extent[0].index == d->index;
	bool	 large = plan->n && plan->extent[0].large;
	uint32_t first = d->index + !itself;

	plan->n = 0;
	plan_add_as(plan, first, end > first ? end - first : 0, large);
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

static uint32_t
number_of(uint64_t set)
{
	return (uint32_t)__builtin_popcountll(set);
}

/* Does the call wait for that block to be read, or will it? */
static bool
is_awaited(const struct demand *d, uint32_t index)
{
	frame_t f = cache_find(d->cache, d->base + index);

	return !f ||
	    (d->cache->frame[f].flags & (FRAME_INFLIGHT | FRAME_PREFETCHED)) == FRAME_INFLIGHT;
}

/* Those of n blocks, at most 64, that are not in the cache: a bit each. */
static uint64_t
absent_blocks(const struct demand *d, uint32_t first, uint32_t n)
{
	uint64_t set = 0;

	for (uint32_t k = 0; k < n; k++)
		set |= (uint64_t)!demand_holds(d, first + k) << k;
	return set;
}

static void
count_steps(struct absence *a)
{
	uint32_t counted = 0;

	for (unsigned step = 0; step < PROBE_STEPS && counted < a->n; step++) {
		uint64_t until = ~0ull >> (64 - probes_end(step));
		uint32_t n = step < PROBE_STEPS - 1 ? number_of(a->mask & until) : a->n;

		a->step[step] = n - counted;
		counted = n;
	}
}

static struct absence
count_absent(const struct demand *d, uint32_t first, uint32_t end)
{
	struct absence a = { .first = first, .end = end };
	uint32_t       left = end - first, n;
	bool	       rides = is_awaited(d, first - 1);

	for (; left; left -= n, first += n) {
		uint64_t set;

		n = left < PROBE_BLOCKS ? left : PROBE_BLOCKS;
		set = absent_blocks(d, first, n);
		if (first == a.first)
			a.mask = set;
		if (rides && a.riding == first - a.first)
			a.riding += ~set ? (uint32_t)__builtin_ctzll(~set) : PROBE_BLOCKS;
		a.n += number_of(set);
	}
	count_steps(&a);
	return a;
}

static OUT_OF_LINE void
restrain(struct ledger *l, const struct demand *d, struct plan *plan)
{
	uint32_t       after = d->index + d->left, end = end_of(plan, after, d->end);
	struct absence a = count_absent(d, after, end);
	bool	       passes = a.n && decide(l, d, &a, plan);

	if (!a.n && end > after)
		plan_note(plan, "nothing to weigh: all of it is in the cache or being read");
	if (a.n)
		probes_open(&l->probes, d, &a, !passes);
	if (passes) {
		lent_add(&l->lent, d, &a);
		cut(d, plan, end);
		return;
	}
	l->vetoed_blocks += a.n;
	plan->trimmed += a.n;
	cut(d, plan, end_of(plan, d->index, after));
}

/* ---- hooks ---- */

/* A call begins. */
ALWAYS_INLINE void
follow(struct stream *s, const struct demand *d)
{
	s->next = s->end - d->index <= 1;
	s->end = d->index + d->left;
}

/* Learn from a reference that is not a plain hit, or that a probe of its file may contain. */
static OUT_OF_LINE void
observe(struct ledger *l, const struct demand *d)
{
	bool next = l->stream[d->call->open].next;
	bool later = d->how != REF_HIT && later_demand(&l->later, d, next);
	bool soon = probes_demand(&l->probes, d, next);

	l->regretted += later && d->absent;
	if (d->index == d->first && d->absent && (soon || later))
		prices_miss(&l->prices, d->base + d->index,
		    next	? MISS_NEXT
			: later ? MISS_FAR
				: MISS_STRIDE);
	if (d->how == REF_LATE)
		prices_late(&l->prices, d->base + d->index, d->now);
}

static void
ledger_access(void *self, const struct demand *d, struct plan *plan)
{
	struct ledger *l = self;

	if (likely(!d->again)) {
		if (d->index == d->first)
			follow(&l->stream[d->call->open], d);
		if (d->how != REF_HIT || probes_near(&l->probes, d))
			observe(l, d);
	}
	if (!inner_of(&l->inside)->access)
		return;
	l->last.blocks = 0;
	inner_of(&l->inside)->access(l->inside.self, d, plan);
	if (unlikely(plan->n))
		restrain(l, d, plan);
}

static void
ledger_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	struct ledger *l = self;

	inner_evicted(&l->inside, b, by_prefetch, used);
	if (b != l->taken) /* the others have not become older */
		later_evicted(&l->later, b);
	l->taken = 0;
}

static void
ledger_finished(void *self, const struct finished *f)
{
	struct ledger *l = self;

	inner_finished(&l->inside, f);
	prices_finished(&l->prices, f);
}

static block_t
ledger_spare(void *self, const struct cache *c)
{
	struct ledger *l = self;

	if (!lent_is_due(&l->lent, c) || later_pays(&l->later, c, &l->prices))
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
	l->stream = calloc((size_t)t->nopen + 1, sizeof(*l->stream));
	if (!l->stream)
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
	free(l->stream);
}

/* "used" and "calls" are shares of the blocks weighed, "miss" is for a call, "later" for a block. */
static const char *const ledger_state_names[] = { "saving us", "cost us", "used %", "calls %",
	"transfer us", "miss us", "later us", "waited %", NULL };

static void
ledger_state(const void *self, uint32_t open, int64_t *value)
{
	const struct ledger  *l = self;
	const struct verdict *v = l->last.blocks > 0 ? &l->last : &(const struct verdict){ 0 };

	value[0] = llround(v->saved);
	value[1] = llround(v->cost);
	value[2] = percent_of(v->used, v->blocks);
	value[3] = percent_of(v->calls, v->blocks);
	value[4] = llround(prices_of_transfer(&l->prices));
	value[5] = v->calls > 0 ? llround(v->misses / v->calls)
				: llround(prices_of_miss(&l->prices, MISS_NEXT));
	value[6] = llround(v->later);
	value[7] = percent_of(v->share, 1);
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
	    .inner = pass_inner,
	},
	.init = ledger_init,
	.release = ledger_release,
	.access = ledger_access,
	.advise = pass_advise, /* a program that gives advice knows its pattern */
	.pace = pass_pace,
	.outcome = pass_outcome,
	.evicted = ledger_evicted,
	.finished = ledger_finished,
	.order = pass_order,
	.spare = ledger_spare,
	.state_names = ledger_state_names,
	.state = ledger_state);
