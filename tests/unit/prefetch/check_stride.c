/* check_stride.c - constant distances, reference by reference. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_stride;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_stride, params, blocks);
}

/* A block a call. */
static void
read_each(const uint32_t *block, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		read_run(block[i], block[i], 1);
}

#define READ(...)                                                                                  \
	read_each((const uint32_t[]){ __VA_ARGS__ },                                               \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* ---- the table of states ---- */

START_TEST(a_stride_is_steady_from_its_third_block_on)
{
	start(NULL, 100);
	read_every(7, 0, 100);
	planned();
	ck_assert_str_eq(misses.text, "0 7 14");
	counted(3, 12, 12);
	ck_assert_int_eq(state[0], 7);
	ck_assert_int_eq(state[1], 1);
	ck_assert_uint_eq(own("steady_references"), 13);
	ck_assert_uint_eq(own("broken_strides"), 0);
}
END_TEST

START_TEST(a_jump_out_of_a_steady_run_costs_one_reference)
{
	start("degree=2", 100);
	READ(10, 13, 16, 19, 40, 43, 46, 49);
	ck_assert_str_eq(planned(),
	    "16:19 | 16:22 | 19:22 | 19:25 | 43:46 | 43:49 | 46:49 | 46:52 | 49:52 | 49:55");
	ck_assert_uint_eq(stats.prefetched_blocks, 7);
	ck_assert_str_eq(misses.text, "10 13 16 40 43");
	ck_assert_uint_eq(own("broken_strides"), 1);
}
END_TEST

/* Initial, transient, no prediction: then it takes two equal distances to be transient, a third to be steady. */
START_TEST(who_changes_often_has_to_wait_longer)
{
	start(NULL, 1000);
	READ(10, 20, 50, 55, 60, 65, 70);
	ck_assert_str_eq(planned(), "65:70 | 70:75");
}
END_TEST

/* A steady stride that breaks is kept; one that breaks again is another. */
START_TEST(after_two_jumps_the_stride_is_a_new_one)
{
	start(NULL, 1000);
	READ(10, 12, 14, 100, 200, 202, 204, 206);
	ck_assert_str_eq(planned(), "14:16 | 206:208");
	start(NULL, 1000);
	READ(10, 12, 14, 100, 150, 200, 250);
	ck_assert_str_eq(planned(), "14:16 | 200:250 | 250:300");
}
END_TEST

START_TEST(the_same_block_again_changes_nothing)
{
	start(NULL, 100);
	READ(0, 0, 3, 3, 3, 6, 6, 9);
	ck_assert_str_eq(planned(), "6:9 | 9:12");
}
END_TEST

START_TEST(runs_are_strides_of_one)
{
	start("degree=3", 100);
	read_run(0, 5, 1);
	ck_assert_str_eq(planned(),
	    "2:3 | 2:4 | 2:5 | 3:4 | 3:5 | 3:6 | 4:5 | 4:6 | 4:7 | 5:6 | 5:7 | 5:8");
	start(NULL, 100);
	read_run(0, 99, 1);
	planned();
	counted(3, 97, 97);
}
END_TEST

/* Block 5 takes the frame of block 6, which is then read again. */
START_TEST(a_plan_may_evict_what_it_names)
{
	start("degree=2", 100);
	cfg.cache_blocks = 5;
	READ(6, 1, 2, 3, 4, 6);
	planned();
	ck_assert_str_eq(misses.text, "6 1 2 3 4");
	counted(5, 2, 1);
}
END_TEST

START_TEST(strides_may_lead_backwards)
{
	start("degree=2", 100);
	READ(20, 15, 10, 5, 0);
	ck_assert_str_eq(planned(), "10:5 | 10:0 | 5:0");
	ck_assert_int_eq(state[0], -5);
	counted(3, 2, 2);
}
END_TEST

START_TEST(long_strides_are_not_followed)
{
	start("max_stride=9", 100);
	READ(0, 10, 20, 30, 40);
	equals_none();
	start("max_stride=10", 100);
	READ(0, 10, 20);
	ck_assert_str_eq(planned(), "20:30");
	start("max_stride=9", 100);
	READ(40, 30, 20, 10, 0);
	equals_none();
	start(NULL, 5000);
	READ(0, 1024, 2048);
	ck_assert_str_eq(planned(), "2048:3072");
	start(NULL, 5000);
	READ(0, 1025, 2050);
	equals_none();
}
END_TEST

START_TEST(no_block_ahead_is_no_prefetching)
{
	start("degree=0", 100);
	read_run(0, 99, 1);
	planned();
	counted(100, 0, 0);
	ck_assert_str_eq(sets.text, "");
}
END_TEST

/* ---- where files end ---- */

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start("degree=16", 12);
	READ(0, 3, 6, 9);
	ck_assert_str_eq(planned(), "6:9");
	start(NULL, 1);
	READ(0, 0);
	equals_none();
}
END_TEST

/* The file ends where the call does, whatever its size was said to be. */
START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	start(NULL, 10);
	READ(2, 3, 4, 5);
	for (unsigned i = 0; i < 4; i++)
		draft.access[i].file_size = 0;
	planned();
	counted(4, 0, 0);
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	ck_assert_str_eq(plan_behind_empty(&prefetcher_stride, 3), "2:3");
}
END_TEST

/* ---- streams ---- */

START_TEST(streams_of_two_files_do_not_disturb_each_other)
{
	start(NULL, 400);
	draft_open(&draft, draft_file(&draft, 2, 400), 0);
	for (uint32_t i = 0; i < 100; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 1, 300 - 3 * i, 1, false);
	}
	planned();
	ck_assert_uint_eq(stats.misses, 6);
}
END_TEST

START_TEST(streams_of_one_file_hide_each_other)
{
	start(NULL, 400);
	for (uint32_t i = 0; i < 100; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 0, 200 + i, 1, false);
	}
	equals_none();
}
END_TEST

START_TEST(random_reads_are_no_stride)
{
	start(NULL, 1000);
	for (uint32_t i = 0; i < 90; i++)
		read_run(i * i * 17 % 1000, i * i * 17 % 1000, 1);
	planned();
	ck_assert_uint_le(stats.prefetched_blocks, 1);
}
END_TEST

/* ---- caches, calls, controllers ---- */

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_stride, "degree=8", 1);
	ck_assert_uint_gt(stats.prefetch_dropped_blocks, 0);
}
END_TEST

START_TEST(one_call_of_many_blocks_reads_what_calls_of_one_do)
{
	uint64_t read;

	for (uint32_t n = 1; n <= 12; n++) {
		start("degree=4", 100);
		read_run(0, n - 1, n);
		planned();
		read = stats.read_blocks;
		start("degree=4", 100);
		read_run(0, n - 1, 1);
		planned();
		ck_assert_uint_eq(stats.read_blocks, read);
	}
}
END_TEST

START_TEST(a_plan_that_is_not_carried_out_is_made_again)
{
	start(NULL, 100);
	cut_plans(0);
	read_run(0, 9, 1);
	planned();
	counted(10, 0, 0);
}
END_TEST

START_TEST(writes_are_not_its_business)
{
	plan_writes(&prefetcher_stride);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("stride");

	tcase_add_test(tests, a_stride_is_steady_from_its_third_block_on);
	tcase_add_test(tests, a_jump_out_of_a_steady_run_costs_one_reference);
	tcase_add_test(tests, who_changes_often_has_to_wait_longer);
	tcase_add_test(tests, after_two_jumps_the_stride_is_a_new_one);
	tcase_add_test(tests, the_same_block_again_changes_nothing);
	tcase_add_test(tests, runs_are_strides_of_one);
	tcase_add_test(tests, a_plan_may_evict_what_it_names);
	tcase_add_test(tests, strides_may_lead_backwards);
	tcase_add_test(tests, long_strides_are_not_followed);
	tcase_add_test(tests, no_block_ahead_is_no_prefetching);
	tcase_add_test(tests, nothing_is_planned_behind_the_end_of_the_file);
	tcase_add_test(tests, a_file_may_be_shorter_than_what_is_read_of_it);
	tcase_add_test(tests, an_empty_file_is_none_of_its_business);
	tcase_add_test(tests, streams_of_two_files_do_not_disturb_each_other);
	tcase_add_test(tests, streams_of_one_file_hide_each_other);
	tcase_add_test(tests, random_reads_are_no_stride);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, one_call_of_many_blocks_reads_what_calls_of_one_do);
	tcase_add_test(tests, a_plan_that_is_not_carried_out_is_made_again);
	tcase_add_test(tests, writes_are_not_its_business);
	return run_tests("stride", tests);
}
