/* check_trial_alloc.c - memory of a trial that runs out, and that does not follow the rounds. */
#include "tests/unit/allocator.h"
#include "tests/unit/frames/trying.h"

static const char *const loads[] = { "churn:n=5,rounds=2", "mixed:n=5,steps=9,rounds=2",
	"pass:n=5,rounds=2", "bursts:calm=2,times=2,burst=5,rounds=2" };

static int
run(const void *trial, struct error *e)
{
	struct trial_result r;
	int		    failed = trial_run(&r, trial, e);

	REQUIRE(!failed || !r.script_operations, "%s", e->text);
	return failed;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	struct instance load = load_by_name(loads[_i / 2]);
	struct trial	t = trial_of("buddy", load, 2);

	t.cores = cores_by_name(_i % 2 ? "model" : "real");
	t.latency = t.fragment = true;
	ck_assert_uint_ge(watch_refusals(run, &t), 30);
	free(load.self);
}
END_TEST

static uint64_t
bytes_of(const char *text)
{
	struct instance load = load_by_name(text);
	struct trial	t = trial_of("buddy", load, 2);
	uint64_t	bytes;

	t.latency = t.fragment = true;
	bytes = watch_bytes(run, &t);
	free(load.self);
	return bytes;
}

START_TEST(memory_does_not_follow_the_rounds)
{
	ck_assert_uint_eq(bytes_of("pass:n=5,rounds=2"), bytes_of("pass:n=5,rounds=99"));
	ck_assert_uint_eq(bytes_of("mixed:n=5,rounds=2"), bytes_of("mixed:n=5,rounds=99"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("trial_alloc");

	tcase_add_loop_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing, 0,
	    2 * (int)(sizeof(loads) / sizeof(*loads)));
	tcase_add_test(tc, memory_does_not_follow_the_rounds);
	return run_tests("trial_alloc", tc);
}
