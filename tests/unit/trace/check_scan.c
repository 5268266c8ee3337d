/* check_scan.c - sim/trace/scan.c: lines, fields and numbers of text. */
#include "sim/trace/input.h"
#include "sim/trace/scan.h"
#include "tests/unit/loading.h"

/* What is left behind a number of at most max, or NULL. */
static const char *
behind(const char *text, uint64_t max, uint64_t expected)
{
	uint64_t    n = ~expected;
	const char *end = scan_digits(text, max, &n);

	if (end)
		ck_assert_uint_eq(n, expected);
	return end;
}

START_TEST(digits_are_a_number_up_to_its_bound)
{
	ck_assert_str_eq(behind("0", 0, 0), "");
	ck_assert_str_eq(behind("0012x", 12, 12), "x");
	ck_assert_str_eq(behind("18446744073709551615,", UINT64_MAX, UINT64_MAX), ",");
	ck_assert_str_eq(behind("00000000000000000000018446744073709551615", UINT64_MAX,
			     UINT64_MAX),
	    "");
	ck_assert_ptr_null(behind("18446744073709551616", UINT64_MAX, 0));
	ck_assert_ptr_null(behind("100000000000000000000", UINT64_MAX, 0));
	ck_assert_ptr_null(behind("13", 12, 13));
	ck_assert_ptr_null(behind("", UINT64_MAX, 0));
	ck_assert_ptr_null(behind("-1", UINT64_MAX, 0));
	ck_assert_ptr_null(behind(" 1", UINT64_MAX, 0));
}
END_TEST

START_TEST(a_fraction_is_cut_to_billionths)
{
	uint64_t n;

	ck_assert_str_eq(scan_billionths(".25x", &n), "x");
	ck_assert_uint_eq(n, 250000000);
	ck_assert_str_eq(scan_billionths(".0000000019", &n), "");
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(scan_billionths(",5", &n), ",5");
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(minutes_of_a_day_end_before_the_seconds)
{
	uint64_t n;

	ck_assert_str_eq(scan_minutes("23:59:07", 23, &n), "07");
	ck_assert_uint_eq(n, 23 * 60 + 59);
	ck_assert_str_eq(scan_minutes("100:00:", 100, &n), "");
	ck_assert_uint_eq(n, 6000);
	ck_assert_ptr_null(scan_minutes("24:00:00", 23, &n));
	ck_assert_ptr_null(scan_minutes("23:60:00", 23, &n));
	ck_assert_ptr_null(scan_minutes("23:59", 23, &n));
	ck_assert_ptr_null(scan_minutes(":59:00", 23, &n));
}
END_TEST

START_TEST(a_word_is_among_a_list_whatever_its_case)
{
	static const char list[] = "READ write @op";

	ck_assert(scan_is_among("read", 4, list));
	ck_assert(scan_is_among("Write,", 5, list));
	ck_assert(scan_is_among("@OP", 3, list));
	ck_assert(!scan_is_among("`op", 3, list)); /* other signs differ in the same bit */
	ck_assert(!scan_is_among("writes", 6, list));
	ck_assert(!scan_is_among("rea", 3, list));
	ck_assert(!scan_is_among("", 0, list));
	ck_assert(!scan_is_among("read write", 10, list));
}
END_TEST

START_TEST(a_number_is_a_whole_field)
{
	uint64_t n;

	ck_assert_str_eq(scan_number("7 8", 9, &n), " 8");
	ck_assert_str_eq(scan_number("7\t8", 9, &n), "\t8");
	ck_assert_str_eq(scan_number("7\r", 9, &n), "\r");
	ck_assert_str_eq(scan_number("7", 9, &n), "");
	ck_assert_ptr_null(scan_number("7,8", 9, &n));
	ck_assert_ptr_null(scan_number("7.5", 9, &n));
}
END_TEST

START_TEST(hexadecimal_digits_of_either_case)
{
	uint64_t n;

	ck_assert_str_eq(scan_hex("7fA0 ", &n), " ");
	ck_assert_uint_eq(n, 0x7fa0);
	ck_assert_str_eq(scan_hex("ffffffffffffffffg", &n), "g");
	ck_assert_uint_eq(n, UINT64_MAX);
	ck_assert_str_eq(scan_hex("0@P`p", &n), "@P`p");
	ck_assert_ptr_null(scan_hex("10000000000000000", &n));
	ck_assert_ptr_null(scan_hex("x", &n));
	ck_assert_ptr_null(scan_hex("", &n));
}
END_TEST

START_TEST(seconds_become_microseconds)
{
	usec_t t;

	ck_assert_str_eq(scan_seconds("1795253148.651759 read", &t), " read");
	ck_assert_int_eq(t, 1795253148651759);
	ck_assert_str_eq(scan_seconds("0.5", &t), "");
	ck_assert_int_eq(t, 500000);
	ck_assert_str_eq(scan_seconds("3.000001999", &t), "");
	ck_assert_int_eq(t, 3000001);
	ck_assert_str_eq(scan_seconds("99999999999.0", &t), "");
	ck_assert_ptr_null(scan_seconds("100000000000.0", &t));
	ck_assert_ptr_null(scan_seconds("5", &t));
	ck_assert_ptr_null(scan_seconds("5.", &t));
	ck_assert_ptr_null(scan_seconds(".5", &t));
}
END_TEST

/* The fields with bars between them. */
static void
fields_are(const char *text, char separator, unsigned n, const char *expected)
{
	char  line[64], joined[64] = "";
	char *field[3];

	strcpy(line, text);
	ck_assert_uint_eq(scan_fields(line, separator, field, 3), n);
	for (unsigned i = 0; i < n && i < 3; i++) {
		strcat(joined, i ? "|" : "");
		strcat(joined, field[i]);
	}
	ck_assert_str_eq(joined, expected);
}

START_TEST(fields_lie_between_separators)
{
	fields_are("a,b,c", ',', 3, "a|b|c");
	fields_are(",b ,", ',', 3, "|b |");
	fields_are("", ',', 1, "");
	fields_are("a;b\r", ';', 2, "a|b");
	fields_are("a,b,c,d,e", ',', 5, "a|b|c");
	fields_are(" \ta  b\t", ' ', 2, "a|b");
	fields_are("", ' ', 0, "");
	fields_are("a b c d", ' ', 4, "a|b|c");
}
END_TEST

static void
explains(const char *text, const char *expected)
{
	ck_assert_int_eq(scan_explain("pid", text, 9, &error), -1);
	ck_assert_str_eq(error.text, expected);
}

START_TEST(what_is_no_number_is_quoted_short_and_printable)
{
	explains("x1 2", "pid: 'x1' is not a whole number");
	explains("", "pid: '' is not a whole number");
	explains("-3", "pid: -3 is negative");
	explains("+3", "pid: '+3' is not digits only");
	explains("10\r", "pid: 10 is too large (at most 9)");
	explains("\x01\xff", "pid: '\?\?' is not a whole number");
	explains("abcdefghijklmnopqrst", "pid: 'abcdefghijklmnopqrst' is not a whole number");
	explains("abcdefghijklmnopqrstu", "pid: 'abcdefghijklmnopqrst...' is not a whole number");
}
END_TEST

START_TEST(comments_and_blank_lines_are_skipped)
{
	static const char bytes[] = "# one\n\n \t\r\n#\none\n  two\r\n\n#";
	static const char zero[] = "#\0\nthree\0\n";
	struct input	 *in;
	char		 *line;

	scratch_write(bytes, sizeof(bytes) - 1);
	in = input_open(scratch_path, &error);
	ck_assert_int_eq(scan_line(in, &line, &error), 1);
	ck_assert_str_eq(line, "one");
	ck_assert_int_eq(scan_line(in, &line, &error), 1);
	ck_assert_str_eq(line, "  two\r");
	ck_assert_int_eq(scan_line(in, &line, &error), 0);
	input_close(in);
	scratch_write(zero, sizeof(zero) - 1);
	in = input_open(scratch_path, &error);
	ck_assert_int_eq(scan_line(in, &line, &error), -1);
	ck_assert_str_eq(error.text, "a zero byte in the line: this is not text");
	ck_assert_uint_eq(input_line_number(in), 2);
	input_close(in);
}
END_TEST

START_TEST(a_head_is_taken_line_by_line)
{
	const char *head = "one\n\nlonger\nend";
	size_t	    n = strlen(head);
	char	    line[5];

	ck_assert(scan_head(&head, &n, line, sizeof(line)));
	ck_assert_str_eq(line, "one");
	ck_assert(scan_head(&head, &n, line, sizeof(line)));
	ck_assert_str_eq(line, "");
	ck_assert(scan_head(&head, &n, line, sizeof(line)));
	ck_assert_str_eq(line, "long");
	ck_assert(scan_head(&head, &n, line, sizeof(line)));
	ck_assert_str_eq(line, "end");
	ck_assert(!scan_head(&head, &n, line, sizeof(line)));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("scan");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, digits_are_a_number_up_to_its_bound);
	tcase_add_test(tc, a_fraction_is_cut_to_billionths);
	tcase_add_test(tc, minutes_of_a_day_end_before_the_seconds);
	tcase_add_test(tc, a_word_is_among_a_list_whatever_its_case);
	tcase_add_test(tc, a_number_is_a_whole_field);
	tcase_add_test(tc, hexadecimal_digits_of_either_case);
	tcase_add_test(tc, seconds_become_microseconds);
	tcase_add_test(tc, fields_lie_between_separators);
	tcase_add_test(tc, what_is_no_number_is_quoted_short_and_printable);
	tcase_add_test(tc, comments_and_blank_lines_are_skipped);
	tcase_add_test(tc, a_head_is_taken_line_by_line);
	return run_tests("scan", tc);
}
