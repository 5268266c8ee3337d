/* check_scale.c - speed-ups by hand, laws found in noise, and how sure they are. */
#include <math.h>
#include <string.h>

#include "sim/studies/scale/scale.h"
#include "tests/unit/scale/runs.h"

static struct timings times;
static struct scale   scale;
static struct error   error;

static void
setup(void)
{
	times = (struct timings){ 0 };
	error = (struct error){ 0 };
}

static void
teardown(void)
{
	scale_release(&scale);
	timings_release(&times);
}

static void
add(uint32_t threads, double total, double region)
{
	const struct timed_run r = { threads, total, region, 0, 0 };

	ck_assert_int_eq(timings_add(&times, "p", &r, &error), 0);
}

static void
find(void)
{
	scale_release(&scale);
	ck_assert_msg(!timings_end(&times, "p", &error), "%s", error.text);
	ck_assert_int_eq(scale_init(&scale, times.program, &error), 0);
}

/* Runs of 2 % noise at 12 numbers of threads. */
static void
simulate(struct usl law, unsigned repeat, uint64_t seed)
{
	static const uint32_t threads[] = { 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 120 };

	teardown();
	for (unsigned r = 0; r < repeat; r++)
		for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
			const struct timed_run run = run_of(law, threads[i], 10, 0.02, &seed);

			ck_assert_int_eq(timings_add(&times, "p", &run, &error), 0);
		}
	find();
}

/* Outside 4 s; the region 16, 8 and 5 s, each as the mean of two runs. */
START_TEST(speedups_are_of_means)
{
	add(4, 8, 4);
	add(1, 21, 17);
	add(2, 12, 8);
	add(1, 19, 15);
	add(4, 10, 6);
	add(2, 12, 8);
	find();
	ck_assert_uint_eq(times.program->nlevels, 3);
	ck_assert_double_eq_tol(scale.level[1].region_speedup, 2, 1e-12);
	ck_assert_double_eq_tol(scale.level[2].region_speedup, 3.2, 1e-12);
	ck_assert_double_eq_tol(scale.level[0].outside, 4, 1e-12);
	ck_assert_double_eq_tol(scale.level[2].outside, 4, 1e-12);
	ck_assert_double_eq_tol(scale.level[1].speedup, 20 / 12., 1e-12);
	ck_assert_double_eq_tol(scale.level[2].speedup, 20 / 9., 1e-12);
	ck_assert_double_eq_tol(scale.outside_share, 0.2, 1e-12);
	ck_assert_double_eq_tol(scale.limit, 5, 1e-12);
}
END_TEST

START_TEST(laws_are_found_in_noise)
{
	static const double a[] = { 0.01, 0.02, 0.05, 0.1 };
	static const double b[] = { 1e-4, 5e-4, 0.001, 0.0042 };

	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < 4; k++) {
			simulate((struct usl){ a[i], b[k] }, 200, 10 * i + k + 1);
			REQUIRE(fabs(scale.law.a / a[i] - 1) < 0.05 &&
				fabs(scale.law.b / b[k] - 1) < 0.05,
			    "a %g b %g became %g %g", a[i], b[k], scale.law.a, scale.law.b);
			ck_assert_double_gt(scale.r2, 0.999);
		}
}
END_TEST

START_TEST(fifteen_runs_find_the_law_of_group_A)
{
	simulate((struct usl){ 0.05, 0.0042 }, 15, 1);
	ck_assert_double_eq_tol(scale.law.a, 0.05, 0.05 * 0.05);
	ck_assert_double_eq_tol(scale.law.b, 0.0042, 0.05 * 0.0042);
	ck_assert_double_eq_tol(scale.peak, 15.04, 0.3);
	ck_assert_int_eq(scale.group, 'A');
	ck_assert_uint_eq(times.program->level[scale.to].threads, 16);
}
END_TEST

/* Of 100 sets of runs, some 95 should have the truth in their interval. */
START_TEST(the_spread_has_the_truth_most_of_the_time)
{
	unsigned a = 0, b = 0;

	for (uint64_t seed = 1; seed <= 100; seed++) {
		simulate((struct usl){ 0.05, 0.0042 }, 15, seed);
		a += scale.a.low <= 0.05 && 0.05 <= scale.a.high;
		b += scale.b.low <= 0.0042 && 0.0042 <= scale.b.high;
		REQUIRE(scale.a.low <= scale.law.a && scale.law.a <= scale.a.high,
		    "%g is not in %g to %g", scale.law.a, scale.a.low, scale.a.high);
	}
	REQUIRE(a >= 85 && b >= 85, "only %u and %u intervals have the truth", a, b);
	REQUIRE(a < 100 && b < 100, "%u and %u intervals are too wide", a, b);
}
END_TEST

START_TEST(the_spread_is_the_same_each_time)
{
	struct interval a, peak;

	simulate((struct usl){ 0.05, 0.0042 }, 5, 3);
	a = scale.a;
	peak = scale.peak_spread;
	simulate((struct usl){ 0.05, 0.0042 }, 5, 3);
	ck_assert_double_eq(a.low, scale.a.low);
	ck_assert_double_eq(peak.high, scale.peak_spread.high);
	ck_assert_double_lt(a.low, a.high);
}
END_TEST

START_TEST(a_single_run_of_a_level_has_no_spread)
{
	add(1, 10, 8);
	add(1, 11, 9);
	add(2, 6, 4);
	find();
	ck_assert(!scale.has_spread);
	ck_assert(isnan(scale.a.low));
	ck_assert(!scale.b_is_fitted);
}
END_TEST

START_TEST(near_linear_then_flat_is_group_B)
{
	for (uint32_t n = 1; n <= 120; n += n < 10 ? 1 : 10)
		add(n, 1 + 100. / (n < 50 ? n : 50), 100. / (n < 50 ? n : 50));
	find();
	ck_assert_int_eq(scale.shape, SCALE_FLATTENS);
	ck_assert_int_eq(scale.group, 'B');
	ck_assert_uint_eq(times.program->level[scale.to].threads, 50);
}
END_TEST

START_TEST(flat_from_the_start_is_of_no_group)
{
	for (uint32_t n = 1; n <= 8; n *= 2)
		add(n, 10, 9 - 0.1 * n);
	find();
	ck_assert_int_eq(scale.shape, SCALE_FLATTENS);
	ck_assert_int_eq(scale.group, '-');
}
END_TEST

START_TEST(linear_to_the_end_rises)
{
	for (uint32_t n = 1; n <= 8; n *= 2)
		add(n, 8. / n, 8. / n);
	find();
	ck_assert_int_eq(scale.shape, SCALE_RISES);
	ck_assert_int_eq(scale.group, '-');
	ck_assert(isinf(scale.peak));
	ck_assert(isinf(scale.limit));
	ck_assert_uint_eq(times.program->level[scale.to].threads, 8);
}
END_TEST

START_TEST(no_change_has_no_r2)
{
	for (uint32_t n = 1; n <= 4; n *= 2)
		add(n, 8, 8);
	find();
	ck_assert(isnan(scale.r2));
	ck_assert_double_eq_tol(scale.law.a, 1, 1e-6);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("scale");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, speedups_are_of_means);
	tcase_add_test(tests, laws_are_found_in_noise);
	tcase_add_test(tests, fifteen_runs_find_the_law_of_group_A);
	tcase_add_test(tests, the_spread_has_the_truth_most_of_the_time);
	tcase_add_test(tests, the_spread_is_the_same_each_time);
	tcase_add_test(tests, a_single_run_of_a_level_has_no_spread);
	tcase_add_test(tests, near_linear_then_flat_is_group_B);
	tcase_add_test(tests, flat_from_the_start_is_of_no_group);
	tcase_add_test(tests, linear_to_the_end_rises);
	tcase_add_test(tests, no_change_has_no_r2);
	return run_tests("scale", tests);
}
