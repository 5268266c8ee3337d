/* check_map.c - keys and names get numbers, at a cost that no choice of keys can raise. */
#include <stdio.h>
#include <time.h>

#include "sim/base/map.h"
#include "tests/unit/support.h"

enum { KEYS = 50000, MANY_TIMES = 8 };

/* A number for each of so many keys, step apart; then every key is found again. */
static void
enter_and_find(uint64_t step)
{
	struct map m = { 0 };

	for (uint32_t i = 1; i <= KEYS; i++) {
		uint32_t *number = map_at(&m, i * step);

		ck_assert_ptr_nonnull(number);
		REQUIRE(!*number, "key %u is new", i);
		*number = i;
	}
	for (uint32_t i = 1; i <= KEYS; i++)
		REQUIRE(*map_at(&m, i * step) == i, "key %u", i);
	ck_assert_uint_eq(map_get(&m, KEYS * step), KEYS);
	ck_assert_uint_eq(map_get(&m, 0), 0);
	ck_assert_uint_eq(m.used, KEYS);
	ck_assert_uint_eq(*map_at(&m, 0), 0);
	map_release(&m);
	ck_assert_uint_eq(map_get(&m, step), 0);
}

START_TEST(keys_are_found_again)
{
	for (unsigned shift = 0; shift <= 48; shift += 8)
		enter_and_find(UINT64_C(1) << shift);
}
END_TEST

/* The processor time of entering the multiples of a number. */
static double
cost(uint64_t step)
{
	clock_t begin = clock();

	enter_and_find(step);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/*
 * Multiples of the inverse of a number: multiplied by it, which is a frequent hash, they are 1, 2,
 * 3.  With the upper half of that as the place, all would be in one row, at the thousandfold cost.
 */
START_TEST(keys_chosen_against_a_known_hash_cost_no_more)
{
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t       inverse = factor;
	double	       usual = cost(1) + cost(1);

	for (unsigned k = 0; k < 5; k++)
		inverse *= 2 - factor * inverse;
	ck_assert_uint_eq(inverse * factor, 1);
	ck_assert_double_lt(cost(inverse), MANY_TIMES * usual);
}
END_TEST

START_TEST(names_are_numbered_in_order_of_appearance)
{
	enum { NAMES = 1000 };
	struct names names = { 0 };
	char	     name[16];

	for (unsigned round = 0; round < 2; round++)
		for (uint32_t i = 1; i <= NAMES; i++) {
			snprintf(name, sizeof(name), "/n/%u", i);
			ck_assert_uint_eq(names_intern(&names, name), i);
			ck_assert_str_eq(names.name[i], name);
		}
	ck_assert_uint_eq(names.n, NAMES);
	ck_assert_uint_eq(names_intern(&names, ""), NAMES + 1);
	names_release(&names);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("map");

	tcase_add_test(tc, keys_are_found_again);
	tcase_add_test(tc, keys_chosen_against_a_known_hash_cost_no_more);
	tcase_add_test(tc, names_are_numbered_in_order_of_appearance);
	return run_tests("map", tc);
}
