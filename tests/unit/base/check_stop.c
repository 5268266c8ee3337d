/* check_stop.c - each signal ends a program with its text and status, unless it is ignored. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/stop.h"
#include "tests/unit/support.h"

enum { IGNORED = 1, WRONG_TEXT = 2 };

static const char *expected;

static void
end(const char *text, int number)
{
	if (strcmp(text, expected) == 0)
		stop_end(number);
	_exit(WRONG_TEXT);
}

/* The exit status of a program that gets a signal; of one that it ended, as a shell says it. */
static int
status_after(int number, void (*before)(int))
{
	pid_t child = fork();
	int   status;

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal(number, before);
		stop_at_once(end);
		raise(number);
		_exit(IGNORED);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

START_TEST(a_signal_ends_it_with_its_name)
{
	static const char *const text[STOP_SIGNALS] = { "stopped (Interrupt)",
		"stopped (Terminated)", "stopped (Hangup)", "stopped (Quit)" };

	expected = text[_i];
	ck_assert_int_eq(status_after(stop_signal[_i], SIG_DFL), 128 + stop_signal[_i]);
}
END_TEST

START_TEST(a_signal_that_is_ignored_stays_so)
{
	ck_assert_int_eq(status_after(stop_signal[_i], SIG_IGN), IGNORED);
}
END_TEST

START_TEST(what_was_before_is_restored)
{
	struct sigaction ours = { .sa_handler = SIG_DFL }, before[STOP_SIGNALS], now;

	signal(SIGHUP, SIG_IGN);
	stop_at_once(end);
	stop_catch(&ours, before);
	stop_restore(before);
	for (int i = 0; i < STOP_SIGNALS; i++) {
		sigaction(stop_signal[i], NULL, &now);
		ck_assert(now.sa_handler != SIG_DFL);
		ck_assert_int_eq(now.sa_handler == SIG_IGN, stop_signal[i] == SIGHUP);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("stop");

	tcase_add_loop_test(tests, a_signal_ends_it_with_its_name, 0, STOP_SIGNALS);
	tcase_add_loop_test(tests, a_signal_that_is_ignored_stays_so, 0, STOP_SIGNALS);
	tcase_add_test(tests, what_was_before_is_restored);
	return run_tests("stop", tests);
}
