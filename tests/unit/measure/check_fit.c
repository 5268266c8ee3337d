/* check_fit.c - numbers that are put into measurements come out of them. */
#include "tests/unit/calibrated.h"

static struct point	  point[POINTS_MAX];
static unsigned		  n;
static struct calibration fit;

static const struct {
	enum quantity_id id;
	double		 value;
} known[] = {
	{ QUANTITY_read_us, 72.048 },
	{ QUANTITY_command_us, 20 },
	{ QUANTITY_latency_us, 50 },
	{ QUANTITY_contiguous_mb_s, 2000 },
	{ QUANTITY_scattered_mb_s, 1 / (1 / 2000.0 + 2.0 / FIT_PAGE) },
	{ QUANTITY_segment_us, 2 },
	{ QUANTITY_reads_per_s, 50000 },
	{ QUANTITY_call_ns, 600 },
	{ QUANTITY_page_ns, 100 },
	{ QUANTITY_single_page_ns, 500 },
	{ QUANTITY_byte_ns, 0.05 },
	{ QUANTITY_cached_page_us, 0.3048 },
	{ QUANTITY_read_page_ns, 2000 },
	{ QUANTITY_stream_page_us, 3 },
	{ QUANTITY_far_us, 72.048 },
};

static void
setup(void)
{
	n = known_points(point);
}

static void
make_fit(void)
{
	calibration_fit(&fit, point, n, KNOWN_ROUNDS);
}

static void
require_known(double tolerance)
{
	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
		double value = fit.quantity[known[i].id].value;

		REQUIRE(fabs(value / known[i].value - 1) <= tolerance, "%s is %g, not %g",
		    quantity_info[known[i].id].name, value, known[i].value);
	}
}

START_TEST(what_was_put_in_comes_out)
{
	make_fit();
	require_known(0.001);
	ck_assert_uint_ge(fit.depth, 4);
	for (unsigned s = 0; s < SERIES; s++)
		REQUIRE(fabs(fit.misfit[s].share) < 0.001, "misfit of series %u: %g", s,
		    fit.misfit[s].share);
	ck_assert(fit.misfit[SERIES_COLD].at != NULL);
	ck_assert(fit.misfit[SERIES_STREAM].at == NULL);
}
END_TEST

/* Errors of 1 % of each time, which are not the same in any two. */
START_TEST(small_errors_stay_small)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < n; i++)
		for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
			point[i].us[r] *= 1 + (random_below(&state, 2001) / 1e3 - 1) * 0.01;
	make_fit();
	for (unsigned i = 0; i < QUANTITIES; i++)
		REQUIRE(fit.quantity[i].low <= fit.quantity[i].value &&
			fit.quantity[i].value <= fit.quantity[i].high,
		    "%s", quantity_info[i].name);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_latency_us].value, 50, 1);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_contiguous_mb_s].value, 2000, 20);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_segment_us].value, 2, 0.05);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_call_ns].value, 600, 12);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_read_page_ns].value, 2000, 100);
}
END_TEST

/* The medians of points come from different rounds, and may give more than any of these. */
START_TEST(least_and_most_include_the_value)
{
	uint64_t state = 1;

	for (unsigned time = 0; time < 20; time++) {
		for (unsigned i = 0; i < n; i++)
			for (unsigned r = 0; r < 2; r++)
				point[i].us[r] *= 1 + random_below(&state, 200) / 1e3;
		calibration_fit(&fit, point, n, 2);
		for (unsigned i = 0; i < QUANTITIES; i++)
			REQUIRE(fit.quantity[i].low <= fit.quantity[i].value &&
				fit.quantity[i].value <= fit.quantity[i].high,
			    "%s", quantity_info[i].name);
	}
}
END_TEST

START_TEST(one_bad_round_does_not_change_the_medians)
{
	for (unsigned s = 0; s < SERIES; s++)
		known_slow(point, n, s, 3, 5);
	make_fit();
	require_known(0.001);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_read_us].high, 5 * 72.048, 0.1);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_reads_per_s].low, 10000, 10);
	ck_assert_double_lt(fit.quantity[calibration_widest(&fit)].middle, 0.001);
}
END_TEST

START_TEST(bad_rounds_widen_the_middle)
{
	for (unsigned r = 0; r < 3; r++) {
		known_slow(point, n, SERIES_DEPTH, r, 2);
		known_slow(point, n, SERIES_DIRECT, r, 1.2);
	}
	make_fit();
	ck_assert_int_eq(calibration_widest(&fit), QUANTITY_reads_per_s);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_reads_per_s].middle, 0.5, 0.001);
}
END_TEST

/* Copying that costs nothing per page must not become negative. */
START_TEST(no_number_is_below_0)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned r = 0; r < KNOWN_ROUNDS; r++) {
			if (point[i].series == SERIES_LARGE)
				point[i].us[r] = 0.6 + sqrt(point[i].bytes) * 0.002;
			if (point[i].series == SERIES_SCATTERED || point[i].series == SERIES_COLD)
				point[i].us[r] = 70 + point[i].bytes / 2500.0;
		}
	make_fit();
	for (unsigned i = 0; i < QUANTITIES; i++)
		REQUIRE(fit.quantity[i].value >= 0, "%s is %g", quantity_info[i].name,
		    fit.quantity[i].value);
	ck_assert_double_eq(fit.quantity[QUANTITY_segment_us].value, 0);
	ck_assert_double_eq(fit.quantity[QUANTITY_read_page_ns].value, 0);
	ck_assert_double_gt(fabs(fit.misfit[SERIES_LARGE].share), 0.05);
}
END_TEST

START_TEST(a_single_round_is_its_own_median)
{
	calibration_fit(&fit, point, n, 1);
	require_known(0.001);
	ck_assert_double_eq(fit.quantity[QUANTITY_read_us].low,
	    fit.quantity[QUANTITY_read_us].high);
	ck_assert_double_eq(fit.quantity[QUANTITY_read_us].middle, 0);
}
END_TEST

/* A command that takes longer at any depth than a read alone: all of it is command. */
START_TEST(latency_is_not_below_0)
{
	for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
		known_slow(point, n, SERIES_DEPTH, r, 10);
	make_fit();
	ck_assert_double_eq(fit.quantity[QUANTITY_latency_us].value, 0);
	ck_assert_double_eq_tol(fit.quantity[QUANTITY_command_us].value, 70, 0.1);
}
END_TEST

START_TEST(a_disk_is_told_by_distance)
{
	make_fit();
	ck_assert(!calibration_is_disk(&fit));
	for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
		known_slow(point, n, SERIES_FAR, r, 3);
	make_fit();
	ck_assert_msg(!calibration_is_disk(&fit), "216 us are no seek");
	for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
		known_slow(point, n, SERIES_FAR, r, 30);
	make_fit();
	ck_assert(calibration_is_disk(&fit));
}
END_TEST

START_TEST(a_tier_is_told_by_the_second_read)
{
	make_fit();
	ck_assert(!calibration_has_tier(&fit));
	for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
		known_slow(point, n, SERIES_FIRST, r, 2);
	make_fit();
	ck_assert(calibration_has_tier(&fit));
}
END_TEST

/* Cached reads come before those that drop the pages, and a first read before the second. */
START_TEST(the_plan_is_in_order)
{
	bool dropped = false, first = false;

	for (unsigned i = 0; i < n; i++) {
		bool cached = point[i].series == SERIES_LARGE || point[i].series == SERIES_SINGLE;

		ck_assert(!(cached && dropped));
		ck_assert(point[i].series != SERIES_SECOND || first);
		dropped |= point[i].series == SERIES_COLD || point[i].series == SERIES_STREAM;
		first |= point[i].series == SERIES_FIRST;
		ck_assert_uint_le(point[i].bytes, LARGEST_PAGES * FIT_PAGE);
		ck_assert_uint_le(point[i].bytes * point[i].depth, LARGEST_PAGES * FIT_PAGE);
	}
	ck_assert(dropped && first);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("fit");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, what_was_put_in_comes_out);
	tcase_add_test(t, small_errors_stay_small);
	tcase_add_test(t, least_and_most_include_the_value);
	tcase_add_test(t, one_bad_round_does_not_change_the_medians);
	tcase_add_test(t, bad_rounds_widen_the_middle);
	tcase_add_test(t, no_number_is_below_0);
	tcase_add_test(t, a_single_round_is_its_own_median);
	tcase_add_test(t, latency_is_not_below_0);
	tcase_add_test(t, a_disk_is_told_by_distance);
	tcase_add_test(t, a_tier_is_told_by_the_second_read);
	tcase_add_test(t, the_plan_is_in_order);
	return run_tests("fit", t);
}
