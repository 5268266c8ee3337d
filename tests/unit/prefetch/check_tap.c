/* check_tap.c - streams found in a table of addresses, and how much may be unused. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_tap, prefetcher_obl;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_tap, params, blocks);
}

/* A block of a stream, then nine others: none is read twice, and none lies beside another. */
static uint32_t
mixed_block(uint32_t i)
{
	return i % 10 ? 1000 + (i - i / 10) * 617 % 1800 * 50 : i / 10;
}

static void
mixed(const struct prefetcher *p, uint32_t frames)
{
	static struct access many[2000];
	struct error	     e;

	plan_with(p, NULL, 100000);
	cfg.cache_blocks = frames;
	for (uint32_t i = 0; i < 2000; i++) {
		draft.trace.naccess = 0;
		many[i] = *draft_blocks(&draft, 0, 0, mixed_block(i), 1, false);
	}
	draft.trace.access = many;
	draft.trace.naccess = 2000;
	ck_assert_msg(!simulate(&cfg, &draft.trace, &stats, &e), "%s", e.text);
}

/* ---- the table ---- */

START_TEST(a_stream_is_found_at_its_second_miss_and_misses_no_more)
{
	start(NULL, 100);
	read_run(0, 12, 1);
	ck_assert_str_eq(planned(), "1:2-5 | 5:6-9 | 9:10-13");
	ck_assert_str_eq(misses.text, "0 1");
	start(NULL, 202);
	read_run(0, 199, 1);
	planned();
	counted(2, 200, 198);
	ck_assert_uint_eq(own("streams"), 1);
	ck_assert_uint_eq(own("triggered_sets"), 49);
}
END_TEST

START_TEST(two_streams_of_one_file_miss_twice_each)
{
	start(NULL, 6000);
	for (uint32_t i = 0; i < 200; i++) {
		read_run(i, i, 1);
		read_run(5000 + i, 5000 + i, 1);
	}
	planned();
	ck_assert_str_eq(misses.text, "0 5000 1 5001");
	ck_assert_uint_eq(own("streams"), 2);
}
END_TEST

START_TEST(a_stream_is_found_among_nine_times_as_many_random_reads)
{
	mixed(&prefetcher_tap, 64);
	counted(1802, 200, 198);
	mixed(&prefetcher_obl, 64);
	ck_assert_uint_eq(stats.prefetched_blocks, 2000);
	ck_assert_uint_eq(stats.prefetch_used_blocks, 199);
}
END_TEST

START_TEST(a_stream_is_found_where_the_cache_is_too_small_for_one_block_ahead)
{
	mixed(&prefetcher_tap, 16);
	ck_assert_uint_eq(stats.prefetch_used_blocks, 98);
	mixed(&prefetcher_obl, 16);
	ck_assert_uint_eq(stats.prefetch_used_blocks, 0);
}
END_TEST

START_TEST(what_is_not_used_yet_may_be_limited)
{
	start("limit=adapt", 6000);
	read_run(0, 1, 1);     /* 2-5 */
	read_run(100, 101, 1); /* no room */
	read_run(2, 4, 1);
	read_run(200, 201, 1); /* 202-204: of four, 5 is left */
	ck_assert_str_eq(planned(), "1:2-5 | 201:202-204");
	ck_assert_uint_eq(own("cut_blocks"), 4 + 1);
	ck_assert_int_eq(state[1], 4);
	start("limit=adapt", 6000);
	cfg.cache_blocks = 8;
	read_run(0, 1, 1); /* 2-5 */
	read_every(2, 100, 116);
	planned();
	ck_assert_uint_eq(stats.prefetch_wasted_blocks, 4);
	ck_assert_int_eq(state[0], 0);
	ck_assert_int_eq(state[1], 4 + 4 * 4);
	read_run(500, 501, 1); /* 502-505 */
	read_run(502, 505, 1);
	for (uint32_t i = 506; i < 540; i++)
		read_run(i, i, 1);
	planned();
	ck_assert_int_eq(state[1], 4 + 4 * 4 - 1);
}
END_TEST

START_TEST(the_table_forgets_the_oldest_address)
{
	start("entries=3", 1000);
	read_run(10, 10, 1);
	read_run(100, 100, 1);
	read_run(200, 200, 1);
	read_run(11, 11, 1); /* found, and leaves the table */
	ck_assert_str_eq(planned(), "11:12-15");
	start("entries=3", 1000);
	read_run(10, 10, 1);
	read_every(100, 100, 400);
	read_run(11, 11, 1);
	read_run(101, 101, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

/* Block 10 is missed twice: its successor is the newest address then. */
START_TEST(an_address_that_comes_again_is_the_newest)
{
	start("entries=3", 1000);
	cfg.cache_blocks = 1;
	read_run(10, 10, 1);
	read_run(100, 100, 1);
	read_run(10, 10, 1);
	read_run(200, 200, 1);
	read_run(300, 300, 1); /* 101 leaves the table */
	read_run(11, 11, 1);
	ck_assert_str_eq(planned(), "11:12-15");
}
END_TEST

START_TEST(detection_needs_no_block_in_the_cache)
{
	start(NULL, 1000);
	cfg.cache_blocks = 1;
	read_run(10, 10, 1);
	read_run(500, 500, 1);
	read_run(11, 11, 1);
	ck_assert_str_eq(planned(), "11:12-15");
}
END_TEST

START_TEST(without_blocks_or_entries_nothing_is_read_ahead)
{
	static const char *const params[] = { "p=0", "entries=0" };

	start(params[_i], 100);
	read_run(0, 49, 1);
	read_run(50, 99, 5);
	equals_none();
}
END_TEST

/* ---- where files end ---- */

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start(NULL, 8);
	read_run(0, 7, 1);
	ck_assert_str_eq(planned(), "1:2-5 | 5:6-7");
	start(NULL, 2);
	read_run(0, 1, 1);
	equals_none();
	start(NULL, 1);
	read_run(0, 0, 1);
	equals_none();
}
END_TEST

START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	plan_shorter(&prefetcher_tap);
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	ck_assert_str_eq(plan_behind_empty(&prefetcher_tap, 2), "1:2-5");
}
END_TEST

/* The block behind the last one of a file is the first of another. */
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
	plan_two_files(&prefetcher_tap);
	counted(4, 2 * 100, 2 * 98);
}
END_TEST

START_TEST(random_backwards_and_strided_reads_are_no_streams)
{
	plan_no_streams(&prefetcher_tap);
}
END_TEST

/* ---- caches, calls, controllers ---- */

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_tap, "p=8", 1);
	ck_assert_uint_gt(stats.prefetch_dropped_blocks, 0);
}
END_TEST

/* A block that is read for its own call is a miss of it, as any other. */
START_TEST(a_call_of_many_blocks_misses_them_all_and_has_at_most_a_set_behind_it)
{
	for (uint32_t n = 2; n <= 30; n++) {
		start(NULL, 100);
		read_run(0, n - 1, n);
		planned();
		ck_assert_uint_eq(stats.misses, n);
		REQUIRE(stats.prefetched_blocks > 0 && stats.prefetched_blocks <= 4,
		    "%u blocks: %u", n, (unsigned)stats.prefetched_blocks);
	}
}
END_TEST

/* What a controller takes out of a plan is not unused for ever. */
START_TEST(whose_plans_are_never_carried_out_goes_on_to_plan)
{
	start(NULL, 400);
	cut_plans(0);
	read_run(0, 299, 1);
	planned();
	counted(300, 0, 0);
	ck_assert_int_le(state[0], 4); /* of the last plan */
	ck_assert_uint_gt(own("streams") + own("triggered_sets"), 70);
	ck_assert_uint_eq(own("cut_blocks"), 0);
}
END_TEST

START_TEST(writes_are_not_its_business)
{
	plan_writes(&prefetcher_tap);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("tap");

	tcase_add_test(tests, a_stream_is_found_at_its_second_miss_and_misses_no_more);
	tcase_add_test(tests, two_streams_of_one_file_miss_twice_each);
	tcase_add_test(tests, a_stream_is_found_among_nine_times_as_many_random_reads);
	tcase_add_test(tests, a_stream_is_found_where_the_cache_is_too_small_for_one_block_ahead);
	tcase_add_test(tests, what_is_not_used_yet_may_be_limited);
	tcase_add_test(tests, the_table_forgets_the_oldest_address);
	tcase_add_test(tests, an_address_that_comes_again_is_the_newest);
	tcase_add_test(tests, detection_needs_no_block_in_the_cache);
	tcase_add_loop_test(tests, without_blocks_or_entries_nothing_is_read_ahead, 0, 2);
	tcase_add_test(tests, nothing_is_planned_behind_the_end_of_the_file);
	tcase_add_test(tests, a_file_may_be_shorter_than_what_is_read_of_it);
	tcase_add_test(tests, an_empty_file_is_none_of_its_business);
	tcase_add_test(tests, a_file_does_not_go_on_in_the_next_one);
	tcase_add_test(tests, streams_of_two_files_do_not_disturb_each_other);
	tcase_add_test(tests, random_backwards_and_strided_reads_are_no_streams);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests,
	    a_call_of_many_blocks_misses_them_all_and_has_at_most_a_set_behind_it);
	tcase_add_test(tests, whose_plans_are_never_carried_out_goes_on_to_plan);
	tcase_add_test(tests, writes_are_not_its_business);
	return run_tests("tap", tests);
}
