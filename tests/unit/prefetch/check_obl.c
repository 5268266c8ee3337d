/* check_obl.c - one block lookahead, reference by reference. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_obl;

enum mode { ALWAYS, MISS, TAGGED, MODES };

static const char *const mode[MODES] = { "mode=always", "mode=miss", NULL };

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_obl, params, blocks);
}

START_TEST(a_run_is_read_ahead_after_one_miss_or_every_second_block)
{
	static const uint64_t missed[MODES] = { 1, 50, 1 };

	start(mode[_i], 100);
	read_run(0, 99, 1);
	planned();
	counted(missed[_i], 100 - missed[_i], 100 - missed[_i]);
}
END_TEST

START_TEST(only_what_is_not_cached_is_planned)
{
	static const char *const expected[MODES] = { "0:1 | 1:2 | 2:3 | 3:4", "0:1 | 2:3",
		"0:1 | 1:2 | 2:3 | 3:4" };

	start(mode[_i], 100);
	read_run(0, 3, 1);
	read_run(0, 3, 1);
	ck_assert_str_eq(planned(), expected[_i]);
}
END_TEST

START_TEST(only_always_looks_ahead_at_a_block_used_before)
{
	start(mode[_i], 100);
	cfg.cache_blocks = 3;
	read_run(0, 0, 1);
	read_run(0, 0, 1);
	read_run(5, 5, 1); /* 6 takes the place of 1 */
	read_run(0, 0, 1);
	ck_assert_str_eq(planned(), _i == ALWAYS ? "0:1 | 5:6 | 0:1" : "0:1 | 5:6");
}
END_TEST

START_TEST(random_reads_cost_a_block_a_miss)
{
	start(NULL, 1000);
	for (uint32_t i = 0; i < 90; i++)
		read_run(i * 611 % 1000 / 2 * 2, i * 611 % 1000 / 2 * 2, 1);
	planned();
	ck_assert_uint_eq(stats.prefetched_blocks, stats.misses);
	ck_assert_uint_eq(stats.prefetch_used_blocks, 0);
}
END_TEST

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start(mode[_i], 10);
	read_run(8, 9, 1);
	ck_assert_str_eq(planned(), "8:9");
	start(mode[_i], 1);
	read_run(0, 0, 1);
	equals_none();
}
END_TEST

/* The file ends where the call does, whatever its size was said to be. */
START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	start(mode[_i], 10);
	read_run(4, 4, 1);
	draft.access[0].file_size = 0;
	equals_none();
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	start(mode[_i], 0);
	draft_open(&draft, draft_file(&draft, 2, 10), 0);
	draft_blocks(&draft, 0, 1, 0, 1, false);
	ck_assert_str_eq(planned(), "0:1");
}
END_TEST

START_TEST(streams_do_not_disturb_each_other_in_two_files_or_one)
{
	for (uint32_t files = 1; files <= 2; files++) {
		start(mode[_i], 200);
		draft_open(&draft, files == 2 ? draft_file(&draft, 2, 200) : 0, 0);
		for (uint32_t i = 0; i < 50; i++) {
			draft_blocks(&draft, 0, 0, i, 1, false);
			draft_blocks(&draft, 0, 1, 100 + i, 1, false);
		}
		planned();
		ck_assert_uint_eq(stats.misses, _i == MISS ? 50 : 2);
		ck_assert_uint_eq(stats.prefetched_blocks, _i == MISS ? 50 : 100);
	}
}
END_TEST

START_TEST(backwards_and_strided_runs_use_nothing)
{
	start(NULL, 100);
	for (uint32_t i = 50; i > 40; i--)
		read_run(i, i, 1);
	ck_assert_str_eq(planned(), "50:51");
	start(NULL, 100);
	read_every(3, 0, 9);
	ck_assert_str_eq(planned(), "0:1 | 3:4 | 6:7");
	counted(3, 3, 0);
}
END_TEST

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_obl, mode[_i], 5);
}
END_TEST

/* What a call needs itself counts as a miss, but it is the same blocks that are read. */
START_TEST(one_call_of_many_blocks_reads_what_calls_of_one_do)
{
	uint64_t read;

	for (uint32_t n = 1; n <= 12; n++) {
		start(mode[_i], 100);
		read_run(0, n - 1, n);
		planned();
		read = stats.read_blocks;
		start(mode[_i], 100);
		read_run(0, n - 1, 1);
		planned();
		ck_assert_uint_eq(stats.read_blocks, read);
	}
}
END_TEST

START_TEST(a_late_block_is_a_first_use_too)
{
	start(NULL, 100);
	cfg.device.plugin = &device_fixed.plugin;
	read_run(0, 2, 1);
	ck_assert_str_eq(planned(), "0:1 | 1:2 | 2:3");
	ck_assert_uint_eq(stats.misses, 1);
}
END_TEST

START_TEST(a_plan_that_is_not_carried_out_is_forgotten)
{
	start(mode[_i], 100);
	cut_plans(0);
	read_run(0, 3, 1);
	equals_none();
	ck_assert_uint_eq(stats.misses, 4);
}
END_TEST

START_TEST(writes_do_not_look_ahead)
{
	start(mode[_i], 100);
	draft_blocks(&draft, 0, 0, 0, 3, true);
	ck_assert_str_eq(planned(), "");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("obl");

	tcase_add_loop_test(tests, a_run_is_read_ahead_after_one_miss_or_every_second_block, 0,
	    MODES);
	tcase_add_loop_test(tests, only_what_is_not_cached_is_planned, 0, MODES);
	tcase_add_loop_test(tests, only_always_looks_ahead_at_a_block_used_before, 0, MODES);
	tcase_add_test(tests, random_reads_cost_a_block_a_miss);
	tcase_add_loop_test(tests, nothing_is_planned_behind_the_end_of_the_file, 0, MODES);
	tcase_add_loop_test(tests, a_file_may_be_shorter_than_what_is_read_of_it, 0, MODES);
	tcase_add_loop_test(tests, an_empty_file_is_none_of_its_business, 0, MODES);
	tcase_add_loop_test(tests, streams_do_not_disturb_each_other_in_two_files_or_one, 0, MODES);
	tcase_add_test(tests, backwards_and_strided_runs_use_nothing);
	tcase_add_loop_test(tests, four_frames_are_enough, 0, MODES);
	tcase_add_loop_test(tests, one_call_of_many_blocks_reads_what_calls_of_one_do, 0, MODES);
	tcase_add_test(tests, a_late_block_is_a_first_use_too);
	tcase_add_loop_test(tests, a_plan_that_is_not_carried_out_is_forgotten, 0, MODES);
	tcase_add_loop_test(tests, writes_do_not_look_ahead, 0, MODES);
	return run_tests("obl", tests);
}
