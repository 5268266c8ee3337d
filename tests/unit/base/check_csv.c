/* check_csv.c - comma-separated values: what is a row, what is torn, what is wrong. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/csv.h"
#include "tests/unit/support.h"

static struct csv   csv;
static struct error error;
static char	    path[64];

static int
open_bytes(const char *text, size_t n)
{
	int fd;

	strcpy(path, "/tmp/bufsim-check-csv-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, n), (ssize_t)n);
	close(fd);
	fd = csv_open(&csv, path, &error);
	unlink(path);
	return fd;
}

static void
open_text(const char *text)
{
	ck_assert_int_eq(open_bytes(text, strlen(text)), 0);
}

/* What is wrong with the next row, without the name of the file. */
static const char *
fault(void)
{
	ck_assert_int_eq(csv_next(&csv, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	ck_assert(!strncmp(error.text, path, strlen(path)));
	csv_close(&csv);
	return error.text + strlen(path);
}

START_TEST(fields_are_found_by_the_names_in_the_first_row)
{
	open_text("trace,hits\ncsq,12\ntpch,3\n");
	ck_assert_uint_eq(csv.ncolumns, 2);
	ck_assert_int_eq(csv_column(&csv, "hits"), 1);
	ck_assert_int_eq(csv_column(&csv, "hit"), -1);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[0], "csq");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "3");
	ck_assert_uint_eq(csv.row, 3);
	ck_assert_str_eq(csv.column[1], "hits");
	ck_assert_int_eq(csv_next(&csv, &error), 0);
	ck_assert(!csv.torn);
	csv_close(&csv);
}
END_TEST

START_TEST(quotes_hold_commas_quotes_and_newlines)
{
	open_text("a,\"b,\"\"c\"\"\"\n\"x\ny\",\"\"\n");
	ck_assert_int_eq(csv_column(&csv, "b,\"c\""), 1);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[0], "x\ny");
	ck_assert_str_eq(csv.field[1], "");
	ck_assert_uint_eq(csv.row, 2);
	csv_close(&csv);
}
END_TEST

START_TEST(lines_may_end_as_on_windows)
{
	open_text("a,b\r\n1,2\r\n\"3\",\"4\"\r\n");
	ck_assert_int_eq(csv_column(&csv, "b"), 1);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "2");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "4");
	csv_close(&csv);
}
END_TEST

START_TEST(a_row_is_also_given_as_it_is_in_the_file)
{
	open_text("a,b\n\"1\",2\n33,44\n");
	ck_assert_uint_eq(csv.end, 4);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_uint_eq(csv.line_bytes, 6);
	ck_assert(!memcmp(csv.line, "\"1\",2\n", 6));
	ck_assert_uint_eq(csv.end, 10);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_uint_eq(csv.end, 16);
	csv_close(&csv);
}
END_TEST

START_TEST(a_row_cut_anywhere_is_torn_and_the_rows_before_it_are_whole)
{
	static const char text[] = "a,b,c\n1,2,3\n4,\"5,5\",6\n";

	for (size_t n = 6; n < sizeof(text); n++) {
		size_t end = n < 12 ? 6 : n < 22 ? 12 : 22;

		ck_assert_int_eq(open_bytes(text, n), 0);
		while (csv_next(&csv, &error) == 1)
			;
		REQUIRE(csv.end == end, "cut at %zu: %zu, not %zu", n, (size_t)csv.end, end);
		REQUIRE(csv.torn == (n != end), "cut at %zu", n);
		csv_close(&csv);
	}
}
END_TEST

START_TEST(a_last_row_with_too_few_fields_is_torn_although_it_has_its_newline)
{
	open_text("a,b\n1,2\n3\n");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_int_eq(csv_next(&csv, &error), 0);
	ck_assert(csv.torn);
	ck_assert_uint_eq(csv.end, 8);
	csv_close(&csv);
}
END_TEST

START_TEST(a_file_without_a_whole_first_row_has_no_columns)
{
	open_text("");
	ck_assert_uint_eq(csv.ncolumns, 0);
	ck_assert_int_eq(csv_column(&csv, "a"), -1);
	ck_assert_int_eq(csv_next(&csv, &error), 0);
	ck_assert(!csv.torn);
	csv_close(&csv);
	open_text("a,b");
	ck_assert_uint_eq(csv.ncolumns, 0);
	ck_assert_uint_eq(csv.end, 0);
	ck_assert(csv.torn);
	csv_close(&csv);
}
END_TEST

START_TEST(what_no_program_writes_is_refused_by_row)
{
	static const struct {
		const char *text, *fault;
	} bad[] = {
		{ "a,b\n1\n2,3\n", ": row 2: 1 fields for 2 columns" },
		{ "a,b\n1,2,3\n", ": row 2: 3 fields for 2 columns" },
		{ "a,b\n1,2\"\"\n", ": row 2: a quote where none belongs" },
		{ "a,b\n\"1\"x,2\n", ": row 2: a quote where none belongs" },
		{ "a,b\n\"1,2\n3,4\n", ": row 2: a quote is opened and never closed" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		open_text(bad[i].text);
		ck_assert_str_eq(fault(), bad[i].fault);
	}
	ck_assert_int_eq(open_bytes("a\n1\0\n", 5), 0);
	ck_assert_str_eq(fault(), ": row 2: a zero byte");
	ck_assert_int_eq(open_bytes("a\"\"\n", 4), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": row 1: a quote where none belongs"));
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_an_error_that_names_it)
{
	ck_assert_int_eq(csv_open(&csv, "/no/such.csv", &error), -1);
	ck_assert_str_eq(error.text, "/no/such.csv: No such file or directory");
	ck_assert_int_eq(csv_open(&csv, "/tmp", &error), -1);
	ck_assert_str_eq(error.text, "/tmp: is a directory: name a file in it");
}
END_TEST

START_TEST(rows_may_be_of_any_length)
{
	enum { FIELDS = 3000 };
	static char text[2 * (8 * FIELDS)];
	size_t	    n = 0;

	for (unsigned row = 0; row < 2; row++)
		for (unsigned i = 0; i < FIELDS; i++)
			n += (size_t)sprintf(text + n, "v%u%c", i * (row + 1),
			    i + 1 < FIELDS ? ',' : '\n');
	open_text(text);
	ck_assert_uint_eq(csv.ncolumns, FIELDS);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	for (unsigned i = 0; i < FIELDS; i++) {
		REQUIRE((unsigned)atoi(csv.column[i] + 1) == i, "name %u", i);
		REQUIRE((unsigned)atoi(csv.field[i] + 1) == 2 * i, "field %u", i);
	}
	csv_close(&csv);
}
END_TEST

START_TEST(line_ends_and_the_mark_of_windows_are_not_part_of_the_fields)
{
	open_text("\xef\xbb\xbf"
		  "a,b\r\n1,2\r\n");
	ck_assert_int_eq(csv_column(&csv, "a"), 0);
	ck_assert_int_eq(csv_column(&csv, "b"), 1);
	ck_assert_uint_eq(csv.end, 8);
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "2");
	ck_assert_uint_eq(csv.end, 13);
	csv_close(&csv);
}
END_TEST

START_TEST(empty_lines_are_skipped)
{
	open_text("a,b\n\n1,2\n\r\n\n3,4\n\n");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "2");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[1], "4");
	ck_assert_int_eq(csv_next(&csv, &error), 0);
	ck_assert(!csv.torn);
	csv_close(&csv);
}
END_TEST

START_TEST(an_empty_line_of_one_column_is_an_empty_field)
{
	open_text("a\n\n");
	ck_assert_int_eq(csv_next(&csv, &error), 1);
	ck_assert_str_eq(csv.field[0], "");
	csv_close(&csv);
}
END_TEST

START_TEST(a_field_is_written_as_one_line_of_utf_8)
{
	static const char *const cases[][2] = { { "plain", "plain" }, { "a,b", "\"a,b\"" },
		{ "say \"x\"", "\"say \"\"x\"\"\"" }, { "two\r\nlines", "two??lines" },
		{ "\x1b[1m,\xff\xc3\xa9", "\"?[1m,?\xc3\xa9\"" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char  *text;
		size_t n;
		FILE  *out = open_memstream(&text, &n);

		csv_text(cases[i][0], out);
		fclose(out);
		ck_assert_str_eq(text, cases[i][1]);
		free(text);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("csv");

	tcase_add_test(tc, fields_are_found_by_the_names_in_the_first_row);
	tcase_add_test(tc, quotes_hold_commas_quotes_and_newlines);
	tcase_add_test(tc, lines_may_end_as_on_windows);
	tcase_add_test(tc, a_row_is_also_given_as_it_is_in_the_file);
	tcase_add_test(tc, a_row_cut_anywhere_is_torn_and_the_rows_before_it_are_whole);
	tcase_add_test(tc, a_last_row_with_too_few_fields_is_torn_although_it_has_its_newline);
	tcase_add_test(tc, a_file_without_a_whole_first_row_has_no_columns);
	tcase_add_test(tc, what_no_program_writes_is_refused_by_row);
	tcase_add_test(tc, a_file_that_cannot_be_read_is_an_error_that_names_it);
	tcase_add_test(tc, rows_may_be_of_any_length);
	tcase_add_test(tc, line_ends_and_the_mark_of_windows_are_not_part_of_the_fields);
	tcase_add_test(tc, empty_lines_are_skipped);
	tcase_add_test(tc, an_empty_line_of_one_column_is_an_empty_field);
	tcase_add_test(tc, a_field_is_written_as_one_line_of_utf_8);
	return run_tests("csv", tc);
}
