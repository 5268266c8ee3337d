/* check_range.c - lists and ranges of cache sizes. */
#include <stdio.h>
#include <string.h>

#include "sim/setup/range.h"
#include "tests/unit/support.h"

static char	  **text;
static unsigned	    n;
static struct error error;

static void
start(void)
{
	text = NULL;
	n = 0;
	error = (struct error){ 0 };
}

static void
clear(void)
{
	for (unsigned i = 0; i < n; i++)
		free(text[i]);
	free(text);
	start();
}

static void
gives(const char *list, const char *expected)
{
	char   got[1024] = "";
	size_t at = 0;

	ck_assert_msg(!range_expand(list, &text, &n, &error), "%s: %s", list, error.text);
	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%s", i ? " " : "", text[i]);
	ck_assert_str_eq(got, expected);
	clear();
}

static void
refuses(const char *list, const char *why)
{
	ck_assert_int_eq(range_expand(list, &text, &n, &error), -1);
	ck_assert_str_eq(error.text, why);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	clear();
}

START_TEST(single_sizes_stay_as_typed)
{
	gives("64M", "64M");
	gives("2048b", "2048b");
	gives("2/8", "2/8");
	gives("1024K,3b,1/3,1024K", "1024K 3b 1/3 1024K");
}
END_TEST

START_TEST(factors_go_up_to_the_end)
{
	gives("1M:16M:x2", "1M 2M 4M 8M 16M");
	gives("512K:1G:x16", "512K 8M 128M");
	gives("1b:1000b:x10", "1b 10b 100b 1000b");
	gives("3b:100b:x3", "3b 9b 27b 81b");
	gives("5b:5b:x2", "5b");
	gives("1b:100000000000b:x100000", "1b 100000b 10000000000b");
}
END_TEST

START_TEST(auto_is_the_eighths)
{
	gives("auto", "1/8 1/4 3/8 1/2 5/8 3/4 7/8 1/1");
	gives("1M,auto", "1M 1/8 1/4 3/8 1/2 5/8 3/4 7/8 1/1");
}
END_TEST

START_TEST(steps_go_up_to_the_end)
{
	gives("1000b:5000b:+1000b", "1000b 2000b 3000b 4000b 5000b");
	gives("1M:2M:+300K", "1M 1324K 1624K 1924K");
	gives("1/8:1/2:+1/8", "1/8 1/4 3/8 1/2");
	gives("1/10:1:+3/10", "1/10 2/5 7/10 1/1");
	gives("1/4:1:+1/3", "1/4 7/12 11/12");
	gives("10%:50%:+20%", "1/10 3/10 1/2");
	gives("0.1:1:x2", "1/10 1/5 2/5 4/5");
	gives("1MB:4MiB:x2", "1M 2M 4M");
}
END_TEST

START_TEST(shares_may_end_in_a_bare_number)
{
	gives("512B:2K:x2", "512B 1K 2K");
	gives("1.5K:6K:+1.5K", "1536B 3K 4608B 6K");
	gives("1/64:1:x2", "1/64 1/32 1/16 1/8 1/4 1/2 1/1");
	gives("1/3:2:x2", "1/3 2/3 4/3");
	gives("1/64:1/16:x2", "1/64 1/32 1/16");
}
END_TEST

START_TEST(factors_may_be_fractions)
{
	gives("1M:4M:x1.5", "1M 1536K 2304K 3456K");
	gives("1M:8M:x1.5", "1M 1536K 2304K 3456K 5184K 7776K");
	gives("64K:256K:x1.5", "64K 96K 144K 216K");
	gives("1b:12b:x1.5", "1b 2b 3b 5b 8b 11b");
	gives("1b:6b:x1.1", "1b 2b 3b 4b 5b 6b");
	gives("1/4:1:x1.5", "1/4 3/8 9/16 27/32");
	gives("1/3:1/2:x1.5", "1/3 1/2");
	gives("100b:225b:x1.5", "100b 150b 225b");
	gives("10K:15K:x1.4", "10K 15K");
	gives("9K:11K:x1.1", "9K 11K");
	gives("10K:20K:x1.1", "10K 12K 16K 20K");
}
END_TEST

START_TEST(an_end_that_is_met_is_met_exactly)
{
	/* 1.1 ten times is not quite 2.5937424601 */
	gives("10000000000b:25937424601b:x1.1",
	    "10000000000b 11000000000b 12100000000b 13310000000b 14641000000b 16105100000b "
	    "17715610000b 19487171000b 21435888100b 23579476910b 25937424601b");
	gives("1M:27M:x3", "1M 3M 9M 27M");
	gives("1000K:1331K:x1.1", "1000K 1104K 1208K 1331K");
	gives("1/10:3/10:+1/10", "1/10 1/5 3/10");
}
END_TEST

START_TEST(lists_mix_sizes_and_ranges)
{
	gives("4M,16M:64M:x2,1/2", "4M 16M 32M 64M 1/2");
	gives("1b:3b:+1b,7b", "1b 2b 3b 7b");
	gives("3b,3b:12b:x2", "3b 3b 6b 12b");
}
END_TEST

START_TEST(empty_items_are_refused)
{
	const char *why = "a size is missing in the list: type one before, between and behind "
			  "commas";

	refuses("", why);
	refuses(",4M", why);
	refuses("4M,,8M", why);
	refuses("4M,", why);
}
END_TEST

START_TEST(ranges_that_make_no_sense_are_refused)
{
	const char *shape = "will not do: type FROM:TO:xN or FROM:TO:+SIZE, such as 1M:1G:x2";
	char	    why[200];

	for (const char *const *bad =
		 (const char *const[]){ "1M:2M", "1M:2M:", "1M:2M:2", "1M:2M:x2:x2", ":", NULL };
	     *bad; bad++) {
		snprintf(why, sizeof(why), "'%s' %s", *bad, shape);
		refuses(*bad, why);
	}
	refuses("1M:64b:x2",
	    "'1M:64b:x2' mixes units: type both ends in K, M, G or T, in b, or as "
	    "shares");
	refuses("1/4:64M:x2",
	    "'1/4:64M:x2' mixes units: type both ends in K, M, G or T, in b, or "
	    "as shares");
	refuses("1b:64b:+1M", "'1b:64b:+1M' mixes units: type the step in that of the sizes");
	refuses("2M:1M:x2", "'2M:1M:x2': the end is below the beginning");
	refuses("1b:9b:+0b", "'1b:9b:+0b': the step must not be 0");
	refuses("0b:9b:x2", "'0b:9b:x2': begin with more than 0");
	refuses("1/2000000:1:x2",
	    "'1/2000000:1:x2': a share of a range has a denominator of at most 1000000");
	refuses("1/69:18446161:x705",
	    "'1/69:18446161:x705': a share of the footprint is at most 1000000");
	for (const char *const *bad = (const char *const[]){ "x1", "x0", "x0.5", "x", "x-2", NULL };
	     *bad; bad++) {
		char list[32];

		snprintf(list, sizeof(list), "1b:9b:%s", *bad);
		snprintf(why, sizeof(why),
		    "'%s': '%s' will not do: type an x and a number above 1, such as x2 or x1.5",
		    list, *bad);
		refuses(list, why);
	}
}
END_TEST

START_TEST(bad_sizes_are_refused_as_in_run)
{
	refuses("64", "'64' has no unit: add K, M, G or T for bytes, or b for blocks");
	refuses("1M:64:x2", "'64' has no unit: add K, M, G or T for bytes, or b for blocks");
	refuses("much",
	    "'much' will not do: type a size such as 64M, a number of blocks such as "
	    "2048b, or a share of the footprint such as 10%");
	refuses("1M:2M:+much",
	    "'much' will not do: type a size such as 64M, a number of blocks such as "
	    "2048b, or a share of the footprint such as 10%");
	refuses("123456789012345678901234567890123456789012345678901234567890123456789012345678901"
		"23456789012345678901234567890123456789012345678901234567890",
	    "'12345678901234567890...' is too long for a size");
}
END_TEST

START_TEST(ten_thousand_sizes_are_enough)
{
	ck_assert_int_eq(range_expand("1b:10000b:+1b", &text, &n, &error), 0);
	ck_assert_uint_eq(n, RANGE_SIZES_MAX);
	ck_assert_str_eq(text[9999], "10000b");
	clear();
	refuses("1b:10001b:+1b", "more than 10000 sizes: take larger steps");
	refuses("1b:10000b:+1b,1M", "more than 10000 sizes: take larger steps");
	refuses("1b:2b:x1.000000001", "'1b:2b:x1.000000001': the steps are too small");
}
END_TEST

START_TEST(lists_are_appended_to_what_is_there)
{
	ck_assert_int_eq(range_expand("1b,2b", &text, &n, &error), 0);
	gives("3b", "1b 2b 3b");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("range");

	tcase_add_checked_fixture(tests, start, clear);
	tcase_add_test(tests, auto_is_the_eighths);
	tcase_add_test(tests, single_sizes_stay_as_typed);
	tcase_add_test(tests, factors_go_up_to_the_end);
	tcase_add_test(tests, steps_go_up_to_the_end);
	tcase_add_test(tests, shares_may_end_in_a_bare_number);
	tcase_add_test(tests, factors_may_be_fractions);
	tcase_add_test(tests, an_end_that_is_met_is_met_exactly);
	tcase_add_test(tests, lists_mix_sizes_and_ranges);
	tcase_add_test(tests, empty_items_are_refused);
	tcase_add_test(tests, ranges_that_make_no_sense_are_refused);
	tcase_add_test(tests, bad_sizes_are_refused_as_in_run);
	tcase_add_test(tests, ten_thousand_sizes_are_enough);
	tcase_add_test(tests, lists_are_appended_to_what_is_there);
	return run_tests("range", tests);
}
