/*
 * observed.h - runs that a film or a map observes: three processes, each with a file of its own,
 * and a prefetcher that reads two blocks.
 */
#ifndef TESTS_UNIT_REPORT_OBSERVED_H
#define TESTS_UNIT_REPORT_OBSERVED_H

#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "tests/unit/support.h"

enum { FILE_BLOCKS = 400 };

static struct draft  draft;
static struct config cfg;
static struct stats  stats;
static struct error  error;

/* ---- the prefetcher of the tests: on a miss, the next two blocks ---- */

static inline void
two_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->how == REF_MISS)
		plan_add(plan, d->index + 1, 2);
}

static const struct prefetcher two = {
	.plugin = { .name = "two", .summary = "test: two blocks on a miss" },
	.access = two_access,
};

/* ---- settings ---- */

static inline void
choose(const struct plugin_kind *kind, const char *text, struct choice *to)
{
	ck_assert_msg(!registry_choose(kind, text, to, &error), "%s", error.text);
}

/* A request of n blocks takes 10 ms and n times 100 us. */
static inline void
observed_start(void)
{
	config_defaults(&cfg);
	cfg.cache_blocks = 8;
	choose(PLUGIN_POLICY, "lru", &cfg.policy);
	choose(PLUGIN_SCHEDULER, "fifo", &cfg.scheduler);
	choose(PLUGIN_DEVICE, "fixed:latency=10ms,rate=40960000", &cfg.device);
	draft_start(&draft);
	for (uint32_t i = 0; i < 3; i++)
		draft_open(&draft, draft_file(&draft, 100 + i, FILE_BLOCKS), i);
	draft.trace.nprocesses = 1;
}

static inline void
observed_release(void)
{
	choice_release(&cfg.policy);
	choice_release(&cfg.scheduler);
	choice_release(&cfg.device);
}

/* ---- calls ---- */

/* Ten blocks, one at a time, 3 ms apart: a miss and two blocks used in time, three times and a miss. */
static inline void
ten_reads(void)
{
	for (uint32_t i = 0; i < 10; i++)
		draft_blocks(&draft, 3000 * (i + 1), 0, i, 1, false);
	cfg.prefetcher.plugin = &two.plugin;
}

/* Call i of many by three processes.  Returns the process. */
static inline uint32_t
random_call(uint32_t i, uint64_t *seed)
{
	uint32_t p = i < 3 ? i : random_below(seed, 3);

	draft_blocks(&draft, i * 700, p, random_below(seed, 9) * 30 + i % 30,
	    1 + random_below(seed, 6), random_below(seed, 5) == 0);
	draft.trace.nprocesses = 3;
	return p;
}

#endif
