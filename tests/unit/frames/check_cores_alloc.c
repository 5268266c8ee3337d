/* check_cores_alloc.c - memory of a run on modelled cores that runs out. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/frames/modelling.h"
#include "tests/unit/support.h"

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	struct choice	pool;
	struct steps	steps = { { "ttgg", "tgtg" }, 3 };
	struct modelled r;
	struct error	e;

	ck_assert_int_eq(registry_choose(PLUGIN_POOL, "buddy", &pool, &e), 0);
	for (uint64_t n = 1;; n++) {
		int failed;

		watch_from_here(n);
		failed = run_modelled(&r, &pool, "model",
		    (struct instance){ &load_steps.plugin, &steps }, 2, &e);
		watch.on = false;
		REQUIRE(!watch.held, "refusal %u leaves %d blocks", (unsigned)n, (int)watch.held);
		if (watch.asked < n) {
			ck_assert_int_eq(failed, 0);
			ck_assert_uint_gt(n, 12);
			return;
		}
		REQUIRE(failed && strstr(e.text, "memory"), "refusal %u: %s", (unsigned)n, e.text);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("cores_alloc");

	tcase_add_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing);
	return run_tests("cores_alloc", tc);
}
