/* check_advised.c - advice about files, put into a trace. */
#include "sim/host/advise/advised.h"
#include "sim/trace/format.h"
#include "tests/unit/support.h"

static struct draft   draft;
static struct advised advised;
static struct trace   made;
static struct error   e;

enum { BLOCK = DRAFT_BLOCK_BYTES };

/* Files 0 of 8 blocks and 1 of 2 blocks; file 0 is opened twice, through the same number. */
static void
setup(void)
{
	uint32_t a, b;

	draft_start(&draft);
	a = draft_open(&draft, draft_file(&draft, 70, 8), 0);
	b = draft_open(&draft, draft_file(&draft, 71, 2), 0);
	draft_blocks(&draft, 0, a, 0, 1, true);
	draft_blocks(&draft, 1, a, 0, 1, false)->fresh = true; /* call 1 */
	draft_blocks(&draft, 2, a, 1, 1, false);
	draft_blocks(&draft, 3, b, 0, 1, false)->fresh = true; /* call 3 */
	draft_blocks(&draft, 4, a, 0, 1, false)->fresh = true; /* call 4 */
	draft_blocks(&draft, 5, b, 1, 1, false);
}

static void
make(const struct file_advice *f, unsigned n, uint64_t piece)
{
	ck_assert_int_eq(advised_init(&advised, &draft.trace, &e), 0);
	ck_assert_int_eq(advised_make(&advised, f, n, piece, &made, &e), 0);
}

static void
teardown(void)
{
	free((void *)(uintptr_t)made.advice);
	advised_release(&advised);
}

static void
advice_is(size_t k, uint64_t before, enum advice_kind kind, uint64_t offset, uint64_t length)
{
	const struct advice *a = &made.advice[k];

	ck_assert_uint_lt(k, made.nadvice);
	ck_assert_uint_eq(a->before, before);
	ck_assert_uint_eq(a->kind, kind);
	ck_assert_uint_eq(a->offset, offset);
	ck_assert_uint_eq(a->length, length);
	ck_assert_uint_eq(a->open, made.access[before].open);
	ck_assert(a->own);
	ck_assert(made.access[before].advised);
}

START_TEST(a_file_is_advised_about_each_time_it_is_opened)
{
	make(&(struct file_advice){ 0, ADVICE_RANDOM }, 1, 1 << 20);
	ck_assert_uint_eq(made.nadvice, 2);
	advice_is(0, 1, ADVICE_RANDOM, 0, 0);
	advice_is(1, 4, ADVICE_RANDOM, 0, 0);
	ck_assert(made.advice[0].fresh && made.advice[1].fresh);
	ck_assert_uint_eq(made.naccess, draft.trace.naccess);
}
END_TEST

/* Else memory of the copy would be given back with that of the mapping. */
START_TEST(the_copy_of_a_mapped_trace_is_not_mapped)
{
	struct mapping mapping = { 0 };

	draft.trace.mapping = &mapping;
	make(NULL, 0, 1 << 20);
	draft.trace.mapping = NULL;
	ck_assert_ptr_null(made.mapping);
}
END_TEST

START_TEST(willneed_comes_in_pieces)
{
	const struct file_advice f[] = { { 0, ADVICE_WILLNEED }, { 1, ADVICE_WILLNEED } };

	make(f, 2, 3 * BLOCK);
	ck_assert_uint_eq(made.nadvice, 3 + 1 + 3);
	for (unsigned i = 0; i < 3; i++) {
		advice_is(i, 1, ADVICE_WILLNEED, i * 3 * BLOCK, 3 * BLOCK);
		ck_assert_uint_eq(made.advice[i].fresh, i == 0);
	}
	advice_is(3, 3, ADVICE_WILLNEED, 0, 0);
	advice_is(4, 4, ADVICE_WILLNEED, 0, 3 * BLOCK);
}
END_TEST

START_TEST(the_advice_of_the_trace_stays)
{
	struct advice *own = draft_advise(&draft, ADVICE_DONTNEED, 1, 0, 0);

	own->before = 4; /* before the call that opens file 0 again */
	draft.access[5].advised = false;
	draft.access[4].advised = true;
	make(&(struct file_advice){ 0, ADVICE_SEQUENTIAL }, 1, 1 << 20);
	ck_assert_uint_eq(made.nadvice, 3);
	advice_is(0, 1, ADVICE_SEQUENTIAL, 0, 0);
	advice_is(1, 4, ADVICE_SEQUENTIAL, 0, 0);
	ck_assert_uint_eq(made.advice[2].kind, ADVICE_DONTNEED);
	ck_assert_uint_eq(made.advice[2].before, 4);
}
END_TEST

START_TEST(settled_only_calls_with_advice_are_marked)
{
	make(&(struct file_advice){ 1, ADVICE_RANDOM }, 1, 1 << 20);
	advised_settle(&advised, &made);
	for (size_t i = 0; i < made.naccess; i++)
		ck_assert_uint_eq(made.access[i].advised, i == 3);
}
END_TEST

START_TEST(normal_is_no_advice)
{
	make(&(struct file_advice){ 0, ADVICE_NORMAL }, 1, 1 << 20);
	ck_assert_uint_eq(made.nadvice, 0);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("advised");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_file_is_advised_about_each_time_it_is_opened);
	tcase_add_test(tests, the_copy_of_a_mapped_trace_is_not_mapped);
	tcase_add_test(tests, willneed_comes_in_pieces);
	tcase_add_test(tests, the_advice_of_the_trace_stays);
	tcase_add_test(tests, settled_only_calls_with_advice_are_marked);
	tcase_add_test(tests, normal_is_no_advice);
	return run_tests("advised", tests);
}
