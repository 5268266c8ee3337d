/* check_window.c - sets of a fixed size, set by set. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_window, prefetcher_obl;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_window, params, blocks);
}

/* ---- sets ---- */

START_TEST(without_a_trigger_each_set_is_followed_by_a_miss)
{
	start("trigger=off", 100);
	read_run(0, 99, 1);
	planned();
	ck_assert_str_eq(misses.text, "0 9 18 27 36 45 54 63 72 81 90 99");
	counted(12, 88, 88);
	ck_assert_uint_eq(own("missed_sets"), 11); /* behind block 99 there is none */
	ck_assert_uint_eq(own("triggered_sets"), 0);
}
END_TEST

START_TEST(with_a_trigger_a_run_misses_once)
{
	start(NULL, 100);
	read_run(0, 19, 1);
	ck_assert_str_eq(planned(), "0:1-8 | 4:9-16 | 12:17-24");
	ck_assert_str_eq(misses.text, "0");
	start(NULL, 100);
	read_run(0, 99, 1);
	planned();
	counted(1, 99, 99);
	ck_assert_uint_eq(own("missed_sets"), 1);
	ck_assert_uint_eq(own("triggered_sets"), 12);
}
END_TEST

START_TEST(the_trigger_is_at_half_of_the_set_or_where_it_is_said_to_be_in_the_set)
{
	static const char *const params[] = { "degree=4", "degree=4,trigger=0",
		"degree=4,trigger=3", "degree=4,trigger=100", "degree=1" };
	static const char *const expected[] = { "0:1-4 | 2:5-8 | 6:9-12", "0:1-4 | 4:5-8",
		"0:1-4 | 1:5-8 | 5:9-12", "0:1-4 | 1:5-8 | 5:9-12",
		"0:1 | 1:2 | 2:3 | 3:4 | 4:5 | 5:6 | 6:7" };

	start(params[_i], 100);
	read_run(0, 6, 1);
	ck_assert_str_eq(planned(), expected[_i]);
}
END_TEST

START_TEST(sets_of_one_block_are_tagged_lookahead)
{
	char one[sizeof(sets.text)];

	start("degree=1", 100);
	read_run(0, 99, 1);
	strcpy(one, planned());
	plan_with(&prefetcher_obl, NULL, 100);
	read_run(0, 99, 1);
	ck_assert_str_eq(planned(), one);
}
END_TEST

START_TEST(a_set_may_have_to_wait_for_a_run)
{
	start("run=3", 100);
	read_run(10, 10, 1);
	read_run(20, 22, 1);
	read_run(22, 22, 1);
	read_run(40, 41, 1);
	read_run(41, 42, 1); /* the same block again is no end of the run */
	ck_assert_str_eq(planned(), "22:23-30 | 42:43-50");
	ck_assert_int_eq(state[2], 3);
}
END_TEST

START_TEST(a_block_read_again_and_again_is_a_trigger_once)
{
	start(NULL, 100);
	read_run(0, 4, 1);
	read_run(4, 4, 1);
	read_run(4, 4, 1);
	ck_assert_str_eq(planned(), "0:1-8 | 4:9-16");
	ck_assert_int_eq(state[0], 16);
	ck_assert_int_eq(state[1], 12);
}
END_TEST

START_TEST(sets_of_no_blocks_are_no_prefetching)
{
	start("degree=0", 100);
	read_run(0, 99, 1);
	equals_none();
	start("degree=0,trigger=2,run=2", 100);
	read_run(0, 99, 4);
	equals_none();
}
END_TEST

/* ---- where files end ---- */

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start(NULL, 12);
	read_run(0, 11, 1);
	ck_assert_str_eq(planned(), "0:1-8 | 4:9-11");
	ck_assert_int_eq(state[0], 11);
	ck_assert_int_eq(state[1], -1);
	start(NULL, 1);
	read_run(0, 0, 1);
	equals_none();
}
END_TEST

START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	plan_shorter(&prefetcher_window);
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	ck_assert_str_eq(plan_behind_empty(&prefetcher_window, 1), "0:1-8");
}
END_TEST

START_TEST(a_file_that_grows_goes_on_with_a_miss)
{
	start(NULL, 100);
	read_run(0, 8, 1);
	for (uint32_t i = 0; i < draft.trace.naccess; i++)
		draft.access[i].file_size = 9 * (uint64_t)DRAFT_BLOCK_BYTES;
	read_run(9, 9, 1);
	ck_assert_str_eq(planned(), "0:1-8 | 9:10-17");
}
END_TEST

/* ---- streams ---- */

START_TEST(streams_of_two_files_do_not_disturb_each_other)
{
	plan_two_files(&prefetcher_window);
	counted(2, 2 * (8 + 8 * 12), 2 * 99);
}
END_TEST

/* A file has one trigger: a miss of the one stream takes it from the other. */
START_TEST(streams_of_one_file_take_the_trigger_from_each_other)
{
	start(NULL, 400);
	for (uint32_t i = 0; i < 24; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 0, 200 + i, 1, false);
	}
	ck_assert_str_eq(planned(),
	    "0:1-8 | 200:201-208 | 204:209-216 | 9:10-17 | 13:18-25 | 217:218-225 | 221:226-233");
	ck_assert_str_eq(misses.text, "0 200 9 217");
}
END_TEST

START_TEST(backwards_strided_and_random_runs_use_little_or_nothing)
{
	start(NULL, 1000);
	for (uint32_t i = 50; i > 40; i--)
		read_run(i, i, 1);
	planned();
	counted(10, 8, 0); /* 51-58: what is behind the others is there already */
	start(NULL, 1000);
	read_every(3, 0, 100);
	planned();
	ck_assert_uint_eq(stats.misses, 12);
	start(NULL, 1000);
	for (uint32_t i = 0; i < 50; i++)
		read_run(i * 611 % 1000 / 20 * 20, i * 611 % 1000 / 20 * 20, 1);
	planned();
	ck_assert_uint_eq(stats.prefetch_used_blocks, 0);
	ck_assert_uint_eq(stats.prefetched_blocks, 8 * stats.misses);
}
END_TEST

/* ---- caches, calls, controllers ---- */

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_window, NULL, 1);
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
		counted(n, 8, 0);
		ck_assert_int_eq(state[0], n + 7);
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
	start(NULL, 100);
	cut_plans(3);
	read_run(0, 11, 1);
	ck_assert_str_eq(planned(), "0:1-3 | 4:5-7 | 8:9-11");
}
END_TEST

START_TEST(writes_are_not_its_business)
{
	plan_writes(&prefetcher_window);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("window");

	tcase_add_test(tests, without_a_trigger_each_set_is_followed_by_a_miss);
	tcase_add_test(tests, with_a_trigger_a_run_misses_once);
	tcase_add_loop_test(tests,
	    the_trigger_is_at_half_of_the_set_or_where_it_is_said_to_be_in_the_set, 0, 5);
	tcase_add_test(tests, sets_of_one_block_are_tagged_lookahead);
	tcase_add_test(tests, a_set_may_have_to_wait_for_a_run);
	tcase_add_test(tests, a_block_read_again_and_again_is_a_trigger_once);
	tcase_add_test(tests, sets_of_no_blocks_are_no_prefetching);
	tcase_add_test(tests, nothing_is_planned_behind_the_end_of_the_file);
	tcase_add_test(tests, a_file_may_be_shorter_than_what_is_read_of_it);
	tcase_add_test(tests, an_empty_file_is_none_of_its_business);
	tcase_add_test(tests, a_file_that_grows_goes_on_with_a_miss);
	tcase_add_test(tests, streams_of_two_files_do_not_disturb_each_other);
	tcase_add_test(tests, streams_of_one_file_take_the_trigger_from_each_other);
	tcase_add_test(tests, backwards_strided_and_random_runs_use_little_or_nothing);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, a_call_of_many_blocks_misses_them_all_and_has_a_set_behind_it);
	tcase_add_test(tests, a_plan_that_is_not_carried_out_is_a_miss_later);
	tcase_add_test(tests, writes_are_not_its_business);
	return run_tests("window", tests);
}
