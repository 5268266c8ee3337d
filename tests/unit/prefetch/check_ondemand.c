/* check_ondemand.c - the windows of Linux 2.6.24 and later, call by call. */
#include "tests/unit/reading.h"

extern const struct prefetcher prefetcher_ondemand;

static struct reading r;

static void
start(const char *params, uint32_t blocks)
{
	reading_start(&r, &prefetcher_ondemand, params, (uint64_t)blocks * READING_BYTES);
}

static void
finish(void)
{
	reading_end(&r);
}

static const char *const each_version[] = { "version=2.6.24", "version=3.0", "version=4.19",
	"version=6.1", "version=6.8", "version=6.1x" };
enum { EACH_VERSION = sizeof(each_version) / sizeof(*each_version) };

START_TEST(a_sequential_reader_doubles_his_window)
{
	start(each_version[_i], 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 59, 1),
	    "0:0-3 | 1:4-11 | 4:12-27 | 12:28-59 | 28:60-91");
}
END_TEST

START_TEST(linux_5_15_looks_one_page_beyond_the_read)
{
	start("version=5.15", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 27, 1), "0:0-11 | 3:12-27 | 11:28-59 | 27:60-91");
}
END_TEST

START_TEST(that_look_goes_no_farther_than_fifteen_pages_at_a_time)
{
	start("version=5.15", 4000);
	reading_cache(&r, 0, 15);
	*reading_flags(&r, 15) |= FRAME_MARKED;
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 15), "");
	ck_assert_str_eq(reading_blocks(&r, 0, 1, 14), "16-19");
}
END_TEST

START_TEST(larger_reads_start_with_larger_windows)
{
	start(NULL, 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 31, 8), "0:0-15 | 8:16-47 | 16:48-79");
	start("pages=128", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 31, 8), "0:0-15 | 8:16-47 | 16:48-111");
}
END_TEST

START_TEST(a_read_elsewhere_brings_in_what_it_asks_for)
{
	start(each_version[_i], 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 1), "100");
	ck_assert_str_eq(reading_blocks(&r, 0, 300, 4), "300-303");
	ck_assert_str_eq(reading_blocks(&r, 0, 200, 2), "200-201");
}
END_TEST

START_TEST(the_read_that_follows_another_starts_a_stream)
{
	start(each_version[_i], 4000);
	ck_assert_str_eq(reading_in_order(&r, 48, 60, 1), "48:48 | 49:49-52 | 50:53-60 | 53:61-76");
}
END_TEST

START_TEST(recent_windows_end_on_four_pages)
{
	start("version=6.1x", 4000);
	ck_assert_str_eq(reading_in_order(&r, 50, 60, 1),
	    "50:50 | 51:51-54 | 52:55-59 | 55:60-67 | 60:68-83");
}
END_TEST

START_TEST(a_request_larger_than_the_window_is_read_in_windows)
{
	start("version=4.19", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 40), "100-195"); /* marks at 116 and 132 */
	start("version=4.19,io_pages=64", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 40), "100-139"); /* not too large then */
	start("version=3.0,io_pages=64", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 40), "100-195"); /* 32 and 32 at once; 32 */
}
END_TEST

START_TEST(cached_blocks_before_it_tell_of_a_stream)
{
	start("version=4.19", 4000);
	reading_cache(&r, 100, 104);
	ck_assert_str_eq(reading_blocks(&r, 0, 105, 2), "105-111"); /* 5 + 2 */
	start("version=3.0", 4000);
	reading_cache(&r, 100, 104);
	ck_assert_str_eq(reading_blocks(&r, 0, 105, 2), "105-152"); /* 16 and 32 at once */
	start("version=2.6.24", 4000);
	reading_cache(&r, 100, 104);
	ck_assert_str_eq(reading_blocks(&r, 0, 105, 2), "105-106");
	start("version=4.19", 4000);
	reading_cache(&r, 0, 4);
	ck_assert_str_eq(reading_blocks(&r, 0, 5, 2), "5-16"); /* 2 * 5 + 2: from the start on */
}
END_TEST

START_TEST(the_mark_of_another_stream_is_taken_over)
{
	start("version=4.19", 4000);
	reading_in_order(&r, 0, 12, 1); /* a window at 28-59, marked at 28 */
	ck_assert_str_eq(reading_blocks(&r, 1, 20, 1), "");
	ck_assert_str_eq(reading_blocks(&r, 1, 28, 1), "60-91");
	ck_assert_str_eq(r.notes, "the mark of another stream: on from its first missing block");
	start("version=4.19", 4000);
	reading_in_order(&r, 0, 12, 1);
	reading_cache(&r, 60, 70); /* the first missing one is too far away */
	ck_assert_str_eq(reading_blocks(&r, 1, 28, 1), "");
}
END_TEST

/* Blocks 29 to 60 are all cached: on from the last of them, where 6.8 reads nothing. */
START_TEST(linux_6_1_goes_on_from_the_last_block_that_it_looked_at)
{
	start("version=6.1", 4000);
	reading_in_order(&r, 0, 12, 1); /* a window at 28-59, marked at 28 */
	reading_cache(&r, 60, 70);
	ck_assert_str_eq(reading_blocks(&r, 1, 28, 1), "71-91");
	start("version=6.8", 4000);
	reading_in_order(&r, 0, 12, 1);
	reading_cache(&r, 60, 70);
	ck_assert_str_eq(reading_blocks(&r, 1, 28, 1), "");
}
END_TEST

/* Until 6.1 the second page of a read follows the first one; since then, the read before. */
START_TEST(a_page_follows_the_one_before_it_in_the_same_read)
{
	start("version=6.1", 4000);
	reading_cache(&r, 100, 100);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 2), "101-104");
	start("version=6.8", 4000);
	reading_cache(&r, 100, 100);
	ck_assert_str_eq(reading_blocks(&r, 0, 100, 2), "101");
}
END_TEST

/* The window moves on from where its mark was, and the block itself is read alone. */
START_TEST(a_window_that_was_thrown_out_is_passed_over)
{
	static const struct {
		const char *params, *read;
	} expected[] = {
		{ "version=2.6.24", "4:4 12-27 | 5:5-8 | 6:9-10 | 9:28-32 | 12:33-64" },
		{ "version=4.19", "4:4 12-27 | 5:5-8 | 6:9-10 | 9:28-32 | 12:33-64" },
		{ "version=6.1", "4:4 12-27 | 5:5-8 | 6:9-10 | 9:28-32 | 12:33-64" },
		{ "version=6.8", "4:4 12-27 | 5:5-8 | 6:9-10 | 9:28-32 | 12:33-64" },
		{ "version=6.1x", "4:4-7 | 5:8-10 12-15 | 8:16-31 | 16:32-63" },
	};

	start(expected[_i].params, 4000);
	reading_in_order(&r, 0, 1, 1); /* 4-11 is the window, marked at 4 */
	reading_drop(&r, 4, 10);
	ck_assert_str_eq(reading_in_order(&r, 2, 20, 1), expected[_i].read);
}
END_TEST

START_TEST(block_0_starts_a_stream_again)
{
	start("version=4.19", 4000);
	reading_in_order(&r, 0, 30, 1);
	reading_drop(&r, 0, 100);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 1), "0-3");
	start("version=2.6.24", 4000);
	reading_in_order(&r, 0, 30, 1);
	reading_drop(&r, 0, 100);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 1), "0");
}
END_TEST

START_TEST(nothing_is_read_behind_the_end)
{
	start(each_version[_i], 10);
	ck_assert_str_eq(reading_in_order(&r, 0, 9, 1), "0:0-3 | 1:4-9");
}
END_TEST

START_TEST(linux_6_8_cuts_the_window_before_it_marks_it)
{
	/* A first window of 8 in a file of 6, marked 4 before its end: at 4, or at 2. */
	start("version=4.19", 6);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 4), "0-5");
	ck_assert(*reading_flags(&r, 4) & FRAME_MARKED);
	ck_assert_ptr_null(strstr(r.notes, "the mark"));
	start("version=6.8", 6);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 4), "0-5");
	ck_assert(!(*reading_flags(&r, 4) & FRAME_MARKED));
	ck_assert_ptr_nonnull(strstr(r.notes, "the mark"));
}
END_TEST

START_TEST(large_folios_grow_by_two_orders_a_window)
{
	start("version=6.8,large=1", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 59, 1), "0:0-3 | 4:4-27 | 12:28-59 | 28:60-91");
	start("version=6.1x,large=1", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 59, 1),
	    "0:0-3 | 1:4-11 | 4:12-15 | 12:16-23 | 16:24-31 | 24:32-47 | 32:48-63 | 48:64-95");
}
END_TEST

START_TEST(any_block_of_a_marked_folio_wakes_it_up)
{
	start("version=6.1x,large=1", 4000);
	reading_in_order(&r, 0, 1, 1); /* folios 4-7, marked, and 8-11 */
	ck_assert_str_eq(reading_blocks(&r, 0, 6, 1), "12-15");
	ck_assert_str_eq(reading_blocks(&r, 0, 4, 1), "");
}
END_TEST

START_TEST(a_cached_block_in_the_way_ends_large_folios)
{
	start("version=6.1x,large=1", 4000);
	reading_cache(&r, 10, 10);
	ck_assert_str_eq(reading_in_order(&r, 0, 1, 1), "0:0-3 | 1:4-9 11");
	start("version=6.8,large=1", 4000);
	reading_cache(&r, 17, 17);
	ck_assert_str_eq(reading_in_order(&r, 0, 4, 1),
	    "0:0-3 | 4:4-16 18-39"); /* all 24 from 16 on */
}
END_TEST

START_TEST(a_window_that_begins_again_is_marked_twice)
{
	start("version=6.8,large=1", 4000);
	reading_cache(&r, 20, 20);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 1), "0-3");
	ck_assert_str_eq(reading_blocks(&r, 0, 4, 1), "4-19 21-43");
	ck_assert(*reading_flags(&r, 12) & FRAME_MARKED); /* 16 before the end, 28 */
	ck_assert(*reading_flags(&r, 28) & FRAME_MARKED); /* 16 before the end, 44 */
}
END_TEST

START_TEST(windows_behind_the_end_do_not_grow_their_folios)
{
	start("version=6.1x,large=1", 64);
	reading_cache(&r, 0, 63);
	for (unsigned i = 0; i < 40; i++) { /* marks of others, with nothing missing behind */
		*reading_flags(&r, 62) |= FRAME_MARKED;
		ck_assert_str_eq(reading_blocks(&r, 0, 62, 1), "");
	}
	reading_drop(&r, 0, 63);
	ck_assert_str_eq(reading_in_order(&r, 0, 4, 1), "0:0-3 | 1:4-11 | 4:12-15");
}
END_TEST

/* Behind the end nothing is read, but the folios of the next window grow. */
START_TEST(a_window_that_the_end_cuts_is_marked_in_a_large_folio_too)
{
	start("version=6.18,large=1", 10);
	ck_assert_str_eq(reading_in_order(&r, 0, 1, 1), "0:0-3 | 1:4-9");
	ck_assert(*reading_flags(&r, 4) & FRAME_MARKED);
}
END_TEST

/* 512-1023 are two folios of 256 pages: 1024 has a short history.  Linux 6.18.44 read the same. */
START_TEST(a_search_from_inside_a_folio_of_many_slots_ends_early)
{
	start("version=6.18,large=1,pages=512", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 512, 1),
	    "0:0-3 | 1:4-19 | 4:20-79 | 20:80-191 | 80:192-255 | 192:256-383 | 256:384-511 | "
	    "384:512-767 | 512:768-1023");
	ck_assert_str_eq(reading_blocks(&r, 1, 1024, 1), "1024-1152");
}
END_TEST

static void
refuses(const char *params, const char *why)
{
	struct error e;
	void	    *self = plugin_state(&prefetcher_ondemand.plugin, params, &e);

	draft_start(&r.draft);
	ck_assert_int_eq(prefetcher_ondemand.init(self, NULL, &r.draft.trace, &e), -1);
	ck_assert_str_eq(e.text, why);
	prefetcher_ondemand.release(self);
	free(self);
}

START_TEST(versions_are_refused_what_they_have_not)
{
	refuses("version=4.19,large=1", "large=1 needs version=6.8 or a later one, not 4.19");
	refuses("version=6.1x,large=1,by=fault",
	    "by=fault with large=1 needs version=6.18, not 6.1x");
}
END_TEST

START_TEST(a_page_fault_reads_the_window_around_it)
{
	start("version=6.18,by=fault", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 5, 1), "0-31"); /* the start of the file is near */
	ck_assert_str_eq(reading_blocks(&r, 0, 23, 1), "");
	ck_assert_str_eq(reading_blocks(&r, 0, 24, 1), "32-63"); /* the mark */
	ck_assert_str_eq(reading_blocks(&r, 0, 1000, 1), "984-1015");
	ck_assert_str_eq(reading_blocks(&r, 0, 983, 1), "967-983");
	ck_assert_str_eq(reading_blocks(&r, 0, 3999, 1), "3983-3999");
	reading_advise(&r, 0, ADVICE_RANDOM, 0, 1, false);
	ck_assert_str_eq(reading_blocks(&r, 0, 2000, 1), "1984-2015");
	reading_advise(&r, 0, ADVICE_SEQUENTIAL, 0, 1, false);
	ck_assert_str_eq(reading_blocks(&r, 0, 3000, 1), "2968-3031");
}
END_TEST

START_TEST(faults_read_the_same_in_all_versions_since_3_0)
{
	static const char *const version[] = { "3.0", "4.19", "5.15", "6.1", "6.8", "6.1x" };
	char			 params[64];

	for (size_t i = 0; i < sizeof(version) / sizeof(*version); i++) {
		snprintf(params, sizeof(params), "version=%s,by=fault", version[i]);
		if (i)
			finish();
		start(params, 4000);
		ck_assert_str_eq(reading_blocks(&r, 0, 5, 1), "0-31");
		ck_assert_str_eq(reading_blocks(&r, 0, 24, 1), "32-63");
		ck_assert_str_eq(reading_blocks(&r, 0, 1000, 1), "984-1015");
		ck_assert_str_eq(reading_blocks(&r, 0, 1001, 1), "");
		ck_assert_str_eq(reading_blocks(&r, 0, 983, 1), "967-983");
	}
}
END_TEST

START_TEST(faults_of_2_6_24_mark_nothing_and_give_up)
{
	start("version=2.6.24,by=fault", 4000);
	ck_assert_str_eq(reading_blocks(&r, 0, 5, 1), "0-31");
	ck_assert_str_eq(reading_blocks(&r, 0, 24, 1), "");
	for (uint32_t i = 2; i <= 101; i++) /* 101 misses and a hit */
		reading_blocks(&r, 0, 33 * i, 1);
	ck_assert_str_eq(reading_blocks(&r, 0, 3600, 1), "3600");
	for (uint32_t i = 0; i < 3; i++) /* hits bring it back */
		reading_blocks(&r, 0, 5 + i, 1);
	ck_assert_str_eq(reading_blocks(&r, 0, 3800, 1), "3784-3815");
}
END_TEST

START_TEST(a_fault_on_a_mark_takes_it_off_the_whole_folio)
{
	start("version=6.18,large=1,by=fault", 4000);
	reading_blocks(&r, 0, 0, 1); /* 0-31, marked at 24 */
	ck_assert_str_eq(reading_blocks(&r, 0, 24, 1), "32-63");
	ck_assert(*reading_flags(&r, 32) & FRAME_MARKED);
	ck_assert(*reading_flags(&r, 35) & FRAME_MARKED);
	ck_assert_str_eq(reading_blocks(&r, 0, 32, 1), "64-95");
	for (uint32_t i = 32; i < 36; i++)
		ck_assert(!(*reading_flags(&r, i) & FRAME_MARKED));
}
END_TEST

START_TEST(without_pages_nothing_is_read_ahead)
{
	start("pages=0", 4000);
	ck_assert_str_eq(reading_in_order(&r, 0, 3, 2), "0:0-1 | 2:2-3");
}
END_TEST

START_TEST(advice_changes_the_window_of_its_open_file)
{
	start("version=4.19", 4000);
	reading_advise(&r, 0, ADVICE_RANDOM, 0, 1, true);
	reading_open(&r, 0);
	ck_assert_str_eq(reading_blocks(&r, 0, 0, 2), "0-1");
	r.call.fresh = false;
	ck_assert_str_eq(reading_blocks(&r, 0, 2, 2), "2-3");
	ck_assert_str_eq(reading_blocks(&r, 1, 4, 1), "4-12"); /* the other one sees the history */
	reading_advise(&r, 0, ADVICE_SEQUENTIAL, 0, 1, false);
	ck_assert_str_eq(reading_in_order(&r, 100, 220, 1),
	    "100:100 | 101:101-104 | 102:105-112 | 105:113-128 | 113:129-160 | 129:161-224 | 161:225-288");
	reading_advise(&r, 0, ADVICE_NORMAL, 0, 1, false);
	ck_assert_str_eq(reading_blocks(&r, 0, 225, 1), "289-320");
	reading_open(&r, 0);
	reading_advise(&r, 0, ADVICE_RANDOM, 0, 1, false);
	ck_assert_str_eq(reading_blocks(&r, 0, 1000, 1), "1000"); /* newly opened: normal again */
	r.call.fresh = false;
	ck_assert_str_eq(reading_blocks(&r, 0, 1001, 1), "1001-1004");
}
END_TEST

START_TEST(what_will_be_needed_is_read_as_far_as_a_request_goes)
{
	start("version=4.19", 4000);
	ck_assert_str_eq(reading_advise(&r, 0, ADVICE_WILLNEED, 10, 5, true), "10-14");
	ck_assert_str_eq(reading_advise(&r, 0, ADVICE_WILLNEED, 100, 500, false), "100-131");
	start("version=4.19,io_pages=320", 4000);
	ck_assert_str_eq(reading_advise(&r, 0, ADVICE_WILLNEED, 100, 500, true), "100-419");
	start("version=3.0", 150);
	ck_assert_str_eq(reading_advise(&r, 0, ADVICE_WILLNEED, 100, 500, true), "100-149");
}
END_TEST

START_TEST(each_step_says_which_rule_decided)
{
	start("version=4.19", 4000);
	reading_blocks(&r, 0, 0, 1);
	ck_assert_str_eq(r.notes, "the start of the file: an initial window");
	reading_blocks(&r, 0, 1, 1);
	ck_assert_str_eq(r.notes, "the mark: the stream keeps up, the next window");
	reading_blocks(&r, 0, 2, 1);
	ck_assert_str_eq(r.notes, "");
	reading_blocks(&r, 0, 500, 1);
	ck_assert_str_eq(r.notes, "no sign of a stream: only the requested blocks");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("ondemand");

	tcase_add_checked_fixture(tc, NULL, finish);
	tcase_add_loop_test(tc, a_sequential_reader_doubles_his_window, 0, EACH_VERSION);
	tcase_add_test(tc, linux_5_15_looks_one_page_beyond_the_read);
	tcase_add_test(tc, that_look_goes_no_farther_than_fifteen_pages_at_a_time);
	tcase_add_test(tc, larger_reads_start_with_larger_windows);
	tcase_add_loop_test(tc, a_read_elsewhere_brings_in_what_it_asks_for, 0, EACH_VERSION);
	tcase_add_loop_test(tc, the_read_that_follows_another_starts_a_stream, 0, EACH_VERSION - 1);
	tcase_add_test(tc, recent_windows_end_on_four_pages);
	tcase_add_test(tc, a_request_larger_than_the_window_is_read_in_windows);
	tcase_add_test(tc, cached_blocks_before_it_tell_of_a_stream);
	tcase_add_test(tc, the_mark_of_another_stream_is_taken_over);
	tcase_add_test(tc, linux_6_1_goes_on_from_the_last_block_that_it_looked_at);
	tcase_add_test(tc, a_page_follows_the_one_before_it_in_the_same_read);
	tcase_add_loop_test(tc, a_window_that_was_thrown_out_is_passed_over, 0, 5);
	tcase_add_test(tc, block_0_starts_a_stream_again);
	tcase_add_loop_test(tc, nothing_is_read_behind_the_end, 0, EACH_VERSION);
	tcase_add_test(tc, linux_6_8_cuts_the_window_before_it_marks_it);
	tcase_add_test(tc, large_folios_grow_by_two_orders_a_window);
	tcase_add_test(tc, any_block_of_a_marked_folio_wakes_it_up);
	tcase_add_test(tc, a_cached_block_in_the_way_ends_large_folios);
	tcase_add_test(tc, a_window_that_begins_again_is_marked_twice);
	tcase_add_test(tc, windows_behind_the_end_do_not_grow_their_folios);
	tcase_add_test(tc, a_window_that_the_end_cuts_is_marked_in_a_large_folio_too);
	tcase_add_test(tc, a_search_from_inside_a_folio_of_many_slots_ends_early);
	tcase_add_test(tc, versions_are_refused_what_they_have_not);
	tcase_add_test(tc, a_page_fault_reads_the_window_around_it);
	tcase_add_test(tc, faults_read_the_same_in_all_versions_since_3_0);
	tcase_add_test(tc, faults_of_2_6_24_mark_nothing_and_give_up);
	tcase_add_test(tc, a_fault_on_a_mark_takes_it_off_the_whole_folio);
	tcase_add_test(tc, without_pages_nothing_is_read_ahead);
	tcase_add_test(tc, advice_changes_the_window_of_its_open_file);
	tcase_add_test(tc, what_will_be_needed_is_read_as_far_as_a_request_goes);
	tcase_add_test(tc, each_step_says_which_rule_decided);
	return run_tests("ondemand", tc);
}
