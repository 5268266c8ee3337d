/* check_advise.c - versions of Linux, machines nearby, files worth trying, and the search. */
#include <string.h>

#include "sim/host/advise/advise.h"
#include "sim/host/advise/profile.h"
#include "sim/registry.h"
#include "tests/unit/support.h"

static struct draft   draft;
static struct options options;
static struct setup   machine;
static struct kernel  kernel;
static struct advise  advise;
static struct error   e;

static void
type(const char *cache, const char *device)
{
	char *argv[] = { (char[]){ "run" }, (char[]){ "t" }, (char[]){ "--cache" },
		(char *)(uintptr_t)cache, (char[]){ "--device" }, (char *)(uintptr_t)device, NULL };

	ck_assert_msg(!options_parse(&options, COMMAND_RUN, 6, argv, &e), "%s", e.text);
	ck_assert_msg(!setup_init(&machine, &options, &e), "%s", e.text);
	ck_assert_int_eq(kernel_init(&kernel, "6.18", &e), 0);
}

static void
teardown(void)
{
	setup_release(&machine);
	machine = (struct setup){ 0 };
	advise_release(&advise);
	advise = (struct advise){ 0 };
}

static void
search(void)
{
	ck_assert_msg(!setup_fit(&machine, &options, &draft.trace, &e), "%s", e.text);
	ck_assert_msg(!advise_init(&advise, &options, &kernel, &machine, &draft.trace, &e), "%s",
	    e.text);
}

/* One process reads all of one file, block by block. */
static void
draft_scan(uint32_t blocks)
{
	static char name[] = "scan";
	uint32_t    open;

	draft_start(&draft);
	draft.trace.name = name;
	open = draft_open(&draft, draft_file(&draft, 9, blocks), 0);
	for (uint32_t i = 0; i < blocks; i++)
		draft_blocks(&draft, i, open, i, 1, false)->fresh = i == 0;
}

/* Rows of two blocks here and there: each looks like the beginning of a stream. */
static void
draft_rows(uint32_t rows)
{
	static char    name[] = "rows";
	const uint32_t blocks = 100000;
	uint64_t       state = 1;
	uint32_t       open;

	draft_start(&draft);
	draft.trace.name = name;
	open = draft_open(&draft, draft_file(&draft, 9, blocks), 0);
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t first = 1 + random_below(&state, blocks - 2);

		draft_blocks(&draft, 2 * i, open, first, 1, false)->fresh = i == 0;
		draft_blocks(&draft, 2 * i + 1, open, first + 1, 1, false);
	}
}

/* ---- Linux ---- */

START_TEST(schedulers_have_the_names_of_their_kernel)
{
	ck_assert_int_eq(kernel_init(&kernel, "6.18", &e), 0);
	ck_assert_str_eq(kernel_word(&kernel, KERNEL_NONE), "none");
	ck_assert_str_eq(kernel_word(&kernel, KERNEL_DEADLINE), "mq-deadline");
	ck_assert_int_eq(kernel_default(&kernel, 1), KERNEL_DEADLINE);
	ck_assert_int_eq(kernel_default(&kernel, 32), KERNEL_DEADLINE);
	ck_assert_int_eq(kernel_default(&kernel, 128), KERNEL_NONE);
	ck_assert_int_eq(kernel_init(&kernel, "3.0", &e), 0);
	ck_assert_str_eq(kernel_word(&kernel, KERNEL_NONE), "noop");
	ck_assert_str_eq(kernel_word(&kernel, KERNEL_DEADLINE), "deadline");
	ck_assert_int_eq(kernel_default(&kernel, 128), KERNEL_DEADLINE);
	ck_assert_int_eq(kernel_init(&kernel, "6.12", &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "2.6.24, 3.0, 4.19"));
	ck_assert_ptr_nonnull(strstr(e.text, "6.18 ("));
}
END_TEST

/* ---- machines nearby ---- */

static struct nearby list[NEARBY_MAX];

static unsigned
nearby(const char *cache, const char *device)
{
	unsigned n;

	type(cache, device);
	nearby_find(list, &n, &machine, &options, &draft.trace);
	return n;
}

START_TEST(near_are_three_caches_and_two_drives)
{
	draft_scan(512);
	ck_assert_uint_eq(nearby("100b", "cheetah9lp"), NEARBY_MAX);
	ck_assert_str_eq(list[NEARBY_GIVEN].cache, "100b");
	ck_assert_str_eq(list[NEARBY_LESS].cache, "75b");
	ck_assert_str_eq(list[NEARBY_MORE].cache, "125b");
	for (unsigned i = NEARBY_DRIVES; i < NEARBY_MAX; i++) {
		ck_assert_str_eq(list[i].cache, "100b");
		ck_assert_str_ne(list[i].device, "cheetah9lp");
		ck_assert_str_ne(list[i].device, "nvme-960evo");
	}
}
END_TEST

START_TEST(the_fastest_drive_has_a_slower_neighbour_only)
{
	draft_scan(512);
	ck_assert_uint_eq(nearby("1b", "nvme-960evo"), NEARBY_DRIVES + 1);
	ck_assert_str_eq(list[NEARBY_LESS].cache, "1b");
	ck_assert_int_eq(memcmp(list[NEARBY_DRIVES].device, "ssd-", 4), 0);
}
END_TEST

START_TEST(a_device_without_data_sheets_has_no_neighbour)
{
	draft_scan(512);
	ck_assert_uint_eq(nearby("1b", "fixed:latency=5ms"), NEARBY_DRIVES);
}
END_TEST

/* ---- files ---- */

START_TEST(the_files_with_the_largest_values_are_picked_once)
{
	const uint64_t value[] = { 3, 0, 9, 9, 1 };
	file_t	       file[4] = { 4 };
	unsigned       n = 1;

	profile_pick(value, 5, 2, file, &n, 4);
	ck_assert_uint_eq(n, 3);
	ck_assert_uint_eq(file[1], 2);
	ck_assert_uint_eq(file[2], 3);
	profile_pick(value, 5, 9, file, &n, 4);
	ck_assert_uint_eq(n, 4);
	ck_assert_uint_eq(file[3], 0);
	profile_pick(value, 2, 9, file, &n, 4);
	ck_assert_uint_eq(n, 4);
}
END_TEST

START_TEST(a_profile_has_waits_and_waste_by_file)
{
	struct profile p = { 0 };
	struct choice  c;

	draft_rows(100);
	draft_blocks(&draft, 200, draft_open(&draft, draft_file(&draft, 10, 8), 0), 5, 1, false);
	type("64b", "fixed:latency=1ms");
	ck_assert_int_eq(registry_choose(PLUGIN_PREFETCHER, "ondemand", &c, &e), 0);
	choice_release(&machine.config.prefetcher);
	machine.config.prefetcher = c;
	ck_assert_msg(!setup_fit(&machine, &options, &draft.trace, &e), "%s", e.text);
	ck_assert_int_eq(profile_make(&p, &machine.config, &draft.trace, &e), 0);
	ck_assert_uint_gt(p.stall_us[0], 100 * 1000);
	ck_assert_uint_ge(p.stall_us[1], 1000);
	ck_assert_uint_lt(p.stall_us[1], 10000);
	ck_assert_uint_gt(p.wasted[0], 100);
	ck_assert_uint_eq(p.wasted[1], 0);
	profile_release(&p);
}
END_TEST

/* ---- the search ---- */

/* Each time of a proposal is that of a run of its own. */
static void
is_confirmed(const struct proposal *p)
{
	struct options o = options;
	struct setup   s;
	struct trace   t = draft.trace;
	struct stats   st;
	char	       prefetcher[PREFETCHER_TEXT];

	setting_prefetcher(&advise.attempts, &p->setting, prefetcher);
	ck_assert_int_eq(option_set(&o, &option_info[OPTION_prefetch], prefetcher, &e), 0);
	ck_assert_int_eq(option_set(&o, &option_info[OPTION_scheduler],
			     kernel_model((enum kernel_scheduler)p->setting.scheduler), &e),
	    0);
	if (setting_advises(&p->setting))
		ck_assert_int_eq(setting_trace(&advise.attempts, &p->setting, &t, &e), 0);
	ck_assert_int_eq(setup_init(&s, &o, &e), 0);
	ck_assert_int_eq(setup_fit(&s, &o, &t, &e), 0);
	s.config.request_blocks = p->setting.request_blocks;
	ck_assert_int_eq(simulate(&s.config, &t, &st, &e), 0);
	ck_assert_uint_eq(st.elapsed_us, p->us[NEARBY_GIVEN]);
	setup_release(&s);
	if (t.advice != draft.trace.advice)
		free((void *)(uintptr_t)t.advice);
}

START_TEST(rows_want_less_readahead)
{
	const struct proposal *p = &advise.settings;

	draft_rows(250);
	type("128b", "cheetah9lp");
	search();
	ck_assert_ptr_nonnull(advise_best(&advise));
	ck_assert_uint_gt(p->nlines, 0);
	ck_assert_int_eq(p->line[0].kind, LINE_WINDOW);
	ck_assert_uint_lt(p->setting.window_kb, advise.as_is.window_kb);
	ck_assert_uint_lt(p->us[0], advise.as_is_us[0]);
	ck_assert_uint_gt(p->line[0].without_us[0], p->us[0]);
	is_confirmed(p);
	if (advise.with_advice.nlines)
		is_confirmed(&advise.with_advice);
}
END_TEST

START_TEST(candidates_are_ranked_and_the_proposal_is_near_the_first)
{
	draft_rows(250);
	type("128b", "cheetah9lp");
	search();
	for (size_t i = 1; i < advise.nranked; i++)
		ck_assert_uint_le(advise.ranked[i - 1].us, advise.ranked[i].us);
	ck_assert_uint_le(advise.settings.us[0],
	    advise.ranked[0].us + LINES_MAX * advise.as_is_us[0] / LEAST_OF_LINE);
}
END_TEST

START_TEST(nothing_is_proposed_where_nothing_helps)
{
	draft_scan(1);
	type("128b", "cheetah9lp");
	search();
	ck_assert_ptr_null(advise_best(&advise));
	ck_assert_uint_eq(advise.settings.nlines, 0);
}
END_TEST

START_TEST(volumes_get_no_advice)
{
	draft_scan(512);
	draft.trace.lacks = LACKS_FILES;
	type("128b", "ssd-850evo");
	search();
	ck_assert_uint_eq(advise.attempts.nfiles, 0);
	ck_assert_uint_eq(advise.with_advice.nlines, 0);
}
END_TEST

START_TEST(a_line_flips_if_it_costs_time)
{
	struct proposal p = { .us = { 10000, 10000, 10000 } };
	struct line	l = { .without_us = { 12000, 9991, 9000 } };

	ck_assert(!line_flips(&p, &l, NEARBY_GIVEN));
	ck_assert(!line_flips(&p, &l, NEARBY_LESS)); /* by less than a thousandth */
	ck_assert(line_flips(&p, &l, NEARBY_MORE));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("advise");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, schedulers_have_the_names_of_their_kernel);
	tcase_add_test(tests, near_are_three_caches_and_two_drives);
	tcase_add_test(tests, the_fastest_drive_has_a_slower_neighbour_only);
	tcase_add_test(tests, a_device_without_data_sheets_has_no_neighbour);
	tcase_add_test(tests, the_files_with_the_largest_values_are_picked_once);
	tcase_add_test(tests, a_profile_has_waits_and_waste_by_file);
	tcase_add_test(tests, rows_want_less_readahead);
	tcase_add_test(tests, candidates_are_ranked_and_the_proposal_is_near_the_first);
	tcase_add_test(tests, nothing_is_proposed_where_nothing_helps);
	tcase_add_test(tests, volumes_get_no_advice);
	tcase_add_test(tests, a_line_flips_if_it_costs_time);
	return run_tests("advise", tests);
}
