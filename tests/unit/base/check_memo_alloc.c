/* check_memo_alloc.c - text in memory is whole, or its loss is reported. */
#include <string.h>

#include "sim/base/memo.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

enum { LINES = 5000, ALLOCATIONS = 12 };

/* Print many lines; 0, or -1 as memo_close() says. */
static int
print(struct memo *m)
{
	struct error e = { 0 };

	if (memo_open(m, &e)) {
		ck_assert_str_eq(e.text, "out of memory");
		return -1;
	}
	for (int i = 0; i < LINES; i++)
		fprintf(m->out, "line %d\n", i);
	if (!memo_close(m, &e))
		return 0;
	ck_assert_str_eq(e.text, "out of memory");
	ck_assert_ptr_null(m->text);
	return -1;
}

START_TEST(text_is_whole_or_its_loss_is_reported)
{
	struct memo whole, m;
	unsigned    lost = 0;

	ck_assert_int_eq(print(&whole), 0);
	for (uint64_t i = 1; i <= ALLOCATIONS; i++) {
		bool failed;

		watch_from_here(i);
		failed = print(&m) < 0;
		watch.on = false;
		lost += failed;
		if (failed)
			continue;
		ck_assert_uint_eq(m.bytes, whole.bytes);
		ck_assert_str_eq(m.text, whole.text);
		free(m.text);
	}
	ck_assert_uint_gt(lost, 1);
	ck_assert_uint_lt(lost, ALLOCATIONS);
	free(whole.text);
}
END_TEST

START_TEST(no_text_is_an_empty_text)
{
	struct memo  m;
	struct error e = { 0 };

	ck_assert_int_eq(memo_open(&m, &e), 0);
	ck_assert_int_eq(memo_close(&m, &e), 0);
	ck_assert_uint_eq(m.bytes, 0);
	ck_assert_str_eq(m.text, "");
	free(m.text);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("memo");

	tcase_add_test(tests, text_is_whole_or_its_loss_is_reported);
	tcase_add_test(tests, no_text_is_an_empty_text);
	return run_tests("memo", tests);
}
