/*
 * check_ledger.c - which plans the controller lets pass, and what of them.
 *
 * Most tests put it around `eager`, which plans four blocks behind the call at
 * its first block.  A request takes 10 ms, and 0.1 ms a block.
 */
#include "tests/unit/own.h"
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_ledger, prefetcher_linux24, prefetcher_ondemand;

enum { BLOCKS = 4000 };

/* ---- prefetchers to control ---- */

static unsigned asked, advised, outcomes, evictions, finished;

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
	asked++;
	if (d->index == d->first)
		plan_add(plan, d->index + d->left, 4);
}

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
eager_evicted(void *self, block_t b)
{
	evictions++;
}

static void
eager_finished(void *self, const struct finished *f)
{
	finished++;
}

static const struct prefetcher eager = {
	.plugin = { .name = "eager", .summary = "test: four blocks behind every call" },
	.access = eager_access,
	.advise = eager_advise,
	.outcome = eager_outcome,
	.evicted = eager_evicted,
	.finished = eager_finished,
};

/* Plans that a test writes, at blocks that are absent. */
static struct extent script[4];

static void
scripted_access(void *self, const struct demand *d, struct plan *plan)
{
	for (unsigned i = 0; d->absent && i < 4; i++)
		plan_add(plan, script[i].index, script[i].count);
}

static const struct prefetcher scripted = {
	.plugin = { .name = "scripted", .summary = "test: what the test says" },
	.access = scripted_access,
};

/* The second and the fourth block behind a reference. */
static void
second_access(void *self, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index + 2, 1);
	plan_add(plan, d->index + 4, 1);
}

static const struct prefetcher second = {
	.plugin = { .name = "second", .summary = "test: every second block" },
	.access = second_access,
};

static uint32_t marks = 1;

/* A missing block with three more; it is marked. */
static void
marking_access(void *self, const struct demand *d, struct plan *plan)
{
	asked++;
	if (!d->absent)
		return;
	plan_add(plan, d->index, 4);
	plan_mark(plan, d->index, marks);
}

static const struct prefetcher marking = {
	.plugin = { .name = "marking", .summary = "test: batches with a mark" },
	.access = marking_access,
};

static struct choice inside;

static void
control(const struct prefetcher *inner, const char *params)
{
	plan_with(&prefetcher_ledger, params, BLOCKS);
	cfg.device = (struct choice){ .plugin = &device_fixed.plugin,
		.params = "latency=10ms,rate=40960000" };
	inside = (struct choice){ .plugin = &inner->plugin };
	cfg.prefetcher.inner = &inside;
	memset(script, 0, sizeof(script));
	asked = advised = outcomes = evictions = finished = 0;
}

static uint64_t
own(const char *name)
{
	return own_count(&stats, &prefetcher_ledger.plugin, name);
}

/* Single blocks: a list that does not repeat, and in which none is behind another. */
static void
read_random(uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		read_run(i * 7 % 397 * 10, i * 7 % 397 * 10, 1);
}

/* ---- what passes ---- */

START_TEST(a_sequential_process_is_passed_soon)
{
	control(&eager, NULL);
	read_run(0, 99, 1);
	planned();
	ck_assert_uint_gt(own("passed_plans"), 15);
	ck_assert_uint_le(own("vetoed_plans"), 10);
	ck_assert_uint_lt(stats.misses, 50);
	ck_assert_uint_gt(stats.prefetch_used_blocks, 50);
}
END_TEST

START_TEST(useless_plans_of_a_random_process_are_vetoed_after_a_while)
{
	uint64_t passed;

	control(&eager, NULL);
	cfg.cache_blocks = 100; /* while there is room, later uses are hoped for */
	read_random(1, 200);
	planned();
	passed = own("passed_plans");
	ck_assert_uint_lt(passed, 40);
	ck_assert_uint_gt(own("vetoed_plans"), 150);
	read_random(201, 200);
	planned();
	ck_assert_uint_eq(own("passed_plans"), passed);
	ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
	ck_assert_uint_gt(own("vetoed_blocks"), 4 * 300);
}
END_TEST

START_TEST(a_process_that_becomes_sequential_is_passed_again)
{
	control(&eager, NULL);
	read_random(1, 200);
	read_run(1000, 1199, 1);
	planned();
	ck_assert_uint_gt(stats.prefetch_used_blocks, 80);
	ck_assert_uint_lt(stats.misses, 200 + 120);
}
END_TEST

START_TEST(on_a_device_that_takes_no_time_no_plan_saves_any)
{
	control(&eager, NULL);
	cfg.device = (struct choice){ .plugin = &device_null.plugin };
	read_run(0, 99, 1);
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_plans"), own("passed_plans") + own("vetoed_plans"));
}
END_TEST

/* ---- what is left of a plan ---- */

/* Plans so many blocks behind block 10, of a call of `blocks`, and of all before that. */
static const char *
plan_of(uint32_t blocks, const char *params)
{
	control(&scripted, params);
	draft_blocks(&draft, 0, 0, 10, blocks, false);
	return NULL;
}

START_TEST(blocks_of_the_call_are_never_vetoed)
{
	plan_of(6, NULL); /* nothing is known: all else is vetoed */
	script[0] = (struct extent){ 11, 3 };
	ck_assert_str_eq(planned(), "10:11-13");
	ck_assert_uint_eq(stats.trimmed_blocks, 0);
	script[1] = (struct extent){ 14, 10 };
	ck_assert_str_eq(planned(), "10:11-15");
	ck_assert_uint_eq(stats.trimmed_blocks, 8);
	ck_assert_uint_eq(own("vetoed_blocks"), 8);
	ck_assert_uint_eq(own("vetoed_plans"), 1);
	counted(6, 0, 0);
}
END_TEST

START_TEST(the_demanded_block_stays_in_a_plan_that_begins_with_it)
{
	plan_of(1, NULL);
	script[0] = (struct extent){ 10, 1 };
	ck_assert_str_eq(planned(), "10:10");
	script[0] = (struct extent){ 10, 5 };
	ck_assert_str_eq(planned(), "10:10");
	ck_assert_uint_eq(own("vetoed_blocks"), 4);
	script[0] = (struct extent){ 11, 5 };
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_blocks"), 5);
}
END_TEST

START_TEST(blocks_behind_the_file_are_not_planned_and_not_counted)
{
	control(&scripted, NULL);
	read_run(BLOCKS - 3, BLOCKS - 3, 1);
	script[0] = (struct extent){ BLOCKS - 1, 10 };
	script[1] = (struct extent){ BLOCKS + 5, 10 };
	script[2] = (struct extent){ UINT32_MAX - 1, 2 };
	script[3] = (struct extent){ BLOCKS - 2, UINT32_MAX };
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_blocks"), 2);
}
END_TEST

START_TEST(a_plan_of_cached_blocks_is_not_weighed)
{
	control(&eager, NULL);
	read_run(0, 7, 8);
	read_run(0, 3, 1);
	planned();
	ck_assert_uint_eq(own("passed_plans") + own("vetoed_plans"), 1); /* behind 7 */
}
END_TEST

/* Of every second block planned, all blocks up to the last one are read. */
START_TEST(what_passes_has_no_holes)
{
	unsigned n = 0;

	control(&second, NULL);
	read_run(0, 199, 1);
	planned();
	for (char *at = sets.text; at; at = strchr(at, '|'), n++) {
		unsigned index, first, last;

		at += *at == '|' ? 2 : 0;
		ck_assert_int_eq(sscanf(at, "%u:%u-%u", &index, &first, &last), 3);
		ck_assert_uint_eq(first, index + 1);
		ck_assert_uint_eq(last, index + 4);
	}
	ck_assert_uint_eq(n, own("passed_plans"));
	ck_assert_uint_gt(n, 20);
}
END_TEST

/* ---- learning ---- */

START_TEST(a_trial_vetoes_plans_that_pay)
{
	control(&eager, "trial=3,every=10");
	read_run(0, 399, 1);
	planned();
	ck_assert_uint_ge(own("trial_plans"), 6);
	ck_assert_uint_lt(own("trial_plans"), own("passed_plans"));
}
END_TEST

/* At a mark the inner prefetcher is called twice; all else is as without marks. */
START_TEST(a_second_demand_of_a_block_is_not_learned)
{
	struct stats with;
	unsigned     calls;

	control(&marking, NULL);
	read_random(1, 100);
	read_run(200, 399, 1);
	planned();
	with = stats;
	calls = asked;
	marks = 0;
	asked = 0;
	planned();
	marks = 1;
	ck_assert_uint_eq(asked, 300);
	ck_assert_uint_gt(calls, 300 + 100);
	ck_assert_uint_gt(own("passed_plans"), 10);
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
}
END_TEST

START_TEST(what_is_vetoed_and_read_later_is_regretted)
{
	control(&scripted, "soon=2");
	script[0] = (struct extent){ 100, 4 };
	read_run(99, 99, 1);
	planned();
	ck_assert_uint_eq(own("vetoed_blocks"), 4);
	for (uint32_t i = 0; i < 3; i++)
		read_run(1000 + 200 * i, 1000 + 200 * i, 1);
	script[0] = (struct extent){ 100, 4 };
	read_run(102, 102, 1);
	read_run(102, 102, 1);
	planned();
	ck_assert_uint_eq(own("regretted_blocks"), 1);
}
END_TEST

/* ---- frames ---- */

START_TEST(unused_blocks_leave_first)
{
	control(&eager, NULL);
	cfg.cache_blocks = 64;
	read_run(0, 199, 1); /* plans pass, and some are wrong */
	for (uint32_t i = 0; i < 60; i++)
		read_run(400 + 40 * i, 403 + 40 * i, 1);
	planned();
	ck_assert_uint_gt(own("taken_back_blocks"), 0);
	ck_assert_uint_le(own("taken_back_blocks"), stats.prefetch_wasted_blocks);
	ck_assert_uint_eq(evictions, stats.evictions);
}
END_TEST

/* ---- around anything ---- */

START_TEST(what_the_inner_prefetcher_wants_to_know_is_passed_on)
{
	control(&eager, NULL);
	cfg.cache_blocks = 20;
	read_run(0, 99, 1);
	draft_blocks(&draft, 0, 0, 200, 1, true);
	planned();
	ck_assert_uint_gt(stats.evictions, 50);
	ck_assert_uint_eq(asked, 100);
	ck_assert_uint_eq(evictions, stats.evictions);
	ck_assert_uint_eq(finished, stats.read_requests + stats.write_requests);
	ck_assert_uint_eq(outcomes,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks);
}
END_TEST

START_TEST(advice_passes)
{
	control(&eager, NULL);
	read_run(0, 0, 1);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 500 * DRAFT_BLOCK_BYTES, 40 * DRAFT_BLOCK_BYTES);
	ck_assert_str_eq(planned(), "500:500-539");
	ck_assert_uint_eq(advised, 1);
	ck_assert_uint_eq(stats.advice_read_blocks, 40);
	control(&prefetcher_linux24, NULL); /* which knows none */
	read_run(0, 3, 1);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 0, 0);
	planned();
	ck_assert_uint_eq(stats.advices, 0);
}
END_TEST

START_TEST(a_controller_of_none_changes_nothing)
{
	struct stats with;

	control(&prefetcher_none, NULL);
	cfg.cache_blocks = 30;
	read_run(0, 99, 3);
	read_random(1, 100);
	planned();
	with = stats;
	for (const struct counter *c = prefetcher_ledger.plugin.counters; c->name; c++)
		ck_assert_uint_eq(own(c->name), 0);
	cfg.prefetcher = (struct choice){ .plugin = &prefetcher_none.plugin };
	planned();
	memcpy(with.own, stats.own, sizeof(with.own));
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
}
END_TEST

/* ---- what it says ---- */

static unsigned notes[3];

static void
listen(void *ctx, const struct event *e)
{
	static const char *const known[] = { "costs more than it saves: vetoed",
		"saves more than it costs: passed",
		"saves more than it costs, but vetoed to learn what a miss costs" };

	for (unsigned i = 0; i < e->plan->nnotes; i++)
		for (unsigned k = 0; k < 3; k++)
			notes[k] += !strcmp(e->plan->note[i], known[k]);
}

START_TEST(each_verdict_is_noted)
{
	struct error e;

	control(&eager, "trial=3,every=10");
	read_random(1, 30);
	read_run(1000, 1399, 1);
	cfg.observer = (struct observer){ .mask = 1u << EVENT_PLAN, .see = listen };
	memset(notes, 0, sizeof(notes));
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &stats, &e), 0);
	ck_assert(notes[0] && notes[1] && notes[2]);
	ck_assert_uint_eq(notes[0], own("vetoed_plans"));
	ck_assert_uint_eq(notes[1], own("passed_plans"));
	ck_assert_uint_eq(notes[2], own("trial_plans"));
}
END_TEST

START_TEST(its_state_is_the_last_verdict_and_the_prices)
{
	const char *const *names = prefetcher_ledger.state_names;
	unsigned	   n = 0;

	while (names[n])
		n++;
	ck_assert_uint_le(n, STATE_MAX);
	control(&eager, NULL);
	read_run(100, 100, 1);
	planned();
	ck_assert_int_eq(state[0], 0); /* nothing is expected */
	ck_assert_int_eq(state[1], 4); /* four blocks of 1 us */
	ck_assert_int_eq(state[2], 0);
	ck_assert_int_eq(state[4], 100); /* transfer */
	read_run(101, 150, 1);
	planned();
	ck_assert_int_gt(state[0], state[1]);
	ck_assert_int_eq(state[4], 100);
	ck_assert_int_eq(state[5], 10000); /* miss */
}
END_TEST

/* Everything at once, in caches of few frames. */
START_TEST(parameters_at_their_ends_in_any_cache)
{
	static const char *const name[] = { "soon", "stake", "near", "memory", "prior", "trial",
		"every" };
	uint64_t		 seed = 1;

	for (unsigned i = 0; i < 120; i++) {
		static const struct prefetcher *const inner[] = { &prefetcher_linux24,
			&prefetcher_ondemand, &eager };
		static const uint64_t		      frames[] = { 1, 2, 3, 4, 5, 6, 7, 8, 300 };
		char				      params[200] = "";
		size_t				      used = 0;

		for (unsigned k = 0; k < 7; k++)
			used += (size_t)snprintf(params + used, sizeof(params) - used, "%s%s=%u",
			    k ? "," : "", name[k], random_below(&seed, 2) ? 1 : 1u << 30);
		control(inner[i % 3], params);
		cfg.cache_blocks = frames[i % 9];
		for (unsigned k = 0; k < 60; k++) {
			uint32_t at = random_below(&seed, BLOCKS - 100);

			read_run(at, at + random_below(&seed, 6), 1 + random_below(&seed, 3));
		}
		planned();
		ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
		ck_assert_uint_le(own("taken_back_blocks"), stats.prefetch_wasted_blocks);
	}
}
END_TEST

START_TEST(a_trace_of_one_block)
{
	for (unsigned frames = 1; frames < 3; frames++) {
		control(&eager, NULL);
		plan_with(&prefetcher_ledger, NULL, 1);
		cfg.prefetcher.inner = &inside;
		cfg.cache_blocks = frames;
		read_run(0, 0, 1);
		read_run(0, 0, 1);
		ck_assert_str_eq(planned(), "");
		counted(1, 0, 0);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("ledger");

	tcase_add_test(tests, a_sequential_process_is_passed_soon);
	tcase_add_test(tests, useless_plans_of_a_random_process_are_vetoed_after_a_while);
	tcase_add_test(tests, a_process_that_becomes_sequential_is_passed_again);
	tcase_add_test(tests, on_a_device_that_takes_no_time_no_plan_saves_any);
	tcase_add_test(tests, blocks_of_the_call_are_never_vetoed);
	tcase_add_test(tests, the_demanded_block_stays_in_a_plan_that_begins_with_it);
	tcase_add_test(tests, blocks_behind_the_file_are_not_planned_and_not_counted);
	tcase_add_test(tests, a_plan_of_cached_blocks_is_not_weighed);
	tcase_add_test(tests, what_passes_has_no_holes);
	tcase_add_test(tests, a_trial_vetoes_plans_that_pay);
	tcase_add_test(tests, a_second_demand_of_a_block_is_not_learned);
	tcase_add_test(tests, what_is_vetoed_and_read_later_is_regretted);
	tcase_add_test(tests, unused_blocks_leave_first);
	tcase_add_test(tests, what_the_inner_prefetcher_wants_to_know_is_passed_on);
	tcase_add_test(tests, advice_passes);
	tcase_add_test(tests, a_controller_of_none_changes_nothing);
	tcase_add_test(tests, each_verdict_is_noted);
	tcase_add_test(tests, its_state_is_the_last_verdict_and_the_prices);
	tcase_add_test(tests, parameters_at_their_ends_in_any_cache);
	tcase_add_test(tests, a_trace_of_one_block);
	return run_tests("ledger", tests);
}
