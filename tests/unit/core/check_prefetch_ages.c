/* check_prefetch_ages.c - sim/core/engine/ages.c: classes of ages, and percentiles. */
#include <string.h>

#include "sim/core/engine/ages.h"
#include "tests/unit/support.h"

static struct ages ages;

static void
start(void)
{
	memset(&ages, 0, sizeof(ages));
}

START_TEST(no_age_has_no_percentile)
{
	ck_assert_uint_eq(ages_percentile(&ages, 500), STAT_UNKNOWN);
}
END_TEST

START_TEST(short_ages_are_exact)
{
	for (usec_t age = 0; age < 64; age++) {
		start();
		ages_add(&ages, age);
		ck_assert_uint_eq(ages_percentile(&ages, 1), (uint64_t)age);
		ck_assert_uint_eq(ages_percentile(&ages, 1000), (uint64_t)age);
	}
}
END_TEST

/* Around each power of two, up to the longest time. */
START_TEST(no_age_is_shortened_or_a_32nd_too_long)
{
	for (unsigned bit = 0; bit < 63; bit++)
		for (int64_t off = -1; off <= 1; off++) {
			uint64_t age = (UINT64_C(1) << bit) + (uint64_t)off, said;

			start();
			ages_add(&ages, (usec_t)age);
			said = ages_percentile(&ages, 500);
			REQUIRE(said >= age && said - age <= age / 32, "%u %d", bit, (int)off);
		}
	start();
	ages_add(&ages, USEC_MAX);
	ck_assert_uint_eq(ages_percentile(&ages, 500), (uint64_t)USEC_MAX);
}
END_TEST

START_TEST(percentiles_are_of_the_nearest_rank)
{
	for (usec_t age = 10; age > 0; age--)
		ages_add(&ages, age);
	ck_assert_uint_eq(ages_percentile(&ages, 500), 5);
	ck_assert_uint_eq(ages_percentile(&ages, 501), 6);
	ck_assert_uint_eq(ages_percentile(&ages, 900), 9);
	ck_assert_uint_eq(ages_percentile(&ages, 990), 10);
	ages_add(&ages, 1 << 20);
	ck_assert_uint_eq(ages_percentile(&ages, 900), 10);
	ck_assert_uint_ge(ages_percentile(&ages, 990), 1 << 20);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("prefetch_ages");

	tcase_add_checked_fixture(tc, start, NULL);
	tcase_add_test(tc, no_age_has_no_percentile);
	tcase_add_test(tc, short_ages_are_exact);
	tcase_add_test(tc, no_age_is_shortened_or_a_32nd_too_long);
	tcase_add_test(tc, percentiles_are_of_the_nearest_rank);
	return run_tests("prefetch_ages", tc);
}
