/* check_sheet.c - data sheets: what is read, and what is said of a bad one. */
#include <stdio.h>
#include <string.h>

#include "sim/device/sheet.h"
#include "tests/unit/support.h"

static struct sheet sheet;
static struct error error;

static void
open_sheet(const char *text)
{
	sheet_open(&sheet, text);
}

/* What is wrong with the sheet; "" if nothing is. */
static const char *
fault(void)
{
	if (sheet_close(&sheet, &error) == 0)
		return "";
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	return error.text;
}

START_TEST(keys_are_found_by_section)
{
	open_sheet("kind = toy\n[a]\nsize = 3 ; a comment\n[b]\nsize=4.5\n");
	ck_assert_str_eq(sheet_text(&sheet, "", "kind"), "toy");
	ck_assert_uint_eq(sheet_count(&sheet, "a", "size", 0, 10), 3);
	ck_assert_double_eq(sheet_number(&sheet, "b", "size", 0, 10), 4.5);
	ck_assert_str_eq(fault(), "");
}
END_TEST

START_TEST(a_missing_key_is_named_with_its_section)
{
	open_sheet("[a]\nx = 1\n");
	sheet_number(&sheet, "a", "x", 0, 1);
	ck_assert_double_eq(sheet_number(&sheet, "a", "y", 5, 6), 5);
	ck_assert_str_eq(fault(), "[a] y: missing");
	open_sheet("");
	ck_assert_str_eq(sheet_text(&sheet, "", "kind"), "");
	ck_assert_str_eq(fault(), "kind: missing");
}
END_TEST

START_TEST(a_key_nobody_asks_for_is_an_error)
{
	open_sheet("[a]\nx = 1\nz = 2\n");
	sheet_number(&sheet, "a", "x", 0, 1);
	ck_assert_str_eq(fault(), "[a] z: unknown key");
}
END_TEST

/* Without being asked for. */
START_TEST(every_device_may_have_costs_of_the_processor)
{
	open_sheet("[a]\nx = 1\n[cpu_ns]\ncall = 812\nbyte = 0.09\n");
	sheet_number(&sheet, "a", "x", 0, 1);
	ck_assert_str_eq(fault(), "");
	open_sheet("[cpu_ns]\ncalls = 812\n");
	ck_assert_str_eq(fault(), "[cpu_ns] calls: unknown key");
	open_sheet("[cpu_ns]\npage = -1\n");
	ck_assert_str_eq(fault(), "[cpu_ns] page: -1 is not between 0 and 10000000");
	open_sheet("[cpu_ns]\nbyte = 1 us\n");
	ck_assert_str_eq(fault(), "[cpu_ns] byte: '1 us' is not a number");
	open_sheet("[a]\nx = 2\n[cpu_ns]\nbyte = -1\n");
	sheet_number(&sheet, "a", "x", 0, 1);
	ck_assert_str_eq(fault(), "[a] x: 2 is not between 0 and 1");
}
END_TEST

START_TEST(only_the_first_fault_is_reported)
{
	open_sheet("[a]\nx = one\ny = two\nz = 3\n");
	sheet_number(&sheet, "a", "x", 0, 1);
	sheet_number(&sheet, "a", "y", 0, 1);
	ck_assert_str_eq(fault(), "[a] x: 'one' is not a number");
}
END_TEST

START_TEST(numbers_must_be_numbers_within_their_limits)
{
	static const char *const bad[][2] = {
		{ "[a]\nx = \n", "[a] x: empty" },
		{ "[a]\nx = 1 2\n", "[a] x: '1 2' is not a number" },
		{ "[a]\nx = nan\n", "[a] x: 'nan' is not a number" },
		{ "[a]\nx = inf\n", "[a] x: 'inf' is not a number" },
		{ "[a]\nx = 1e999\n", "[a] x: '1e999' is not a number" },
		{ "[a]\nx = 0\n", "[a] x: 0 is not between 1 and 9" },
		{ "[a]\nx = -3\n", "[a] x: -3 is not between 1 and 9" },
		{ "[a]\nx = 9.01\n", "[a] x: 9.01 is not between 1 and 9" },
		{ "[a]\nx = 1.5\n", "[a] x: 1.5 is not a whole number" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		open_sheet(bad[i][0]);
		sheet_count(&sheet, "a", "x", 1, 9);
		ck_assert_str_eq(fault(), bad[i][1]);
	}
}
END_TEST

START_TEST(a_key_may_be_optional)
{
	open_sheet("[a]\nx = 1\n");
	ck_assert_double_eq(sheet_number_or(&sheet, "a", "x", 0, 9, 7), 1);
	ck_assert_double_eq(sheet_number_or(&sheet, "a", "y", 0, 9, 7), 7);
	ck_assert_str_eq(fault(), "");
	open_sheet("[a]\nx = 10\n");
	sheet_number_or(&sheet, "a", "x", 0, 9, 7);
	ck_assert_str_eq(fault(), "[a] x: 10 is not between 0 and 9");
}
END_TEST

START_TEST(a_choice_is_one_of_its_words)
{
	open_sheet("a = no\nb = yes\nc = ye\n");
	ck_assert_uint_eq(sheet_choice(&sheet, "", "a", "no yes"), 0);
	ck_assert_uint_eq(sheet_choice(&sheet, "", "b", "no yes"), 1);
	sheet_choice(&sheet, "", "c", "no yes");
	ck_assert_str_eq(fault(), "c: 'ye' is not one of: no yes");
}
END_TEST

START_TEST(a_section_may_be_a_list_of_rows)
{
	const struct sheet_entry *e;
	double			  row[3];

	open_sheet("[list]\n1 = 2 3\n4=5  6.5\n");
	e = sheet_next(&sheet, "list", NULL);
	sheet_row(&sheet, e, row, 2);
	ck_assert(row[0] == 1 && row[1] == 2 && row[2] == 3);
	e = sheet_next(&sheet, "list", e);
	sheet_row(&sheet, e, row, 2);
	ck_assert(row[0] == 4 && row[1] == 5 && row[2] == 6.5);
	ck_assert_ptr_null(sheet_next(&sheet, "list", e));
	ck_assert_str_eq(fault(), "");
}
END_TEST

START_TEST(a_bad_row_is_named_by_its_key)
{
	static const char *const bad[] = { "1", "1 2 3", "1 two", "1 -2", "1 2x" };
	double			 row[3];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[64], expected[128];

		snprintf(text, sizeof(text), "[list]\n7 = %s\n", bad[i]);
		snprintf(expected, sizeof(expected),
		    "[list] 7: '%s' should be 2 numbers, and the key one", bad[i]);
		open_sheet(text);
		sheet_row(&sheet, sheet_next(&sheet, "list", NULL), row, 2);
		ck_assert(row[0] == 0 && row[1] == 0 && row[2] == 0);
		ck_assert_str_eq(fault(), expected);
	}
}
END_TEST

START_TEST(a_key_given_twice_is_an_error)
{
	open_sheet("[a]\nx = 1\nx = 2\n");
	sheet_number(&sheet, "a", "x", 0, 9);
	ck_assert_str_eq(fault(), "[a] x: given twice");
}
END_TEST

START_TEST(what_is_not_ini_is_refused_by_line)
{
	open_sheet("[a]\nx = 1\nsomething else\n");
	sheet_number(&sheet, "a", "x", 0, 9);
	ck_assert_str_eq(fault(), "line 3 is neither \"[section]\" nor \"key = value\"");
}
END_TEST

START_TEST(a_line_of_any_length_does_no_harm)
{
	static char text[4096];

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = "a = "[i % 4];
	open_sheet(text);
	ck_assert_str_ne(fault(), "");
	memset(text, 'x', sizeof(text) - 1);
	open_sheet(text);
	ck_assert_str_ne(fault(), "");
}
END_TEST

static void
becomes(const char *text, const char *section, const char *key, const char *expected)
{
	char *with = sheet_with(text, section, key, "7", &error);

	ck_assert_ptr_nonnull(with);
	ck_assert_str_eq(with, expected);
	free(with);
}

START_TEST(a_key_is_changed_where_it_is_or_added_to_its_section)
{
	becomes("[a]\nx = 1 ; one\ny = 2\n", "a", "x", "[a]\nx = 7\ny = 2\n");
	becomes("[a]\nxx = 1\nx: 2", "a", "x", "[a]\nxx = 1\nx = 7\n");
	becomes("[b]\nx = 1\n[a]\nx = 2\n", "a", "x", "[b]\nx = 1\n[a]\nx = 7\n");
	becomes("[a]\ny = 1\n\n[b]\nx = 2\n", "a", "x", "[a]\ny = 1\nx = 7\n\n[b]\nx = 2\n");
	becomes("[a]\ny = 1\n[b]\n[a]\nx = 2\n", "a", "x", "[a]\ny = 1\n[b]\n[a]\nx = 7\n");
	becomes("[a]", "a", "x", "[a]\nx = 7\n");
	becomes("[ab]\nx = 1\n", "a", "x", "[ab]\nx = 1\n\n[a]\nx = 7\n");
	becomes("[b]\ny = 1", "a", "x", "[b]\ny = 1\n\n[a]\nx = 7\n");
	becomes("kind = k\n\n[a]\nx = 1\n", "", "x", "kind = k\nx = 7\n\n[a]\nx = 1\n");
}
END_TEST

START_TEST(what_was_changed_is_what_is_read)
{
	char *with = sheet_with("kind = toy\r\n[a]\r\ny = 3\r\n", "a", "x", "0.25", &error);

	open_sheet(with);
	ck_assert(sheet_has(&sheet, "a", "x") && !sheet_has(&sheet, "a", "z"));
	ck_assert_double_eq(sheet_number(&sheet, "a", "x", 0, 10), 0.25);
	ck_assert_double_eq(sheet_number(&sheet, "a", "y", 0, 10), 3);
	ck_assert_str_eq(sheet_text(&sheet, "", "kind"), "toy");
	ck_assert_str_eq(fault(), "");
	free(with);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("sheet");

	tcase_add_test(tc, keys_are_found_by_section);
	tcase_add_test(tc, a_missing_key_is_named_with_its_section);
	tcase_add_test(tc, a_key_nobody_asks_for_is_an_error);
	tcase_add_test(tc, every_device_may_have_costs_of_the_processor);
	tcase_add_test(tc, only_the_first_fault_is_reported);
	tcase_add_test(tc, numbers_must_be_numbers_within_their_limits);
	tcase_add_test(tc, a_key_may_be_optional);
	tcase_add_test(tc, a_choice_is_one_of_its_words);
	tcase_add_test(tc, a_section_may_be_a_list_of_rows);
	tcase_add_test(tc, a_bad_row_is_named_by_its_key);
	tcase_add_test(tc, a_key_given_twice_is_an_error);
	tcase_add_test(tc, what_is_not_ini_is_refused_by_line);
	tcase_add_test(tc, a_line_of_any_length_does_no_harm);
	tcase_add_test(tc, a_key_is_changed_where_it_is_or_added_to_its_section);
	tcase_add_test(tc, what_was_changed_is_what_is_read);
	return run_tests("sheet", tc);
}
