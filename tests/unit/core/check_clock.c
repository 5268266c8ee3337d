/* check_clock.c - alarms go in order of time, ties in the order in which they were set. */
#include "sim/core/engine/clock.h"
#include "tests/unit/support.h"

enum { PROCESSES = 50 };

static struct clock alarms;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(clock_init(&alarms, PROCESSES, &e), 0);
}

static void
teardown(void)
{
	clock_release(&alarms);
}

static void
expect(uint32_t process, usec_t at)
{
	usec_t	 when = -1;
	uint32_t who;

	ck_assert_int_eq(clock_next(&alarms), at);
	who = clock_take(&alarms, &when);
	ck_assert_int_eq(when, at);
	ck_assert_uint_eq(who, process);
}

START_TEST(nothing_is_next_when_no_alarm_is_set)
{
	ck_assert_int_eq(clock_next(&alarms), USEC_MAX);
	clock_set(&alarms, 3, 0);
	expect(3, 0);
	ck_assert_int_eq(clock_next(&alarms), USEC_MAX);
}
END_TEST

START_TEST(the_earliest_alarm_goes_first)
{
	clock_set(&alarms, 1, 300);
	clock_set(&alarms, 2, 100);
	clock_set(&alarms, 3, 200);
	expect(2, 100);
	expect(3, 200);
	clock_set(&alarms, 2, 50);
	expect(2, 50);
	expect(1, 300);
}
END_TEST

START_TEST(alarms_at_one_time_go_in_the_order_in_which_they_were_set)
{
	for (uint32_t i = 0; i < PROCESSES; i++)
		clock_set(&alarms, PROCESSES - 1 - i, 7);
	for (uint32_t i = 0; i < PROCESSES / 2; i++)
		expect(PROCESSES - 1 - i, 7);
	clock_set(&alarms, PROCESSES - 1, 7);
	for (uint32_t i = PROCESSES / 2; i < PROCESSES; i++)
		expect(PROCESSES - 1 - i, 7);
	expect(PROCESSES - 1, 7);
}
END_TEST

/* Every waiting alarm, looked through: the earliest, of those the one set first. */
START_TEST(random_alarms_go_in_the_order_that_sorting_gives)
{
	usec_t	 at[PROCESSES];
	uint64_t set[PROCESSES], seed = 1, sets = 0;
	bool	 waiting[PROCESSES] = { false };

	for (unsigned step = 0; step < 20000; step++) {
		uint32_t r = random_below(&seed, PROCESSES), best = PROCESSES;

		if (!waiting[r]) {
			at[r] = random_below(&seed, 40);
			set[r] = sets++;
			waiting[r] = true;
			clock_set(&alarms, r, at[r]);
			continue;
		}
		for (uint32_t i = 0; i < PROCESSES; i++)
			if (waiting[i] &&
			    (best == PROCESSES || at[i] < at[best] ||
				(at[i] == at[best] && set[i] < set[best])))
				best = i;
		expect(best, at[best]);
		waiting[best] = false;
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("clock");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nothing_is_next_when_no_alarm_is_set);
	tcase_add_test(tests, the_earliest_alarm_goes_first);
	tcase_add_test(tests, alarms_at_one_time_go_in_the_order_in_which_they_were_set);
	tcase_add_test(tests, random_alarms_go_in_the_order_that_sorting_gives);
	return run_tests("clock", tests);
}
