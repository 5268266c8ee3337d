/*
 * check_performer.c - sim/host/live/steps.c and performer.c: the calls and the
 * advice of a trace on scratch files.  What the kernel does is tested only
 * where it can be observed.
 */
#define _GNU_SOURCE /* for machine_shows.h */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/host/live/kernel_rule.h"
#include "sim/host/live/performer.h"
#include "tests/machine_shows.h"
#include "tests/unit/support.h"

enum { PAGE = DRAFT_BLOCK_BYTES };

static struct draft	 draft;
static struct performer	 made;
static struct live_steps steps;
static struct error	 problem;
static char		 name[] = "draft";

/* An append of a page to a file of one and a half, what brings the first, and what drops all. */
static void
write_trace(void)
{
	uint32_t open;

	draft_start(&draft);
	draft.trace.name = name;
	open = draft_open(&draft, draft_file(&draft, 1, 4), 0);
	draft_call(&draft, 10, open, PAGE + PAGE / 2, PAGE, true)->file_size = PAGE + PAGE / 2;
	draft_call(&draft, 20, open, 0, PAGE, false)->fresh = true;
	draft_advise(&draft, ADVICE_RANDOM, open, 0, 0);
	draft.advice[0].own = draft.advice[0].fresh = true;
	draft_call(&draft, 30, open, 3 * PAGE, PAGE, false);
	draft_advise(&draft, ADVICE_DONTNEED, open, 0, 0);
	for (unsigned i = 0; i < 2; i++)
		draft.advice[i].file_size = 2 * PAGE + PAGE / 2;
	steps = (struct live_steps){ .trace = &draft.trace };
}

static bool
observable(void)
{
	return machine_shows(".", 2, (bool (*const[])(struct shows *)){ shows_pages, shows_stay });
}

START_TEST(pages_are_found_where_plain_calls_find_them)
{
	if (observable())
		REQUIRE(!scratch_probe(".", &problem), "%s", problem.text);
}
END_TEST

static struct scratch *
make_next(struct live_step *s)
{
	ck_assert(live_steps_next(&steps, s));
	REQUIRE(!performer_make(&made, s, &problem), "%s", problem.text);
	return performer_file(&made, s);
}

START_TEST(advice_precedes_its_call)
{
	static const char *const word[] = { "write", "random", "read", "dontneed", "read" };
	struct live_step	 s;

	write_trace();
	ck_assert_uint_eq(live_steps_of(&draft.trace), 5);
	for (unsigned i = 0; i < 5; i++) {
		ck_assert(live_steps_next(&steps, &s));
		ck_assert_str_eq(live_step_word(&s), word[i]);
	}
	ck_assert(!live_steps_next(&steps, &s));
	ck_assert_uint_eq(s.size, 4 * PAGE);
	ck_assert_uint_eq(live_step_of_call(&draft.trace, 0), 0);
	ck_assert_uint_eq(live_step_of_advice(&draft.trace, &draft.advice[0]), 1);
	ck_assert_uint_eq(live_step_of_call(&draft.trace, 1), 2);
	ck_assert_uint_eq(live_step_of_advice(&draft.trace, &draft.advice[1]), 3);
	ck_assert_uint_eq(live_step_of_call(&draft.trace, 2), 4);
}
END_TEST

START_TEST(a_slow_trace_has_a_second_between_calls)
{
	struct trace slow;

	write_trace();
	ck_assert(!trace_slow(&slow, &draft.trace, &problem));
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(slow.access[i].time, (usec_t)i * 1000000);
		ck_assert_uint_eq(slow.access[i].offset, draft.access[i].offset);
	}
	ck_assert_int_eq(draft.access[2].time, 30);
	trace_slow_release(&slow);
}
END_TEST

START_TEST(a_file_begins_with_its_first_size_and_grows)
{
	struct host	 host = { .ra_pages = 4, .io_pages = 4 };
	struct live_step s;
	struct scratch	*file;

	write_trace();
	if (!observable())
		return;
	REQUIRE(!performer_init(&made, &draft.trace, &host, ".", &problem), "%s", problem.text);
	ck_assert_uint_eq(made.file[0].size, PAGE + PAGE / 2);
	file = make_next(&s);
	ck_assert_uint_eq(file->size, 2 * PAGE + PAGE / 2);
	ck_assert(!scratch_came(file, 0) && scratch_came(file, 1) && scratch_came(file, 2));
	make_next(&s);
	make_next(&s);
	ck_assert(scratch_came(file, 0) && !scratch_came(file, 1));
	make_next(&s);
	ck_assert(scratch_went(file, 0) && scratch_went(file, 1) && scratch_went(file, 2));
	make_next(&s);
	ck_assert_uint_eq(file->size, 4 * PAGE);
	ck_assert(scratch_came(file, 3) && !scratch_came(file, 0));
	ck_assert_int_eq(made.fd[0], -1); /* its last use */
	performer_release(&made);
}
END_TEST

START_TEST(pages_that_were_touched_are_dropped_too)
{
	struct host	 host = { .ra_pages = 4, .io_pages = 4 };
	struct live_step s;
	struct scratch	*file = NULL;

	write_trace();
	if (!observable())
		return;
	steps.faults = true;
	REQUIRE(!performer_init(&made, &draft.trace, &host, ".", &problem), "%s", problem.text);
	for (unsigned i = 0; i < 4; i++)
		file = make_next(&s);
	ck_assert_int_eq(s.kind, LIVE_ADVICE);
	for (uint32_t page = 0; page < 3; page++)
		ck_assert(scratch_went(file, page));
	performer_release(&made);
}
END_TEST

START_TEST(files_that_are_too_large_are_refused_before_any_is_made)
{
	write_trace();
	draft.file[0].bytes = UINT64_C(1) << 40;
	ck_assert(performer_check(&draft.trace, ".", &problem));
	ck_assert_str_eq(problem.text,
	    "draft: its files add up to 1.0 TiB; scratch files may add up to 4.0 GiB: choose a "
	    "trace of smaller files");
}
END_TEST

START_TEST(the_rule_of_the_kernel_is_measured_only_where_there_is_room)
{
	struct kernel_rule rule = { 0 };

	write_trace();
	REQUIRE(!kernel_rule_init(&rule, ".", "ondemand:version=6.18", &draft.trace, &problem),
	    "%s", problem.text);
	draft.file[0].bytes = UINT64_C(1) << 40;
	ck_assert(kernel_rule_measure(&rule, ".", &draft.trace, &problem));
	ck_assert_ptr_nonnull(strstr(problem.text, "draft: its files add up to 1.0 TiB"));
}
END_TEST

START_TEST(a_low_limit_of_descriptors_is_raised)
{
	struct host   host = { .ra_pages = 4, .io_pages = 4 };
	struct rlimit limit;

	write_trace();
	if (!observable())
		return;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 4;
	setrlimit(RLIMIT_NOFILE, &limit);
	REQUIRE(!performer_init(&made, &draft.trace, &host, ".", &problem), "%s", problem.text);
	performer_release(&made);
}
END_TEST

/* The leak sanitizer opens files at the end. */
START_TEST(a_limit_that_cannot_be_raised_is_named)
{
	if (SANITIZED || !observable())
		return;
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 3, 3 });
	ck_assert_uint_eq(scratch_descriptors(100), 3);
	ck_assert(scratch_create(".", 1, &problem) < 0);
	ck_assert_ptr_nonnull(strstr(problem.text, ": raise the limit with ulimit -Hn"));
}
END_TEST

START_TEST(a_touch_behind_the_end_is_refused)
{
	struct scratch s;
	void	      *map;

	if (!observable())
		return;
	REQUIRE(!scratch_init(&s, ".", 2 * PAGE, &problem), "%s", problem.text);
	map = scratch_map(&s, s.fd, &problem);
	ck_assert(!scratch_touch(&s, map, PAGE, PAGE, &problem));
	ck_assert(scratch_touch(&s, map, PAGE, PAGE + 1, &problem));
	scratch_unmap(&s, map);
	scratch_release(&s);
}
END_TEST

START_TEST(a_directory_that_is_missing_is_named)
{
	struct host host = { .ra_pages = 4, .io_pages = 4 };

	write_trace();
	ck_assert(performer_init(&made, &draft.trace, &host, "nowhere", &problem));
	ck_assert_ptr_nonnull(strstr(problem.text, "nowhere"));
	ck_assert(performer_check(&draft.trace, "nowhere", &problem));
	ck_assert_str_eq(problem.text,
	    "nowhere: No such file or directory: name another directory with --dir");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("performer");

	tcase_add_test(tc, pages_are_found_where_plain_calls_find_them);
	tcase_add_test(tc, advice_precedes_its_call);
	tcase_add_test(tc, a_slow_trace_has_a_second_between_calls);
	tcase_add_test(tc, a_file_begins_with_its_first_size_and_grows);
	tcase_add_test(tc, pages_that_were_touched_are_dropped_too);
	tcase_add_test(tc, files_that_are_too_large_are_refused_before_any_is_made);
	tcase_add_test(tc, the_rule_of_the_kernel_is_measured_only_where_there_is_room);
	tcase_add_test(tc, a_low_limit_of_descriptors_is_raised);
	tcase_add_test(tc, a_limit_that_cannot_be_raised_is_named);
	tcase_add_test(tc, a_touch_behind_the_end_is_refused);
	tcase_add_test(tc, a_directory_that_is_missing_is_named);
	return run_tests("performer", tc);
}
