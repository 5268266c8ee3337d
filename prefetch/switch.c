/*
 * switch.c - a controller that turns reading ahead off for files where it is
 * wasted, and on again where it is not.
 *
 * The accuracy of a file is used / (used + wasted) of its blocks that were
 * read ahead.  After every `window` of them it is compared with `low` or
 * `high`, and the numbers are halved.  While a file is off, every
 * `probe`-th plan passes, cut to a block more than the call has: enough to
 * learn that things have changed.
 *
 * The rule is bufsim's own, the simplest that a controller has to beat.  Outcomes of wasted
 * blocks come when these are evicted, so that the first plans of a file always pass.  The inner
 * prefetcher is not told what was vetoed.  O(log files) an outcome and O(1) a planned block, 20 bytes
 * per file.
 */
#include "prefetch/inner.h"
#include "prefetch/sets.h"

struct side { /* of a file */
	bool	 off;
	uint32_t used, wasted;
	uint64_t skipped;
};

struct switching {
	struct instance inside; /* the inner prefetcher and its state */

	uint64_t	    window, low, high, probe;
	const struct trace *trace;
	struct side	   *side; /* [nfiles] */

	uint64_t turned_off, turned_on, vetoed_plans, vetoed_blocks, probes;
};

static const struct param switch_params[] = {
	{ "window", PARAM_COUNT, 64, 1, 1 << 30, offsetof(struct switching, window),
	    "blocks used or wasted from one judgement of a file to the next", NULL },
	{ "low", PARAM_SHARE, SHARE_ONE / 4, 0, SHARE_ONE, offsetof(struct switching, low),
	    "a file is turned off below this accuracy", NULL },
	{ "high", PARAM_SHARE, SHARE_ONE / 2, 0, SHARE_ONE, offsetof(struct switching, high),
	    "a file is turned on again at this accuracy or above", NULL },
	{ "probe", PARAM_COUNT, 32, 0, 1 << 30, offsetof(struct switching, probe),
	    "of a file that is off, one plan in so many passes; 0: none", NULL },
	{ 0 },
};

static const struct counter switch_counters[] = {
	{ "turned_off", "times", "that a file was turned off",
	    offsetof(struct switching, turned_off) },
	{ "turned_on", "times", "that a file was turned on again",
	    offsetof(struct switching, turned_on) },
	{ "vetoed_plans", "plans", "of files that were off",
	    offsetof(struct switching, vetoed_plans) },
	{ "vetoed_blocks", "blocks", "of them, and of probes, not read ahead",
	    offsetof(struct switching, vetoed_blocks) },
	{ "probes", "plans", "of files that were off, passed in part",
	    offsetof(struct switching, probes) },
	{ 0 },
};

/* The file is off: little of the plan passes, or nothing. */
static void
restrain(struct switching *s, struct side *f, const struct demand *d, struct plan *plan)
{
	uint32_t call = d->index + d->left - d->first, removed;
	bool	 probes;

	if (!plan_ahead(plan, d))
		return;
	probes = s->probe && ++f->skipped % s->probe == 0;
	removed = plan_cut(plan, d, UINT32_MAX, probes ? call + 1 : 0);
	plan->trimmed += removed;
	s->vetoed_blocks += removed;
	s->probes += probes;
	s->vetoed_plans += !probes;
	plan_note(plan, probes ? "the file is off: a probe" : "the file is off: vetoed");
}

static void
switch_access(void *self, const struct demand *d, struct plan *plan)
{
	struct switching *s = self;
	struct side	 *f = &s->side[d->file];

	inner_access(&s->inside, d, plan);
	if (unlikely(plan->n && f->off))
		restrain(s, f, d, plan);
}

static void
judge(struct switching *s, struct side *f)
{
	uint64_t used = (uint64_t)f->used * SHARE_ONE, all = f->used + f->wasted;

	if (!f->off && used < s->low * all) {
		f->off = true;
		s->turned_off++;
	} else if (f->off && used >= s->high * all) {
		f->off = false;
		s->turned_on++;
	}
	f->used /= 2;
	f->wasted /= 2;
}

static void
switch_outcome(void *self, block_t b, enum outcome how)
{
	struct switching *s = self;
	struct side	 *f = &s->side[trace_file(s->trace, b)];

	inner_outcome(&s->inside, b, how);
	if (how == PREFETCH_WASTED)
		f->wasted++;
	else
		f->used++;
	if (f->used + f->wasted >= s->window)
		judge(s, f);
}

static int
switch_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct switching *s = self;

	if (inner_start(&s->inside, chosen, t, e))
		return -1;
	s->trace = t;
	s->side = file_states_new(t, sizeof(*s->side), e);
	return s->side ? 0 : -1;
}

static void
switch_release(void *self)
{
	struct switching *s = self;

	inner_stop(&s->inside);
	free(s->side);
}

static const char *const switch_state_names[] = { "off", "used", "wasted", NULL };

static void
switch_state(const void *self, uint32_t open, int64_t *value)
{
	const struct switching *s = self;
	const struct side      *f = &s->side[s->trace->open[open].file];

	value[0] = f->off;
	value[1] = f->used;
	value[2] = f->wasted;
}

PREFETCHER(switch,
	.plugin = {
	    .name = "switch",
	    .summary = "controller: turns another prefetcher off for files where it is wasted",
	    .source = "bufsim, docs/prefetchers.md",
	    .state_size = sizeof(struct switching),
	    .params = switch_params,
	    .counters = switch_counters,
	    .around = "linux24",
	    .inner = pass_inner,
	},
	.init = switch_init,
	.release = switch_release,
	.access = switch_access,
	.wrote = pass_wrote,
	.advise = pass_advise,
	.pace = pass_pace,
	.outcome = switch_outcome,
	.evicted = pass_evicted,
	.finished = pass_finished,
	.dropped = pass_dropped,
	.order = pass_order,
	.state_names = switch_state_names,
	.state = switch_state);
