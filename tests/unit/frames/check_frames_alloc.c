/* check_frames_alloc.c - memory that runs out when an allocator of page frames starts. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/frames/pools.h"

static int
open_once(const char *pool, struct error *e)
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
	const char  *pool = pool_name(_i);
	struct error e;

	for (uint64_t n = 1;; n++) {
		int failed;

		e = (struct error){ 0 };
		watch_from_here(n);
		failed = open_once(pool, &e);
		watch.on = false;
		REQUIRE(!watch.held, "%s: refusal %u leaves %d blocks", pool, (unsigned)n,
		    (int)watch.held);
		if (watch.asked < n) {
			ck_assert_int_eq(failed, 0);
			ck_assert_uint_gt(n, 4);
			return;
		}
		REQUIRE(failed && strstr(e.text, "memory"), "%s: refusal %u: %s", pool, (unsigned)n,
		    e.text);
	}
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
