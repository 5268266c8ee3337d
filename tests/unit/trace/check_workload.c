/* check_workload.c - the names of workloads. */
#include <string.h>

#include "sim/trace/generate/workload.h"
#include "tests/unit/support.h"

static const struct workload *
named(const char *name)
{
	for (const struct workload *p = workloads; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	ck_abort_msg("no workload %s", name);
	return NULL;
}

START_TEST(names_differ_and_groups_stand_together)
{
	for (const struct workload *p = workloads; p->name; p++)
		for (const struct workload *q = p + 1; q->name; q++) {
			REQUIRE(strcmp(p->name, q->name), "%s twice", p->name);
			if (!strcmp(p->group, q->group))
				REQUIRE(!strcmp(p->group, q[-1].group), "%s", q->name);
		}
}
END_TEST

START_TEST(names_groups_and_all_select)
{
	ck_assert(workload_selected(named("stride-3"), "stride-3"));
	ck_assert(workload_selected(named("stride-3"), "sequential,stride-3"));
	ck_assert(workload_selected(named("stride-3"), "stride,eof"));
	ck_assert(workload_selected(named("stride-3"), "all"));
	ck_assert(!workload_selected(named("stride-3"), "stride-33,seq"));
	ck_assert(!workload_selected(named("stride-3"), ""));
}
END_TEST

START_TEST(a_list_is_known_if_all_its_words_are)
{
	ck_assert(workload_known("all,stride,end-1b"));
	ck_assert(workload_known("sequential"));
	ck_assert(!workload_known("stride,"));
	ck_assert(!workload_known(""));
	ck_assert(!workload_known("stride-3,zipf"));
	ck_assert(!workload_known("strid"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("workload");

	tcase_add_test(tc, names_differ_and_groups_stand_together);
	tcase_add_test(tc, names_groups_and_all_select);
	tcase_add_test(tc, a_list_is_known_if_all_its_words_are);
	return run_tests("workload", tc);
}
