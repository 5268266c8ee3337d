/* check_progress.c - the line on a terminal, and silence elsewhere. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/progress.h"
#include "tests/unit/support.h"

static int terminal;

/* Standard error becomes a terminal whose other end is ours.  False: there are none here. */
static bool
open_terminal(void)
{
	int end;

	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal < 0) {
		puts("skipped: no terminal to be had");
		return false;
	}
	ck_assert_int_eq(grantpt(terminal), 0);
	ck_assert_int_eq(unlockpt(terminal), 0);
	end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(end, 0);
	ck_assert_int_eq(dup2(end, STDERR_FILENO), STDERR_FILENO);
	close(end);
	return true;
}

/* What was shown, to the end of the line. */
static const char *
shown(void)
{
	static char text[4096];
	size_t	    n = 0;

	do {
		ssize_t more = read(terminal, text + n, sizeof(text) - 1 - n);

		ck_assert_int_gt(more, 0);
		n += (size_t)more;
		text[n] = '\0';
	} while (!strstr(text, "\033[K"));
	return text;
}

/* As if so many seconds had passed since the start. */
static void
pass(struct progress *p, double seconds)
{
	p->started -= seconds;
	p->shown = 0;
}

START_TEST(the_line_says_how_far_how_fast_and_how_long_it_takes)
{
	static const struct {
		double	    seconds;
		size_t	    done;
		const char *rate, *left;
	} at[] = {
		{ 10, 50, "50/100 points [###############               ]", " s left" },
		{ 500, 50, "/s, ", " min left" },
		{ 50000, 50, "/s, ", " h left" },
	};
	struct progress p;

	if (!open_terminal())
		return;
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		const char *text;

		progress_start(&p, "points", 100);
		pass(&p, at[i].seconds);
		progress_show(&p, at[i].done);
		text = shown();
		ck_assert_msg(strstr(text, at[i].rate) && strstr(text, at[i].left), "%s", text);
	}
	progress_end(&p);
	ck_assert_str_eq(shown(), "\r\033[K");
}
END_TEST

START_TEST(nothing_is_known_before_the_first_is_done)
{
	struct progress p;

	if (!open_terminal())
		return;
	progress_start(&p, "points", 7);
	progress_show(&p, 0);
	ck_assert_str_eq(shown(), "\r0/7 points [                              ]\033[K");
}
END_TEST

START_TEST(elsewhere_nothing_is_printed)
{
	struct progress p;
	FILE	       *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
	progress_start(&p, "points", 7);
	progress_show(&p, 3);
	progress_end(&p);
	fflush(stderr);
	ck_assert_int_eq(lseek(STDERR_FILENO, 0, SEEK_END), 0);
	fclose(file);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("progress");

	tcase_add_test(tests, the_line_says_how_far_how_fast_and_how_long_it_takes);
	tcase_add_test(tests, nothing_is_known_before_the_first_is_done);
	tcase_add_test(tests, elsewhere_nothing_is_printed);
	return run_tests("progress", tests);
}
