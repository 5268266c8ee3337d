/* check_rounds.c - which runs count, and what they say together. */
#include <string.h>

#include "sim/host/measure/rounds.h"
#include "tests/unit/support.h"

enum { CALLS = 2, SCRIPT = 16 };

static struct run_times script[SCRIPT]; /* what each run is to be */
static unsigned		made, fail_at;
static struct rounds	rounds;
static struct run_how	how;
static struct error	e;

static void
setup(void)
{
	memset(script, 0, sizeof(script));
	made = fail_at = 0;
	how = (struct run_how){ 0 };
	e = (struct error){ 0 };
	for (unsigned i = 0; i < SCRIPT; i++)
		script[i].calls_us = 100 - i;
}

static int
make(void *self, struct run_times *out, struct error *why)
{
	float *us = out->call_us;

	ck_assert_ptr_eq(self, script);
	ck_assert_uint_lt(made, SCRIPT);
	if (++made == fail_at)
		return error_set(why, "the disk is gone");
	*out = script[made - 1];
	out->call_us = us;
	us[0] = us[1] = (float)made;
	return 0;
}

static int
run(unsigned runs)
{
	return rounds_make(&rounds, runs, CALLS, &how, make, script, &e);
}

START_TEST(the_first_run_is_discarded_and_the_others_are_sorted)
{
	ck_assert_int_eq(run(3), 0);
	ck_assert_uint_eq(made, 4);
	ck_assert_uint_eq(rounds.n, 3);
	ck_assert_uint_eq(rounds.rejected, 0);
	ck_assert_double_eq(rounds.round[0].us, 97);
	ck_assert_double_eq(rounds.round[2].us, 99);
	ck_assert_double_eq(rounds_median(&rounds)->us, 98);
	ck_assert_float_eq(rounds_median(&rounds)->times.call_us[CALLS - 1],
	    3); /* the third that was made */
	rounds_release(&rounds);
}
END_TEST

START_TEST(of_an_even_number_the_faster_in_the_middle_counts)
{
	ck_assert_int_eq(run(4), 0);
	ck_assert_double_eq(rounds_median(&rounds)->us, 97);
	rounds_release(&rounds);
}
END_TEST

START_TEST(runs_that_lost_pages_are_made_again)
{
	script[0].lost_pages = 99; /* of the one that is discarded anyway */
	script[1].lost_pages = 7;
	script[3].lost_pages = 9;
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(made, 5);
	ck_assert_uint_eq(rounds.n, 2);
	ck_assert_uint_eq(rounds.rejected, 2);
	ck_assert_uint_eq(rounds.lost_pages, 9);
	ck_assert_double_eq(rounds.round[0].us, 96);
	ck_assert_double_eq(rounds.round[1].us, 98);
	ck_assert_float_eq(rounds.round[0].times.call_us[0], 5);
	ck_assert_float_eq(rounds.round[1].times.call_us[0], 3);
	rounds_release(&rounds);
}
END_TEST

START_TEST(one_page_in_a_thousand_may_be_lost)
{
	script[1] = (struct run_times){ .calls_us = 5, .pages_read = 5999, .lost_pages = 6 };
	script[2] = (struct run_times){ .calls_us = 6, .pages_read = 5000, .lost_pages = 5 };
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(made, 3);
	ck_assert_uint_eq(rounds.rejected, 1);
	ck_assert_double_eq(rounds.round[0].us, 6);
	ck_assert_uint_eq(rounds_counts(&rounds, round_lost_pages).greatest, 5);
	rounds_release(&rounds);
}
END_TEST

START_TEST(fewer_runs_may_count_than_were_asked_for)
{
	for (unsigned i = 1; i < 10; i++)
		script[i].lost_pages = 1;
	ck_assert_int_eq(run(3), 0);
	ck_assert_uint_eq(made, 11);
	ck_assert_uint_eq(rounds.n, 1);
	rounds_release(&rounds);
}
END_TEST

START_TEST(if_no_run_counts_it_is_an_error)
{
	for (unsigned i = 0; i < SCRIPT; i++)
		script[i].lost_pages = i;
	ck_assert_int_eq(run(2), -1);
	ck_assert_uint_eq(made, 9);
	ck_assert_msg(strstr(e.text, "in all 8 runs, up to 8 of them") != NULL, "%s", e.text);
	ck_assert_ptr_null(rounds.round);
}
END_TEST

START_TEST(a_run_that_fails_ends_them)
{
	fail_at = 3;
	ck_assert_int_eq(run(5), -1);
	ck_assert_uint_eq(made, 3);
	ck_assert_str_eq(e.text, "the disk is gone");
}
END_TEST

START_TEST(runs_that_lost_pages_count_if_told_so)
{
	script[1].lost_pages = 7;
	script[2].lost_pages = 5;
	how.reclaim = true;
	ck_assert_int_eq(run(2), 0);
	ck_assert_uint_eq(made, 3);
	ck_assert_uint_eq(rounds.n, 2);
	ck_assert_uint_eq(rounds.rejected, 0);
	ck_assert_uint_eq(rounds.lost_pages, 7);
	rounds_release(&rounds);
}
END_TEST

START_TEST(a_warm_run_that_reads_has_lost_pages)
{
	how.warm = true;
	script[1].pages_read = 12;
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(rounds.rejected, 1);
	ck_assert_uint_eq(rounds.lost_pages, 12);
	rounds_release(&rounds);
	made = 0;
	how.writes = true; /* for a page of which a part is written */
	ck_assert_int_eq(run(1), 0);
	ck_assert_uint_eq(rounds.rejected, 0);
	rounds_release(&rounds);
}
END_TEST

START_TEST(counts_have_a_median_of_their_own)
{
	static const uint64_t pages[] = { 0, 5, 9, 5, 7, 6 };

	for (unsigned i = 0; i < 6; i++) {
		script[i].pages_read = pages[i];
		script[i].resident_pages = 2 * pages[i];
	}
	ck_assert_int_eq(run(5), 0);
	ck_assert_uint_eq(rounds_counts(&rounds, round_pages_read).least, 5);
	ck_assert_uint_eq(rounds_counts(&rounds, round_pages_read).median, 6);
	ck_assert_uint_eq(rounds_counts(&rounds, round_pages_read).greatest, 9);
	ck_assert_uint_eq(rounds_counts(&rounds, round_resident_pages).median, 12);
	rounds_release(&rounds);
}
END_TEST

START_TEST(the_time_of_a_run_is_that_of_its_calls_with_a_processor)
{
	struct run_times t = { .elapsed_us = 500, .calls_us = 300, .waited_us = 40 };

	ck_assert_double_eq(round_us(&how, &t), 260);
	t.waited_us = 400; /* also between the calls */
	ck_assert_double_eq(round_us(&how, &t), 0);
	t.waited_us = 40;
	how.think_scale = 1;
	ck_assert_double_eq(round_us(&how, &t), 460);
	how.by_process = true; /* their waits overlap */
	ck_assert_double_eq(round_us(&how, &t), 500);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("rounds");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, the_first_run_is_discarded_and_the_others_are_sorted);
	tcase_add_test(tests, of_an_even_number_the_faster_in_the_middle_counts);
	tcase_add_test(tests, runs_that_lost_pages_are_made_again);
	tcase_add_test(tests, fewer_runs_may_count_than_were_asked_for);
	tcase_add_test(tests, if_no_run_counts_it_is_an_error);
	tcase_add_test(tests, a_run_that_fails_ends_them);
	tcase_add_test(tests, one_page_in_a_thousand_may_be_lost);
	tcase_add_test(tests, runs_that_lost_pages_count_if_told_so);
	tcase_add_test(tests, a_warm_run_that_reads_has_lost_pages);
	tcase_add_test(tests, counts_have_a_median_of_their_own);
	tcase_add_test(tests, the_time_of_a_run_is_that_of_its_calls_with_a_processor);
	return run_tests("rounds", tests);
}
