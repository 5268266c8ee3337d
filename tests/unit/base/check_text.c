/* check_text.c - names from outside become one line of valid UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "tests/unit/support.h"

static const struct {
	const char *text, *clean;
} cases[] = {
	{ "", "" }, { "a b", "a b" },
	{ "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80",
	    "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "\x1b[31mred\r\n\t\x7f", "?[31mred????" },
	{ "\xc2\x9b"
	  "31m",
	    "?31m" },			      /* C1 as UTF-8 */
	{ "\x9b", "?" },		      /* C1 as one byte */
	{ "\xe2\x80\xa8\xe2\x80\xa9", "??" }, /* line separators */
	{ "\xc3", "?" },		      /* cut */
	{ "\xe2\x82", "??" }, { "\xf0\x9f\x98x", "???x" },
	{ "\xc0\xaf\xe0\x80\xaf", "?????" }, /* too long for what they encode */
	{ "\xed\xa0\x80", "???" },	     /* a surrogate */
	{ "\xf4\x90\x80\x80\xf8\x88\x80\x80\x80\xff", "??????????" }, /* past U+10FFFF */
};

START_TEST(makes_text_safe)
{
	char   buf[64], *printed;
	size_t size;
	FILE  *out = open_memstream(&printed, &size);

	ck_assert_str_eq(text_clean(buf, sizeof(buf), cases[_i].text), cases[_i].clean);
	text_print(cases[_i].text, out);
	fclose(out);
	ck_assert_str_eq(printed, cases[_i].clean);
	free(printed);
	ck_assert_int_eq(text_is_clean(cases[_i].text), !strcmp(cases[_i].text, cases[_i].clean));
	strcpy(buf, cases[_i].text);
	ck_assert_str_eq(text_clean(buf, sizeof(buf), buf), cases[_i].clean);
}
END_TEST

START_TEST(doubles_the_quotes_in_quotes)
{
	char  *printed;
	size_t size;
	FILE  *out = open_memstream(&printed, &size);

	text_quote("it's\x1b'\"", '\'', out);
	fclose(out);
	ck_assert_str_eq(printed, "'it''s?''\"'");
	free(printed);
}
END_TEST

START_TEST(a_shell_reads_back_what_is_quoted)
{
	char  *printed;
	size_t size;
	FILE  *out = open_memstream(&printed, &size);

	text_shell("it's \"a\" $b", out);
	text_shell("a/b.txt", out);
	text_shell("", out);
	fclose(out);
	ck_assert_str_eq(printed, "'it'\\''s \"a\" $b'a/b.txt''");
	free(printed);
}
END_TEST

START_TEST(cuts_between_characters)
{
	char buf[8];

	ck_assert_str_eq(text_clean(buf, 4, "ab\xc3\xaf"), "ab");
	ck_assert_str_eq(text_clean(buf, 5, "ab\xc3\xaf"), "ab\xc3\xaf");
	ck_assert_str_eq(text_clean(buf, 1, "ab"), "");
}
END_TEST

START_TEST(replaces_each_character)
{
	char text[] = "_vetoed__blocks_";

	text_replace(text, '_', ' ');
	ck_assert_str_eq(text, " vetoed  blocks ");
	text_replace(text, ' ', ' ');
	ck_assert_str_eq(text, " vetoed  blocks ");
}
END_TEST

START_TEST(an_ending_has_something_before_it)
{
	ck_assert(text_ends_in("a.gz", 4, ".gz"));
	ck_assert(text_ends_in("a.GZ.zst", 4, ".gz"));
	ck_assert(text_ends_in("a.oracleGENERAL", 15, ".oracleGeneral"));
	ck_assert(!text_ends_in(".gz", 3, ".gz"));
	ck_assert(!text_ends_in("gz", 2, ".gz"));
	ck_assert(!text_ends_in("a.gz2", 5, ".gz"));
	ck_assert(!text_ends_in("a/.gz", 5, ".gz"));
}
END_TEST

START_TEST(the_last_ending_is_that_of_the_name)
{
	ck_assert_uint_eq(text_ending("a/b.txt.gz", 10), 7);
	ck_assert_uint_eq(text_ending("a/b.txt.gz", 7), 3);
	ck_assert_uint_eq(text_ending("b.", 2), 1);
	ck_assert_uint_eq(text_ending("a.b/c", 5), 5);
	ck_assert_uint_eq(text_ending("a/.csv", 6), 6);
	ck_assert_uint_eq(text_ending(".csv", 4), 4);
	ck_assert_uint_eq(text_ending("", 0), 0);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_loop_test(tc, makes_text_safe, 0, (int)(sizeof(cases) / sizeof(*cases)));
	tcase_add_test(tc, cuts_between_characters);
	tcase_add_test(tc, replaces_each_character);
	tcase_add_test(tc, an_ending_has_something_before_it);
	tcase_add_test(tc, the_last_ending_is_that_of_the_name);
	tcase_add_test(tc, doubles_the_quotes_in_quotes);
	tcase_add_test(tc, a_shell_reads_back_what_is_quoted);
	return run_tests("text", tc);
}
