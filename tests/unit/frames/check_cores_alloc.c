/* check_cores_alloc.c - memory of a run on modelled cores that runs out. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/frames/modelling.h"
#include "tests/unit/support.h"

static int
run(const void *pool, struct error *e)
{
	struct steps	steps = { { "ttgg", "tgtg" }, 3 };
	struct modelled r;

	return run_modelled(&r, pool, "model", (struct instance){ &load_steps.plugin, &steps }, 2,
	    e);
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	struct choice pool;
	struct error  e;

	ck_assert_int_eq(registry_choose(PLUGIN_POOL, "buddy", &pool, &e), 0);
	ck_assert_uint_ge(watch_refusals(run, &pool), 12);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("cores_alloc");

	tcase_add_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing);
	return run_tests("cores_alloc", tc);
}
