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
predicts(struct error *e)
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
runs(struct error *e)
{
	struct rounds r;
	int	      failed = rounds_make(&r, 3, REPLAYED_CALLS, &it.how, make, NULL, e);

	if (!failed)
		rounds_release(&r);
	return failed;
}

static int
lines(struct error *e)
{
	FILE *null = fopen("/dev/null", "w");
	int   failed = replay_json(&it.report, null, e);

	fclose(null);
	return failed;
}

/* How many refusals are errors with a reason. */
static uint64_t
refusals_of(int (*function)(struct error *e))
{
	for (uint64_t refuse = 1;; refuse++) {
		struct error e = { 0 };
		int	     failed;

		watch_from_here(refuse);
		failed = function(&e);
		watch.on = false;
		REQUIRE(watch.held == 0, "%lld blocks are lost if request %llu is refused",
		    (long long)watch.held, (unsigned long long)refuse);
		if (!failed)
			return refuse - 1;
		ck_assert_msg(strstr(e.text, "memory") != NULL, "'%s'", e.text);
	}
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	ck_assert_uint_ge(refusals_of(predicts), 8);
	ck_assert_uint_ge(refusals_of(runs), 2);
	ck_assert_uint_ge(refusals_of(lines), 80);
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
