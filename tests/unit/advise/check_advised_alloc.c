/* check_advised_alloc.c - memory that runs out while advice is put into a trace is an error, and nothing leaks. */
#include <string.h>

#include "sim/host/advise/advised.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct draft draft;

static int
advise(const void *from, struct error *e)
{
	static const struct file_advice f = { 0, ADVICE_WILLNEED };
	struct advised			a;
	struct trace			t;
	int failed = advised_init(&a, &draft.trace, e) || advised_make(&a, &f, 1, 4096, &t, e);

	if (!failed)
		free((void *)(uintptr_t)t.advice);
	advised_release(&a);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint32_t open;

	draft_start(&draft);
	open = draft_open(&draft, draft_file(&draft, 5, 8), 0);
	draft_blocks(&draft, 0, open, 0, 4, false)->fresh = true;
	ck_assert_uint_eq(watch_refusals(advise, NULL), 5);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("advised_alloc");

	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("advised_alloc", tests);
}
