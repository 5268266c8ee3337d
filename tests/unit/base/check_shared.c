/* check_shared.c - which texts are paths of plug-ins compiled apart, and how they are shown. */
#include <string.h>

#include "sim/base/shared.h"
#include "tests/unit/support.h"

/* The path that text begins with. */
static const char *
path(const char *text)
{
	static char got[100];
	size_t	    n = shared_path(text);

	memcpy(got, text, n);
	got[n] = '\0';
	return got;
}

START_TEST(a_path_has_a_slash_before_any_parameter_and_ends_in_so)
{
	ck_assert_str_eq(path("./mine.so"), "./mine.so");
	ck_assert_str_eq(path("./mine.so:k=3"), "./mine.so");
	ck_assert_str_eq(path("a/mine.so+linux24"), "a/mine.so");
	ck_assert_str_eq(path("/c++/a:b/x.so.so:k=3"), "/c++/a:b/x.so.so");
	ck_assert_str_eq(path("mine.so"), "");
	ck_assert_str_eq(path("./mine"), "");
	ck_assert_str_eq(path("./mine.sox"), "");
	ck_assert_str_eq(path("iprp+./mine.so"), "");
	ck_assert_str_eq(path("iprp:k=./mine.so"), "");
	ck_assert_str_eq(path(""), "");
}
END_TEST

START_TEST(results_show_names)
{
	char	    room[SHARED_TEXT], longer[SHARED_TEXT + 20];
	const char *plain = "iprp:a=1+linux24:b=2", *sheet = "./my.dev";

	ck_assert_str_eq(shared_shown("./mine.so", room), "mine");
	ck_assert_str_eq(shared_shown("iprp:a=1+../x/mine.so:k=3", room), "iprp:a=1+mine:k=3");
	ck_assert_str_eq(shared_shown("/a/b.so:a=1+c/d.so:k=3", room), "b:a=1+d:k=3");
	ck_assert_ptr_eq(shared_shown(plain, room), plain);
	ck_assert_ptr_eq(shared_shown(sheet, room), sheet);
	memset(longer, 'x', sizeof(longer));
	memcpy(longer, "./a.so:", 7);
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_ptr_eq(shared_shown(longer, room), longer);
	longer[SHARED_TEXT + 4] = '\0'; /* ./ and .so are left out */
	ck_assert_uint_eq(strlen(shared_shown(longer, room)), SHARED_TEXT - 1);
	longer[SHARED_TEXT + 4] = 'x';
	longer[SHARED_TEXT + 5] = '\0';
	ck_assert_ptr_eq(shared_shown(longer, room), longer);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("shared");

	tcase_add_test(tc, a_path_has_a_slash_before_any_parameter_and_ends_in_so);
	tcase_add_test(tc, results_show_names);
	return run_tests("shared", tc);
}
