/* check_replay_alloc.c - memory that runs out for a replay's prediction, runs or report is an error. */
#include <cjson/cJSON.h>

#include "sim/registry.h"
#include "tests/unit/allocator.h"
#include "tests/unit/replayed.h"

static struct replayed it;
static struct choice   device, lru;

static void
setup(void)
{
	struct error e;

	cJSON_InitHooks(&(cJSON_Hooks){ malloc, free }); /* its own are out of reach */
	replayed_make(&it);
	REQUIRE(!registry_choose(PLUGIN_DEVICE, "null", &device, &e) &&
		!registry_choose(PLUGIN_POLICY, "lru", &lru, &e),
	    "%s", e.text);
}

static int
predicts(const void *from, struct error *e)
{
	const struct predict_how how = { .device = &device, .policy = &lru, .cache_pages = 4 };
	struct prediction	 p;
	int			 failed = predict(&p, &it.draft.trace, &how, e);

	if (!failed)
		prediction_release(&p);
	return failed;
}

static int
make(void *self, struct run_times *out, struct error *e)
{
	out->call_us[0] = 1;
	return 0;
}

static int
runs(const void *from, struct error *e)
{
	struct rounds r;
	int	      failed = rounds_make(&r, 3, REPLAYED_CALLS, &it.how, make, NULL, e);

	if (!failed)
		rounds_release(&r);
	return failed;
}

static int
lines(const void *from, struct error *e)
{
	FILE *null = fopen("/dev/null", "w");
	int   failed = replay_json(&it.report, null, e);

	fclose(null);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	ck_assert_uint_ge(watch_refusals(predicts, NULL), 8);
	ck_assert_uint_ge(watch_refusals(runs, NULL), 2);
	ck_assert_uint_ge(watch_refusals(lines, NULL), 80);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("replay_alloc");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("replay_alloc", tests);
}
