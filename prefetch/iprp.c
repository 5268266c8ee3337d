/*
 * iprp.c - prefetching guided by reference patterns: a controller that passes
 * on the plans of another prefetcher by the class of the reference.
 *
 *	sequential	passed, once the run is long enough
 *	looping		passed, but cut at the end of the loop
 *	other		vetoed
 *
 * This is the rule of the paper (variant=paper):
 *
 *	H. Lee, I. H. Doh, S. H. Noh.  Improving Prefetching Effects by
 *	Exploiting Reference Patterns.  Two pages, in Korean, about 2008.
 *
 * The rule does little harm.  But where the cache is large enough to keep
 * blocks that are read ahead without a pattern, the rule gives up what they
 * would have saved.  variant=account, bufsim's own, keeps an account of that
 * and passes such plans while they pay: prefetch/account.h.
 *
 * Blocks of the current call are never vetoed.  O(1) a reference and a
 * planned block.
 */
#include <stdlib.h>

#include "prefetch/account.h"
#include "prefetch/detect.h"

enum variant { VARIANT_ACCOUNT, VARIANT_PAPER };
enum seq { SEQ_READAHEAD, SEQ_OBL };
enum window { WINDOW_KEEP, WINDOW_RESET };

struct iprp {
	struct detector detector;
	struct account	account;
	uint64_t	variant, seq, window;

	const struct prefetcher *inner;
	struct instance		 inside; /* the inner prefetcher and its state */
	enum reference_class class;	 /* of the current reference */
	bool	     *stale;		 /* per open file: blocks of the inner window were vetoed */
	struct access reopened;		 /* a call, as if the file had just been opened */
	uint64_t      references[CLASSES], vetoed, clipped, regretted;
};

static const char *const variant_words[] = { "account", "paper" };
static const char *const seq_words[] = { "readahead", "obl" };
static const char *const window_words[] = { "keep", "reset" };

static const struct param iprp_params[] = {
	{ "variant", PARAM_WORD, VARIANT_ACCOUNT, 0, 1, offsetof(struct iprp, variant),
	    "reading ahead without a pattern: while an account of it is positive, or never",
	    variant_words },
	DETECTOR_PARAMS(struct iprp, detector),
	{ "seq", PARAM_WORD, SEQ_READAHEAD, 0, 1, offsetof(struct iprp, seq),
	    "sequential references: the plan of the inner prefetcher, or one block", seq_words },
	{ "window", PARAM_WORD, WINDOW_KEEP, 0, 1, offsetof(struct iprp, window),
	    "the inner prefetcher's window after a veto: kept, or reset as for a newly opened file",
	    window_words },
	ACCOUNT_PARAMS(struct iprp, account),
	{ 0 },
};

static const struct counter iprp_counters[] = {
	{ "sequential_references", "blocks", "references within a run long enough to be sequential",
	    offsetof(struct iprp, references[CLASS_SEQUENTIAL]) },
	{ "looping_references", "blocks", "references within a known run that is being repeated",
	    offsetof(struct iprp, references[CLASS_LOOPING]) },
	{ "other_references", "blocks", "references that are neither",
	    offsetof(struct iprp, references[CLASS_OTHER]) },
	{ "vetoed_blocks", "blocks", "not read ahead, because there was no pattern",
	    offsetof(struct iprp, vetoed) },
	{ "regretted_blocks", "blocks", "vetoed, and missed before they would have left the cache",
	    offsetof(struct iprp, regretted) },
	{ "clipped_blocks", "blocks", "not read ahead, because they lie behind the end of a loop",
	    offsetof(struct iprp, clipped) },
	DETECTOR_COUNTERS(struct iprp, detector),
	{ 0 },
};

/* Remove blocks at or behind `limit` from the plan; the number of those that are absent. */
static uint32_t
trim(struct plan *plan, const struct demand *d, uint32_t limit)
{
	uint32_t trimmed = 0;
	unsigned kept = 0;

	for (unsigned i = 0; i < plan->n; i++) {
		struct extent e = plan->extent[i];

		for (; e.count && e.index + e.count > limit; e.count--)
			trimmed +=
			    e.index + e.count <= d->end && !demand_holds(d, e.index + e.count - 1);
		plan->extent[kept] = e;
		kept += e.count > 0;
	}
	plan->n = kept;
	return trimmed;
}

/*
 * Enter blocks from `after` on, planned without a pattern, into the account.
 * True: they may be read.  A block that is vetoed repeatedly counts once.
 */
static bool
allowed(struct iprp *c, const struct demand *d, uint32_t after, struct plan *plan)
{
	uint64_t before = c->vetoed;
	bool	 vetoed = c->variant == VARIANT_PAPER || !account_allows(&c->account);

	for (unsigned i = 0; i < plan->n; i++) {
		uint32_t first = plan->extent[i].index, end = first + plan->extent[i].count;

		for (uint32_t k = first < after ? after : first; k < end && k < d->end; k++)
			if (!demand_holds(d, k) && account_plan(&c->account, d, k, vetoed))
				c->vetoed += vetoed;
	}
	plan->trimmed += (uint32_t)(c->vetoed - before);
	return !vetoed;
}

/* Remove from the plan what the class of the reference does not allow. */
static void
restrain(struct iprp *c, const struct demand *d, struct plan *plan)
{
	const struct open_run *run = &c->detector.open[d->call->open];
	uint32_t	       after = d->index + d->left, clipped;

	switch (c->class) {
	case CLASS_OTHER:
		if (allowed(c, d, after, plan)) {
			plan_note(plan, "no pattern, but the account is positive: passed");
		} else if (trim(plan, d, after)) {
			plan_note(plan, "neither sequential nor looping: vetoed");
			c->stale[d->call->open] = c->window == WINDOW_RESET;
		}
		break;
	case CLASS_LOOPING:
		clipped = trim(plan, d, run->loop.end < after ? after : run->loop.end + 1);
		if (clipped)
			plan_note(plan, "clipped at the end of the loop");
		c->clipped += clipped;
		plan->trimmed += clipped;
		break;
	default:
		break;
	}
}

/* seq=obl: plan the block behind the call only. */
static void
look_one_ahead(const struct demand *d, struct plan *plan)
{
	trim(plan, d, d->index + d->left);
	if (d->left == 1 && d->index + 1 < d->end)
		plan_add(plan, d->index + 1, 1);
}

/* After a veto the next call reaches the inner prefetcher as if the file were newly opened. */
static void
forward_reopened(struct iprp *c, const struct demand *d, struct plan *plan)
{
	struct demand as = *d;

	if (c->stale[d->call->open] && d->index == d->first) {
		c->reopened = *d->call;
		c->reopened.fresh = true;
		as.call = &c->reopened;
		c->stale[d->call->open] = false;
	}
	c->inner->access(c->inside.self, &as, plan);
}

static void
iprp_access(void *self, const struct demand *d, struct plan *plan)
{
	struct iprp *c = self;

	if (!d->again) {
		c->regretted += account_demand(&c->account, d);
		c->class = detector_update(&c->detector, d->call->open, d->file, d->index);
		c->references[c->class]++;
	}
	if (!c->inner->access)
		return;
	if (unlikely(c->stale[d->call->open]) && !d->again)
		forward_reopened(c, d, plan);
	else
		c->inner->access(c->inside.self, d, plan);
	if (c->class == CLASS_SEQUENTIAL && c->seq == SEQ_OBL)
		look_one_ahead(d, plan);
	else if (plan->n)
		restrain(c, d, plan);
}

/* WILLNEED at the end of a sequential run is ignored: readahead reads in larger pieces. */
static void
iprp_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	struct iprp	      *c = self;
	const struct open_run *run = &c->detector.open[a->open];

	if (a->kind == ADVICE_WILLNEED && run->length >= c->detector.threshold &&
	    d->index - run->end <= 1)
		plan_note(plan, "at the end of the sequential run: left to readahead");
	else
		c->inner->advise(c->inside.self, a, d, plan);
}

static void
iprp_outcome(void *self, block_t b, enum outcome how)
{
	const struct iprp *c = self;

	if (c->inner->outcome)
		c->inner->outcome(c->inside.self, b, how);
}

static void
iprp_evicted(void *self, block_t b)
{
	struct iprp *c = self;

	if (unlikely(c->inner->evicted))
		c->inner->evicted(c->inside.self, b);
	account_evicted(&c->account, b);
}

static void
iprp_served(void *self, usec_t positioning, usec_t transfer, uint32_t blocks)
{
	struct iprp *c = self;

	account_served(&c->account, positioning, transfer, blocks);
	if (c->inner->served)
		c->inner->served(c->inside.self, positioning, transfer, blocks);
}

static int
iprp_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct iprp *c = self;

	c->inner = prefetcher_of(chosen->inner);
	c->inside =
	    (struct instance){ chosen->inner->plugin, prefetcher_start(chosen->inner, t, e) };
	if (!c->inside.self)
		return -1;
	c->stale = calloc((size_t)t->nopen + 1, sizeof(*c->stale));
	if (!c->stale)
		return error_set(e, "out of memory for %u windows", t->nopen);
	if (detector_init(&c->detector, t->nopen, t->nfiles, e))
		return -1;
	return account_init(&c->account, t, e);
}

static void
iprp_release(void *self)
{
	struct iprp *c = self;

	prefetcher_stop(c->inner, c->inside.self);
	detector_release(&c->detector);
	account_release(&c->account);
	free(c->stale);
}

static const struct instance *
iprp_inner(const void *self, unsigned n)
{
	return n ? NULL : &((const struct iprp *)self)->inside;
}

static const char *const iprp_state_names[] = { "class", "run", "loop end", "balance", NULL };

static void
iprp_state(const void *self, uint32_t open, int64_t *value)
{
	const struct iprp     *c = self;
	const struct open_run *run = &c->detector.open[open];

	value[0] = c->class;
	value[1] = run->length;
	value[2] = run->repeats ? (int64_t)run->loop.end : -1;
	value[3] = (int64_t)c->account.balance;
}

PREFETCHER(iprp,
	.plugin = {
	    .name = "iprp",
	    .summary = "controller: passes another prefetcher's reads ahead of sequential and looping references",
	    .source = "H. Lee, I. H. Doh, S. H. Noh: Improving prefetching effects by exploiting reference patterns, about 2008; the account is of bufsim itself, docs/iprp.md",
	    .state_size = sizeof(struct iprp),
	    .params = iprp_params,
	    .counters = iprp_counters,
	    .around = "linux24",
	    .inner = iprp_inner,
	},
	.init = iprp_init,
	.release = iprp_release,
	.access = iprp_access,
	.advise = iprp_advise,
	.outcome = iprp_outcome,
	.evicted = iprp_evicted,
	.served = iprp_served,
	.state_names = iprp_state_names,
	.state = iprp_state);
