/* check_scale_alloc.c - memory that runs out while run times are analysed is an error, and nothing leaks. */
#include <string.h>

#include "sim/studies/scale/scale.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

/* Two programs of 70 runs each: 0, or -1 with a reason. */
static int
add_all(struct timings *t, struct error *e)
{
	for (uint32_t i = 0; i < 140; i++) {
		const struct timed_run r = { i % 70 % 3 + 1, 3, 1. / (i % 70 % 3 + 1), 0, 0 };

		if (timings_add(t, i < 70 ? "p" : "q", &r, e))
			return -1;
	}
	return timings_end(t, "times", e);
}

static int
analyse(const void *from, struct error *e)
{
	struct timings t = { 0 };
	struct scale   s;
	int	       failed = add_all(&t, e);

	for (size_t i = 0; !failed && i < t.n; i++) {
		failed = scale_init(&s, &t.program[i], e);
		if (!failed)
			scale_release(&s);
	}
	timings_release(&t);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals = watch_refusals(analyse, NULL);

	ck_assert_uint_ge(refusals, 16);
	ck_assert_uint_lt(refusals, 40);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("scale_alloc");

	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("scale_alloc", tests);
}
