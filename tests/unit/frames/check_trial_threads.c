/* check_trial_threads.c - every load on every allocator, on threads of this machine. */
#include <stdio.h>

#include "sim/studies/frames/model/registry.h"
#include "tests/unit/frames/trying.h"

static const unsigned threads[] = { 1, 2, 8 };
enum { THREADS = sizeof(threads) / sizeof(*threads) };

static void
run(const char *pool, const char *text, unsigned n)
{
	struct instance	    load = load_by_name(text);
	struct trial	    t = trial_of(pool, load, n);
	struct trial_result r = result_of(&t);

	REQUIRE(r.counts.operations + 2 * r.counts.failed == r.script_operations, "%s %s %u", pool,
	    text, n);
	free(load.self);
}

START_TEST(every_page_comes_back)
{
	const char *pool = PLUGIN_POOL->list[_i / THREADS]->name;

	for (const struct plugin *const *l = PLUGIN_LOAD->list; *l; l++) {
		char text[64];

		snprintf(text, sizeof(text), "%s:rounds=3", (*l)->name);
		run(pool, text, threads[_i % THREADS]);
	}
	if (threads[_i % THREADS] % 2 == 0)
		run(pool, "pass:rounds=3,roles=apart", threads[_i % THREADS]);
}
END_TEST

int
main(void)
{
	const struct plugin *const *p = PLUGIN_POOL->list;
	TCase			   *tc = tcase_create("trial_threads");
	int			    pools = 0;

	while (p[pools])
		pools++;
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, every_page_comes_back, 0, pools * THREADS);
	return run_tests("trial_threads", tc);
}
