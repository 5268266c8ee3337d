/* check_map_alloc.c - memory that runs out for the map of a run is an error, and nothing leaks. */
#include "sim/film/map_json.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct draft draft;
static char	    name[] = "draft";

static void
setup(void)
{
	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
	draft_open(&draft, draft_file(&draft, 1, 200), 0);
	draft_blocks(&draft, 0, 0, 0, 1, false);
}

static int
make(const void *trace, struct error *e)
{
	struct run_map m;
	struct picture text = { 0 };
	int	       failed = run_map_init(&m, trace, 1000, 0, e);

	if (!failed) {
		run_map_finish(&m);
		failed = map_json(&m, "", &text, e);
	}
	run_map_release(&m);
	free(text.bytes);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals = watch_refusals(make, &draft.trace);

	ck_assert_uint_gt(refusals, 4);
	ck_assert_uint_lt(refusals, 20);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("map_alloc");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("map_alloc", tests);
}
