/* check_sarc.c - sets behind sequential misses, and what is left of a set when the next one comes. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_sarc;
extern const struct policy     policy_sarc, policy_fifo;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_sarc, params, blocks);
}

/* ---- sets ---- */

START_TEST(a_run_is_found_at_its_second_miss_and_misses_no_more)
{
	start(NULL, 100);
	read_run(0, 19, 1);
	ck_assert_str_eq(planned(), "1:2-9 | 5:10-17 | 13:18-25");
	ck_assert_str_eq(misses.text, "0 1");
	ck_assert_int_eq(state[0], 25);
	ck_assert_int_eq(state[1], 21);
	start(NULL, 100);
	read_run(0, 99, 1);
	planned();
	counted(2, 98, 98);
	ck_assert_uint_eq(own("missed_sets"), 1);
	ck_assert_uint_eq(own("triggered_sets"), 12);
}
END_TEST

START_TEST(the_threshold_is_the_length_of_a_run)
{
	static const char *const params[] = { "threshold=1", "threshold=2", "threshold=4",
		"threshold=255" };
	static const char *const expected[] = { "10:11-18 | 14:19-26", "11:12-19", "13:14-21", "" };

	start(params[_i], 100);
	read_run(10, 14, 1);
	ck_assert_str_eq(planned(), expected[_i]);
}
END_TEST

START_TEST(sets_are_as_large_and_triggers_as_early_as_they_are_said_to_be)
{
	static const char *const params[] = { "m=4,t=0", "m=4,t=3", "m=4,t=4", "m=1,t=0" };
	static const char *const expected[] = { "1:2-5 | 5:6-9", "1:2-5 | 2:6-9", "1:2-5 | 2:6-9",
		"1:2 | 2:3 | 3:4 | 4:5 | 5:6" };

	start(params[_i], 100);
	read_run(0, 5, 1);
	ck_assert_str_eq(planned(), expected[_i]);
}
END_TEST

/* A run goes on with a miss where its predecessor is cached, whoever read in between. */
START_TEST(a_run_is_counted_where_its_blocks_are_cached)
{
	start("threshold=3", 400);
	read_run(10, 10, 1);
	read_run(300, 300, 1);
	read_run(11, 11, 1);
	read_run(200, 200, 1);
	read_run(12, 12, 1);
	ck_assert_str_eq(planned(), "12:13-20");
	start("threshold=3", 400);
	cfg.cache_blocks = 3;
	read_run(10, 11, 1);
	read_every(2, 100, 106);
	read_run(12, 13, 1); /* 11 has left */
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(the_count_of_a_cached_block_stays_as_it_is)
{
	start("threshold=3", 400);
	read_run(10, 10, 1);
	read_run(12, 13, 1);
	read_run(11, 11, 1); /* two in order; 12 and 13 are counted 1 and 2 already */
	read_run(14, 14, 1);
	ck_assert_str_eq(planned(), "14:15-22");
	start("threshold=3", 400);
	read_run(12, 12, 1);
	read_run(10, 11, 1);
	read_run(13, 13, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(a_block_that_a_write_brought_counts_nothing)
{
	start(NULL, 400);
	cfg.cache_blocks = 2;
	read_run(9, 9, 1);
	read_run(100, 100, 1);
	read_run(200, 200, 1); /* 9 has left */
	draft_blocks(&draft, 0, 0, 9, 1, true);
	read_run(10, 10, 1);
	ck_assert_str_eq(planned(), "");
	draft.access[3].write = false;
	draft.trace.writes = 0;
	ck_assert_str_eq(planned(), "10:11-18");
}
END_TEST

/* Block 9 was the first of a run, and comes back by a write. */
START_TEST(a_block_that_was_dropped_is_not_counted_any_more)
{
	for (unsigned advised = 0; advised < 2; advised++) {
		start(NULL, 400);
		read_run(9, 9, 1);
		draft_blocks(&draft, 0, 0, 9, 1, true);
		if (advised)
			draft_advise(&draft, ADVICE_DONTNEED, 0, 9 * DRAFT_BLOCK_BYTES,
			    DRAFT_BLOCK_BYTES);
		read_run(10, 10, 1);
		ck_assert_str_eq(planned(), advised ? "" : "10:11-18");
	}
}
END_TEST

/* Ten frames: the set evicts its own last block, and reads it. */
START_TEST(what_a_set_evicts_and_reads_counts_as_the_rest_of_it)
{
	start(NULL, 400);
	cfg.cache_blocks = 10;
	read_run(9, 9, 1);
	read_every(2, 100, 114);
	read_run(0, 1, 1);
	read_run(10, 10, 1);
	ck_assert_str_eq(planned(), "1:2-9 | 10:11-18");
}
END_TEST

START_TEST(a_missing_block_triggers_nothing)
{
	start(NULL, 400);
	cfg.cache_blocks = 10;
	read_run(0, 1, 1); /* 2-9, trigger 5 */
	read_every(2, 100, 120);
	read_run(5, 5, 1);
	ck_assert_str_eq(planned(), "1:2-9");
}
END_TEST

START_TEST(sets_of_no_blocks_are_no_prefetching)
{
	start("m=0", 100);
	read_run(0, 99, 1);
	equals_none();
}
END_TEST

/* ---- the remedy ---- */

/*
 * 18 frames.  At block 5, 6-9 are not used yet and 10-17 come above them; then
 * other blocks come in between, and the oldest are evicted.
 */
static uint64_t
wasted(const char *params, const struct policy *p, uint32_t others)
{
	start(params, 1000);
	cfg.policy.plugin = &p->plugin;
	cfg.cache_blocks = 18;
	read_run(0, 1, 1); /* 2-9 */
	read_every(20, 500, 660);
	read_run(2, 4, 1);
	read_run(5, 5, 1); /* 10-17 */
	read_every(20, 700, 700 + 20 * others);
	planned();
	return stats.prefetch_wasted_blocks;
}

START_TEST(what_is_left_of_a_set_is_as_young_as_the_next_one)
{
	const struct policy *p = _i ? &policy_fifo : &policy_lru;

	ck_assert_uint_eq(wasted("remedy=0", p, 6), 4);
	ck_assert_uint_eq(wasted("remedy=1", p, 6), 0);
	ck_assert_uint_eq(wasted(NULL, p, 6), 0);
	ck_assert_uint_eq(wasted(NULL, p, 7), 1); /* 6, the oldest of the set */
}
END_TEST

START_TEST(what_is_used_already_is_not_made_younger)
{
	start(NULL, 1000);
	cfg.policy.plugin = &policy_fifo.plugin;
	cfg.cache_blocks = 18;
	read_run(0, 1, 1);
	read_run(6, 9, 1); /* used before the trigger */
	read_run(5, 5, 1); /* 10-17 */
	read_run(700, 700, 1);
	read_every(20, 720, 900);
	read_run(9, 9, 1);
	planned();
	ck_assert_uint_eq(stats.misses, 2 + 1 + 9 + 1);
}
END_TEST

START_TEST(the_policy_of_its_name_goes_with_it)
{
	start(NULL, 400);
	cfg.policy.plugin = &policy_sarc.plugin;
	cfg.cache_blocks = 40;
	read_run(0, 399, 1);
	planned();
	counted(2, 398, 398);
}
END_TEST

/* ---- where files end ---- */

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start(NULL, 12);
	read_run(0, 11, 1);
	ck_assert_str_eq(planned(), "1:2-9 | 5:10-11");
	start(NULL, 2);
	read_run(0, 1, 1);
	planned();
	counted(2, 0, 0);
	start(NULL, 1);
	read_run(0, 0, 1);
	equals_none();
}
END_TEST

START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	plan_shorter(&prefetcher_sarc);
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	ck_assert_str_eq(plan_behind_empty(&prefetcher_sarc, 2), "1:2-9");
}
END_TEST

/* Block 0 of a file has no predecessor: that number is the last block of another. */
START_TEST(a_file_does_not_go_on_in_the_next_one)
{
	start(NULL, 10);
	draft_open(&draft, draft_file(&draft, 2, 10), 0);
	read_run(9, 9, 1);
	draft_blocks(&draft, 0, 1, 0, 1, false);
	ck_assert_str_eq(planned(), "");
}
END_TEST

/* ---- streams ---- */

START_TEST(streams_of_two_files_do_not_disturb_each_other)
{
	plan_two_files(&prefetcher_sarc);
	counted(4, 2 * (8 + 8 * 12), 2 * 98);
}
END_TEST

/* Each is found by its own blocks, but a file has one trigger. */
START_TEST(streams_of_one_file_take_the_trigger_from_each_other)
{
	start(NULL, 400);
	for (uint32_t i = 0; i < 20; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 0, 200 + i, 1, false);
	}
	ck_assert_str_eq(planned(),
	    "1:2-9 | 201:202-209 | 205:210-217 | 10:11-18 | 14:19-26 | 218:219-226");
	ck_assert_str_eq(misses.text, "0 200 1 201 10 218");
}
END_TEST

START_TEST(random_backwards_and_strided_reads_are_no_runs)
{
	plan_no_streams(&prefetcher_sarc);
}
END_TEST

/* ---- caches, calls, controllers ---- */

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_sarc, NULL, 1);
	ck_assert_uint_gt(stats.prefetch_dropped_blocks, 0);
}
END_TEST

/* A block that is read for its own call is a miss of it, as any other. */
START_TEST(a_call_of_many_blocks_misses_them_all_and_has_a_set_behind_it)
{
	for (uint32_t n = 1; n <= 30; n++) {
		start(NULL, 100);
		read_run(0, n - 1, n);
		planned();
		counted(n, n > 1 ? 8 : 0, 0);
	}
}
END_TEST

START_TEST(a_plan_that_is_not_carried_out_is_a_miss_later)
{
	start(NULL, 100);
	cut_plans(0);
	read_run(0, 29, 1);
	planned();
	counted(30, 0, 0);
}
END_TEST

START_TEST(writes_are_not_its_business)
{
	plan_writes(&prefetcher_sarc);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("sarc");

	tcase_add_test(tests, a_run_is_found_at_its_second_miss_and_misses_no_more);
	tcase_add_loop_test(tests, the_threshold_is_the_length_of_a_run, 0, 4);
	tcase_add_loop_test(tests, sets_are_as_large_and_triggers_as_early_as_they_are_said_to_be,
	    0, 4);
	tcase_add_test(tests, a_run_is_counted_where_its_blocks_are_cached);
	tcase_add_test(tests, the_count_of_a_cached_block_stays_as_it_is);
	tcase_add_test(tests, a_block_that_a_write_brought_counts_nothing);
	tcase_add_test(tests, a_block_that_was_dropped_is_not_counted_any_more);
	tcase_add_test(tests, what_a_set_evicts_and_reads_counts_as_the_rest_of_it);
	tcase_add_test(tests, a_missing_block_triggers_nothing);
	tcase_add_test(tests, sets_of_no_blocks_are_no_prefetching);
	tcase_add_loop_test(tests, what_is_left_of_a_set_is_as_young_as_the_next_one, 0, 2);
	tcase_add_test(tests, what_is_used_already_is_not_made_younger);
	tcase_add_test(tests, the_policy_of_its_name_goes_with_it);
	tcase_add_test(tests, nothing_is_planned_behind_the_end_of_the_file);
	tcase_add_test(tests, a_file_may_be_shorter_than_what_is_read_of_it);
	tcase_add_test(tests, an_empty_file_is_none_of_its_business);
	tcase_add_test(tests, a_file_does_not_go_on_in_the_next_one);
	tcase_add_test(tests, streams_of_two_files_do_not_disturb_each_other);
	tcase_add_test(tests, streams_of_one_file_take_the_trigger_from_each_other);
	tcase_add_test(tests, random_backwards_and_strided_reads_are_no_runs);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, a_call_of_many_blocks_misses_them_all_and_has_a_set_behind_it);
	tcase_add_test(tests, a_plan_that_is_not_carried_out_is_a_miss_later);
	tcase_add_test(tests, writes_are_not_its_business);
	return run_tests("sarc", tests);
}
