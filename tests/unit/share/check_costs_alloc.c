/* check_costs_alloc.c - memory of an explanation that runs out, and that does not follow the references. */
#include "sim/report/share_costs.h"
#include "tests/unit/allocator.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

static const char two_counters[] =
    HEAD "P 0\nA 1 16\nA 2 16\nC\n( 9\nW 1 0\n)\nP 1\n( 9\nW 2 0\n)\n";

/* Read, run and print: 0 or -1. */
static int
explain(const char *text, FILE *out, struct error *e)
{
	struct program	      p;
	struct costs	      costs;
	struct share_observer observer;
	struct way	      w = { 0 };
	struct outcome_of_run o;
	int		      failed;

	if (program_from(&p, text, e))
		return -1;
	failed = costs_init(&costs, &p, 4096, e);
	if (!failed) {
		observer = costs_observer(&costs);
		failed =
		    run_program(&o, &p, &w, &observer, e) || share_costs_print(&costs, 0, out, e);
		costs_release(&costs);
	}
	program_release(&p);
	return failed ? -1 : 0;
}

static int
explain_watched(const char *text, uint64_t refuse, struct error *e)
{
	static char room[1 << 14];
	FILE	   *out = fmemopen(room, sizeof(room), "w");
	int	    failed;

	*e = (struct error){ 0 };
	memset(&watch, 0, sizeof(watch));
	watch.on = true;
	watch.refuse = refuse;
	failed = explain(text, out, e);
	watch.on = false;
	fclose(out);
	return failed;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	struct error e;

	for (uint64_t n = 1;; n++) {
		int failed = explain_watched(two_counters, n, &e);

		REQUIRE(!watch.held, "refusal %u leaves %d blocks", (unsigned)n, (int)watch.held);
		if (watch.asked < n) {
			ck_assert_int_eq(failed, 0);
			ck_assert_uint_gt(n, 10);
			return;
		}
		REQUIRE(failed && strstr(e.text, "memory"), "refusal %u: %s", (unsigned)n, e.text);
	}
}
END_TEST

START_TEST(memory_does_not_follow_the_references)
{
	struct error e;
	uint64_t     few;

	ck_assert_int_eq(explain_watched(HEAD "P 0\nA 1 88\n( 10\n( 10\nW 1 0 0\n)\n)\n", 0, &e),
	    0);
	few = watch.bytes;
	ck_assert_int_eq(explain_watched(HEAD "P 0\nA 1 88\n( 99\n( 10\nW 1 0 0\n)\n)\n", 0, &e),
	    0);
	ck_assert_uint_eq(watch.bytes, few);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("costs_alloc");

	tcase_add_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing);
	tcase_add_test(tc, memory_does_not_follow_the_references);
	return run_tests("costs_alloc", tc);
}
