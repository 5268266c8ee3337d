/* check_switch.c - files are turned off and on, and what passes meanwhile. */
#include "tests/unit/prefetch/controlling.h"

extern const struct prefetcher prefetcher_switch, prefetcher_obl;

enum { BLOCKS = 8000, FRAMES = 20 };

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
	uint32_t behind = d->end - d->index - 1;

	plan_add(plan, d->index + 1, behind < 4 ? behind : 4);
}

static void
control(const struct prefetcher *inner, const char *params)
{
	control_with(&prefetcher_switch, inner, params, BLOCKS);
	cfg.cache_blocks = FRAMES;
}

/* Single blocks, 10 apart: all that is read ahead is wasted. */
static void
read_apart(uint32_t from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		read_run(10 * (from + i), 10 * (from + i), 1);
}

/* The run is that of the inner prefetcher alone. */
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

START_TEST(accurate_plans_are_never_touched)
{
	control(&prefetcher_obl, NULL);
	read_run(0, 400, 1);
	planned();
	ck_assert_uint_gt(stats.prefetched_blocks, 300);
	ck_assert_uint_eq(own("turned_off") + own("vetoed_plans") + own("probes"), 0);
	equals_inner(&prefetcher_obl);
}
END_TEST

/* At an accuracy of 0, only `low` = 0 leaves a file on. */
START_TEST(a_file_that_may_not_be_turned_off_is_as_without_a_controller)
{
	control(&eager, "low=0");
	read_apart(0, 400);
	equals_inner(&eager);
	control(&prefetcher_none, NULL);
	read_apart(0, 100);
	equals_none();
}
END_TEST

START_TEST(after_64_wasted_blocks_one_plan_in_32_passes)
{
	uint32_t off;

	control(&eager, NULL);
	read_apart(0, 20);
	planned();
	ck_assert_uint_eq(own("turned_off"), 1);
	off = (uint32_t)(own("vetoed_plans"));
	ck_assert_uint_ge(stats.prefetch_wasted_blocks, 64);
	ck_assert_uint_lt(stats.prefetch_wasted_blocks, 68);
	control(&eager, NULL);
	read_apart(0, 20 - off + 32 * 5);
	planned();
	ck_assert_uint_eq(own("probes"), 5);
	ck_assert_uint_eq(own("vetoed_plans"), 31 * 5);
	ck_assert_uint_eq(own("vetoed_blocks"), 31 * 5 * 4 + 5 * 2);
	ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
	ck_assert_int_eq(state[0], 1);
}
END_TEST

START_TEST(without_probes_nothing_passes)
{
	control(&eager, "probe=0");
	read_apart(0, 400);
	planned();
	ck_assert_uint_eq(own("probes"), 0);
	ck_assert_uint_lt(stats.prefetched_blocks, 64 + FRAMES + 4);
}
END_TEST

/* Probes of a run are used. */
START_TEST(a_file_that_changes_is_turned_on_again)
{
	control(&eager, "window=8,probe=2");
	read_apart(0, 40);
	read_run(1000, 1100, 1);
	planned();
	ck_assert_uint_eq(own("turned_on"), 1);
	ck_assert_int_eq(state[0], 0);
	ck_assert_uint_gt(stats.prefetch_used_blocks, 80);
}
END_TEST

START_TEST(files_are_judged_apart)
{
	control(&eager, NULL);
	draft_open(&draft, draft_file(&draft, 2, BLOCKS), 0);
	for (uint32_t i = 0; i < 200; i++) {
		read_apart(i, 1);
		draft_blocks(&draft, 0, 1, i, 1, false);
	}
	planned();
	ck_assert_uint_eq(own("turned_off"), 1);
	ck_assert_int_eq(state[0], 1);
	ck_assert_uint_ge(stats.prefetch_used_blocks, 195);
}
END_TEST

/* The call needs blocks 1 to 3 itself. */
START_TEST(blocks_of_the_current_call_are_never_touched)
{
	uint64_t before;

	control(&eager, "probe=0");
	read_apart(0, 40);
	planned();
	before = stats.prefetch_demand_blocks;
	read_run(7000, 7003, 4);
	planned();
	ck_assert_uint_eq(stats.prefetch_demand_blocks, before + 3);
}
END_TEST

START_TEST(what_the_inner_prefetcher_wants_to_know_is_passed_on)
{
	control(&eager, NULL);
	read_apart(0, 99);
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

int
main(void)
{
	TCase *tests = tcase_create("switch");

	tcase_add_test(tests, accurate_plans_are_never_touched);
	tcase_add_test(tests, a_file_that_may_not_be_turned_off_is_as_without_a_controller);
	tcase_add_test(tests, after_64_wasted_blocks_one_plan_in_32_passes);
	tcase_add_test(tests, without_probes_nothing_passes);
	tcase_add_test(tests, a_file_that_changes_is_turned_on_again);
	tcase_add_test(tests, files_are_judged_apart);
	tcase_add_test(tests, blocks_of_the_current_call_are_never_touched);
	tcase_add_test(tests, what_the_inner_prefetcher_wants_to_know_is_passed_on);
	return run_tests("switch", tests);
}
