/* check_chance.c - random numbers have the distribution that they should have. */
#include <math.h>
#include <string.h>

#include "sim/trace/chance.h"
#include "tests/unit/support.h"

START_TEST(logarithm_and_exponential_are_those_of_the_library_to_the_last_digits)
{
	for (double x = 1e-300; x < 1e300; x *= 1.37)
		REQUIRE(fabs(chance_log(x) - log(x)) <= 4e-16 * (1 + fabs(log(x))), "log %g", x);
	for (double x = -690; x < 690; x += 0.37)
		REQUIRE(fabs(chance_exp(x) / exp(x) - 1) < 1e-13, "exp %g", x);
	ck_assert(chance_log(1) == 0 && chance_exp(0) == 1);
}
END_TEST

START_TEST(numbers_are_the_same_on_every_machine)
{
	uint64_t state = 0;

	ck_assert_uint_eq(chance_next(&state), UINT64_C(0xe220a8397b1dcdaf)); /* of SplitMix64 */
	ck_assert_uint_eq(chance_next(&state), UINT64_C(0x6e789e6aa1b965f4));
	ck_assert_uint_eq(chance_at(0, 1), UINT64_C(0x6e789e6aa1b965f4));
	ck_assert_uint_eq(chance_mix(0), 0);
}
END_TEST

START_TEST(exponential_numbers_have_mean_and_deviation_1)
{
	enum { N = 1000000 };
	uint64_t state = 1;
	double	 sum = 0, squares = 0;

	for (int i = 0; i < N; i++) {
		double x = chance_exponential(chance_next(&state));

		REQUIRE(x >= 0 && x < 40, "%g", x);
		sum += x;
		squares += x * x;
	}
	ck_assert(fabs(sum / N - 1) < 0.005);
	ck_assert(fabs(squares / N - 2) < 0.02);
	ck_assert(chance_exponential(UINT64_MAX) < 40);
}
END_TEST

/* ---- Zipf ---- */

enum { DRAWS = 400000, CLASSES = 40 };

/* The class of a rank: the first 20 are their own, the others in powers of two. */
static unsigned
class_of(uint64_t rank)
{
	unsigned class = 20;

	if (rank <= 20)
		return (unsigned)rank - 1;
	for (rank /= 21; rank > 1; rank /= 2)
		class ++;
	return class;
}

/* Chi-square of the classes against probabilities k^-alpha; it also tells the degrees of freedom. */
static double
chi_square(uint64_t n, double alpha, unsigned *freedom)
{
	static double expected[CLASSES], seen[CLASSES];
	double	      all = 0, sum = 0;
	uint64_t      state = 7;
	struct zipf   z;

	memset(expected, 0, sizeof(expected));
	memset(seen, 0, sizeof(seen));
	for (uint64_t k = 1; k <= n; k++) {
		double weight = pow((double)k, -alpha);

		all += weight;
		expected[class_of(k)] += weight;
	}
	zipf_init(&z, n, alpha);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t rank = zipf_next(&z, &state);

		REQUIRE(rank >= 1 && rank <= n, "rank %llu", (unsigned long long)rank);
		seen[class_of(rank)]++;
	}
	*freedom = 0;
	for (unsigned c = 0; c < CLASSES; c++) {
		double e = expected[c] / all * DRAWS;

		if (e < 5)
			continue;
		sum += (seen[c] - e) * (seen[c] - e) / e;
		++*freedom;
	}
	return sum;
}

/* The mean of chi-square is its degrees of freedom f, its deviation the root of 2 f. */
START_TEST(zipf_ranks_have_the_probabilities_of_the_law)
{
	static const double   alpha[] = { 0, 0.5, 0.9, 0.999999, 1, 1.000001, 1.2, 2, 5 };
	static const uint64_t n[] = { 1, 2, 3, 100, 4096, 1000000 };

	for (size_t a = 0; a < sizeof(alpha) / sizeof(*alpha); a++)
		for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++) {
			unsigned f;
			double	 chi = chi_square(n[i], alpha[a], &f);

			REQUIRE(chi < f + 4 * sqrt(2 * f), "alpha %g, %llu ranks: %g of %u",
			    alpha[a], (unsigned long long)n[i], chi, f);
		}
}
END_TEST

START_TEST(the_largest_number_of_ranks_will_do)
{
	struct zipf z;
	uint64_t    state = 3, far = 0;

	zipf_init(&z, INT32_MAX, 0);
	for (int i = 0; i < 1000; i++)
		far += zipf_next(&z, &state) > INT32_MAX / 2;
	ck_assert(far > 400 && far < 600);
}
END_TEST

START_TEST(scattering_takes_every_place_once_and_neighbours_apart)
{
	for (uint64_t n = 1; n < 3000; n += 1 + n / 7) {
		struct scatter s;
		uint8_t	       taken[3000] = { 0 };

		scatter_init(&s, n);
		for (uint64_t i = 0; i < n; i++) {
			uint64_t place = scatter_place(&s, i);

			REQUIRE(place < n && !taken[place], "%llu of %llu", (unsigned long long)i,
			    (unsigned long long)n);
			taken[place] = 1;
		}
		if (n > 10)
			ck_assert_uint_gt(scatter_place(&s, 1), 1);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("chance");

	tcase_add_test(tc, logarithm_and_exponential_are_those_of_the_library_to_the_last_digits);
	tcase_add_test(tc, numbers_are_the_same_on_every_machine);
	tcase_add_test(tc, exponential_numbers_have_mean_and_deviation_1);
	tcase_add_test(tc, zipf_ranks_have_the_probabilities_of_the_law);
	tcase_add_test(tc, the_largest_number_of_ranks_will_do);
	tcase_add_test(tc, scattering_takes_every_place_once_and_neighbours_apart);
	return run_tests("chance", tc);
}
