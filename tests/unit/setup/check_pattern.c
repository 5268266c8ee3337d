/* check_pattern.c - workloads by their text: lists, mixes, phases, names. */
#include <stdio.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/setup/pattern.h"
#include "sim/trace/generate/workload.h"
#include "tests/unit/support.h"

static struct error		  e;
static struct patterns		  patterns;
static struct trace		  trace;
static const struct trace_options how = { .block_bytes = 4096 };

static void
clear(void)
{
	patterns_release(&patterns);
	trace_release(&trace);
	e = (struct error){ 0 };
}

/* The items of a list, with blanks between them. */
static void
lists(const char *list, const char *expected)
{
	char   all[512] = "";
	size_t used = 0;

	clear();
	REQUIRE(!patterns_init(&patterns, list, &e), "%s: %s", list, e.text);
	for (unsigned i = 0; i < patterns.n; i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? " " : "",
		    patterns.text[i]);
	ck_assert_str_eq(all, expected);
}

static void
refuses(const char *list, const char *why)
{
	clear();
	REQUIRE(patterns_init(&patterns, list, &e), "%s is taken", list);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	REQUIRE(strstr(e.text, why), "%s: %s", list, e.text);
}

static void
load(const char *text)
{
	clear();
	REQUIRE(!pattern_load(&trace, text, &how, PATTERN_SLOW_US, &e), "%s: %s", text, e.text);
}

/* ---- the named workloads ---- */

START_TEST(every_workload_reads_one_file_and_nothing_beyond)
{
	for (const struct workload *p = workloads; p->name; p++) {
		load(p->name);
		REQUIRE(trace.nfiles == 1 && trace.nprocesses == 1, "%s", p->name);
		for (size_t i = 0; i < trace.naccess; i++)
			REQUIRE(trace.access[i].offset + trace.access[i].length <=
				    trace.file[0].bytes &&
				trace.access[i].file_size == trace.file[0].bytes &&
				trace.access[i].time == (usec_t)i * 1000000 &&
				!trace.access[i].write,
			    "%s: call %zu", p->name, i);
	}
}
END_TEST

/* A kernel's answers to them are recorded. */
START_TEST(the_calls_of_all_workloads_are_what_they_always_were)
{
	uint64_t sum = 0;

	for (const struct workload *p = workloads; p->name; p++) {
		load(p->name);
		sum = checksum_add(sum, trace.fingerprint);
	}
	ck_assert_uint_eq(sum, UINT64_C(0xbc148f6cd4dfb2b8));
}
END_TEST

START_TEST(a_workload_that_is_called_like_a_shape_is_that_shape)
{
	for (const struct workload *p = workloads; p->name; p++)
		REQUIRE(strcmp(p->name, "sequential") || !strcmp(p->pattern, p->name), "%s",
		    p->name);
}
END_TEST

/* ---- lists ---- */

START_TEST(lists_have_groups_ranges_and_parameters)
{
	lists("zipf", "zipf");
	lists("zipf:alpha=0.9,blocks=10,loop", "zipf:alpha=0.9,blocks=10 loop");
	lists("reread", "same-page same-4p passes");
	lists("passes,reread,zipf+loop", "passes same-page same-4p zipf+loop");
	lists("loop:size=1M:4M:x2", "loop:size=1M loop:size=2M loop:size=4M");
	lists("zipf:blocks=10,20/loop:size=1M,2M,pages",
	    "zipf:blocks=10/loop:size=1M zipf:blocks=10/loop:size=2M "
	    "zipf:blocks=20/loop:size=1M zipf:blocks=20/loop:size=2M pages");
	clear();
	ck_assert(!patterns_init(&patterns, "all", &e) && patterns.n == 62);
}
END_TEST

START_TEST(slips_are_answered)
{
	refuses("sequentail", "unknown workload 'sequentail'; did you mean 'sequential'?");
	refuses("zipff:alpha=1", "did you mean 'zipf'?");
	refuses("qqq", "bufsim list shapes");
	refuses("zipf:alpha=7", "alpha of zipf is between 0 and 5, not 7");
	refuses("zipf:aplha=1", "did you mean 'alpha'?");
	refuses("zipf:calls=0", "calls of zipf is between 1 and");
	refuses("stride-3:calls=9", "stride-3 has no parameters; it is strided:");
	refuses("stride+zipf", "stride is a group of workloads");
	refuses("cached-4+zipf", "stands alone");
	refuses("zipf+", "a shape is missing");
	refuses("/zipf", "a shape is missing");
	refuses("", "missing");
	refuses("zipf,", "missing");
	refuses("uniform:file=3+zipf", "uniform: file=3: the pattern has 2 shapes");
	refuses("sequential:size=4K,start=1M", "behind the end of the file");
	refuses("strided:step=0", "add calls=");
	refuses("column-chunks:back=1M", "add calls=");
	refuses("column-chunks:back=1M,skip=1M", "give one of them");
	refuses("small-files:smallest=1M,largest=1K", "larger");
	refuses("streams:size=4K,streams=9", "too small");
	refuses("hot-cold:hot=0", "smaller than a call");
	refuses("index-then-row:index=4K,range=9", "smaller than a range");
}
END_TEST

START_TEST(more_shapes_than_a_workload_can_have_are_refused)
{
	char text[5 * 66] = "loop";

	for (int i = 0; i < 64; i++)
		strcat(text, "+loop");
	refuses(text, "more than 64 shapes");
}
END_TEST

/* ---- mixes and phases ---- */

START_TEST(a_mix_is_of_processes_with_files_of_their_own_in_the_order_of_time)
{
	load("sequential:calls=3,think=2ms+loop:calls=6,think=1ms,seed=4");
	ck_assert_uint_eq(trace.nprocesses, 2);
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_uint_eq(trace.naccess, 9);
	ck_assert_uint_eq(trace.out_of_order, 0);
	ck_assert_int_eq(trace.access[8].time, 5000);
	ck_assert_uint_eq(trace.open[trace.access[0].open].process, 0);
	ck_assert_uint_eq(trace.open[trace.access[1].open].process, 1);
}
END_TEST

START_TEST(a_phase_begins_when_the_one_before_has_ended)
{
	load("sequential:calls=2,think=5ms+loop:calls=1,think=1ms/uniform:calls=2,think=1ms");
	ck_assert_uint_eq(trace.naccess, 5);
	ck_assert_uint_eq(trace.nprocesses, 2);
	ck_assert_int_eq(trace.access[3].time, 10000);
	ck_assert_int_eq(trace.access[4].time, 11000);
	ck_assert_uint_eq(trace.open[trace.access[3].open].process, 0);
	ck_assert_uint_eq(trace.open[trace.access[3].open].file, 2);
}
END_TEST

START_TEST(shapes_can_read_the_same_file)
{
	load("sequential:calls=2/uniform:size=16M,calls=2,file=1");
	ck_assert_uint_eq(trace.nfiles, 1);
	ck_assert_uint_eq(trace.nopen, 2);
}
END_TEST

START_TEST(the_same_shape_twice_does_not_make_the_same_calls)
{
	load("uniform:calls=50+uniform:calls=50");
	for (size_t i = 0; i < trace.naccess; i += 2)
		REQUIRE(trace.access[i].offset != trace.access[i + 1].offset, "call %zu", i);
}
END_TEST

START_TEST(names_may_be_parts)
{
	load("stride-3+runs-4");
	ck_assert_uint_eq(trace.naccess, 600);
}
END_TEST

START_TEST(a_file_too_large_for_its_blocks_is_an_error_and_no_leak)
{
	clear();
	ck_assert(pattern_load(&trace, "zipf:blocks=2147483647,call=1M,calls=1", &how, 1, &e));
	ck_assert_ptr_nonnull(strstr(e.text, "zipf:blocks"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("pattern");

	tcase_add_checked_fixture(tc, clear, clear);
	tcase_add_test(tc, every_workload_reads_one_file_and_nothing_beyond);
	tcase_add_test(tc, the_calls_of_all_workloads_are_what_they_always_were);
	tcase_add_test(tc, a_workload_that_is_called_like_a_shape_is_that_shape);
	tcase_add_test(tc, lists_have_groups_ranges_and_parameters);
	tcase_add_test(tc, slips_are_answered);
	tcase_add_test(tc, more_shapes_than_a_workload_can_have_are_refused);
	tcase_add_test(tc, a_mix_is_of_processes_with_files_of_their_own_in_the_order_of_time);
	tcase_add_test(tc, a_phase_begins_when_the_one_before_has_ended);
	tcase_add_test(tc, shapes_can_read_the_same_file);
	tcase_add_test(tc, the_same_shape_twice_does_not_make_the_same_calls);
	tcase_add_test(tc, names_may_be_parts);
	tcase_add_test(tc, a_file_too_large_for_its_blocks_is_an_error_and_no_leak);
	return run_tests("pattern", tc);
}
