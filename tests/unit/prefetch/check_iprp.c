/*
 * check_iprp.c - what the controller lets pass, block by block.
 *
 * Most tests put it around `eager`, which plans four blocks behind every
 * reference, and say what of that is left.
 */
#include "tests/unit/prefetch/controlling.h"

extern const struct prefetcher prefetcher_iprp;

enum { BLOCKS = 1000, FIRST = 700, RANDOM_READS = 40 };

/* ---- prefetchers to control ---- */

/* What the inner prefetcher has been told: "." for a reference, "f" for one of a file just opened.
 */
static char	heard[2048];
static unsigned nheard;
static uint32_t quiet_below; /* nothing is planned before that block */

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
	uint32_t behind = d->end - d->index - 1;

	heard[nheard++ % (sizeof(heard) - 1)] = d->call->fresh ? 'f' : '.';
	if (d->index >= quiet_below)
		plan_add(plan, d->index + 1, behind < 4 ? behind : 4);
}

/* A missing block with three more, marked; at a mark the next four, marked. */
static void
marking_access(void *self, const struct demand *d, struct plan *plan)
{
	uint32_t first = d->absent ? d->index : d->index + 4;

	heard[nheard++ % (sizeof(heard) - 1)] = d->again ? 'a' : d->marked ? 'm' : '.';
	if (!d->absent && !d->marked)
		return;
	plan_add(plan, first, 4);
	plan_mark(plan, first, 1);
}

static const struct prefetcher marking = {
	.plugin = { .name = "marking", .summary = "test: batches with a mark" },
	.access = marking_access,
};

/* Sixteen single blocks of the call itself and behind it: as many as a plan takes. */
static void
scattered_access(void *self, const struct demand *d, struct plan *plan)
{
	for (uint32_t i = 0; i < PLAN_MAX; i++)
		plan_add(plan, d->index + 2 + 2 * i, 1);
}

static const struct prefetcher scattered = {
	.plugin = { .name = "scattered", .summary = "test: every second block" },
	.access = scattered_access,
};

static void
control(const struct prefetcher *inner, const char *params)
{
	control_with(&prefetcher_iprp, inner, params, BLOCKS);
	memset(heard, 0, sizeof(heard));
	nheard = quiet_below = 0;
}

/* Single blocks without a pattern, from FIRST on, that nothing else in a test reads. */
static void
read_random(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		read_run(FIRST + i * 7 % 60 * 5, FIRST + i * 7 % 60 * 5, 1);
}

/* ---- sequential ---- */

START_TEST(nothing_is_read_ahead_of_a_run_until_its_threshold)
{
	control(&eager, "threshold=4");
	read_run(0, 7, 1);
	ck_assert_str_eq(planned(), "3:4-7 | 4:5-8 | 5:6-9 | 6:7-10 | 7:8-11");
	counted(4, 8, 4);
	ck_assert_uint_eq(own("sequential_references"), 5);
	ck_assert_uint_eq(own("other_references"), 3);
	ck_assert_uint_eq(own("vetoed_blocks"), 4 + 4 + 4); /* a block counts at each veto */
	ck_assert_uint_eq(outcomes, 4);
}
END_TEST

START_TEST(a_run_that_stays_below_its_threshold_reads_nothing_ahead)
{
	control(&eager, "threshold=8");
	read_run(0, 6, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(what_a_kernel_plans_passes_once_a_run_is_one)
{
	control(&prefetcher_linux24, "threshold=4");
	read_run(0, 12, 1);
	ck_assert_str_eq(planned(), "4:5-10 | 5:11-23 | 11:24-48");
	control(&prefetcher_linux24, "threshold=2");
	inside.params = "max=7";
	read_run(0, 12, 1);
	ck_assert_str_eq(planned(), "4:5-10 | 5:11-18 | 11:19-26");
}
END_TEST

/* Block by block in turn, as processes do that read one file at the same time. */
START_TEST(processes_that_read_one_file_are_sequential_each)
{
	control(&eager, "threshold=4");
	draft_open(&draft, 0, 1);
	for (uint32_t i = 0; i < 5; i++) {
		draft_blocks(&draft, i, 0, i, 1, false);
		draft_blocks(&draft, i, 1, 500 + i, 1, false);
	}
	ck_assert_str_eq(planned(), "3:4-7 | 503:504-507 | 4:5-8 | 504:505-508");
	ck_assert_uint_eq(own("sequential_references"), 4);
	ck_assert_int_eq(state[1], 5);
}
END_TEST

/* ---- the current call ---- */

START_TEST(blocks_of_the_current_call_are_never_touched)
{
	control(&eager, "threshold=64");
	read_run(0, 3, 4);
	read_run(20, 25, 6);
	ck_assert_str_eq(planned(),
	    "0:1-3 | 1:2-3 | 2:3 | "
	    "20:21-24 | 21:22-25 | 22:23-25 | 23:24-25 | 24:25");
	counted(10, 0, 0);
	ck_assert_uint_eq(stats.trimmed_blocks, (1 + 2 + 3 + 4) + (1 + 2 + 3 + 4));
}
END_TEST

START_TEST(a_call_may_become_sequential_on_its_way)
{
	control(&eager, "threshold=3");
	read_run(0, 3, 4);
	ck_assert_str_eq(planned(), "0:1-3 | 1:2-3 | 2:3-6 | 3:4-7");
}
END_TEST

START_TEST(blocks_of_a_call_that_leaves_its_loop_are_not_clipped)
{
	control(&eager, "threshold=3");
	read_run(0, 4, 5);
	read_random(1);
	cfg.cache_blocks = 9; /* 0-8 leave */
	read_random(9);
	read_run(0, 7, 8);
	planned();
	ck_assert_str_eq(strstr(sets.text, "0:1-4 | 1:2-5 | 2:3-6 | 3:4-7 | 4:5-7 "),
	    "0:1-4 | 1:2-5 | 2:3-6 | 3:4-7 | 4:5-7 | 5:6-9 | 6:7-10 | 7:8-11");
}
END_TEST

/* ---- looping ---- */

/* The plans of the last pass over a loop; what the ones before read ahead has left the cache. */
static const char *
last_pass(uint32_t last)
{
	read_random(RANDOM_READS);
	read_run(0, last, 1);
	cfg.cache_blocks = RANDOM_READS;
	return planned();
}

static const char *
behind(const char *plans, const char *from)
{
	const char *at = strstr(plans, from);

	ck_assert_msg(at != NULL, "no '%s' in '%s'", from, plans);
	return at + strlen(from);
}

START_TEST(a_loop_is_read_ahead_from_its_first_block_to_its_last)
{
	control(&eager, "threshold=4");
	read_run(0, 9, 1);
	ck_assert_str_eq(behind(last_pass(9), "9:10-13 | "),
	    "0:1-4 | 1:2-5 | 2:3-6 | 3:4-7 | 4:5-8 | 5:6-9 | 6:7-9 | 7:8-9 | 8:9");
	ck_assert_uint_eq(own("looping_references"), 10);
	ck_assert_uint_eq(own("clipped_blocks"), 1 + 2 + 3 + 4);
	ck_assert_uint_eq(own("loops"), 1);
	ck_assert_uint_eq(own("loop_repetitions"), 1);
	ck_assert_uint_eq(own("loop_period_references"), RANDOM_READS + 10);
}
END_TEST

START_TEST(behind_the_end_of_a_loop_it_is_a_run_and_the_end_is_learned_anew)
{
	control(&eager, "threshold=4");
	read_run(0, 9, 1);
	ck_assert_str_eq(behind(last_pass(11), "7:8-9 | 8:9 | "), "10:11-14 | 11:12-15");
	ck_assert_str_eq(behind(last_pass(12), "7:8-11 | 8:9-11 | "), "9:10-11 | 10:11 | 12:13-16");
	ck_assert_str_eq(behind(last_pass(12), "8:9-12 | 9:10-12 | "), "10:11-12 | 11:12");
}
END_TEST

START_TEST(a_loop_that_became_shorter_is_clipped_there)
{
	control(&eager, "threshold=4");
	read_run(0, 9, 1);
	last_pass(5);
	ck_assert_str_eq(behind(last_pass(9), "4:5 | "), "6:7-10 | 7:8-11 | 8:9-12 | 9:10-13");
}
END_TEST

START_TEST(what_is_cached_behind_a_loop_is_not_counted_as_clipped)
{
	control(&eager, "threshold=4");
	read_run(0, 9, 1);
	read_random(1);
	read_run(0, 9, 1);
	planned();
	ck_assert_uint_eq(own("clipped_blocks"), 0);
}
END_TEST

/* These plans go beyond the file and are not carried out. */
START_TEST(what_lies_behind_the_file_is_not_clipped)
{
	struct error e;

	control(&scattered, "threshold=4");
	for (unsigned pass = 0; pass < 2; pass++) {
		read_run(BLOCKS - 6, BLOCKS - 1, 1);
		read_random(1);
	}
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &stats, &e), 0);
	ck_assert_uint_eq(own("looping_references"), 6);
	ck_assert_uint_eq(own("clipped_blocks"), 0);
}
END_TEST

/* ---- neither ---- */

START_TEST(nothing_is_read_ahead_without_a_pattern)
{
	control(&eager, NULL);
	read_random(RANDOM_READS);
	ck_assert_str_eq(planned(), "");
	counted(RANDOM_READS, 0, 0);
	ck_assert_uint_eq(own("other_references"), RANDOM_READS);
	ck_assert_uint_eq(own("vetoed_blocks"), 4 * RANDOM_READS);
	ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
}
END_TEST

START_TEST(what_is_cached_is_not_vetoed)
{
	control(&eager, NULL);
	read_run(0, 5, 6);
	read_run(0, 1, 1); /* with 1-4 and 2-5 behind */
	planned();
	ck_assert_uint_eq(own("vetoed_blocks"), 1 + 2 + 3 + 4);
}
END_TEST

/* It is cut by the end of the file: of the block before the last, one is left. */
START_TEST(what_lies_behind_the_file_is_not_vetoed)
{
	control(&scattered, NULL);
	read_run(BLOCKS - 4, BLOCKS - 4, 1);
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_blocks"), 1);
}
END_TEST

/* ---- seq=obl ---- */

START_TEST(one_block_lookahead_plans_the_block_behind_a_sequential_call)
{
	control(&eager, "threshold=4,seq=obl");
	read_run(0, 6, 1);
	ck_assert_str_eq(planned(), "3:4 | 4:5 | 5:6 | 6:7");
	control(&eager, "threshold=4,seq=obl");
	read_run(0, 7, 4);
	ck_assert_str_eq(planned(), "0:1-3 | 1:2-3 | 2:3 | 3:4 | 4:5-7 | 5:6-7 | 6:7 | 7:8");
	counted(7, 2, 1);
}
END_TEST

START_TEST(one_block_lookahead_does_not_wait_for_the_inner_prefetcher)
{
	control(&prefetcher_linux24, "threshold=4,seq=obl");
	inside.params = "max=0";
	read_run(0, 6, 1);
	ck_assert_str_eq(planned(), "3:4 | 4:5 | 5:6 | 6:7");
}
END_TEST

START_TEST(one_block_lookahead_finds_room_in_the_fullest_plan)
{
	control(&scattered, "threshold=2,seq=obl");
	read_run(0, 3, 1);
	ck_assert_str_eq(planned(), "1:2 | 2:3 | 3:4");
}
END_TEST

START_TEST(one_block_lookahead_ends_with_the_file)
{
	control(&eager, "threshold=4,seq=obl");
	read_run(BLOCKS - 6, BLOCKS - 1, 1);
	ck_assert_str_eq(planned(), "997:998 | 998:999");
}
END_TEST

START_TEST(loops_are_read_ahead_as_ever_with_one_block_lookahead)
{
	control(&eager, "threshold=4,seq=obl");
	read_run(0, 6, 1);
	ck_assert_str_eq(behind(last_pass(7), "6:7 | "),
	    "0:1-4 | 1:2-5 | 2:3-6 | 3:4-6 | 4:5-6 | 5:6 | 7:8");
}
END_TEST

/* ---- window= ---- */

START_TEST(after_a_veto_a_window_is_reset_once)
{
	static const struct {
		const char *params, *heard;
	} list[] = {
		{ NULL, "......" }, { "window=keep", "......" },
		{ "window=reset", "..f..." }, /* 100 is vetoed, 0 is told */
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		control(&eager, list[i].params);
		quiet_below = 100;
		read_run(50, 50, 1);
		read_run(100, 100, 1);
		read_run(0, 0, 1);
		read_run(10, 10, 1);
		read_run(20, 21, 2);
		planned();
		ck_assert_str_eq(heard, list[i].heard);
	}
}
END_TEST

START_TEST(a_window_is_reset_at_the_start_of_a_call_of_the_same_open_file)
{
	control(&eager, "window=reset");
	draft_open(&draft, 0, 0);
	draft_blocks(&draft, 0, 0, 100, 3, false); /* vetoed at its last two blocks */
	draft_blocks(&draft, 0, 1, 200, 1, false); /* another window; vetoed */
	draft_blocks(&draft, 0, 0, 300, 2, false);
	draft_blocks(&draft, 0, 1, 400, 1, false);
	planned();
	ck_assert_str_eq(heard, "....f.f");
}
END_TEST

START_TEST(a_plan_that_loses_nothing_resets_no_window)
{
	control(&eager, "window=reset");
	read_run(101, 108, 8);
	read_run(100, 101, 1); /* with cached blocks behind */
	planned();
	ck_assert_str_eq(heard, "........f.");
}
END_TEST

START_TEST(a_kernel_starts_small_again_where_its_window_is_reset)
{
	static const char *const params[] = { "threshold=3,window=keep",
		"threshold=3,window=reset" };
	static const char *const plans[] = { "4:5-10", "2:3-4 | 3:5-9" };

	for (unsigned i = 0; i < 2; i++) {
		control(&prefetcher_linux24, params[i]);
		read_run(0, 4, 1);
		planned();
		ck_assert_str_eq(sets.text, plans[i]);
	}
}
END_TEST

/* ---- marks ---- */

START_TEST(a_mark_on_what_is_vetoed_is_no_mark)
{
	control(&marking, "threshold=64");
	read_run(0, 3, 1); /* each is missing, and marked by its own plan */
	ck_assert_str_eq(planned(), "0:0 | 1:1 | 2:2 | 3:3");
	ck_assert_str_eq(heard, ".a.a.a.a");
	ck_assert_uint_eq(own("other_references"), 4); /* asked about twice, counted once */
	ck_assert_uint_eq(own("vetoed_blocks"), 4 * (3 + 4));
}
END_TEST

START_TEST(a_mark_on_what_passes_is_met)
{
	control(&marking, "threshold=6");
	read_run(0, 12, 1);
	ck_assert_str_eq(planned(), "0:0 | 1:1 | 2:2 | 3:3 | 4:4 | 5:5-8 | 5:9-12 | 9:13-16");
	ck_assert_str_eq(heard, ".a.a.a.a.a.a...m...");
}
END_TEST

/* Window by window: what it finds missing starts one, and then it meets its marks. */
START_TEST(ondemand_goes_on_with_its_marks_once_a_run_is_one)
{
	control(&prefetcher_ondemand, "threshold=4");
	read_run(0, 40, 1);
	ck_assert_str_eq(behind(planned(), "4:4-7 | "), "5:8-15 | 6:16-37 | 16:38-69 | 38:70-101");
	ck_assert_uint_eq(stats.misses, 5);
}
END_TEST

/* ---- advice ---- */

START_TEST(advice_to_read_on_where_a_run_has_come_to_is_left_to_readahead)
{
	static const struct {
		uint32_t	 run, at;
		enum advice_kind kind;
		bool		 passes;
	} list[] = {
		{ 8, 7, ADVICE_WILLNEED, false },
		{ 8, 8, ADVICE_WILLNEED, false },
		{ 8, 6, ADVICE_WILLNEED, true },
		{ 8, 9, ADVICE_WILLNEED, true },
		{ 8, 8, ADVICE_SEQUENTIAL, true },
		{ 8, 8, ADVICE_NORMAL, true },
		{ 4, 4, ADVICE_WILLNEED, false },
		{ 3, 3, ADVICE_WILLNEED, true },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		control(&eager, "threshold=4");
		read_run(0, list[i].run - 1, 1);
		read_run(500, 500, 1);
		draft_advise(&draft, list[i].kind, 0, list[i].at * DRAFT_BLOCK_BYTES,
		    40 * DRAFT_BLOCK_BYTES);
		planned();
		ck_assert_uint_eq(advised, list[i].passes);
		ck_assert_uint_eq(stats.advices, 1);
		ck_assert_uint_eq(stats.advice_read_blocks > 0,
		    list[i].passes && list[i].kind == ADVICE_WILLNEED);
	}
}
END_TEST

START_TEST(around_a_kernel_without_advice_dontneed_alone_acts)
{
	control(&prefetcher_linux24, NULL);
	read_run(0, 3, 1);
	draft_advise(&draft, ADVICE_DONTNEED, 0, 0, 0);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 0, 0);
	planned();
	ck_assert_uint_eq(stats.advices, 1);
	ck_assert_uint_eq(stats.advice_read_blocks, 0);
}
END_TEST

/* ---- around anything ---- */

START_TEST(what_the_inner_prefetcher_wants_to_know_is_passed_on)
{
	control(&eager, "threshold=4");
	cfg.cache_blocks = 20;
	read_run(0, 99, 1);
	planned();
	ck_assert_uint_gt(stats.evictions, 50);
	ck_assert_uint_eq(evictions, stats.evictions);
	ck_assert_uint_eq(finished, stats.read_requests + stats.write_requests);
	ck_assert_uint_eq(outcomes,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks);
}
END_TEST

/* Runs of any length, repeated and not, and single blocks. */
static void
read_anything(uint64_t seed, uint32_t calls)
{
	for (uint32_t i = 0; i < calls;) {
		uint32_t at = random_below(&seed, 3) ? random_below(&seed, 8) * 20
						     : random_below(&seed, BLOCKS - 100);
		uint32_t n = random_below(&seed, 3) ? 1 : 4 + random_below(&seed, 20);
		uint32_t step = 1 + random_below(&seed, 3);

		for (uint32_t k = 0; k < n && i < calls; k++, i++)
			draft_blocks(&draft, i, 0, at + k * step, step,
			    random_below(&seed, 12) == 0);
	}
}

START_TEST(a_warm_up_begins_the_counts_anew_and_changes_no_decision)
{
	static const char *const params[] = { "threshold=3,runs=3", "threshold=3",
		"threshold=4,window=reset" };

	for (unsigned i = 0; i < 30; i++) {
		struct stats all, before;
		static char  plans[sizeof(sets.text)];

		control(&prefetcher_linux24, params[i % 3]);
		inside.params = "max=7";
		cfg.cache_blocks = 60;
		read_anything(1 + i, 400);
		strcpy(plans, planned());
		all = stats;
		cfg.warmup_calls = 150 + i;
		ck_assert_str_eq(planned(), plans);
		draft.trace.naccess = (size_t)cfg.warmup_calls;
		cfg.warmup_calls = 0;
		before = stats;
		planned();
		ck_assert_uint_eq(all.trimmed_blocks, before.trimmed_blocks + stats.trimmed_blocks);
		for (const struct counter *c = prefetcher_iprp.plugin.counters; c->name; c++)
			ck_assert_uint_eq(stats_own(&all, &prefetcher_iprp.plugin, c),
			    stats_own(&before, &prefetcher_iprp.plugin, c) +
				stats_own(&stats, &prefetcher_iprp.plugin, c));
	}
}
END_TEST

START_TEST(a_controller_of_none_changes_nothing)
{
	for (unsigned i = 0; i < 30; i++) {
		control(&prefetcher_none, i % 2 ? "threshold=3,seq=obl" : "threshold=3");
		cfg.cache_blocks = 10 + i;
		read_anything(100 + i, 400);
		ck_assert_str_eq(planned(), "");
		ck_assert_uint_gt(own("loops"), 0);
		ck_assert_uint_gt(own("sequential_references"), 0);
		ck_assert_uint_eq(stats.trimmed_blocks, 0);
		ck_assert_uint_eq(stats.prefetched_blocks, 0);
	}
}
END_TEST

START_TEST(its_state_is_what_it_knows_of_the_open_file)
{
	control(&eager, "threshold=4");
	read_run(0, 5, 1);
	planned();
	ck_assert_int_eq(state[0], 1);
	ck_assert_int_eq(state[1], 6);
	ck_assert_int_eq(state[2], -1);
	read_random(1);
	read_run(0, 1, 1);
	planned();
	ck_assert_int_eq(state[0], 2);
	ck_assert_int_eq(state[1], 2);
	ck_assert_int_eq(state[2], 5);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("iprp");

	tcase_add_test(tests, nothing_is_read_ahead_of_a_run_until_its_threshold);
	tcase_add_test(tests, a_run_that_stays_below_its_threshold_reads_nothing_ahead);
	tcase_add_test(tests, what_a_kernel_plans_passes_once_a_run_is_one);
	tcase_add_test(tests, processes_that_read_one_file_are_sequential_each);
	tcase_add_test(tests, blocks_of_the_current_call_are_never_touched);
	tcase_add_test(tests, a_call_may_become_sequential_on_its_way);
	tcase_add_test(tests, blocks_of_a_call_that_leaves_its_loop_are_not_clipped);
	tcase_add_test(tests, a_loop_is_read_ahead_from_its_first_block_to_its_last);
	tcase_add_test(tests, behind_the_end_of_a_loop_it_is_a_run_and_the_end_is_learned_anew);
	tcase_add_test(tests, a_loop_that_became_shorter_is_clipped_there);
	tcase_add_test(tests, what_is_cached_behind_a_loop_is_not_counted_as_clipped);
	tcase_add_test(tests, what_lies_behind_the_file_is_not_clipped);
	tcase_add_test(tests, nothing_is_read_ahead_without_a_pattern);
	tcase_add_test(tests, what_is_cached_is_not_vetoed);
	tcase_add_test(tests, what_lies_behind_the_file_is_not_vetoed);
	tcase_add_test(tests, one_block_lookahead_plans_the_block_behind_a_sequential_call);
	tcase_add_test(tests, one_block_lookahead_does_not_wait_for_the_inner_prefetcher);
	tcase_add_test(tests, one_block_lookahead_finds_room_in_the_fullest_plan);
	tcase_add_test(tests, one_block_lookahead_ends_with_the_file);
	tcase_add_test(tests, loops_are_read_ahead_as_ever_with_one_block_lookahead);
	tcase_add_test(tests, after_a_veto_a_window_is_reset_once);
	tcase_add_test(tests, a_window_is_reset_at_the_start_of_a_call_of_the_same_open_file);
	tcase_add_test(tests, a_plan_that_loses_nothing_resets_no_window);
	tcase_add_test(tests, a_kernel_starts_small_again_where_its_window_is_reset);
	tcase_add_test(tests, a_mark_on_what_is_vetoed_is_no_mark);
	tcase_add_test(tests, a_mark_on_what_passes_is_met);
	tcase_add_test(tests, ondemand_goes_on_with_its_marks_once_a_run_is_one);
	tcase_add_test(tests, advice_to_read_on_where_a_run_has_come_to_is_left_to_readahead);
	tcase_add_test(tests, around_a_kernel_without_advice_dontneed_alone_acts);
	tcase_add_test(tests, what_the_inner_prefetcher_wants_to_know_is_passed_on);
	tcase_add_test(tests, a_warm_up_begins_the_counts_anew_and_changes_no_decision);
	tcase_add_test(tests, a_controller_of_none_changes_nothing);
	tcase_add_test(tests, its_state_is_what_it_knows_of_the_open_file);
	return run_tests("iprp", tests);
}
