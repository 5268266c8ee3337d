/* check_fold.c - lines are broken where a person would break them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "tests/unit/support.h"

static char *text;

static void
teardown(void)
{
	free(text);
	text = NULL;
}

static const char *
folded(const char *line, unsigned width)
{
	size_t n;
	FILE  *out = open_memstream(&text, &n);

	fold_line(line, strlen(line), width, out);
	fclose(out);
	return text;
}

static const char *
shortened(const char *name, unsigned columns)
{
	size_t n;
	FILE  *out = open_memstream(&text, &n);

	fold_shorten(name, strlen(name), columns, out);
	fclose(out);
	return text;
}

static const struct {
	unsigned    width;
	const char *line, *folded;
} lines[] = {
	{ 20, "exactly twenty chars", "exactly twenty chars" },
	{ 20, "", "" },
	{ 20, "one more than twenty.", "one more than\n  twenty." },
	/* below the text of the last column that begins in the left half */
	{ 24, "hits      13 of the blocks read", "hits      13 of the\n          blocks read" },
	{ 24, "    begun further in than the rest", "    begun further in\n      than the rest" },
	/* a number stays with its unit, unless there is no other place */
	{ 16, "a: 1.5 %, b: 22.5 %", "a: 1.5 %, b:\n  22.5 %" },
	{ 10, "5 thousand 6 million", "5 thousand\n  6\n  million" },
	/* blanks at the break are gone, others stay */
	{ 10, "aaaa  bbbb   cccc", "aaaa  bbbb\n  cccc" },
	{ 10, "aaaa bbbb     ", "aaaa bbbb" },
	/* a word that is too long: at a comma, else in the middle */
	{ 20, "with linux24:max=31,min=3,version=2.4",
	    "with\n  linux24:max=31,\n  min=3,version=2.4" },
	{ 20, "of /a/path/that/is/too/long/for/it here", "of\n  /a/path...g/for/it\n  here" },
	/* characters of several bytes are one column, colours none */
	{ 12, "\303\244\303\266\303\274\303\244\303\266\303\274 \303\244\303\266\303\274",
	    "\303\244\303\266\303\274\303\244\303\266\303\274 \303\244\303\266\303\274" },
	{ 12, "\033[1;31mslower than\033[m x", "\033[1;31mslower than\033[m\n  x" },
};

START_TEST(a_line_is_broken_at_the_right_place)
{
	ck_assert_str_eq(folded(lines[_i].line, lines[_i].width), lines[_i].folded);
}
END_TEST

START_TEST(no_line_is_wider_than_asked_for)
{
	static const char alphabet[] = "ab,1 %  ";
	char		  line[200];
	unsigned	  seed = 1;

	for (unsigned i = 0; i < 20000; i++) {
		size_t n = i % sizeof(line), at = 0;

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1103515245 + 12345;
			line[k] = alphabet[seed >> 16 & 7];
		}
		line[n] = '\0';
		folded(line, 40);
		for (const char *c = text; *c; c += at + (c[at] == '\n')) {
			at = strcspn(c, "\n");
			ck_assert_msg(at <= 40, "'%s' gives '%s'", line, text);
		}
		teardown();
	}
}
END_TEST

START_TEST(the_middle_of_a_long_name_is_left_out)
{
	ck_assert_str_eq(shortened("short", 5), "short");
	teardown();
	ck_assert_str_eq(shortened("a-long-name.txt", 10), "a-l....txt");
	teardown();
	ck_assert_str_eq(shortened("\303\244\303\266\303\274\303\244\303\266\303\274", 5),
	    "\303\244...\303\274");
}
END_TEST

START_TEST(text_passes_line_by_line)
{
	struct fold  f;
	struct error e = { 0 };
	char	    *all;
	size_t	     n;
	FILE	    *to = open_memstream(&all, &n);

	unsetenv("COLUMNS");
	ck_assert_int_eq(fold_open(&f, to, &e), 0);
	ck_assert_uint_eq(f.width, 80);
	fputs("one\ntwo\n", f.out);
	fold_flush(&f);
	fflush(to);
	ck_assert_str_eq(all, "one\ntwo\n");
	fold_flush(&f);
	fputs("3\n", f.out);
	ck_assert_int_eq(fold_close(&f, 0, &e), 0);
	fclose(to);
	ck_assert_str_eq(all, "one\ntwo\n3\n");
	free(all);
}
END_TEST

START_TEST(a_command_can_be_typed_as_it_stands)
{
	struct fold  f;
	struct error e = { 0 };
	char	    *all;
	size_t	     n;
	FILE	    *to = open_memstream(&all, &n);

	ck_assert_int_eq(fold_open(&f, to, &e), 0);
	f.width = 20;
	fputs("above\n", f.out);
	fold_command(&f,
	    "  do: ", "run 'that'\\''s  long' --x 12345 --y 'a b c d e f g h i j k l' -z");
	fputs("below\n", f.out);
	ck_assert_int_eq(fold_close(&f, 0, &e), 0);
	fclose(to);
	ck_assert_str_eq(all,
	    "above\n"
	    "  do: run \\\n"
	    "    'that'\\''s  long' \\\n"
	    "    --x 12345 \\\n"
	    "    --y 'a b c d e f g h i j k l' \\\n"
	    "    -z\n"
	    "below\n");
	free(all);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("fold");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_loop_test(tests, a_line_is_broken_at_the_right_place, 0,
	    sizeof(lines) / sizeof(*lines));
	tcase_add_test(tests, no_line_is_wider_than_asked_for);
	tcase_add_test(tests, the_middle_of_a_long_name_is_left_out);
	tcase_add_test(tests, a_command_can_be_typed_as_it_stands);
	tcase_add_test(tests, text_passes_line_by_line);
	return run_tests("fold", tests);
}
