/* check_amp.c - sets that adapt to their stream, set by set. */
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_amp;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_amp, params, blocks);
}

/* How large sets are at the end, and how early they are asked for. */
static void
adapted_to(int64_t degree, int64_t distance)
{
	ck_assert_int_eq(state[0], degree);
	ck_assert_int_eq(state[1], distance);
}

/* ---- sets ---- */

START_TEST(sets_grow_by_a_block_and_soon_precede_their_reader)
{
	start(NULL, 400);
	read_run(0, 32, 1);
	ck_assert_str_eq(planned(),
	    "1:2 | 3:4-5 | 6:7-9 | 10:11-14 | 15:16-20 | 18:21-25 | 23:26-31 | 29:32-38");
	ck_assert_str_eq(misses.text, "0 1 3 6 10 15");
	adapted_to(8, 2);
	start(NULL, 400);
	read_run(0, 299, 1);
	planned();
	ck_assert_str_eq(misses.text, "0 1 3 6 10 15");
	ck_assert_uint_eq(stats.misses + stats.prefetch_used_blocks, 300);
}
END_TEST

START_TEST(sets_are_as_large_as_calls_at_first_and_grow_by_as_much)
{
	start(NULL, 400);
	read_run(0, 31, 4);
	ck_assert_str_eq(planned(), "7:8-11 | 15:16-23 | 23:24-31 | 31:32-43");
	ck_assert_str_eq(misses.text, "0 1 2 3 4 5 6 7 12 13 14 15");
}
END_TEST

START_TEST(a_call_that_ends_one_set_and_misses_lets_the_next_ones_grow)
{
	start("apt=100", 400);
	read_run(0, 1, 2);
	read_run(2, 3, 2); /* 4-5 */
	read_run(4, 4, 1);
	read_run(5, 7, 3); /* 5 is the last of its set, 6 and 7 are missing */
	ck_assert_str_eq(planned(), "3:4-5 | 7:8-9");
	adapted_to(2 + 3, 0);
}
END_TEST

START_TEST(without_a_threshold_every_set_is_synchronous)
{
	start("apt=1000", 400);
	read_run(0, 27, 1);
	planned();
	ck_assert_str_eq(misses.text, "0 1 3 6 10 15 21");
}
END_TEST

START_TEST(no_set_is_larger_than_pmax)
{
	start("pmax=3", 400);
	read_run(0, 15, 1);
	ck_assert_str_eq(planned(), "1:2 | 3:4-5 | 6:7-9 | 10:11-13 | 14:15-17");
	start("pmax=3", 400);
	read_run(0, 15, 8);
	ck_assert_str_eq(planned(), "15:16-18");
}
END_TEST

START_TEST(sets_of_no_blocks_are_no_prefetching)
{
	start("pmax=0", 400);
	read_run(0, 99, 1);
	read_run(100, 299, 4);
	equals_none();
}
END_TEST

/* ---- where files end ---- */

START_TEST(nothing_is_planned_behind_the_end_of_the_file)
{
	start(NULL, 30);
	read_run(0, 29, 1);
	ck_assert_str_eq(planned(),
	    "1:2 | 3:4-5 | 6:7-9 | 10:11-14 | 15:16-20 | 18:21-25 | 23:26-29");
	start(NULL, 1);
	read_run(0, 0, 1);
	equals_none();
}
END_TEST

START_TEST(a_file_may_be_shorter_than_what_is_read_of_it)
{
	plan_shorter(&prefetcher_amp);
}
END_TEST

START_TEST(an_empty_file_is_none_of_its_business)
{
	ck_assert_str_eq(plan_behind_empty(&prefetcher_amp, 2), "1:2");
}
END_TEST

START_TEST(a_file_that_grows_goes_on_from_its_last_set)
{
	start(NULL, 100);
	read_run(0, 8, 1);
	for (uint32_t i = 0; i < draft.trace.naccess; i++)
		draft.access[i].file_size = 9 * (uint64_t)DRAFT_BLOCK_BYTES;
	read_run(9, 9, 1);
	ck_assert_str_eq(planned(), "1:2 | 3:4-5 | 6:7-8 | 9:10-13");
}
END_TEST

/* ---- streams ---- */

START_TEST(streams_do_not_disturb_each_other_in_two_files_or_one)
{
	for (uint32_t files = 1; files <= 2; files++) {
		start(NULL, 400);
		draft_open(&draft, files == 2 ? draft_file(&draft, 2, 400) : 0, 0);
		for (uint32_t i = 0; i < 24; i++) {
			draft_blocks(&draft, 0, 0, i, 1, false);
			draft_blocks(&draft, 0, 1, 200 + i, 1, false);
		}
		ck_assert_str_eq(planned(),
		    "1:2 | 201:202 | 3:4-5 | 203:204-205 | 6:7-9 | 206:207-209 | 10:11-14 | 210:211-214 | "
		    "15:16-20 | 215:216-220 | 18:21-25 | 218:221-225 | 23:26-31 | 223:226-231");
	}
}
END_TEST

START_TEST(random_backwards_and_strided_reads_are_no_streams)
{
	plan_no_streams(&prefetcher_amp);
}
END_TEST

/* ---- what became of sets ---- */

/* A set takes 10.6 ms and more, a block is used in 3 ms: asked for four before the end it is there.
 */
START_TEST(who_waits_for_the_first_block_of_a_set_gets_the_next_ones_earlier)
{
	start(NULL, 400);
	cfg.device.plugin = &device_fixed.plugin;
	cfg.device.params = "latency=10ms,rate=40960000";
	for (uint32_t i = 0; i < 61; i++)
		draft_blocks(&draft, 3000 * i, 0, i, 1, false);
	planned();
	ck_assert_str_eq(misses.text, "0 1 3 6 10 15");
	ck_assert_uint_eq(stats.prefetch_late_blocks, 2); /* 21 and 26 */
	adapted_to(11, 4);
}
END_TEST

START_TEST(a_set_is_not_asked_for_before_the_one_it_follows)
{
	start("pmax=5", 400);
	cfg.device.plugin = &device_fixed.plugin;
	read_run(0, 99, 1);
	planned();
	adapted_to(5, 4);
}
END_TEST

START_TEST(only_the_first_block_of_a_set_says_that_it_came_late)
{
	start(NULL, 400);
	cfg.device.plugin = &device_fixed.plugin;
	cfg.complete = COMPLETE_BUFFER;
	read_run(0, 11, 4);
	ck_assert_str_eq(planned(), "7:8-11");
	ck_assert_uint_eq(stats.prefetch_late_blocks, 4);
	adapted_to(8, 1);
}
END_TEST

START_TEST(what_is_evicted_unread_makes_sets_smaller)
{
	static const char *const next[] = { "16-21", "16-20", "16-19", "16-18" };
	char			 expected[128];

	for (uint32_t unread = 0; unread < 4; unread++) {
		start(NULL, 400);
		cfg.cache_blocks = 8;
		read_run(0, 10, 1); /* 11-14 */
		if (unread < 3)
			read_run(11, 13 - unread, 1);
		read_run(14, 14, 1);	 /* the degree is 5 */
		read_every(2, 100, 114); /* 14 remains, and nothing else */
		read_run(14, 15, 1);	 /* the degree is one more, then used */
		snprintf(expected, sizeof(expected), "1:2 | 3:4-5 | 6:7-9 | 10:11-14 | 15:%s",
		    next[unread]);
		ck_assert_str_eq(planned(), expected);
		ck_assert_uint_eq(stats.prefetch_wasted_blocks, unread);
	}
}
END_TEST

START_TEST(what_is_evicted_unread_delays_the_next_set)
{
	start(NULL, 400);
	cfg.cache_blocks = 8;
	read_run(0, 15, 1); /* 16-20, of which 16-19 are not read */
	read_run(20, 20, 1);
	read_every(2, 100, 114);
	read_run(20, 21, 1);
	planned();
	ck_assert_uint_eq(stats.prefetch_wasted_blocks, 4);
	adapted_to(5 + 1 - 4 + 1, 0);
}
END_TEST

START_TEST(what_an_open_file_has_dealt_with_is_forgotten_when_it_is_opened_anew)
{
	start(NULL, 400);
	read_run(0, 1, 1);
	planned();
	adapted_to(1, 0);
	draft_blocks(&draft, 0, 0, 300, 1, false)->fresh = true;
	planned();
	adapted_to(0, 0);
}
END_TEST

START_TEST(a_stream_starts_anew_when_the_end_of_its_set_is_evicted_unread)
{
	start(NULL, 400);
	cfg.cache_blocks = 8;
	read_run(0, 13, 1); /* 11-14, of which 14 is not read */
	read_every(2, 100, 114);
	read_run(13, 14, 1);
	ck_assert_str_eq(planned(), "1:2 | 3:4-5 | 6:7-9 | 10:11-14 | 14:15");
}
END_TEST

START_TEST(a_block_that_comes_back_by_demand_is_of_no_set)
{
	start(NULL, 400);
	cfg.cache_blocks = 6;
	read_run(0, 9, 1); /* 7-9 come at 6; the degree is 4 */
	read_every(2, 100, 112);
	read_run(9, 10, 1);
	ck_assert_str_eq(planned(), "1:2 | 3:4-5 | 6:7-9 | 10:11");
}
END_TEST

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_amp, NULL, 1);
	ck_assert_uint_gt(stats.prefetch_dropped_blocks, 0);
}
END_TEST

/* ---- plans that a controller cuts ---- */

START_TEST(whose_plans_are_never_carried_out_asks_for_a_call_and_no_more)
{
	start(NULL, 400);
	cut_plans(0);
	read_run(0, 29, 3);
	equals_none();
	ck_assert_uint_eq(stats.misses, 30);
	adapted_to(3, 0);
}
END_TEST

START_TEST(a_set_cut_short_goes_on_at_the_same_size)
{
	start(NULL, 400);
	cut_plans(2);
	read_run(0, 15, 1);
	ck_assert_str_eq(planned(), "1:2 | 3:4-5 | 6:7-8 | 9:10-11 | 12:13-14 | 15:16-17");
	adapted_to(3, 0);
}
END_TEST

START_TEST(writes_are_not_its_business)
{
	plan_writes(&prefetcher_amp);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("amp");

	tcase_add_test(tests, sets_grow_by_a_block_and_soon_precede_their_reader);
	tcase_add_test(tests, sets_are_as_large_as_calls_at_first_and_grow_by_as_much);
	tcase_add_test(tests, a_call_that_ends_one_set_and_misses_lets_the_next_ones_grow);
	tcase_add_test(tests, without_a_threshold_every_set_is_synchronous);
	tcase_add_test(tests, no_set_is_larger_than_pmax);
	tcase_add_test(tests, sets_of_no_blocks_are_no_prefetching);
	tcase_add_test(tests, nothing_is_planned_behind_the_end_of_the_file);
	tcase_add_test(tests, a_file_may_be_shorter_than_what_is_read_of_it);
	tcase_add_test(tests, an_empty_file_is_none_of_its_business);
	tcase_add_test(tests, a_file_that_grows_goes_on_from_its_last_set);
	tcase_add_test(tests, streams_do_not_disturb_each_other_in_two_files_or_one);
	tcase_add_test(tests, random_backwards_and_strided_reads_are_no_streams);
	tcase_add_test(tests, who_waits_for_the_first_block_of_a_set_gets_the_next_ones_earlier);
	tcase_add_test(tests, a_set_is_not_asked_for_before_the_one_it_follows);
	tcase_add_test(tests, only_the_first_block_of_a_set_says_that_it_came_late);
	tcase_add_test(tests, what_is_evicted_unread_delays_the_next_set);
	tcase_add_test(tests, what_an_open_file_has_dealt_with_is_forgotten_when_it_is_opened_anew);
	tcase_add_test(tests, a_stream_starts_anew_when_the_end_of_its_set_is_evicted_unread);
	tcase_add_test(tests, what_is_evicted_unread_makes_sets_smaller);
	tcase_add_test(tests, a_block_that_comes_back_by_demand_is_of_no_set);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, whose_plans_are_never_carried_out_asks_for_a_call_and_no_more);
	tcase_add_test(tests, a_set_cut_short_goes_on_at_the_same_size);
	tcase_add_test(tests, writes_are_not_its_business);
	return run_tests("amp", tests);
}
