/* check_values.c - lists are taken apart at the right commas, and ranges of parameters expanded. */
#include <stdio.h>
#include <string.h>

#include "sim/setup/values.h"
#include "tests/unit/support.h"

static char	  **text;
static unsigned	    n;
static struct error error;

static void
clear(void)
{
	for (unsigned i = 0; i < n; i++)
		free(text[i]);
	free(text);
	text = NULL;
	n = 0;
	error = (struct error){ 0 };
}

static void
gives(const char *list, const char *expected)
{
	char   got[2048] = "";
	size_t at = 0;

	ck_assert_msg(!values_expand(list, &text, &n, &error), "%s: %s", list, error.text);
	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%s", i ? " " : "", text[i]);
	ck_assert_str_eq(got, expected);
	clear();
}

static void
refuses(const char *list, const char *why)
{
	ck_assert_int_eq(values_expand(list, &text, &n, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, why));
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	clear();
}

START_TEST(a_comma_ends_a_value_unless_a_parameter_follows)
{
	gives("lru", "lru");
	gives("lru,clock", "lru clock");
	gives("none,linux24:max=31,min=3,obl", "none linux24:max=31,min=3 obl");
	gives("./a=b.dev,./mine.so:k=3", "./a=b.dev ./mine.so:k=3");
	gives("1s,500ms", "1s 500ms");
	refuses("lru,,fifo", "a value is missing");
	refuses("lru,", "a value is missing");
	refuses("none,ondemand,pages=32", "parameters follow a colon: type ondemand:pages=32");
}
END_TEST

START_TEST(parameters_have_ranges)
{
	gives("ondemand:pages=4:64:x4", "ondemand:pages=4 ondemand:pages=16 ondemand:pages=64");
	gives("a:p=8:24:+8,none", "a:p=8 a:p=16 a:p=24 none");
	gives("a:p=0:2:+1", "a:p=0 a:p=1 a:p=2");
	gives("a:p=4:9:x1.5", "a:p=4 a:p=6 a:p=9");
	gives("a:p=1:3:x1.1", "a:p=1 a:p=2 a:p=3"); /* each once */
	gives("raid0:unit=64K:256K:x2+b", "raid0:unit=64K+b raid0:unit=128K+b raid0:unit=256K+b");
	gives("fixed:latency=1ms:4ms:x2", "fixed:latency=1ms fixed:latency=2ms fixed:latency=4ms");
	gives("c:share=10%:30%:+10%", "c:share=0.1 c:share=0.2 c:share=0.3");
}
END_TEST

START_TEST(parameters_have_lists_of_what_begins_with_a_digit)
{
	gives("a:p=4,8,none", "a:p=4 a:p=8 none");
	gives("a:v=2.4.20,2.4.27,min=3", "a:v=2.4.20,min=3 a:v=2.4.27,min=3");
	gives("a:p=1,4:16:x2,99", "a:p=1 a:p=4 a:p=8 a:p=16 a:p=99");
}
END_TEST

START_TEST(names_may_begin_with_a_digit)
{
	gives("lru:first=stay,2q,2q:kout=10%,20b,2q:kin=1b",
	    "lru:first=stay 2q 2q:kout=10% 2q:kout=20b 2q:kin=1b");
	gives("2q:kout=100%", "2q:kout=100%");
}
END_TEST

static void
costs_give(const char *list, const char *expected)
{
	char   got[2048] = "";
	size_t at = 0;

	ck_assert_msg(!costs_expand(list, &text, &n, &error), "%s: %s", list, error.text);
	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%s", i ? " " : "", text[i]);
	ck_assert_str_eq(got, expected);
	clear();
}

START_TEST(costs_need_no_colon)
{
	costs_give("none", "none");
	costs_give("call=812,page=410,byte=0.09", "call=812,page=410,byte=0.09");
	costs_give("none,call=812,page=410,sheet", "none call=812,page=410 sheet");
	costs_give("call=1,page=2,call=3", "call=1,page=2 call=3");
	costs_give("page=1,read_page=2,page=3,read_page=2",
	    "page=1,read_page=2 page=3,read_page=2");
	costs_give("call=1,0.5,page=2", "call=1,page=2 call=0.5,page=2");
	costs_give("call=1:4:x2,byte=0.1", "call=1,byte=0.1 call=2,byte=0.1 call=4,byte=0.1");
	ck_assert_int_eq(costs_expand("none,", &text, &n, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "a value is missing"));
	clear();
}
END_TEST

START_TEST(ranges_multiply_and_the_last_changes_fastest)
{
	gives("a:p=4:8:x2,q=0,1", "a:p=4,q=0 a:p=4,q=1 a:p=8,q=0 a:p=8,q=1");
	gives("i:t=1:2:+1+a:p=4,8", "i:t=1+a:p=4 i:t=1+a:p=8 i:t=2+a:p=4 i:t=2+a:p=8");
}
END_TEST

START_TEST(numbers_have_ranges)
{
	gives("4:16:x2,99", "4 8 16 99");
	gives("1s:3s:+1s", "1s 2s 3s");
}
END_TEST

START_TEST(ranges_that_make_no_sense_are_refused)
{
	refuses("a:p=4:8", "type FROM:TO:xN or FROM:TO:+N");
	refuses("a:p=4:8:2", "type FROM:TO:xN or FROM:TO:+N");
	refuses("a:p=4:8:x2:x2", "type FROM:TO:xN or FROM:TO:+N");
	refuses("a:p=8:4:x2", "the end is below the beginning");
	refuses("a:p=4:8:x1", "type a number above 1 behind the x");
	refuses("a:p=4:8:x", "type a number above 1 behind the x");
	refuses("a:p=0:8:x2", "the steps lead nowhere");
	refuses("a:p=4:8:+0", "the steps lead nowhere");
	refuses("a:p=4:8ms:x2", "not numbers of one unit");
	refuses("a:p=x:8:x2", "not numbers of one unit");
	refuses("a:p=1:999999999999:x1.0000001", "the steps are too small");
	refuses("a:p=1:99999:+1", "more than 10000 values");
	refuses("a:p=1:99999999999999999999999999999999999999999999999999999999999999999:x2",
	    "is too long for a range");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("values");

	tcase_add_checked_fixture(tc, clear, clear);
	tcase_add_test(tc, a_comma_ends_a_value_unless_a_parameter_follows);
	tcase_add_test(tc, parameters_have_ranges);
	tcase_add_test(tc, parameters_have_lists_of_what_begins_with_a_digit);
	tcase_add_test(tc, names_may_begin_with_a_digit);
	tcase_add_test(tc, costs_need_no_colon);
	tcase_add_test(tc, ranges_multiply_and_the_last_changes_fastest);
	tcase_add_test(tc, numbers_have_ranges);
	tcase_add_test(tc, ranges_that_make_no_sense_are_refused);
	return run_tests("values", tc);
}
