/* check_fdp.c - the level, and what it lets pass. */
#include "tests/unit/prefetch/controlling.h"

extern const struct prefetcher prefetcher_fdp, prefetcher_obl;

enum { BLOCKS = 8000, FRAMES = 100 };

static uint32_t ahead; /* blocks that eager plans */

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
	uint32_t behind = d->end - d->index - 1;

	plan_add(plan, d->index + 1, behind < ahead ? behind : ahead);
}

static void
control(const struct prefetcher *inner, const char *params)
{
	control_with(&prefetcher_fdp, inner, params, BLOCKS);
	cfg.cache_blocks = FRAMES;
	ahead = 4;
}

/* The level at the end. */
static int64_t
level(void)
{
	planned();
	return state[0];
}

static void
equals_inner(const struct prefetcher *inner)
{
	struct choice p = cfg.prefetcher;
	struct stats  with;

	planned();
	with = stats;
	cfg.prefetcher = (struct choice){ .plugin = &inner->plugin };
	planned();
	memcpy(with.own, stats.own, sizeof(with.own));
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
	cfg.prefetcher = p;
}

/* ---- limits ---- */

START_TEST(a_plan_has_at_most_two_to_the_level_blocks)
{
	static const char *const params[] = { "min=0,max=0,probe=0", "max=1", "max=2", NULL,
		"min=4", "min=5" };

	for (uint32_t i = 0; i < 6; i++) {
		control(&eager, params[i]);
		ahead = 40;
		read_run(0, 0, 1);
		planned();
		ck_assert_uint_eq(stats.prefetched_blocks, i ? 1u << i : 0);
		ck_assert_uint_eq(own("vetoed_blocks"), 40 - stats.prefetched_blocks);
		ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
	}
}
END_TEST

/* At level 3 linux24 has 8 blocks at a time, and misses none of those that were cut. */
START_TEST(what_is_cut_waits_for_the_process)
{
	control(&prefetcher_linux24, "max=3");
	cfg.cache_blocks = 2048;
	read_run(0, 199, 1);
	planned();
	ck_assert_str_eq(misses.text, "0");
	ck_assert_uint_gt(own("vetoed_blocks"), 150);
	ck_assert_uint_gt(own("resumed_blocks"), 150);
	for (unsigned i = 0; i < 2; i++) { /* the end of what a mark asks for waits, too */
		control(&prefetcher_ondemand, i ? "max=3" : "min=5");
		cfg.cache_blocks = 2048;
		read_run(0, 199, 1);
		planned();
		ck_assert_uint_eq(stats.misses, 1);
	}
}
END_TEST

/* Those of the call, and those that are cached, do not count. */
START_TEST(blocks_that_are_read_anyway_do_not_count)
{
	control(&eager, "max=2");
	ahead = 40;
	read_run(7, 7, 1);
	read_run(0, 3, 4);
	planned();
	sets.text[strlen("7:8-11 | 0:1-12 |")] = '\0';
	ck_assert_str_eq(sets.text, "7:8-11 | 0:1-12 |");
}
END_TEST

START_TEST(a_long_call_raises_its_limit)
{
	control(&eager, "max=1");
	ahead = 40;
	read_run(0, 19, 20);
	planned();
	ck_assert_uint_eq(stats.misses, 20);
	ck_assert_uint_ge(stats.prefetched_blocks, 20);
	ck_assert_uint_lt(stats.prefetched_blocks, 59);
}
END_TEST

START_TEST(at_level_0_one_plan_in_64_passes)
{
	control(&eager, "min=0,max=0");
	for (uint32_t i = 0; i < 128; i++)
		read_run(10 * i, 10 * i, 1);
	planned();
	ck_assert_uint_eq(stats.prefetched_blocks, 2 * 2);
}
END_TEST

START_TEST(a_controller_that_lets_all_or_nothing_pass_is_as_none)
{
	control(&eager, "min=5");
	read_run(0, 300, 1);
	read_run(0, 300, 7);
	equals_inner(&eager);
	control(&eager, "min=0,max=0,probe=0");
	for (uint32_t i = 0; i < 300; i++)
		read_run(i * 611 % 1000, i * 611 % 1000, 1);
	planned();
	ck_assert_uint_eq(stats.prefetched_blocks, 0);
	control(&prefetcher_none, NULL);
	read_run(0, 300, 1);
	equals_none();
}
END_TEST

/* ---- the level ---- */

START_TEST(what_is_used_in_time_and_harmless_leaves_it_as_it_is)
{
	control(&prefetcher_obl, NULL);
	read_run(0, 499, 1);
	ck_assert_int_eq(level(), 3);
	ck_assert_int_eq(state[1], 100);
	ck_assert_uint_eq(own("raised_levels") + own("lowered_levels"), 0);
}
END_TEST

/* A batch takes longer than the program thinks; then the device is idle until the next one. */
START_TEST(what_comes_late_raises_it)
{
	control(&prefetcher_linux24, NULL);
	cfg.device.plugin = &device_fixed.plugin;
	for (uint32_t i = 0; i < 500; i++)
		draft_blocks(&draft, 300 * i, 0, i, 1, false);
	ck_assert_int_eq(level(), 4);
	ck_assert_uint_eq(own("raised_levels"), 1); /* 16 blocks ahead are in time */
	ck_assert_uint_eq(own("lowered_levels"), 0);
}
END_TEST

/* Only the first request finds it idle: four blocks are planned at every reference. */
static int64_t
level_of_busy_device(const char *params)
{
	control(&eager, params);
	cfg.device.plugin = &device_fixed.plugin;
	cfg.request_blocks = 1;
	read_run(0, 499, 1);
	return level();
}

START_TEST(what_is_late_because_the_device_is_busy_raises_it_on_request)
{
	ck_assert_int_eq(level_of_busy_device(NULL), 4);
	ck_assert_int_eq(level_of_busy_device("late=always"), 5);
}
END_TEST

/* A loop over more than the cache holds: what a wrong prefetch evicts is missed again. */
START_TEST(what_is_wrong_and_evicts_what_is_needed_lowers_it)
{
	control(&eager, NULL);
	cfg.cache_blocks =
	    FRAMES + 2; /* or each demand would evict a used block, and no prefetch */
	for (uint32_t i = 0; i < 480; i++)
		read_run(i % 60 * 10, i % 60 * 10, 1);
	ck_assert_int_eq(level(), 1);
	ck_assert_uint_eq(own("lowered_levels"), 2);
	ck_assert_uint_gt(own("polluted_misses"), 50);
}
END_TEST

START_TEST(what_is_wrong_and_harmless_leaves_it_as_it_is)
{
	control(&eager, NULL);
	for (uint32_t i = 0; i < 480; i++)
		read_run(i * 10, i * 10, 1);
	ck_assert_int_eq(level(), 3);
}
END_TEST

/* ---- the filter ---- */

/* With a bit for each block it knows what the core knows of victims that had been used. */
START_TEST(a_wide_filter_counts_what_the_core_counts)
{
	uint64_t seed = 1, true_misses;

	for (unsigned narrow = 0; narrow < 2; narrow++) {
		control(&eager, narrow ? "bits=7" : "bits=100000");
		ahead = 1;
		for (uint32_t i = 0; i < 500; i++) {
			uint32_t b = random_below(&seed, 300);

			read_run(b, b, 1);
		}
		planned();
		true_misses = stats.pollution_victim_misses - stats.pollution_thrash_misses;
		ck_assert_uint_gt(true_misses, 20);
		if (narrow)
			ck_assert_uint_gt(own("polluted_misses"), true_misses);
		else
			ck_assert_uint_eq(own("polluted_misses"), true_misses);
	}
}
END_TEST

/* ---- the rest ---- */

START_TEST(what_the_inner_prefetcher_wants_to_know_is_passed_on)
{
	control(&eager, NULL);
	for (uint32_t i = 0; i < 99; i++)
		read_run(i * 10, i * 10, 1);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 0, 40 * DRAFT_BLOCK_BYTES);
	draft_blocks(&draft, 0, 0, 5000, 1, false);
	planned();
	ck_assert_uint_eq(advised, 1);
	ck_assert_uint_eq(evictions, stats.evictions);
	ck_assert_uint_eq(finished, stats.read_requests + stats.write_requests);
	ck_assert_uint_eq(outcomes,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks);
}
END_TEST

START_TEST(min_is_at_most_max)
{
	struct error  e;
	struct engine s;

	control(&eager, "min=3,max=2");
	ck_assert_int_ne(engine_init(&s, &cfg, &draft.trace, &e), 0);
	ck_assert_str_eq(e.text, "min of fdp is at most max, 2, not 3");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("fdp");

	tcase_add_test(tests, a_plan_has_at_most_two_to_the_level_blocks);
	tcase_add_test(tests, what_is_cut_waits_for_the_process);
	tcase_add_test(tests, blocks_that_are_read_anyway_do_not_count);
	tcase_add_test(tests, a_long_call_raises_its_limit);
	tcase_add_test(tests, at_level_0_one_plan_in_64_passes);
	tcase_add_test(tests, a_controller_that_lets_all_or_nothing_pass_is_as_none);
	tcase_add_test(tests, what_is_used_in_time_and_harmless_leaves_it_as_it_is);
	tcase_add_test(tests, what_comes_late_raises_it);
	tcase_add_test(tests, what_is_late_because_the_device_is_busy_raises_it_on_request);
	tcase_add_test(tests, what_is_wrong_and_evicts_what_is_needed_lowers_it);
	tcase_add_test(tests, what_is_wrong_and_harmless_leaves_it_as_it_is);
	tcase_add_test(tests, a_wide_filter_counts_what_the_core_counts);
	tcase_add_test(tests, what_the_inner_prefetcher_wants_to_know_is_passed_on);
	tcase_add_test(tests, min_is_at_most_max);
	return run_tests("fdp", tests);
}
