/* check_here.c - where the data sheet of this machine is, and its folders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/device/here.h"
#include "tests/unit/support.h"

static char	    folder[] = "/tmp/bufsim-here-XXXXXX";
static struct error error;

static void
setup(void)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
}

/* Of nested folders the innermost first. */
static void
teardown(void)
{
	static const char *const made[] = { "/.local/share/bufsim", "/.local/share", "/.local",
		"/data/bufsim", "/data", "/file", "" };
	char			 path[128];

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		snprintf(path, sizeof(path), "%s%s", folder, made[i]);
		remove(path);
	}
	ck_assert_int_eq(access(folder, F_OK), -1);
}

static char *
within(char path[128], const char *rest)
{
	snprintf(path, 128, "%s%s", folder, rest);
	return path;
}

/* The path is folder and rest; the caller may want to look what is there. */
static void
expect(char *path, const char *rest)
{
	char expected[128];

	ck_assert_msg(path != NULL, "%s", error.text);
	ck_assert_str_eq(path, within(expected, rest));
	free(path);
}

static bool
is_there(const char *rest)
{
	char	    path[128];
	struct stat st;

	return !stat(within(path, rest), &st) && S_ISDIR(st.st_mode);
}

START_TEST(it_is_in_the_home_unless_the_data_are_elsewhere)
{
	char data[128];

	setenv("HOME", folder, 1);
	expect(here_path(&error), "/.local/share/bufsim/here.dev");
	setenv("XDG_DATA_HOME", within(data, "/data"), 1);
	expect(here_path(&error), "/data/bufsim/here.dev");
	setenv("XDG_DATA_HOME", "data", 1); /* not from the root: left out */
	expect(here_path(&error), "/.local/share/bufsim/here.dev");
	setenv("XDG_DATA_HOME", "", 1);
	expect(here_path(&error), "/.local/share/bufsim/here.dev");
	ck_assert(!is_there("/.local") && !is_there("/data"));
}
END_TEST

START_TEST(its_folders_are_made)
{
	char data[128];

	setenv("HOME", folder, 1);
	for (int i = 0; i < 2; i++) {
		expect(here_prepare(&error), "/.local/share/bufsim/here.dev");
		ck_assert(is_there("/.local/share/bufsim"));
	}
	setenv("XDG_DATA_HOME", within(data, "/data"), 1);
	expect(here_prepare(&error), "/data/bufsim/here.dev");
	ck_assert(is_there("/data/bufsim"));
}
END_TEST

START_TEST(without_a_home_it_is_nowhere)
{
	ck_assert_ptr_null(here_path(&error));
	ck_assert_ptr_nonnull(strstr(error.text, "HOME is not set"));
	ck_assert_ptr_null(here_prepare(&error));
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_named)
{
	char  path[128], said[256];
	FILE *f = fopen(within(path, "/file"), "w");

	ck_assert_ptr_nonnull(f);
	fclose(f);
	setenv("XDG_DATA_HOME", path, 1);
	ck_assert_ptr_null(here_prepare(&error));
	snprintf(said, sizeof(said),
	    "%s/bufsim: cannot be made: Not a directory: name a file instead", path);
	ck_assert_str_eq(error.text, said);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("here");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, it_is_in_the_home_unless_the_data_are_elsewhere);
	tcase_add_test(tc, its_folders_are_made);
	tcase_add_test(tc, without_a_home_it_is_nowhere);
	tcase_add_test(tc, a_folder_that_cannot_be_made_is_named);
	return run_tests("here", tc);
}
