/* check_responses.c - percentiles, and calls under way. */
#include <string.h>

#include "sim/core/responses.h"
#include "tests/unit/support.h"

static int
by_value(const void *a, const void *b)
{
	const usec_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The smallest value that at least so many in a thousand do not exceed, by its definition. */
static usec_t
defined(const usec_t *sorted, size_t n, unsigned per_mille)
{
	for (size_t i = 0;; i++)
		if ((i + 1) * 1000 >= n * per_mille)
			return sorted[i];
}

START_TEST(a_percentile_is_of_the_nearest_rank)
{
	usec_t ten[] = { 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 };

	ck_assert_int_eq(percentile(ten, 10, 500), 5);
	ck_assert_int_eq(percentile(ten, 10, 501), 6);
	ck_assert_int_eq(percentile(ten, 10, 900), 9);
	ck_assert_int_eq(percentile(ten, 10, 990), 10);
	ck_assert_int_eq(percentile(ten, 10, 1000), 10);
	ck_assert_int_eq(percentile(ten, 1, 500), ten[0]);
}
END_TEST

START_TEST(percentiles_are_found_whatever_the_order)
{
	static const unsigned share[] = { 1, 10, 500, 900, 990, 999, 1000 };
	uint64_t	      seed = 1;
	usec_t		      value[1000], sorted[1000];

	for (unsigned round = 0; round < 300; round++) {
		uint32_t n = 1 + random_below(&seed, 1000), different = 1 + random_below(&seed, n);

		for (uint32_t i = 0; i < n; i++)
			value[i] = round % 3 == 0 ? i
			    : round % 3 == 1	  ? n - i
						  : random_below(&seed, different);
		memcpy(sorted, value, n * sizeof(*value));
		qsort(sorted, n, sizeof(*sorted), by_value);
		for (unsigned k = 0; k < sizeof(share) / sizeof(*share); k++)
			REQUIRE(percentile(value, n, share[k]) == defined(sorted, n, share[k]),
			    "%u in a thousand of %u", share[k], n);
		qsort(value, n, sizeof(*value), by_value);
		REQUIRE(!memcmp(value, sorted, n * sizeof(*value)), "values were lost");
	}
}
END_TEST

/* 0..10, 4..6 and 8..20: from 2 on counted, the first call is not. */
START_TEST(calls_under_way_are_averaged_over_time)
{
	struct responses r;
	struct response	 detail[3] = { { 0 } };
	struct stats	 st = { 0 };
	struct error	 e;

	ck_assert_int_eq(responses_init(&r, 3, detail, &e), 0);
	response_arrives(&r, 0, 0);
	responses_restart(&r, 2);
	response_arrives(&r, 1, 4);
	response_ends(&r, 1, 6);
	response_arrives(&r, 2, 8);
	response_ends(&r, 0, 10);
	response_ends(&r, 2, 20);
	responses_count(&r, 1, 21, &st);
	ck_assert_uint_eq(st.outstanding_us, 8 + 2 + 12);
	ck_assert_uint_eq(st.outstanding_max, 2);
	ck_assert_uint_eq(st.response_calls, 2);
	ck_assert_uint_eq(st.response_us, 2 + 12);
	ck_assert_uint_eq(st.response_p50_us, 2);
	ck_assert_uint_eq(st.response_max_us, 12);
	ck_assert_int_eq(detail[0].us, 10);
	ck_assert_int_eq(detail[2].arrival, 8);
	ck_assert_uint_eq(detail[0].outstanding, 0);
	ck_assert_uint_eq(detail[2].outstanding, 1);
	responses_release(&r);
}
END_TEST

START_TEST(a_call_that_takes_no_time_is_never_under_way)
{
	struct responses r;
	struct stats	 st = { 0 };
	struct error	 e;

	ck_assert_int_eq(responses_init(&r, 3, NULL, &e), 0);
	response_arrives(&r, 0, 0);
	response_ends(&r, 0, 0);
	response_arrives(&r, 1, 0);
	response_arrives(&r, 2, 5);
	response_ends(&r, 2, 5);
	response_ends(&r, 1, 7);
	responses_count(&r, 0, 7, &st);
	ck_assert_uint_eq(st.outstanding_max, 1);
	ck_assert_uint_eq(st.outstanding_us, 7);
	responses_release(&r);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("responses");

	tcase_add_test(tests, a_percentile_is_of_the_nearest_rank);
	tcase_add_test(tests, percentiles_are_found_whatever_the_order);
	tcase_add_test(tests, calls_under_way_are_averaged_over_time);
	tcase_add_test(tests, a_call_that_takes_no_time_is_never_under_way);
	return run_tests("responses", tests);
}
