/* check_advised_alloc.c - memory that runs out while advice is put into a trace is an error, and nothing leaks. */
#include <string.h>

#include "sim/host/advise/advised.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct draft draft;

static int
advise(struct error *e)
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

/* 0, or -1 with a reason, if allocation number `refuse` is refused. */
static int
find(uint64_t refuse)
{
	struct error e = { 0 };
	int	     failed;

	watch_from_here(refuse);
	failed = advise(&e);
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
	uint32_t open;

	draft_start(&draft);
	open = draft_open(&draft, draft_file(&draft, 5, 8), 0);
	draft_blocks(&draft, 0, open, 0, 4, false)->fresh = true;
	while (find(refusals + 1))
		refusals++;
	ck_assert_uint_eq(refusals, 5);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("advised_alloc");

	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("advised_alloc", tests);
}
