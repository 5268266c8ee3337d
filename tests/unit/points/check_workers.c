/* check_workers.c - every point is made once, by any worker, and errors and signals come
 * through. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/points/points.h"
#include "tests/unit/support.h"

enum { POINTS = 200, BIG = 300000 };

static unsigned	    taken[POINTS];
static struct error error;

/* Its own number, and for every seventh point more than a pipe holds. */
static int
make_number(void *self, size_t i, FILE *out, struct error *e)
{
	size_t bytes = i % 7 ? 0 : BIG;

	fprintf(out, "%zu ", i);
	while (bytes--)
		putc('x', out);
	return 0;
}

static int
take_number(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	size_t number;

	ck_assert_int_eq(sscanf(text, "%zu", &number), 1);
	ck_assert_uint_eq(number, i);
	ck_assert_uint_eq(bytes, strlen(text));
	ck_assert_uint_eq(bytes > BIG, i % 7 == 0);
	taken[i]++;
	return 0;
}

static int
run(size_t npoints, unsigned jobs, int (*make)(void *, size_t, FILE *, struct error *),
    int (*take)(void *, size_t, const char *, size_t, struct error *))
{
	const struct points p = { .n = npoints, .jobs = jobs, .make = make };

	memset(taken, 0, sizeof(taken));
	error = (struct error){ 0 };
	return points_run(&p, take, NULL, &error);
}

START_TEST(every_point_is_taken_once_with_any_number_of_workers)
{
	static const unsigned jobs[] = { 1, 2, 7, 300 };

	ck_assert_int_eq(run(POINTS, jobs[_i], make_number, take_number), 0);
	for (size_t i = 0; i < POINTS; i++)
		ck_assert_uint_eq(taken[i], 1);
}
END_TEST

START_TEST(no_work_is_done_at_once)
{
	ck_assert_int_eq(run(0, 4, make_number, take_number), 0);
}
END_TEST

static int
fail_at_50(void *self, size_t i, FILE *out, struct error *e)
{
	return i == 50 ? error_usage(e, "point %zu is bad", i) : make_number(self, i, out, e);
}

START_TEST(an_error_ends_it_and_keeps_what_was_made)
{
	unsigned n = 0;

	ck_assert_int_eq(run(POINTS, 3, fail_at_50, take_number), -1);
	ck_assert_str_eq(error.text, "point 50 is bad");
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	for (size_t i = 0; i < 50; i++)
		ck_assert_uint_eq(taken[i], 1);
	for (size_t i = 50; i < POINTS; i++)
		n += taken[i];
	ck_assert_uint_lt(n, POINTS - 51);
}
END_TEST

/* The first one takes longest. */
static int
fail_late(void *self, size_t i, FILE *out, struct error *e)
{
	const struct timespec while_others_fail = { .tv_nsec = 50000000 };

	if (!i)
		nanosleep(&while_others_fail, NULL);
	return error_usage(e, "point %zu is bad", i);
}

START_TEST(of_several_errors_that_of_the_first_point_is_kept)
{
	ck_assert_int_eq(run(POINTS, 4, fail_late, take_number), -1);
	ck_assert_str_eq(error.text, "point 0 is bad");
}
END_TEST

static int
refuse(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	return error_set(e, "the disk is full");
}

START_TEST(an_error_of_the_parent_ends_it_too)
{
	ck_assert_int_eq(run(POINTS, 3, make_number, refuse), -1);
	ck_assert_str_eq(error.text, "the disk is full");
}
END_TEST

static int
die(void *self, size_t i, FILE *out, struct error *e)
{
	if (i == 5)
		kill(getpid(), SIGKILL);
	return make_number(self, i, out, e);
}

START_TEST(a_worker_that_is_killed_is_noticed)
{
	ck_assert_int_eq(run(POINTS, 2, die, take_number), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "killed by signal 9"));
}
END_TEST

/* Ends as if all were well. */
static int
leave(void *self, size_t i, FILE *out, struct error *e)
{
	if (i == 5)
		_exit(0);
	return make_number(self, i, out, e);
}

START_TEST(a_worker_that_leaves_its_work_is_noticed)
{
	ck_assert_int_eq(run(POINTS, 1, leave, take_number), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "before its work was done"));
	ck_assert_uint_eq(taken[4], 1);
	ck_assert_uint_eq(taken[5], 0);
}
END_TEST

static int
hang_up(void *self, size_t i, FILE *out, struct error *e)
{
	if (i == 5) {
		kill(getppid(), SIGHUP);
		raise(SIGHUP);
	}
	return make_number(self, i, out, e);
}

START_TEST(a_signal_that_is_ignored_stays_so)
{
	signal(SIGHUP, SIG_IGN);
	ck_assert_int_eq(run(POINTS, 2, hang_up, take_number), 0);
}
END_TEST

static int stopping;

static int
interrupt_parent(void *self, size_t i, FILE *out, struct error *e)
{
	if (i == 5)
		kill(getppid(), stopping);
	if (i > 5)
		sleep(60);
	return make_number(self, i, out, e);
}

START_TEST(a_signal_stops_it_at_once)
{
	stopping = (const int[]){ SIGINT, SIGTERM, SIGHUP, SIGQUIT }[_i];
	ck_assert_int_eq(run(POINTS, 2, interrupt_parent, take_number), -1);
	ck_assert_int_eq(error.exit_code, 128 + stopping);
	ck_assert_ptr_nonnull(strstr(error.text, "stopped"));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("workers");

	tcase_add_loop_test(tests, every_point_is_taken_once_with_any_number_of_workers, 0, 4);
	tcase_add_test(tests, no_work_is_done_at_once);
	tcase_add_test(tests, an_error_ends_it_and_keeps_what_was_made);
	tcase_add_test(tests, of_several_errors_that_of_the_first_point_is_kept);
	tcase_add_test(tests, an_error_of_the_parent_ends_it_too);
	tcase_add_test(tests, a_worker_that_is_killed_is_noticed);
	tcase_add_loop_test(tests, a_signal_stops_it_at_once, 0, 4);
	tcase_add_test(tests, a_worker_that_leaves_its_work_is_noticed);
	tcase_add_test(tests, a_signal_that_is_ignored_stays_so);
	return run_tests("workers", tests);
}
