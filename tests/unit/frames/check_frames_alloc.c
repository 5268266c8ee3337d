/* check_frames_alloc.c - memory that runs out when an allocator of page frames starts. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/frames/pools.h"

static int
open_once(const void *pool, struct error *e)
{
	struct frames_shape shape = { .blocks = 2,
		.block_pages = 64,
		.threads = 3,
		.checked = true };
	struct choice	    c;
	struct frames	   *f;

	if (registry_choose(PLUGIN_POOL, pool, &c, e))
		return -1;
	f = frames_open(&c, &shape, e);
	choice_release(&c);
	if (!f)
		return -1;
	frames_free(frames_thread(f, 1), frames_alloc(frames_thread(f, 0), 1), 1);
	frames_close(f);
	return 0;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	ck_assert_uint_ge(watch_refusals(open_once, pool_name(_i)), 4);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("frames_alloc");

	tcase_add_loop_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing, 0,
	    pool_number());
	return run_tests("frames_alloc", tc);
}
