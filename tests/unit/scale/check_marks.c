/* check_marks.c - marks of a region of interest: what they add up to, and which cannot be. */
#include <string.h>

#include "sim/studies/scale/marks.h"
#include "tests/unit/support.h"

static double	    region;
static struct error error;

static int
read_marks(const char *text)
{
	FILE *in = *text ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : tmpfile();
	int   failed;

	ck_assert_ptr_nonnull(in);
	error = (struct error){ 0 };
	failed = marks_read(in, &region, &error);
	fclose(in);
	return failed;
}

static void
is_refused(const char *text, const char *why)
{
	ck_assert_int_eq(read_marks(text), -1);
	ck_assert_str_eq(error.text, why);
}

START_TEST(regions_are_added)
{
	ck_assert_int_eq(read_marks("begin 10.25\nend 12\n"), 0);
	ck_assert_double_eq(region, 1.75);
	ck_assert_int_eq(read_marks("begin 1\nend 2\nbegin 4.5\nend 5\n"), 0);
	ck_assert_double_eq(region, 1.5);
}
END_TEST

START_TEST(no_mark_is_no_region)
{
	ck_assert_int_eq(read_marks(""), 0);
	ck_assert_double_eq(region, 0);
}
END_TEST

START_TEST(marks_in_a_wrong_order)
{
	is_refused("end 1\n", "mark 1: the region ends, and has not begun");
	is_refused("begin 1\nend 2\nend 3\n", "mark 3: the region ends, and has not begun");
	is_refused("begin 1\nbegin 2\n",
	    "mark 2: the region begins, and has not ended before: one thread marks it");
	is_refused("begin 1\n", "the region has begun and does not end");
	is_refused("begin 2\nend 1\n",
	    "mark 2: the region ends at 1.000000000, and began at 2.000000000: both need the same clock");
	is_refused("begin 2\nend 2\n",
	    "mark 2: the region ends at 2.000000000, and began at 2.000000000: both need the same clock");
}
END_TEST

START_TEST(what_is_no_mark)
{
	static const char *const text[] = { "begin\n", "begin \n", "begin x\n", "begin -1\n",
		"begin 1.2.3\n", "begin 1 \n", "begin 1", "start 1\n", "\n", "begins 1\n",
		"end\x01 1\n", "begin 1e999\n" };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		ck_assert_msg(read_marks(text[i]) == -1, "'%s' was taken", text[i]);
		ck_assert_msg(strstr(error.text, "is not begin or end") != NULL, "%s", error.text);
	}
	is_refused("begin 1\n\x02nd 2\n",
	    "mark 2: '?nd 2' is not begin or end, a blank, and seconds such as 12.5");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("marks");

	tcase_add_test(tests, regions_are_added);
	tcase_add_test(tests, no_mark_is_no_region);
	tcase_add_test(tests, marks_in_a_wrong_order);
	tcase_add_test(tests, what_is_no_mark);
	return run_tests("marks", tests);
}
