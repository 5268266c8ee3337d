/*
 * planning.h - a trace written call by call goes through a simulation, and
 * what its prefetcher asked for is told: "1:2 | 3:4-5" is at block 1 the
 * block 2, at block 3 the blocks 4 and 5; and the misses: "0 1 3".
 */
#ifndef TESTS_UNIT_PLANNING_H
#define TESTS_UNIT_PLANNING_H

#include <stdio.h>
#include <string.h>

#include "sim/core/engine/engine.h"
#include "sim/core/simulate.h"
#include "tests/unit/own.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_null, device_fixed;

struct told {
	char   text[16384];
	size_t used;
};

static struct draft  draft;
static struct config cfg;
static struct told   sets, misses;
static struct stats  stats;
static int64_t	     state[STATE_MAX]; /* of open file 0 at the end, if the prefetcher has any */

static inline void
tell(struct told *t, const char *between, const char *format, uint32_t a, uint32_t b, uint32_t c)
{
	int n;

	if (t->used)
		t->used +=
		    (size_t)snprintf(t->text + t->used, sizeof(t->text) - t->used, "%s", between);
	n = snprintf(t->text + t->used, sizeof(t->text) - t->used, format, a, b, c);
	t->used += (size_t)n;
	ck_assert_uint_lt(t->used + 8, sizeof(t->text));
}

/* Nothing lies behind the end of the file, and a block is where its file says. */
static inline void
see(void *ctx, const struct event *e)
{
	const struct demand *d = e->demand;

	if (e->kind == EVENT_MISS) {
		tell(&misses, " ", "%u", e->block - draft.file[0].base, 0, 0);
		return;
	}
	for (unsigned i = 0; i < e->plan->n; i++) {
		struct extent x = e->plan->extent[i];

		REQUIRE(x.count && x.index + x.count <= d->end, "blocks %u + %u of %u", x.index,
		    x.count, d->end);
		tell(&sets, " | ", x.count > 1 ? "%u:%u-%u" : "%u:%u", d->index, x.index,
		    x.index + x.count - 1);
	}
}

/* A file of so many blocks, instant I/O, a cache that holds it all. */
static inline void
plan_with(const struct prefetcher *p, const char *params, uint32_t blocks)
{
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, blocks), 0);
	config_defaults(&cfg);
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &p->plugin;
	cfg.prefetcher.params = params;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_null.plugin;
	cfg.cache_blocks = 2048;
}

/* Read a run of blocks, n at a time, through open file 0. */
static inline void
read_run(uint32_t first, uint32_t last, uint32_t n)
{
	for (uint32_t i = first; i + n <= last + 1; i += n)
		draft_blocks(&draft, 0, 0, i, n, false);
}

/* Read a block of each `step`, from the first on and before the end. */
static inline void
read_every(uint32_t step, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i += step)
		read_run(i, i, 1);
}

/* What the prefetcher asked for. */
static inline const char *
planned(void)
{
	struct engine s;
	struct error  e;

	sets = misses = (struct told){ 0 };
	cfg.observer = (struct observer){ .mask = 1u << EVENT_PLAN | 1u << EVENT_MISS, .see = see };
	ck_assert_msg(!engine_init(&s, &cfg, &draft.trace, &e), "%s", e.text);
	ck_assert_int_eq(engine_run(&s, &e), 0);
	stats = s.stats;
	if (config_prefetcher(&cfg)->state)
		config_prefetcher(&cfg)->state(s.node.prefetcher_self, 0, state);
	engine_release(&s);
	return sets.text;
}

/* Demand, prefetched, used: blocks. */
static inline void
counted(uint64_t missed, uint64_t prefetched, uint64_t used)
{
	ck_assert_uint_eq(stats.misses, missed);
	ck_assert_uint_eq(stats.prefetched_blocks, prefetched);
	ck_assert_uint_eq(stats.prefetch_used_blocks, used);
}

/* What the prefetcher itself has counted. */
static inline uint64_t
own(const char *name)
{
	return own_count(&stats, cfg.prefetcher.plugin, name);
}

/* Nothing is asked for, and the counters are those of a run without prefetching, but for its own. */
static inline void
equals_none(void)
{
	struct choice p = cfg.prefetcher;
	struct stats  with;

	ck_assert_str_eq(planned(), "");
	with = stats;
	cfg.prefetcher = (struct choice){ .plugin = &prefetcher_none.plugin };
	planned();
	memcpy(with.own, stats.own, sizeof(with.own));
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
	cfg.prefetcher = p;
}

/* ---- what prefetchers have in common; all end with planned() ---- */

/* Streams of two files, of 100 blocks each, by turns. */
static inline void
plan_two_files(const struct prefetcher *p)
{
	plan_with(p, NULL, 400);
	draft_open(&draft, draft_file(&draft, 2, 400), 0);
	for (uint32_t i = 0; i < 100; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 1, 200 + i, 1, false);
	}
	planned();
}

/* The first blocks of a file, behind an empty one. */
static inline const char *
plan_behind_empty(const struct prefetcher *p, uint32_t blocks)
{
	plan_with(p, NULL, 0);
	draft_open(&draft, draft_file(&draft, 2, 10), 0);
	for (uint32_t i = 0; i < blocks; i++)
		draft_blocks(&draft, 0, 1, i, 1, false);
	return planned();
}

/* The file ends where the call does, whatever its size was said to be. */
static inline void
plan_shorter(const struct prefetcher *p)
{
	plan_with(p, NULL, 10);
	read_run(4, 5, 1);
	draft.access[0].file_size = draft.access[1].file_size = 0;
	equals_none();
}

/* No block is next to the one before, or all go backwards, or by steps: nothing is asked for. */
static inline void
plan_no_streams(const struct prefetcher *p)
{
	plan_with(p, NULL, 1000);
	for (uint32_t i = 0; i < 100; i++)
		read_run(i * 611 % 1000 / 2 * 2, i * 611 % 1000 / 2 * 2, 1);
	ck_assert_str_eq(planned(), "");
	plan_with(p, NULL, 1000);
	for (uint32_t i = 50; i > 0; i--)
		read_run(i, i, 1);
	ck_assert_str_eq(planned(), "");
	plan_with(p, NULL, 1000);
	read_every(3, 0, 100);
	ck_assert_str_eq(planned(), "");
}

/* 100 blocks, n in a call, through a cache of four frames: each is read or used, and has one end. */
static inline void
plan_in_four_frames(const struct prefetcher *p, const char *params, uint32_t n)
{
	plan_with(p, params, 100);
	cfg.device.plugin = &device_fixed.plugin;
	cfg.cache_blocks = 4;
	read_run(0, 99, n);
	planned();
	ck_assert_uint_eq(stats.misses + stats.prefetch_used_blocks + stats.prefetch_late_blocks,
	    100);
	ck_assert_uint_eq(stats.prefetched_blocks,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks +
		stats.prefetch_unused_blocks + stats.prefetch_inflight_blocks);
}

static inline void
plan_writes(const struct prefetcher *p)
{
	plan_with(p, NULL, 100);
	for (uint32_t i = 0; i < 20; i++)
		draft_blocks(&draft, 0, 0, i, 1, true);
	ck_assert_str_eq(planned(), "");
}

/* ---- a controller that cuts every plan to so many blocks ---- */

static uint32_t cut_to;
static void (*uncut)(void *self, const struct demand *d, struct plan *plan);

static inline void
cut_access(void *self, const struct demand *d, struct plan *plan)
{
	uncut(self, d, plan);
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->extent[i].count > cut_to)
			plan->extent[i].count = cut_to;
	if (!cut_to)
		plan->n = 0;
}

/* The prefetcher of the plan from now on. */
static inline void
cut_plans(uint32_t blocks)
{
	static struct prefetcher cut;

	cut = *config_prefetcher(&cfg);
	uncut = cut.access;
	cut.access = cut_access;
	cut_to = blocks;
	cfg.prefetcher.plugin = &cut.plugin;
}

#endif
