/* check_progress.c - the line on a terminal, and silence elsewhere. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"
#include "tests/unit/support.h"

static int terminal;

/* Standard error becomes a terminal whose other end is ours.  False: there are none here. */
static bool
open_terminal(void)
{
	int	    end = -1;
	const char *name;

	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal) &&
	    (name = ptsname(terminal)))
		end = open(name, O_RDWR | O_NOCTTY);
	if (end < 0) {
		puts("skipped: no terminal to be had");
		return false;
	}
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

/* The timer of a program; a tick of it is made by hand. */
static bool
start(void)
{
	if (!open_terminal())
		return false;
	setenv("TERM", "xterm", 1);
	progress_show();
	return true;
}

static void
wait_longer_than_a_second(void)
{
	struct timespec begun, now;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do {
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (
	    (now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000 < 1100);
}

START_TEST(the_line_comes_by_itself_after_a_second_with_the_time_left)
{
	if (!start())
		return;
	progress_begin("loading", NULL, 200);
	progress_reach(100);
	wait_longer_than_a_second();
	ck_assert_str_eq(shown(), "\rloading: 50 %, 1 s left\033[K");
	progress_end();
}
END_TEST

START_TEST(a_share_a_number_of_units_or_the_time)
{
	if (!start())
		return;
	progress_begin("loading", NULL, 1000);
	raise(SIGALRM);
	ck_assert_str_eq(shown(), "\rloading: 0 %\033[K");
	progress_reach(1001);
	raise(SIGALRM);
	ck_assert_str_eq(shown(), "\rloading: 100 %\033[K");
	progress_begin("simulating", "points", 96);
	progress_reach(37);
	raise(SIGALRM);
	ck_assert_str_eq(shown(), "\rsimulating: 37 of 96 points\033[K");
	progress_begin("loading", NULL, 0);
	raise(SIGALRM);
	ck_assert_str_eq(shown(), "\rloading: 0 s\033[K");
	progress_end();
}
END_TEST

START_TEST(the_line_is_erased_before_other_output_and_at_the_end)
{
	if (!start())
		return;
	progress_begin("loading", NULL, 100);
	raise(SIGALRM);
	shown();
	progress_hide();
	ck_assert_str_eq(shown(), "\r\033[K");
	progress_hide(); /* nothing is left to erase */
	raise(SIGALRM);
	ck_assert_str_eq(shown(), "\rloading: 0 %\033[K");
	progress_end();
	ck_assert_str_eq(shown(), "\r\033[K");
	raise(SIGALRM); /* no work, no line */
	ck_assert_int_eq(write(STDERR_FILENO, "\033[K", 3), 3);
	ck_assert_str_eq(shown(), "\033[K");
}
END_TEST

START_TEST(without_a_timer_nothing_is_printed)
{
	FILE *file = tmpfile();

	struct itimerval timer = { 0 };

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
	progress_show();
	ck_assert_int_eq(getitimer(ITIMER_REAL, &timer), 0);
	ck_assert(!timer.it_value.tv_sec && !timer.it_value.tv_usec);
	progress_begin("loading", NULL, 7);
	progress_reach(3);
	progress_end();
	ck_assert_int_eq(lseek(STDERR_FILENO, 0, SEEK_END), 0);
	fclose(file);
}
END_TEST

START_TEST(a_terminal_that_cannot_erase_is_left_alone)
{
	struct itimerval timer = { 0 };

	if (!open_terminal())
		return;
	setenv("TERM", "dumb", 1);
	progress_show();
	ck_assert_int_eq(getitimer(ITIMER_REAL, &timer), 0);
	ck_assert(!timer.it_value.tv_sec && !timer.it_value.tv_usec);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("progress");

	tcase_add_test(tests, the_line_comes_by_itself_after_a_second_with_the_time_left);
	tcase_add_test(tests, a_share_a_number_of_units_or_the_time);
	tcase_add_test(tests, the_line_is_erased_before_other_output_and_at_the_end);
	tcase_add_test(tests, without_a_timer_nothing_is_printed);
	tcase_add_test(tests, a_terminal_that_cannot_erase_is_left_alone);
	return run_tests("progress", tests);
}
