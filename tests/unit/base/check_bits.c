/* check_bits.c - a set of numbers, against an array of flags. */
#include <string.h>

#include "sim/base/bits.h"
#include "tests/unit/support.h"

enum { MOST = 300000, STEPS = 4000 };

static bool	    in[MOST];
static struct bits  set;
static struct error e;

static uint32_t
first(uint32_t from, uint32_t n)
{
	while (from < n && !in[from])
		from++;
	return from < n ? from : BITS_NONE;
}

static uint32_t
last(uint32_t n)
{
	while (n > 0 && !in[n - 1])
		n--;
	return n ? n - 1 : BITS_NONE;
}

static void
check_all(uint32_t n, uint64_t *seed)
{
	uint32_t from = random_below(seed, n + 1);

	REQUIRE(bits_first(&set, from) == first(from, n), "the first of %u from %u", n, from);
	REQUIRE(bits_last(&set) == last(n), "the last of %u", n);
	REQUIRE(bits_before(&set, from) == last(from), "the last of %u before %u", n, from);
}

START_TEST(the_first_and_the_last_are_those_of_an_array)
{
	static const uint32_t sizes[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 262145, MOST };
	uint32_t	      n = sizes[_i];
	uint64_t	      seed = 1;

	memset(in, 0, sizeof(in));
	ck_assert(!bits_init(&set, n, &e));
	check_all(n, &seed);
	for (unsigned i = 0; i < STEPS; i++) {
		uint32_t k = random_below(&seed, n);

		ck_assert_int_eq(bits_has(&set, k), in[k]);
		in[k] = random_below(&seed, 100) < (i < STEPS / 2 ? 60 : 10);
		if (in[k])
			bits_set(&set, k);
		else
			bits_clear(&set, k);
		if (i % (n > 5000 ? 40 : 1) == 0)
			check_all(n, &seed);
	}
	bits_release(&set);
}
END_TEST

START_TEST(a_number_that_leaves_and_returns_is_found)
{
	ck_assert(!bits_init(&set, 1u << 30, &e));
	for (unsigned i = 0; i < 2; i++) {
		bits_set(&set, (1u << 30) - 1);
		bits_set(&set, 5);
		ck_assert_uint_eq(bits_first(&set, 6), (1u << 30) - 1);
		ck_assert_uint_eq(bits_last(&set), (1u << 30) - 1);
		bits_clear(&set, (1u << 30) - 1);
		ck_assert_uint_eq(bits_first(&set, 6), BITS_NONE);
		ck_assert_uint_eq(bits_last(&set), 5);
		bits_clear(&set, 5);
		ck_assert_uint_eq(bits_last(&set), BITS_NONE);
	}
	bits_release(&set);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("bits");

	tcase_add_loop_test(tests, the_first_and_the_last_are_those_of_an_array, 0, 10);
	tcase_add_test(tests, a_number_that_leaves_and_returns_is_found);
	return run_tests("bits", tests);
}
