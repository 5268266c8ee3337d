/* check_usl.c - the law by hand, and fits that find what made the points. */
#include <math.h>

#include "sim/studies/scale/usl.h"
#include "tests/unit/support.h"

static const double threads[] = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 120 };
enum { POINTS = sizeof(threads) / sizeof(*threads) };

static struct usl_point point[POINTS];

static void
follow(struct usl law)
{
	for (size_t i = 0; i < POINTS; i++)
		point[i] = (struct usl_point){ threads[i], usl_speedup(&law, threads[i]) };
}

START_TEST(the_law_of_a_program_that_falls_from_15_threads)
{
	struct usl law = { 0.05, 0.0042 };

	ck_assert_double_eq_tol(usl_speedup(&law, 1), 1, 1e-12);
	ck_assert_double_eq_tol(usl_speedup(&law, 8), 5.05, 0.005);
	ck_assert_double_eq_tol(usl_speedup(&law, 15), 5.81, 0.005);
	ck_assert_double_eq_tol(usl_speedup(&law, 30), 4.91, 0.005);
	ck_assert_double_eq_tol(usl_speedup(&law, 120), 1.79, 0.005);
	ck_assert_double_eq_tol(usl_peak(&law), 15.04, 0.005);
}
END_TEST

START_TEST(the_peak_at_the_bounds)
{
	ck_assert(isinf(usl_peak(&(struct usl){ 0.1, 0 })));
	ck_assert(isinf(usl_peak(&(struct usl){ 0, 0 })));
	ck_assert_double_eq(usl_peak(&(struct usl){ 1.5, 0 }), 1);
	ck_assert_double_eq(usl_peak(&(struct usl){ 1.5, 0.1 }), 1);
	ck_assert_double_eq(usl_peak(&(struct usl){ 0.5, 2 }), 1);
	ck_assert_double_eq_tol(usl_peak(&(struct usl){ 0, 0.01 }), 10, 1e-9);
}
END_TEST

START_TEST(exact_points_give_the_law_back)
{
	static const double a[] = { 0, 1e-4, 0.01, 0.05, 0.3, 0.9, 1, 2 };
	static const double b[] = { 0, 1e-6, 1e-4, 0.0042, 0.1, 1 };

	for (size_t i = 0; i < sizeof(a) / sizeof(*a); i++)
		for (size_t k = 0; k < sizeof(b) / sizeof(*b); k++) {
			struct usl law;

			follow((struct usl){ a[i], b[k] });
			law = usl_fit(point, POINTS);
			REQUIRE(fabs(law.a - a[i]) <= 1e-6 * a[i] + 1e-9 &&
				fabs(law.b - b[k]) <= 1e-6 * b[k] + 1e-9,
			    "a %g b %g became %g %g", a[i], b[k], law.a, law.b);
		}
}
END_TEST

START_TEST(faster_than_linear_is_at_both_bounds)
{
	struct usl law;

	for (size_t i = 0; i < POINTS; i++)
		point[i] = (struct usl_point){ threads[i], 1.1 * threads[i] };
	law = usl_fit(point, POINTS);
	ck_assert_double_eq(law.a, 0);
	ck_assert_double_eq(law.b, 0);
}
END_TEST

/* A dip that rises again would need b < 0; Amdahl's law is the best that is left. */
START_TEST(a_bound_leaves_the_best_of_the_other)
{
	struct usl law, worse;

	follow((struct usl){ 0.2, 0 });
	for (size_t i = 10; i < POINTS; i++)
		point[i].speedup *= 1.3;
	law = usl_fit(point, POINTS);
	ck_assert_double_eq(law.b, 0);
	for (int sign = -1; sign <= 1; sign += 2) {
		worse = (struct usl){ law.a * (1 + sign * 1e-3), 0 };
		ck_assert_double_gt(usl_squares(&worse, point, POINTS),
		    usl_squares(&law, point, POINTS));
	}
}
END_TEST

START_TEST(no_law_nearby_is_better)
{
	uint64_t state = 7;

	follow((struct usl){ 0.03, 0.001 });
	for (size_t i = 0; i < POINTS; i++)
		point[i].speedup *= 0.8 + random_below(&state, 400) / 1000.;
	for (int i = -1; i <= 1; i++)
		for (int k = -1; k <= 1; k++) {
			struct usl law = usl_fit(point, POINTS);
			struct usl near = { law.a * (1 + i * 1e-3), law.b * (1 + k * 1e-3) };

			ck_assert_double_ge(usl_squares(&near, point, POINTS),
			    usl_squares(&law, point, POINTS));
		}
}
END_TEST

START_TEST(one_number_of_threads_gives_amdahl)
{
	struct usl_point two[] = { { 1, 1 }, { 2, 1.6 } };
	struct usl	 law = usl_fit(two, 2);

	ck_assert_double_eq_tol(law.a, 0.25, 1e-9);
	ck_assert_double_eq(law.b, 0);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("usl");

	tcase_add_test(tests, the_law_of_a_program_that_falls_from_15_threads);
	tcase_add_test(tests, the_peak_at_the_bounds);
	tcase_add_test(tests, exact_points_give_the_law_back);
	tcase_add_test(tests, faster_than_linear_is_at_both_bounds);
	tcase_add_test(tests, a_bound_leaves_the_best_of_the_other);
	tcase_add_test(tests, no_law_nearby_is_better);
	tcase_add_test(tests, one_number_of_threads_gives_amdahl);
	return run_tests("usl", tests);
}
