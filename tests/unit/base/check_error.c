/* check_error.c - sim/base/error.c: a message keeps its reason, however long its names are. */
#include <string.h>

#include "sim/base/error.h"
#include "tests/unit/support.h"

enum { LONG = 5000, ROOM = sizeof(((struct error *)0)->text) };

static struct error error;
static char	    name[LONG + 1];

static void
ends_in(const char *end)
{
	ck_assert_uint_le(strlen(error.text), ROOM - 1);
	ck_assert_str_eq(error.text + strlen(error.text) - strlen(end), end);
}

START_TEST(a_short_message_stays_as_it_is)
{
	ck_assert_int_eq(error_set(&error, "%s: %d", "a", 1), -1);
	ck_assert_str_eq(error.text, "a: 1");
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	ck_assert_int_eq(error_usage(&error, "%s", "b"), -1);
	ck_assert_int_eq(error_prefix(&error, "--%s", "c"), -1);
	ck_assert_str_eq(error.text, "--c: b");
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}
END_TEST

START_TEST(a_long_path_is_cut_in_the_middle)
{
	memset(name, 'x', LONG);
	for (size_t n = ROOM - 20; n <= ROOM; n++) {
		error_set(&error, "/begin%s: not found", name + LONG - n);
		ck_assert_int_eq(strncmp(error.text, "/beginxxx", 9), 0);
		ends_in("x: not found");
	}
	error_set(&error, "/begin%s: not found", name);
	ck_assert_uint_eq(strlen(error.text), ROOM - 1);
	ck_assert_ptr_nonnull(strstr(error.text, "x...x"));
	error_prefix(&error, "other%s", name);
	ck_assert_int_eq(strncmp(error.text, "otherxxx", 8), 0);
	ends_in("x: not found");
}
END_TEST

START_TEST(characters_stay_whole)
{
	for (size_t i = 0; i + 3 <= LONG; i += 3)
		memcpy(name + i, "\xe2\x82\xac", 3);
	for (int shift = 0; shift < 3; shift++) {
		const char *gap;

		error_set(&error, "%.*s%.*s: why", shift, "ab", LONG / 3 * 3, name);
		gap = strstr(error.text, "...");
		ck_assert_ptr_nonnull(gap);
		ck_assert_int_eq(memcmp(gap - 3, "\xe2\x82\xac...\xe2\x82\xac", 9), 0);
		ends_in(": why");
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("error");

	tcase_add_test(tests, a_short_message_stays_as_it_is);
	tcase_add_test(tests, a_long_path_is_cut_in_the_middle);
	tcase_add_test(tests, characters_stay_whole);
	return run_tests("error", tests);
}
