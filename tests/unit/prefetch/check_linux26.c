/* check_linux26.c - the two windows of Linux 2.6.11 and 2.6.22, call by call. */
#include "tests/unit/reading.h"

extern const struct prefetcher prefetcher_linux26;

static struct reading r;

static void
start(const char *params, uint32_t blocks)
{
	reading_start(&r, &prefetcher_linux26, params, (uint64_t)blocks * READING_BYTES);
}

static void
finish(void)
{
	reading_end(&r);
}

static void
state_is(int64_t ahead, int64_t ahead_size, int64_t previous, int64_t flags, int64_t cached)
{
	int64_t s[STATE_MAX];

	prefetcher_linux26.state(r.self, 0, s);
	ck_assert_int_eq(s[2], ahead);
	ck_assert_int_eq(s[3], ahead_size);
	ck_assert_int_eq(s[4], previous);
	ck_assert_int_eq(s[5], flags);
	ck_assert_int_eq(s[6], cached);
}

START_TEST(a_sequential_reader_has_a_window_ahead)
{
	start("version=2.6.22", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 28, 1),
	    "0:0-3 | 1:4-11 | 4:12-27 | 12:28-59 | 28:60-91");
	start("version=2.6.11", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 24, 1), "0:0-7 | 1:8-23 | 8:24-55 | 24:56-87");
}
END_TEST

START_TEST(the_first_window_grows_with_the_request)
{
	start(NULL, 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 3), "0-7");
	start(NULL, 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 16), "0-31");
	start("version=2.6.11,pages=256", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 3), "0-15"); /* 4 * 4 */
	start("version=2.6.11,pages=256", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 8), "0-63"); /* a quarter */
}
END_TEST

START_TEST(a_request_of_a_whole_window_is_read_ahead_at_once)
{
	start(NULL, 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 32), "0-63");
}
END_TEST

START_TEST(a_reader_that_jumps_gets_what_he_asks_for)
{
	start(NULL, 4000);
	reading_in_order(&r, 0, 5, 1);
	ck_assert_str_eq(reading_blocks(&r, 0, 300, 3), "300-302");
	ck_assert_str_eq(reading_blocks(&r, 0, 50, 1), "50");
	ck_assert_str_eq(reading_in_order(&r, 51, 55, 1), "51:51-54 | 52:55-62 | 55:63-78");
}
END_TEST

START_TEST(parts_of_a_block_are_one_reference)
{
	start(NULL, 4000);
	ck_assert_str_eq(reading_bytes(&r, 0, 0, 100), "0-3");
	ck_assert_str_eq(reading_bytes(&r, 0, 100, 100), "");
	ck_assert_str_eq(reading_bytes(&r, 0, 200, 4000), "4-11"); /* on into block 1 */
	state_is(4, 8, 1, 0, 0);
}
END_TEST

START_TEST(a_block_thrown_out_too_soon_makes_the_next_window_smaller)
{
	start(NULL, 4000);
	reading_in_order(&r, 0, 11, 1); /* 4-11 is current, 12-27 ahead */
	reading_drop(&r, 13, 13);
	ck_assert_str_eq(reading_in_order(&r, 12, 13, 1), "12:28-59 | 13:13");
	state_is(28, 32, 13, 1, 0);
	ck_assert_str_eq(reading_in_order(&r, 14, 28, 1), "28:60-89"); /* 32 - 2 */
}
END_TEST

START_TEST(every_block_of_a_window_that_was_thrown_out_is_a_miss)
{
	start(NULL, 4000);
	reading_in_order(&r, 0, 1, 1); /* 0-3 is current, 4-11 ahead */
	reading_drop(&r, 4, 10);
	ck_assert_str_eq(reading_in_order(&r, 2, 4, 1), "4:4 12-27");
	state_is(12, 16, 4, 1, 0); /* that window was made before the miss */
	ck_assert_str_eq(reading_in_order(&r, 5, 28, 1),
	    "5:5 | 6:6 | 7:7 | 8:8 | 9:9 | 10:10 | 12:28-41 | 28:42-69");
	state_is(42, 28, 28, 0, 0);
}
END_TEST

START_TEST(a_miss_behind_a_window_of_one_block_makes_the_largest)
{
	start("version=2.6.11,pages=64", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 1), "0");
	reading_drop(&r, 0, 0);
	ck_assert_str_eq(reading_bytes(&r, 0, 0, 100), "0");
	state_is(0, 0, 0, 1, 0);
	ck_assert_str_eq(reading_blocks(&r, 0, 1, 1),
	    "1-128"); /* 1-64 is at once the current one */
	state_is(65, 64, 1, 0, 0);
}
END_TEST

START_TEST(a_miss_within_a_call_counts_as_well)
{
	start(NULL, 4000);
	reading_in_order(&r, 0, 11, 4);
	reading_drop(&r, 14, 14);
	ck_assert_str_eq(reading_blocks(&r, 0, 12, 4), "14");
	state_is(24, 32, 15, 1, 0);
	ck_assert_str_eq(reading_blocks(&r, 0, 16, 8), "");
	ck_assert_str_eq(reading_blocks(&r, 0, 24, 8), "56-85");
}
END_TEST

START_TEST(after_256_cached_blocks_it_rests_until_a_miss)
{
	start(NULL, 4000);
	reading_cache(&r, 0, 999);
	ck_assert_str_eq(reading_in_order(&r, 0, 400, 1), "");
	state_is(0, 284, 400, 2, 284);
	ck_assert_str_eq(reading_in_order(&r, 401, 1000, 1), "1000:1000");
	state_is(0, 284, 1000, 1, 0);
	ck_assert_str_eq(reading_in_order(&r, 1001, 1001, 1), "1001:1001-1004");
}
END_TEST

START_TEST(nothing_is_read_behind_the_end)
{
	start(NULL, 10);
	ck_assert_str_eq(reading_in_order(&r, 0, 9, 1), "0:0-3 | 1:4-9");
}
END_TEST

START_TEST(advice_changes_the_windows_of_its_open_file)
{
	start(NULL, 4000);
	reading_advise(&r, 0, ADVICE_RANDOM, 0, 1, true);
	reading_open(&r, 0);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 2), "0-1");
	r.call.fresh = false;
	ck_assert_str_eq(reading_blocks(&r, 0, 2, 2), "2-3");
	reading_advise(&r, 0, ADVICE_SEQUENTIAL, 0, 1, false);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 80), "100-195"); /* 64, then a window of 32 */
	ck_assert_str_eq(reading_advise(&r, 0, ADVICE_WILLNEED, 1000, 50, false), "1000-1049");
	ck_assert_str_eq(reading_advise(&r, 1, ADVICE_WILLNEED, 1100, 3000, true), "1100-3147");
}
END_TEST

START_TEST(without_pages_nothing_is_read_ahead)
{
	start("pages=0", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 3, 2), "0:0-1 | 2:2-3");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("linux26");

	tcase_add_checked_fixture(tc, NULL, finish);
	tcase_add_test(tc, a_sequential_reader_has_a_window_ahead);
	tcase_add_test(tc, the_first_window_grows_with_the_request);
	tcase_add_test(tc, a_request_of_a_whole_window_is_read_ahead_at_once);
	tcase_add_test(tc, a_reader_that_jumps_gets_what_he_asks_for);
	tcase_add_test(tc, parts_of_a_block_are_one_reference);
	tcase_add_test(tc, a_block_thrown_out_too_soon_makes_the_next_window_smaller);
	tcase_add_test(tc, every_block_of_a_window_that_was_thrown_out_is_a_miss);
	tcase_add_test(tc, a_miss_behind_a_window_of_one_block_makes_the_largest);
	tcase_add_test(tc, a_miss_within_a_call_counts_as_well);
	tcase_add_test(tc, after_256_cached_blocks_it_rests_until_a_miss);
	tcase_add_test(tc, nothing_is_read_behind_the_end);
	tcase_add_test(tc, advice_changes_the_windows_of_its_open_file);
	tcase_add_test(tc, without_pages_nothing_is_read_ahead);
	return run_tests("linux26", tc);
}
