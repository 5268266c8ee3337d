/* check_cost_set.c - sets of costs: the same parameters in all, and the cost of a reference. */
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

static struct action_costs
costs_of(const char *text, const struct cost_set **set)
{
	struct action_costs costs;
	struct choice	    c;
	struct error	    e;
	void		   *self;

	ck_assert_msg(!registry_choose(PLUGIN_COSTS, text, &c, &e), "%s", e.text);
	self = plugin_state(c.plugin, c.params, &e);
	ck_assert_ptr_nonnull(self);
	memcpy(&costs, self, sizeof(costs));
	*set = (const struct cost_set *)(const void *)c.plugin;
	free(self);
	choice_release(&c);
	return costs;
}

static uint64_t
reference_of(const char *text, const char *program)
{
	const struct cost_set	 *set;
	const struct action_costs c = costs_of(text, &set);

	return cost_reference(set, &c, program);
}

START_TEST(a_reference_costs_what_the_program_took)
{
	/* 178.87 s for 1,103.6 million references; 4.71 s for 137.7 million. */
	ck_assert_uint_eq(reference_of("kdsm2003", "lu (contiguous blocks)"), 162);
	ck_assert_uint_eq(reference_of("kdsm2003", "lu"), 162);
	ck_assert_uint_eq(reference_of("kdsm2003", "ocean (non-contiguous partitions)"), 34);
	ck_assert_uint_eq(reference_of("kdsm2003", "sor:rounds=3"), 2561);
}
END_TEST

START_TEST(other_programs_and_typed_costs_have_their_own)
{
	ck_assert_uint_eq(reference_of("kdsm2003", "ludwig"), 100);
	ck_assert_uint_eq(reference_of("kdsm2003", ""), 100);
	ck_assert_uint_eq(reference_of("kdsm2003:reference=20", "lu"), 20);
	ck_assert_uint_eq(reference_of("kdsm2003:reference=0", "lu"), 0);
	ck_assert_uint_eq(reference_of("rdma", "lu"), 1);
	ck_assert_uint_eq(reference_of("rdma:reference=program", "lu"), 1);
}
END_TEST

START_TEST(all_sets_have_the_same_parameters)
{
	const struct plugin *const *list = PLUGIN_COSTS->list;

	for (size_t i = 1; list[i]; i++)
		for (size_t k = 0; list[0]->params[k].name; k++) {
			ck_assert_str_eq(list[i]->params[k].name, list[0]->params[k].name);
			ck_assert_uint_eq(list[i]->params[k].offset, list[0]->params[k].offset);
		}
}
END_TEST

START_TEST(one_cost_may_differ_from_the_set)
{
	const struct cost_set *set;

	ck_assert_uint_eq(costs_of("rdma:latency=2000", &set).latency_ns, 2000);
	ck_assert_uint_eq(costs_of("rdma:latency=2000", &set).send_ns,
	    costs_of("rdma", &set).send_ns);
	ck_assert_uint_eq(cost_bytes(80000, 4096), 327680);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("cost_set");

	tcase_add_test(tc, a_reference_costs_what_the_program_took);
	tcase_add_test(tc, other_programs_and_typed_costs_have_their_own);
	tcase_add_test(tc, all_sets_have_the_same_parameters);
	tcase_add_test(tc, one_cost_may_differ_from_the_set);
	return run_tests("cost_set", tc);
}
