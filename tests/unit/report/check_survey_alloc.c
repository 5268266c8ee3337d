/* check_survey_alloc.c - memory that runs out while a trace is surveyed is an error, and nothing leaks. */
#include "sim/draw/plot_survey.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct draft draft;
static char	    name[] = "draft";

static void
setup(void)
{
	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
	draft_file(&draft, 1, 200);
	draft_file(&draft, 2, 20);
	draft_open(&draft, 0, 0);
	draft_open(&draft, 1, 1);
	for (uint32_t i = 0; i < 200; i++)
		draft_blocks(&draft, i, i % 3 == 0, i % 3 == 0 ? i % 20 : i, 1, i % 5 == 0);
}

static int
find(const void *trace, struct error *e)
{
	struct survey	       v = { 0 };
	struct survey_plot     plot = { 0 };
	struct survey_observer observer = { &plot, survey_plot_call };
	int failed = survey_plot_init(&plot, trace, e) || survey_find(&v, trace, &observer, e);

	survey_release(&v);
	survey_plot_release(&plot);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals = watch_refusals(find, &draft.trace);

	ck_assert_uint_gt(refusals, 20);
	ck_assert_uint_lt(refusals, 100);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("survey_alloc");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("survey_alloc", tests);
}
