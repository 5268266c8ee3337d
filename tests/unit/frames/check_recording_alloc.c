/* check_recording_alloc.c - memory that runs out for a recording is an error, and nothing leaks. */
#include "sim/studies/frames/model/recording.h"
#include "tests/unit/allocator.h"
#include "tests/unit/loading.h"

#define HEAD "# bufsim frames 1, cache 8, processes 4, trace t\n"

static int
read_and_write(const void *from, struct error *e)
{
	struct instance	    load;
	struct frames_shape shape = { .blocks = 1, .block_pages = 64, .threads = 2 };
	struct script	    s = { 0 };
	const struct load  *l;
	int		    failed;

	if (recording_load(&load, scratch_path, e))
		return -1;
	l = (const struct load *)(const void *)load.plugin;
	failed = l->write(load.self, &s, 0, &shape, e);
	script_release(&s);
	recording_release(&load);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	uint64_t refusals;

	scratch_text(HEAD "+ 0 1\n+ 1 0\n+ 2 1\n- 1 0\n+ 3 3\n");
	refusals = watch_refusals(read_and_write, NULL);
	ck_assert_uint_gt(refusals, 6);
	ck_assert_uint_lt(refusals, 40);
}
END_TEST

START_TEST(each_refusal_while_a_kernel_is_read_is_an_error_without_a_leak)
{
	scratch_text(
	    "a-1 [000] ..... 1.000001: mm_page_alloc: page=0 pfn=0x8 order=1 migratetype=0\n"
	    "a-2 [000] ..... 1.000002: mm_page_alloc: page=0 pfn=0xa order=0 migratetype=0\n"
	    "a-1 [000] ..... 1.000003: mm_page_free_batched: page=0 pfn=0xa order=0\n"
	    "a-3 [000] ..... 1.000004: mm_page_free: page=0 pfn=0x8 order=2\n"
	    "a-3 [000] ..... 1.000005: mm_page_alloc: page=0 pfn=0x8 order=2\n");
	ck_assert_uint_gt(watch_refusals(read_and_write, NULL), 6);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("recording_alloc");

	tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	tcase_add_test(tests, each_refusal_while_a_kernel_is_read_is_an_error_without_a_leak);
	return run_tests("recording_alloc", tests);
}
