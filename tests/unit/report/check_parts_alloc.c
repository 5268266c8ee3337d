/* check_parts_alloc.c - memory that runs out for the parts of a run is an error, and nothing leaks. */
#include "sim/report/run/parts_report.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct draft draft;
static FILE	   *out;

static void
setup(void)
{
	static char name[] = "draft";

	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
	draft_open(&draft, draft_file(&draft, 1, 200), 0);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	out = fopen("/dev/null", "w");
	ck_assert_ptr_nonnull(out);
}

static void
teardown(void)
{
	fclose(out);
}

static int
make(const void *trace, struct error *e)
{
	static const struct config config;
	struct run_parts	   parts;
	const struct report	   r = { .config = &config, .trace = trace, .parts = &parts };
	int failed = run_parts_init(&parts, trace, true, true, 0, e) || parts_csv(&r, out, e);

	run_parts_release(&parts);
	return failed ? -1 : 0;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals = watch_refusals(make, &draft.trace);

	ck_assert_uint_ge(refusals, 5);
	ck_assert_uint_lt(refusals, 20);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("parts_alloc");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("parts_alloc", tests);
}
