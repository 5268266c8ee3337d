/* check_trial.c - which plans are vetoed to learn: "." passes, "x" does not. */
#include <string.h>

#include "prefetch/trial.h"
#include "tests/unit/support.h"

struct holder {
	struct trial trial;
};

static const struct param  params[] = { TRIAL_PARAMS(struct holder, trial), { 0 } };
static const struct plugin plugin = { .name = "holder", .params = params };

static struct holder holder;

static void
start(const char *text)
{
	struct error e;

	holder = (struct holder){ 0 };
	ck_assert_msg(!params_set(&plugin, &holder, text, &e), "%s", e.text);
}

/* Plans of these files, a digit each. */
static const char *
plans(const char *files)
{
	static char verdicts[64];
	size_t	    n = 0;

	ck_assert_uint_lt(strlen(files), sizeof(verdicts));
	for (; *files; files++)
		verdicts[n++] = trial_vetoes(&holder.trial, (file_t)(*files - '0')) ? 'x' : '.';
	verdicts[n] = '\0';
	return verdicts;
}

START_TEST(after_so_many_plans_the_next_ones_are_vetoed)
{
	start("every=4,trial=3");
	ck_assert_str_eq(plans("11111111111111111"), "....xxx....xxx...");
}
END_TEST

START_TEST(a_trial_is_of_one_file)
{
	start("every=2,trial=3");
	ck_assert_str_eq(plans("0121212112222"), "...x.x.x..xxx");
}
END_TEST

START_TEST(file_0_is_a_file)
{
	start("every=1,trial=1");
	ck_assert_str_eq(plans("0000"), ".x.x");
	start("every=1,trial=1");
	ck_assert_str_eq(plans("0100"), "..x.");
}
END_TEST

START_TEST(a_trial_waits_for_its_file_through_four_plans_of_others_for_each_of_its_own)
{
	start("every=3,trial=2");
	ck_assert_str_eq(plans("1112222222"
			       "11"
			       "1"),
	    ".........."
	    "xx"
	    ".");
	start("every=3,trial=2");
	ck_assert_str_eq(plans("11122222222"
			       "1111"),
	    "..........."
	    "...x");
	ck_assert_uint_eq(holder.trial.passed, 6);
}
END_TEST

START_TEST(parameters_at_their_ends)
{
	start("every=1,trial=1073741824");
	ck_assert_str_eq(plans("1112"), ".xx.");
	ck_assert_uint_eq(holder.trial.left, (UINT64_C(1) << 30) - 2);
	ck_assert_uint_eq(holder.trial.patience, (UINT64_C(4) << 30) - 1);
	start("every=1073741824,trial=1");
	ck_assert_str_eq(plans("1112"), "....");
	holder.trial.passed = (UINT64_C(1) << 30) - 1;
	ck_assert_str_eq(plans("1112"), ".x..");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("trial");

	tcase_add_test(tests, after_so_many_plans_the_next_ones_are_vetoed);
	tcase_add_test(tests, a_trial_is_of_one_file);
	tcase_add_test(tests, file_0_is_a_file);
	tcase_add_test(tests,
	    a_trial_waits_for_its_file_through_four_plans_of_others_for_each_of_its_own);
	tcase_add_test(tests, parameters_at_their_ends);
	return run_tests("trial", tests);
}
