/* check_order.c - the earliest processor is next, of equal times the one with the lower number. */
#include "sim/studies/share/model/order.h"
#include "tests/unit/support.h"

enum { STEPS = 20000, STEP = 7 };

static struct order o;
static uint64_t	    at[PROCESSORS_MAX];

static unsigned
earliest(unsigned n)
{
	unsigned first = 0;

	for (unsigned i = 1; i < n; i++)
		if (at[i] < at[first])
			first = i;
	return first;
}

static void
set(unsigned processor, uint64_t key)
{
	at[processor] = key;
	order_set(&o, processor, key);
}

/* References of equal length, with waits between. */
static void
run(unsigned n, uint64_t seed)
{
	order_init(&o, n);
	for (unsigned i = 0; i < n; i++)
		set(i, random_below(&seed, 3 * STEP));
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned p = order_take(&o);

		REQUIRE(p == earliest(n), "step %u of %u processors", step, n);
		if (random_below(&seed, 20)) {
			at[p] += STEP;
			order_set_soon(&o, p, at[p]);
		} else if (random_below(&seed, 4)) {
			set(p, at[p] + random_below(&seed, 100 * STEP));
		} else {
			order_clear_line(&o);
			at[p] += random_below(&seed, 9);
			for (unsigned i = 0; i < n; i++)
				set(i, at[i]);
		}
	}
}

START_TEST(the_earliest_is_taken)
{
	static const unsigned processors[] = { 1, 2, 3, 5, 16, 31, 32, 63, 64 };

	for (size_t i = 0; i < sizeof(processors) / sizeof(*processors); i++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			run(processors[i], seed);
}
END_TEST

START_TEST(who_never_has_an_event_is_never_before_another)
{
	order_init(&o, 3);
	order_set(&o, 2, 5);
	ck_assert_uint_eq(order_take(&o), 2);
	order_set_soon(&o, 2, 6);
	order_set(&o, 0, 6);
	ck_assert_uint_eq(order_take(&o), 0);
	ck_assert_uint_eq(order_take(&o), 2);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("order");

	tcase_add_test(tc, the_earliest_is_taken);
	tcase_add_test(tc, who_never_has_an_event_is_never_before_another);
	return run_tests("order", tc);
}
