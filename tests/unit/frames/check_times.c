/* check_times.c - percentiles of counted durations. */
#include "sim/studies/frames/model/times.h"
#include "tests/unit/support.h"

static struct times times;

START_TEST(nothing_seen_is_zero)
{
	ck_assert_double_eq(times_latency(&times).p50, 0);
	ck_assert_double_eq(times_latency(&times).max, 0);
	ck_assert_double_eq(times_latency(&times).mean, 0);
}
END_TEST

START_TEST(short_durations_are_exact)
{
	struct trial_latency l;

	for (uint64_t ns = 1; ns <= 100; ns++)
		times_add(&times, ns);
	l = times_latency(&times);
	ck_assert_double_eq(l.p50, 50);
	ck_assert_double_eq(l.p90, 90);
	ck_assert_double_eq(l.p99, 99);
	ck_assert_double_eq(l.p999, 100);
	ck_assert_double_eq(l.max, 100);
	ck_assert_double_eq(l.mean, 50.5);
}
END_TEST

START_TEST(any_duration_is_at_most_a_64th_too_long)
{
	for (uint64_t ns = 1; ns < UINT64_C(1) << 62; ns += ns / 50 + 1) {
		double p50;

		times = (struct times){ 0 };
		times_add(&times, ns);
		times_add(&times, UINT64_MAX / 4);
		p50 = times_latency(&times).p50;
		REQUIRE(p50 >= (double)ns && p50 <= (double)ns * (1 + 1.0 / 64), "%g of %g", p50,
		    (double)ns);
	}
	times_add(&times, UINT64_MAX);
	ck_assert_double_eq(times_latency(&times).max, (double)UINT64_MAX);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("times");

	tcase_add_test(tc, nothing_seen_is_zero);
	tcase_add_test(tc, short_durations_are_exact);
	tcase_add_test(tc, any_duration_is_at_most_a_64th_too_long);
	return run_tests("times", tc);
}
