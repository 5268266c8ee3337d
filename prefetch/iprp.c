/*
 * iprp.c - prefetching guided by reference patterns: a controller that passes
 * on the plans of another prefetcher by the class of the reference.
 *
 *	sequential	passed, once the run is long enough
 *	looping		passed, but cut at the end of the loop
 *	other		vetoed
 *
 *	H. Lee, I. H. Doh, S. H. Noh.  Improving Prefetching Effects by
 *	Exploiting Reference Patterns.  Two pages, in Korean, about 2008.
 *
 * Blocks of the current call are never vetoed.  O(1) a reference and a
 * planned block.
 */
#include <stdlib.h>

#include "prefetch/detect.h"
#include "prefetch/inner.h"

enum seq { SEQ_READAHEAD, SEQ_OBL };
enum window { WINDOW_KEEP, WINDOW_RESET };

struct iprp {
	struct instance inside; /* the inner prefetcher and its state */

	struct detector detector;
	uint64_t	seq, window;

	enum reference_class class; /* of the current reference */
	bool	     *stale;	    /* per open file: blocks of the inner window were vetoed */
	struct access reopened;	    /* a call, as if the file had just been opened */
	uint64_t      references[CLASSES], vetoed, clipped;
};

static const char *const seq_words[] = { "readahead", "obl" };
static const char *const window_words[] = { "keep", "reset" };

static const struct param iprp_params[] = {
	DETECTOR_PARAMS(struct iprp, detector),
	{ "seq", PARAM_WORD, SEQ_READAHEAD, 0, 1, offsetof(struct iprp, seq),
	    "sequential references: the plan of the inner prefetcher, or one block", seq_words },
	{ "window", PARAM_WORD, WINDOW_KEEP, 0, 1, offsetof(struct iprp, window),
	    "the inner prefetcher's window after a veto: kept, or reset as for a newly opened file",
	    window_words },
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
	{ "clipped_blocks", "blocks", "not read ahead, because they lie behind the end of a loop",
	    offsetof(struct iprp, clipped) },
	DETECTOR_COUNTERS(struct iprp, detector),
	{ 0 },
};

/* Remove from the plan what the class of the reference does not allow. */
static void
restrain(struct iprp *c, const struct demand *d, struct plan *plan)
{
	const struct open_run *run = &c->detector.open[d->call->open];
	uint32_t	       after = d->index + d->left, removed;

	switch (c->class) {
	case CLASS_OTHER:
		removed = plan_cut(plan, d, after, UINT32_MAX);
		c->vetoed += removed;
		if (removed) {
			plan_note(plan, "neither sequential nor looping: vetoed");
			c->stale[d->call->open] = c->window == WINDOW_RESET;
		}
		break;
	case CLASS_LOOPING:
		removed = plan_cut(plan, d, run->loop.end < after ? after : run->loop.end + 1,
		    UINT32_MAX);
		c->clipped += removed;
		if (removed)
			plan_note(plan, "clipped at the end of the loop");
		break;
	default:
		return;
	}
	plan->trimmed += removed;
}

/* seq=obl: plan the block behind the call only. */
static void
look_one_ahead(const struct demand *d, struct plan *plan)
{
	plan_cut(plan, d, d->index + d->left, UINT32_MAX);
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
	inner_of(&c->inside)->access(c->inside.self, &as, plan);
}

static void
iprp_access(void *self, const struct demand *d, struct plan *plan)
{
	struct iprp *c = self;

	if (!d->again) {
		c->class = detector_update(&c->detector, d->call->open, d->file, d->index);
		c->references[c->class]++;
	}
	if (!inner_of(&c->inside)->access)
		return;
	if (unlikely(c->stale[d->call->open]) && !d->again)
		forward_reopened(c, d, plan);
	else
		inner_of(&c->inside)->access(c->inside.self, d, plan);
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
		inner_of(&c->inside)->advise(c->inside.self, a, d, plan);
}

static int
iprp_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct iprp *c = self;

	if (inner_start(&c->inside, chosen, t, e))
		return -1;
	c->stale = calloc((size_t)t->nopen + 1, sizeof(*c->stale));
	if (!c->stale)
		return error_set(e, "out of memory for %u windows", t->nopen);
	return detector_init(&c->detector, t->nopen, t->nfiles, e);
}

static void
iprp_release(void *self)
{
	struct iprp *c = self;

	inner_stop(&c->inside);
	detector_release(&c->detector);
	free(c->stale);
}

static const char *const iprp_state_names[] = { "class", "run", "loop end", NULL };

static void
iprp_state(const void *self, uint32_t open, int64_t *value)
{
	const struct iprp     *c = self;
	const struct open_run *run = &c->detector.open[open];

	value[0] = c->class;
	value[1] = run->length;
	value[2] = run->repeats ? (int64_t)run->loop.end : -1;
}

PREFETCHER(iprp,
	.plugin = {
	    .name = "iprp",
	    .summary = "controller: passes another prefetcher's reads ahead of sequential and looping references",
	    .source = "H. Lee, I. H. Doh, S. H. Noh: Improving prefetching effects by exploiting reference patterns, two pages in Korean, about 2008",
	    .state_size = sizeof(struct iprp),
	    .params = iprp_params,
	    .counters = iprp_counters,
	    .around = "linux24",
	    .inner = pass_inner,
	},
	.init = iprp_init,
	.release = iprp_release,
	.access = iprp_access,
	.wrote = pass_wrote,
	.advise = iprp_advise,
	.pace = pass_pace,
	.outcome = pass_outcome,
	.evicted = pass_evicted,
	.finished = pass_finished,
	.dropped = pass_dropped,
	.order = pass_order,
	.state_names = iprp_state_names,
	.state = iprp_state);
