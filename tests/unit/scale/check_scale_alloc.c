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
		const struct timed_run r = { i % 70 % 3 + 1, 3, 1. / (i % 70 % 3 + 1) };

		if (timings_add(t, i < 70 ? "p" : "q", &r, e))
			return -1;
	}
	return timings_end(t, "times", e);
}

/* 0, or -1 with a reason, if allocation number `refuse` is refused. */
static int
find(uint64_t refuse)
{
	struct timings t = { 0 };
	struct error   e = { 0 };
	struct scale   s;
	int	       failed;

	watch_from_here(refuse);
	failed = add_all(&t, &e);
	for (size_t i = 0; !failed && i < t.n; i++) {
		failed = scale_init(&s, &t.program[i], &e);
		if (!failed)
			scale_release(&s);
	}
	timings_release(&t);
	watch.on = false;
	REQUIRE(watch.held == 0, "%lld blocks are lost if request %llu is refused",
	    (long long)watch.held, (unsigned long long)refuse);
	if (failed)
		ck_assert_msg(strstr(e.text, "memory") != NULL, "'%s'", e.text);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals = 0;

	while (find(refusals + 1))
		refusals++;
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
