/* check_workload.c - workloads: what they read, and how they are named. */
#include <string.h>

#include "sim/trace/workload.h"
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

static void
load(struct trace *t, const char *name)
{
	struct error e = { 0 };

	REQUIRE(!workload_load(t, named(name), 4096, &e), "%s", e.text);
}

START_TEST(every_workload_reads_one_file_of_its_size_and_nothing_beyond)
{
	for (const struct workload *p = workloads; p->name; p++) {
		struct trace t;

		load(&t, p->name);
		REQUIRE(t.nfiles == 1 && t.file[0].bytes == p->file_bytes, "%s", p->name);
		for (size_t i = 0; i < t.naccess; i++)
			REQUIRE(t.access[i].offset + t.access[i].length <= p->file_bytes &&
				t.access[i].file_size == p->file_bytes && !t.access[i].write,
			    "%s: call %zu", p->name, i);
		trace_release(&t);
	}
}
END_TEST

START_TEST(no_workload_promises_calls_that_lie_beyond_its_file)
{
	for (const struct workload *p = workloads; p->name; p++) {
		struct trace t;

		load(&t, p->name);
		REQUIRE(t.naccess == p->calls, "%s: %zu calls", p->name, t.naccess);
		trace_release(&t);
	}
}
END_TEST

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

START_TEST(streams_share_a_descriptor_or_have_one_each)
{
	struct trace t;

	load(&t, "streams-2");
	ck_assert_uint_eq(t.nopen, 1);
	ck_assert_uint_eq(t.access[3].offset, 2049 * 4096);
	trace_release(&t);
	load(&t, "opens-2");
	ck_assert_uint_eq(t.nopen, 2);
	ck_assert(t.access[0].fresh && t.access[1].fresh && !t.access[2].fresh);
	ck_assert_uint_eq(t.access[3].offset, 2049 * 4096);
	trace_release(&t);
}
END_TEST

START_TEST(the_last_call_is_cut_at_the_end_of_the_file)
{
	struct trace t;

	load(&t, "end-partial");
	ck_assert_uint_eq(t.access[40].length, 100);
	trace_release(&t);
}
END_TEST

START_TEST(random_places_do_not_repeat_soon_and_runs_go_on)
{
	struct trace t;

	load(&t, "random");
	for (size_t i = 1; i < 50; i++)
		REQUIRE(t.access[i].offset != t.access[i - 1].offset, "call %zu", i);
	trace_release(&t);
	load(&t, "runs-4");
	for (size_t i = 0; i < t.naccess; i++)
		REQUIRE(i % 4 == 0 || t.access[i].offset == t.access[i - 1].offset + 4096,
		    "call %zu", i);
	trace_release(&t);
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

START_TEST(an_unknown_name_is_refused_with_the_nearest)
{
	struct error e = { 0 };

	ck_assert(!workload_check("all,stride,end-1b", &e));
	ck_assert(workload_check("sequentail", &e));
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(e.text, "'sequential'"));
	ck_assert(workload_check("stride,", &e));
	ck_assert(workload_check("", &e));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("workload");

	tcase_add_test(tc, every_workload_reads_one_file_of_its_size_and_nothing_beyond);
	tcase_add_test(tc, no_workload_promises_calls_that_lie_beyond_its_file);
	tcase_add_test(tc, names_differ_and_groups_stand_together);
	tcase_add_test(tc, streams_share_a_descriptor_or_have_one_each);
	tcase_add_test(tc, the_last_call_is_cut_at_the_end_of_the_file);
	tcase_add_test(tc, random_places_do_not_repeat_soon_and_runs_go_on);
	tcase_add_test(tc, names_groups_and_all_select);
	tcase_add_test(tc, an_unknown_name_is_refused_with_the_nearest);
	return run_tests("workload", tc);
}
