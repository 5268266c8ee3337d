/*
 * ledger.c - a controller that weighs each plan in time: it passes a plan of
 * another prefetcher if its blocks are expected to save more than they cost.
 *
 * For the blocks of the plan that are not in the cache, in microseconds of
 * the device's time:
 *
 *	saved	for each block used soon (probes.h) its transfer, and its share
 *		of the miss of its call; for each other block what it saves
 *		later, less the cost of its frame until then (reuse.h)
 *	cost	the transfers, and the positioning of one request for each piece,
 *		since those of a piece follow each other; both times the share
 *		that processes wait for (prices.h).  Blocks that continue a
 *		missing block of the call make its request longer: no
 *		positioning, but a process waits for all of it
 *
 * Everything is learned during the run, from plans passed and vetoed alike.
 * Blocks that were not used in time leave first (early.h).
 *
 * A plan may have several pieces, also before the call; each is followed as a
 * plan of its own, and all of them share a verdict.  Up to PROBE_BLOCKS cached
 * blocks do not part pieces.  Between the call and a run behind it there is no
 * hole: readahead believes that a vetoed window was read, and plans its end first,
 * which would split the next request.  A single block is no window, except the last
 * of the file near the call, which may be the rest of one.
 *
 * Blocks of the current call are never vetoed.  O(1) a reference; O(n) a plan of n
 * blocks, from the call to the end of its runs.
 * bufsim's own: docs/ledger.md.
 */
#include <math.h>
#include <stdlib.h>

#include "prefetch/early.h"
#include "prefetch/inner.h"
#include "prefetch/windows.h"

struct verdict { /* in microseconds */
	double saved, cost;
	double reuse;  /* what another block saves, less its frame */
	double misses; /* what the calls save that are not missed */

	double blocks, used, calls; /* numbers; expected: blocks used soon, calls not missed */
	double share;		    /* of the cost that processes wait for, from 0 to 1 */
};

struct stream {	       /* of an open file */
	uint32_t end;  /* of its last call */
	bool	 next; /* that call continued the one before, or began in its last block */
};

enum { PIECES = PLAN_MAX + 1 };

struct pieces {			      /* of a plan, without the call */
	unsigned       n, requests;   /* requests: pieces that do not only ride */
	uint32_t       call_end;      /* of the plan within the call */
	struct absence piece[PIECES]; /* the first is behind the call, and may be empty */
};

struct ledger {
	struct instance inside; /* the inner prefetcher and its state */

	struct prices prices;
	struct reuse  reuse;
	struct probes probes;
	struct early  early;
	struct known  known; /* with uses=known */

	uint64_t uses;

	struct stream *stream;	      /* [nopen] */
	block_t	       evicted_early; /* the block that left early last */
	struct verdict last;	      /* of the current reference, if it has blocks */

	uint64_t passed, vetoed, vetoed_blocks, regretted, early_blocks;
};

enum { USES_LEARNED, USES_KNOWN };

static const char *const uses_words[] = { "learned", "known", NULL };

static const struct param ledger_params[] = {
	PROBES_PARAMS(struct ledger, probes),
	REUSE_PARAMS(struct ledger, reuse),
	PRICES_PARAMS(struct ledger, prices),
	{ "uses", PARAM_WORD, USES_LEARNED, 0, USES_KNOWN, offsetof(struct ledger, uses),
	    "of planned blocks: learned, or known from the trace", uses_words },
	{ 0 },
};

static const struct counter ledger_counters[] = {
	{ "passed_plans", "plans", "expected to save more than they cost",
	    offsetof(struct ledger, passed) },
	{ "vetoed_plans", "plans", "expected to cost more than they save",
	    offsetof(struct ledger, vetoed) },
	{ "vetoed_blocks", "blocks", "not read ahead; counted at each veto",
	    offsetof(struct ledger, vetoed_blocks) },
	{ "regretted_blocks", "blocks",
	    "vetoed and not used soon, but missed before they would have left the cache",
	    offsetof(struct ledger, regretted) },
	{ "taken_back_blocks", "blocks", "read ahead, not used, and evicted first",
	    offsetof(struct ledger, early_blocks) },
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

/*
 * The same, of blocks whose uses are known; what a use saves of the miss of its call is still learned.  A block
 * that is not used leaves at once.
 */
static void
correct_uses(const struct ledger *l, const struct demand *d, const struct pieces *p,
    double transfer, double frame, struct verdict *v)
{
	double soon = 0, later = 0, miss = prices_of_miss(&l->prices, MISS_FAR);

	for (unsigned i = 0; i < p->n; i++) {
		struct known_uses u = known_uses(&l->known, d, p->piece[i].first, p->piece[i].end);

		soon += u.soon;
		later += u.later;
	}
	if (v->used > 0) {
		miss = v->misses / v->used;
		v->calls *= soon / v->used;
	}
	v->used = soon;
	v->misses = soon * miss;
	v->reuse = later > 0 ? later * (transfer + miss - frame) / (v->blocks - soon) : 0;
}

static struct verdict
weigh(const struct ledger *l, const struct demand *d, const struct pieces *pieces,
    const struct absence *a)
{
	const struct prices *p = &l->prices;
	double		     transfer = prices_of_transfer(p), share = prices_share(p, d->now);
	double		     alone = a->n - a->riding;
	double		     apart = pieces->requests * prices_apart(p);
	double		     waited = transfer * (a->riding ? 1 : share);
	double		     frame = reuse_frame(&l->reuse, d->cache, p);
	double	       later = reuse_saves(&l->reuse, d->cache, d->file, p, waited + frame) - frame;
	struct verdict v = {
		.cost = transfer * a->riding + share * (transfer * alone + apart),
		.reuse = fmax(later, -frame / PROBE_PART), /* if it does not pay, it leaves early */
		.blocks = a->n,
	};

	weigh_uses(l, d->file, a, &v);
	if (l->uses == USES_KNOWN)
		correct_uses(l, d, pieces, transfer, frame, &v);
	v.saved = v.used * transfer + v.misses + (v.blocks - v.used) * v.reuse;
	v.share = (a->riding + share * alone) / v.blocks;
	return v;
}

static bool
decide(struct ledger *l, const struct demand *d, const struct pieces *p, const struct absence *all,
    struct plan *plan)
{
	l->last = weigh(l, d, p, all);
	if (l->last.saved <= l->last.cost) {
		l->vetoed++;
		plan_note(plan, "costs more than it saves: vetoed");
		return false;
	}
	l->passed++;
	plan_note(plan, "saves more than it costs: passed");
	return true;
}

/* ---- the plan ---- */

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

/* Those of n blocks, at most PROBE_BLOCKS, that are not in the cache: a bit each. */
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
		uint64_t until = ~0ull >> (PROBE_BLOCKS - probes_end(step));
		uint32_t n = step < PROBE_STEPS - 1 ? number_of(a->mask & until) : a->n;

		a->step[step] = n - counted;
		counted = n;
	}
}

static void
count_absent(const struct demand *d, struct absence *a)
{
	uint32_t first = a->first, left = a->end - first, n;
	bool	 rides = first == d->index + d->left && is_awaited(d, first - 1);

	for (; left; left -= n, first += n) {
		uint64_t set;

		n = left < PROBE_BLOCKS ? left : PROBE_BLOCKS;
		set = absent_blocks(d, first, n);
		if (first == a->first)
			a->mask = set;
		if (rides && a->riding == first - a->first)
			a->riding += ~set ? (uint32_t)__builtin_ctzll(~set) : PROBE_BLOCKS;
		a->n += number_of(set);
	}
	count_steps(a);
}

/* Does that piece reach the block, with at most PROBE_BLOCKS between, all of them cached? */
static bool
reaches(const struct demand *d, const struct absence *piece, uint32_t index)
{
	uint32_t k = piece->end;

	if (index < piece->first || (index > k && index - k > PROBE_BLOCKS))
		return false;
	while (k < index && demand_holds(d, k))
		k++;
	return k >= index;
}

/* A run behind the call is a window of readahead; of one block, if the file ends near by. */
static bool
is_window(const struct demand *d, uint32_t first, uint32_t end)
{
	return first > d->index &&
	    (end - first > 1 || (end == d->end && first - d->index <= PROBE_BLOCKS));
}

/* Blocks first .. end - 1 of the plan: more of the last piece, or a new one. */
static void
add_blocks(const struct demand *d, struct pieces *p, uint32_t first, uint32_t end)
{
	struct absence *last = &p->piece[p->n - 1];

	if (first >= end)
		return;
	if (reaches(d, last, first) || (p->n == 1 && is_window(d, first, end)))
		last->end = last->end > end ? last->end : end;
	else if (p->n < PIECES)
		p->piece[p->n++] = (struct absence){ .first = first, .end = end };
}

static void
take_apart(const struct demand *d, const struct plan *plan, struct pieces *p)
{
	uint32_t after = d->index + d->left;

	p->n = 1;
	p->piece[0] = (struct absence){ .first = after, .end = after };
	p->call_end = d->index;
	for (unsigned i = 0; i < plan->n; i++) {
		uint32_t first = plan->extent[i].index, count = plan->extent[i].count, end;

		if (first >= d->end)
			continue;
		end = first + at_most(count, d->end - first);
		add_blocks(d, p, first, at_most(end, d->index));
		if (first < after && end > p->call_end)
			p->call_end = at_most(end, after);
		add_blocks(d, p, first > after ? first : after, end);
	}
}

/* What all pieces would bring in. */
static struct absence
sum_up(const struct demand *d, struct pieces *p)
{
	struct absence sum = { 0 };

	p->requests = 0;
	for (unsigned i = 0; i < p->n; i++) {
		struct absence *a = &p->piece[i];

		count_absent(d, a);
		sum.n += a->n;
		sum.riding += a->riding;
		for (unsigned step = 0; step < PROBE_STEPS; step++)
			sum.step[step] += a->step[step];
		p->requests += a->n > a->riding;
	}
	return sum;
}

/* Write the plan again: the call, the piece behind it, and if it passes, the others. */
static void
cut(const struct demand *d, const struct pieces *p, bool passes, struct plan *plan)
{
	bool	 itself = plan->extent[0].index == d->index, large = plan->extent[0].large;
	bool	 on = passes && p->piece[0].end > p->piece[0].first;
	uint32_t first = d->index + !itself, end = on ? p->piece[0].end : p->call_end;

	plan->n = 0;
	plan_add_as(plan, first, end > first ? end - first : 0, large);
	for (unsigned i = 1; passes && i < p->n; i++)
		plan_add_as(plan, p->piece[i].first, p->piece[i].end - p->piece[i].first, large);
}

static OUT_OF_LINE void
restrain(struct ledger *l, const struct demand *d, struct plan *plan)
{
	struct pieces  p;
	struct absence all;
	bool	       passes;

	take_apart(d, plan, &p);
	all = sum_up(d, &p);
	passes = all.n && decide(l, d, &p, &all, plan);
	if (!all.n && (p.n > 1 || p.piece[0].end > p.piece[0].first))
		plan_note(plan, "nothing to weigh: all of it is in the cache or being read");
	for (unsigned i = 0; i < p.n; i++) {
		if (p.piece[i].n)
			probes_open(&l->probes, d, &p.piece[i], !passes);
		if (p.piece[i].n && passes)
			early_add(&l->early, d, &p.piece[i]);
	}
	if (!passes) {
		l->vetoed_blocks += all.n;
		plan->trimmed += all.n;
	}
	cut(d, &p, passes, plan);
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
	bool reused = d->how != REF_HIT && reuse_demand(&l->reuse, d, next);
	bool soon = probes_demand(&l->probes, d, next);

	l->regretted += reused && d->absent;
	if (d->index == d->first && d->absent && (soon || reused))
		prices_miss(&l->prices, d->base + d->index,
		    next	 ? MISS_NEXT
			: reused ? MISS_FAR
				 : MISS_STRIDE);
	if (d->how == REF_LATE)
		prices_late(&l->prices, d->base + d->index, d->now);
}

static void
ledger_access(void *self, const struct demand *d, struct plan *plan)
{
	struct ledger *l = self;

	if (likely(!d->again)) {
		if (unlikely(l->uses == USES_KNOWN))
			known_pass(&l->known, d);
		if (d->index == d->first)
			follow(&l->stream[d->call->open], d);
		if (d->how != REF_HIT || probes_near(&l->probes, d))
			observe(l, d);
		if (unlikely(reuse_samples(d->base + d->index)))
			reuse_touch(&l->reuse, d);
	}
	if (!inner_of(&l->inside)->access)
		return;
	l->last.blocks = 0;
	inner_of(&l->inside)->access(l->inside.self, d, plan);
	if (unlikely(plan->n))
		restrain(l, d, plan);
}

static void
ledger_wrote(void *self, const struct demand *d)
{
	struct ledger *l = self;

	pass_wrote(self, d);
	if (l->uses == USES_KNOWN)
		known_pass(&l->known, d);
}

static void
ledger_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	struct ledger *l = self;

	inner_evicted(&l->inside, b, by_prefetch, used);
	if (b != l->evicted_early) /* the others have not become older */
		reuse_evicted(&l->reuse, b, used);
	l->evicted_early = 0;
}

static void
ledger_finished(void *self, const struct finished *f)
{
	struct ledger *l = self;

	inner_finished(&l->inside, f);
	prices_finished(&l->prices, f);
}

static void
ledger_dropped(void *self, block_t b)
{
	struct ledger *l = self;

	inner_dropped(&l->inside, b);
	reuse_dropped(&l->reuse, b);
}

static block_t
ledger_spare(void *self, const struct cache *c)
{
	struct ledger *l = self;

	l->evicted_early = early_victim(&l->early, c, &l->prices);
	l->early_blocks += l->evicted_early != 0;
	return l->evicted_early;
}

static int
ledger_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct ledger *l = self;

	if (inner_start(&l->inside, chosen, t, e))
		return -1;
	l->early.probes = &l->probes;
	if (l->uses == USES_KNOWN && known_init(&l->known, t, e))
		return -1;
	l->early.known = l->uses == USES_KNOWN ? &l->known : NULL;
	l->stream = calloc((size_t)t->nopen + 1, sizeof(*l->stream));
	if (!l->stream)
		return error_set(e, "out of memory for %u open files", t->nopen);
	return reuse_init(&l->reuse, t, e) || probes_init(&l->probes, t, &l->reuse, e) ? -1 : 0;
}

static void
ledger_release(void *self)
{
	struct ledger *l = self;

	inner_stop(&l->inside);
	probes_release(&l->probes);
	reuse_release(&l->reuse);
	known_release(&l->known);
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
	value[6] = llround(v->reuse);
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
	.wrote = ledger_wrote,
	.advise = pass_advise, /* a program that gives advice knows its pattern */
	.pace = pass_pace,
	.outcome = pass_outcome,
	.evicted = ledger_evicted,
	.finished = ledger_finished,
	.dropped = ledger_dropped,
	.order = pass_order,
	.spare = ledger_spare,
	.state_names = ledger_state_names,
	.state = ledger_state);
