/* check_leap.c - trends and windows of leap, reference by reference. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_leap;

#define SMALL "H=8,split=2,max=8"

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_leap, params, blocks);
}

static void
read_each(const uint32_t *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		read_run(block[i], block[i], 1);
}

/* ---- trends ---- */

/* 100 and 41 do not belong to it. */
START_TEST(strays_do_not_break_a_trend)
{
	static const uint32_t block[] = { 0, 5, 10, 15, 20, 100, 25, 30, 35, 40, 41, 45, 50, 55, 60,
		65, 70, 75, 80, 85, 90 };

	start(SMALL, 200);
	read_each(block, sizeof(block) / sizeof(*block));
	ck_assert_str_eq(planned(),
	    "20:25 | 30:35 | 30:40 | 41:46 | 41:51 | 41:56 | 41:61 | 45:50 | 45:55 | "
	    "60:65 | 60:70 | 60:75 | 60:80 | "
	    "85:90 | 85:95 | 85:100 | 85:105 | 85:110 | 85:115 | 85:120 | 85:125");
	ck_assert_str_eq(misses.text, "0 5 10 15 20 100 30 41 45 60 85");
	ck_assert_int_eq(state[0], 5);
	ck_assert_int_eq(state[1], 8);
}
END_TEST

START_TEST(a_trend_may_lead_backwards)
{
	start(SMALL, 100);
	for (uint32_t i = 0; i < 12; i++)
		read_run(40 - 3 * i, 40 - 3 * i, 1);
	ck_assert_str_eq(planned(), "28:25 | 22:19 | 22:16 | 13:10 | 13:7 | 13:4 | 13:1");
	ck_assert_int_eq(state[0], -3);
}
END_TEST

START_TEST(a_run_is_read_ahead_in_growing_windows)
{
	start(NULL, 100);
	read_run(0, 99, 1);
	ck_assert_str_eq(planned(),
	    "16:17 | 18:19-20 | 21:22-25 | 26:27-34 | 35:36-43 | 44:45-52 | "
	    "53:54-61 | 62:63-70 | 71:72-79 | 80:81-88 | 89:90-97 | 98:99");
}
END_TEST

/* The newest four differences need three alike; else the newest eight need five. */
START_TEST(without_a_majority_there_is_no_trend)
{
	static const uint32_t block[] = { 0, 1, 3, 4, 6, 7, 9, 10, 12 };

	start(SMALL, 100);
	read_each(block, sizeof(block) / sizeof(*block));
	equals_none();
}
END_TEST

START_TEST(the_same_block_again_is_no_difference)
{
	start(SMALL, 100);
	for (uint32_t i = 0; i < 6; i++)
		for (unsigned k = 0; k < 5; k++)
			read_run(i, i, 1);
	ck_assert_str_eq(planned(), "4:5");
}
END_TEST

START_TEST(streams_in_two_files_are_as_alone_and_in_one_file_nothing)
{
	start(SMALL, 200);
	draft_open(&draft, draft_file(&draft, 2, 200), 0);
	for (uint32_t i = 0; i < 50; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 1, 100 + i, 1, false);
	}
	planned();
	ck_assert_uint_eq(stats.misses % 2, 0);
	ck_assert_uint_lt(stats.misses, 30);
	start(SMALL, 1000);
	for (uint32_t i = 0; i < 50; i++) {
		read_run(i, i, 1);
		read_run(500 + i, 500 + i, 1);
	}
	planned();
	ck_assert_uint_eq(stats.misses, 100);
}
END_TEST

/* Each stray reference has a window of its own, in vain; the run goes on along the trend. */
START_TEST(a_disturbed_run_is_covered_in_spite_of_it)
{
	start(NULL, 4000);
	for (uint32_t k = 0; k < 240; k++) {
		read_run(k, k, 1);
		if (k % 6 == 5)
			read_run(1000 + k * 611 % 3000, 1000 + k * 611 % 3000, 1);
	}
	planned();
	ck_assert_int_eq(state[0], 1);
	ck_assert_uint_gt(stats.prefetch_used_blocks, 160);
	ck_assert_uint_lt(stats.misses, 40 + 80);
}
END_TEST

/* ---- limits ---- */

START_TEST(a_file_ends_where_it_ends)
{
	start(SMALL, 6);
	read_run(0, 5, 1);
	ck_assert_str_eq(planned(), "4:5");
	start(SMALL, 1);
	read_run(0, 0, 1);
	equals_none();
	start(SMALL, 0);
	draft_open(&draft, draft_file(&draft, 2, 10), 0);
	draft_blocks(&draft, 0, 1, 0, 1, false);
	equals_none();
}
END_TEST

START_TEST(at_most_no_blocks_are_none)
{
	start("max=0", 100);
	read_run(0, 99, 1);
	equals_none();
}
END_TEST

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_leap, SMALL, 5);
}
END_TEST

START_TEST(one_call_of_many_blocks_reads_what_calls_of_one_do)
{
	for (uint32_t n = 1; n <= 60; n += 7) {
		uint64_t read;

		start(SMALL, 100);
		read_run(0, n - 1, n);
		planned();
		read = stats.read_blocks;
		start(SMALL, 100);
		read_run(0, n - 1, 1);
		planned();
		ck_assert_uint_eq(stats.read_blocks, read);
	}
}
END_TEST

START_TEST(writes_change_nothing)
{
	start(SMALL, 100);
	for (uint32_t i = 0; i < 20; i++)
		draft_blocks(&draft, 0, 0, i, 1, true);
	ck_assert_str_eq(planned(), "");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("leap");

	tcase_add_test(tests, strays_do_not_break_a_trend);
	tcase_add_test(tests, a_trend_may_lead_backwards);
	tcase_add_test(tests, a_run_is_read_ahead_in_growing_windows);
	tcase_add_test(tests, without_a_majority_there_is_no_trend);
	tcase_add_test(tests, the_same_block_again_is_no_difference);
	tcase_add_test(tests, streams_in_two_files_are_as_alone_and_in_one_file_nothing);
	tcase_add_test(tests, a_disturbed_run_is_covered_in_spite_of_it);
	tcase_add_test(tests, a_file_ends_where_it_ends);
	tcase_add_test(tests, at_most_no_blocks_are_none);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, one_call_of_many_blocks_reads_what_calls_of_one_do);
	tcase_add_test(tests, writes_change_nothing);
	return run_tests("leap", tests);
}
