/* check_stage_alloc.c - memory that runs out for evictions, for files or for a run is an error. */
#define _GNU_SOURCE /* for machine_shows.h */
#include "sim/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/measure/staged.h"

static struct draft  d;
static struct config cfg;
static struct step   steps[2] = { { .other = 1, .kind = STEP_START },
	  { .other = 1, .kind = STEP_WAIT, .calls = 9 } };

static void
setup(void)
{
	struct error e;

	staged_draft(&d);
	config_defaults(&cfg);
	cfg.cache_blocks = 10;
	REQUIRE(!registry_choose(PLUGIN_POLICY, "lru", &cfg.policy, &e) &&
		!registry_choose(PLUGIN_PREFETCHER, "none", &cfg.prefetcher, &e) &&
		!registry_choose(PLUGIN_SCHEDULER, "fifo", &cfg.scheduler, &e) &&
		!registry_choose(PLUGIN_DEVICE, "null", &cfg.device, &e),
	    "%s", e.text);
}

static int
evict(const void *from, struct error *e)
{
	struct evictions v;
	struct stats	 stats;

	if (evictions_init(&v, &cfg, &d.trace, &stats, e))
		return -1;
	evictions_release(&v);
	return 0;
}

START_TEST(evictions_need_memory)
{
	ck_assert_uint_gt(watch_refusals(evict, NULL), 5);
}
END_TEST

static int
replay(const void *from, struct error *e)
{
	struct stage	 s;
	struct run_times times = { 0 };
	int		 failed;

	if (stage_make(&s, &d.trace, STAGED_DIR, e))
		return -1;
	failed = stage_run(&s, from, &times, e);
	stage_release(&s);
	return failed;
}

START_TEST(a_run_needs_memory)
{
	static const struct run_how how[] = { { .random = true, .warm = true },
		{ .by_process = true } };

	d.trace.step = steps;
	d.trace.nsteps = _i ? 2 : 0;
	ck_assert_uint_gt(watch_refusals(replay, &how[_i]), 10);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("stage_alloc");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, evictions_need_memory);
	if (pages_can_be_seen())
		tcase_add_loop_test(tc, a_run_needs_memory, 0, 2);
	return run_tests("stage_alloc", tc);
}
