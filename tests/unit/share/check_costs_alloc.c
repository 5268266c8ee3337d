/* check_costs_alloc.c - memory of an explanation that runs out, and that does not follow the references. */
#include "sim/studies/share/report/share_costs.h"
#include "tests/unit/allocator.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

static const char two_counters[] =
    HEAD "P 0\nA 1 16\nA 2 16\nC\n( 9\nW 1 0\n)\nP 1\n( 9\nW 2 0\n)\n";

static int
run_and_print(const struct program *p, FILE *out, struct error *e)
{
	struct costs	      costs;
	struct share_observer observer;
	struct way	      w = { 0 };
	struct outcome_of_run o;
	int		      failed;

	if (costs_init(&costs, p, 4096, e))
		return -1;
	observer = costs_observer(&costs);
	failed = run_program(&o, p, &w, &observer, e) || share_costs_print(&costs, 0, out, e);
	costs_release(&costs);
	return failed ? -1 : 0;
}

static int
explain(const void *text, struct error *e)
{
	static char    room[1 << 14];
	FILE	      *out = fmemopen(room, sizeof(room), "w");
	struct program p;
	int	       failed = program_parse(&p, text, strlen(text), e);

	if (!failed) {
		failed = run_and_print(&p, out, e);
		program_release(&p);
	}
	fclose(out);
	return failed;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	ck_assert_uint_gt(watch_refusals(explain, two_counters), 9);
}
END_TEST

START_TEST(memory_does_not_follow_the_references)
{
	ck_assert_uint_eq(watch_bytes(explain, HEAD "P 0\nA 1 88\n( 10\n( 10\nW 1 0 0\n)\n)\n"),
	    watch_bytes(explain, HEAD "P 0\nA 1 88\n( 99\n( 10\nW 1 0 0\n)\n)\n"));
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
