/*
 * controlling.h - a controller around `eager`, whose plans a test defines, or
 * around another prefetcher; and what the inner prefetcher is told.
 */
#ifndef TESTS_UNIT_PREFETCH_CONTROLLING_H
#define TESTS_UNIT_PREFETCH_CONTROLLING_H

#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_linux24, prefetcher_ondemand;

static struct choice inside;
static unsigned	     advised, outcomes, evictions, finished;

static void eager_access(void *self, const struct demand *d, struct plan *plan);

static void
eager_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	advised++;
	if (a->kind == ADVICE_WILLNEED)
		plan_add(plan, d->index, d->left);
}

static void
eager_outcome(void *self, block_t b, enum outcome how)
{
	outcomes++;
}

static void
eager_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	evictions++;
}

static void
eager_finished(void *self, const struct finished *f)
{
	finished++;
}

static const struct prefetcher eager = {
	.plugin = { .name = "eager", .summary = "test: four blocks ahead" },
	.access = eager_access,
	.advise = eager_advise,
	.outcome = eager_outcome,
	.evicted = eager_evicted,
	.finished = eager_finished,
};

static inline void
control_with(const struct prefetcher *controller, const struct prefetcher *inner,
    const char *params, uint32_t blocks)
{
	plan_with(controller, params, blocks);
	inside = (struct choice){ .plugin = &inner->plugin };
	cfg.prefetcher.inner = &inside;
	advised = outcomes = evictions = finished = 0;
}

#endif
