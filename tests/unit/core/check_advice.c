/* check_advice.c - sim/core/engine/advice.c: what posix_fadvise() does to the prefetcher and the cache. */
#include <stdio.h>
#include <string.h>

#include "sim/core/simulate.h"
#include "tests/unit/support.h"

#define X(id) extern const struct policy policy_##id;
#include "policies/policies.def"
#undef X
extern const struct prefetcher prefetcher_none, prefetcher_linux24, prefetcher_iprp,
    prefetcher_ledger, prefetcher_fdp, prefetcher_switch;
extern const struct scheduler scheduler_fifo;
extern const struct device    device_null, device_fixed;

static const struct policy *const policies[] = {
#define X(id) &policy_##id,
#include "policies/policies.def"
#undef X
};

enum { BLOCK = DRAFT_BLOCK_BYTES, POLICIES = sizeof(policies) / sizeof(*policies) };

static struct draft  draft;
static struct config cfg;
static char	     heard[1000]; /* by the prefetcher, in words */

static void
hear(const char *format, unsigned a, unsigned b, unsigned c)
{
	size_t used = strlen(heard);

	snprintf(heard + used, sizeof(heard) - used, format, a, b, c);
}

static void
plain_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->index == d->first)
		hear("r%u ", d->index, 0, 0);
}

/* What is needed is read; patterns are only heard of. */
static void
plain_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	static const char *const letter[ADVICE_KINDS] = { "n", "?", "s", "w", "d" };

	ck_assert_ptr_null(d->call);
	hear(letter[a->kind], 0, 0, 0);
	hear("%u+%u/%u ", d->index, d->left, d->end);
	plan->waits = true; /* in vain */
	if (a->kind == ADVICE_WILLNEED)
		plan_add(plan, d->index, d->left);
}

static void
plain_outcome(void *self, block_t b, enum outcome how)
{
	if (how == PREFETCH_WASTED)
		hear("wasted%u ", b, 0, 0);
}

static const struct prefetcher plain = {
	.plugin = { .name = "plain", .summary = "test: reads what advice says" },
	.access = plain_access,
	.advise = plain_advise,
	.outcome = plain_outcome,
};

/* One process with one file of 30 blocks: block k is number k + 1. */
static void
start(void)
{
	heard[0] = '\0';
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 30), 0);
	config_defaults(&cfg);
	cfg.policy.plugin = &policies[0]->plugin;
	cfg.prefetcher.plugin = &plain.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_null.plugin;
	cfg.cache_blocks = 16;
}

static struct stats
run(void)
{
	struct stats st;
	struct error e;

	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &e), "%s", e.text);
	return st;
}

/* A second after the call before, blocks first .. first + count - 1. */
static struct access *
call(uint32_t first, uint32_t count, bool write)
{
	return draft_blocks(&draft, (usec_t)draft.trace.naccess * 1000000, 0, first, count, write);
}

static struct advice *
advise(enum advice_kind kind, uint64_t offset, uint64_t length)
{
	return draft_advise(&draft, kind, 0, offset, length);
}

START_TEST(what_will_be_needed_is_there_when_it_is)
{
	struct stats st;

	cfg.device.plugin = &device_fixed.plugin;
	call(0, 1, false);
	call(0, 1, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 4 * BLOCK);
	call(10, 5, false);
	st = run();
	ck_assert_uint_eq(st.advices, 1);
	ck_assert_uint_eq(st.advice_read_blocks, 4);
	ck_assert_uint_eq(st.prefetched_blocks, 4);
	ck_assert_uint_eq(st.first_hits, 4);
	ck_assert_uint_eq(st.misses, 2);
	ck_assert_uint_eq(st.read_requests, 3);
}
END_TEST

/* Within 1/32, as ages.h says. */
static void
age_is(uint64_t said, uint64_t us)
{
	ck_assert_uint_ge(said, us);
	ck_assert_uint_le(said - us, us / 32);
}

START_TEST(prefetched_blocks_have_ages_when_they_are_used_and_when_they_leave)
{
	struct stats st;

	call(0, 1, false);
	call(0, 1, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 4 * BLOCK);
	call(10, 2, false); /* a second later */
	call(14, 16, false);
	st = run();
	ck_assert_uint_eq(st.prefetch_used_blocks, 2);
	age_is(st.prefetch_used_age_p50_us, 1000000);
	age_is(st.prefetch_used_age_p99_us, 1000000);
	ck_assert_uint_eq(st.prefetch_wasted_blocks, 2);
	age_is(st.prefetch_wasted_age_p50_us, 2000000);
	cfg.warmup_calls = 3;
	st = run();
	ck_assert_uint_eq(st.prefetch_wasted_blocks, 0);
	ck_assert_uint_eq(st.prefetch_used_age_p50_us, STAT_UNKNOWN);
	ck_assert_uint_eq(st.prefetch_wasted_age_p99_us, STAT_UNKNOWN);
}
END_TEST

START_TEST(it_is_read_ahead_even_if_the_call_wants_it)
{
	struct stats st;

	call(10, 2, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 4 * BLOCK);
	cfg.device.plugin = &device_fixed.plugin;
	st = run();
	ck_assert_uint_eq(st.prefetch_demand_blocks, 0);
	ck_assert_uint_eq(st.late_hits, 2);
	ck_assert_uint_eq(st.misses, 0);
	ck_assert_uint_eq(st.read_requests, 1);
}
END_TEST

START_TEST(the_range_is_of_blocks_that_it_touches_up_to_the_end_of_the_file)
{
	static const struct {
		uint64_t    offset, length, file_size;
		const char *heard;
	} c[] = {
		{ 0, 0, 30 * BLOCK, "s0+30/30 r0 " },
		{ 0, 1, 30 * BLOCK, "s0+1/30 r0 " },
		{ BLOCK - 1, 2, 30 * BLOCK, "s0+2/30 r0 " },
		{ BLOCK, BLOCK, 30 * BLOCK, "s1+1/30 r0 " },
		{ 5 * BLOCK + 7, 0, 30 * BLOCK, "s5+25/30 r0 " },
		{ 29 * BLOCK, UINT64_MAX - 29 * BLOCK, 30 * BLOCK, "s29+1/30 r0 " },
		{ 30 * BLOCK, 0, 30 * BLOCK, "s30+0/30 r0 " },
		{ 30 * BLOCK, 5, 30 * BLOCK, "s30+0/30 r0 " },
		{ UINT64_MAX, 0, 30 * BLOCK, "s30+0/30 r0 " },
		{ 0, 0, 3 * BLOCK + 1, "s0+4/4 r0 " },
		{ 3 * BLOCK + 2, 100, 3 * BLOCK + 1, "s3+0/4 r0 " },
		{ 0, 0, 0, "s0+0/0 r0 " },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		start();
		call(0, 1, false);
		advise(ADVICE_SEQUENTIAL, c[i].offset, c[i].length)->file_size = c[i].file_size;
		run();
		REQUIRE(!strcmp(heard, c[i].heard), "%zu: %s, not %s", i, heard, c[i].heard);
	}
}
END_TEST

/* Of blocks 0 .. 9, the file being that long, those that a call afterwards does not find. */
static const char *
gone(uint64_t offset, uint64_t length, uint64_t file_size)
{
	static char text[11];

	start();
	call(0, 10, false);
	for (uint32_t k = 0; k < 10; k++) {
		call(k, 1, false);
		if (!k)
			advise(ADVICE_DONTNEED, offset, length)->file_size = file_size;
	}
	for (uint32_t k = 0; k < 10; k++) {
		struct stats with, without;

		draft.trace.naccess = 1 + k;
		draft.trace.nadvice = k > 0;
		without = run();
		draft.trace.naccess = 2 + k;
		draft.trace.nadvice = 1;
		with = run();
		text[k] = with.misses > without.misses ? 'x' : '.';
	}
	return text;
}

START_TEST(only_whole_blocks_are_dropped_and_a_last_one_that_the_file_ends_in)
{
	ck_assert_str_eq(gone(0, 0, 10 * BLOCK), "xxxxxxxxxx");
	ck_assert_str_eq(gone(2 * BLOCK, 3 * BLOCK, 10 * BLOCK), "..xxx.....");
	ck_assert_str_eq(gone(2 * BLOCK + 1, 3 * BLOCK, 10 * BLOCK), "...xx.....");
	ck_assert_str_eq(gone(2 * BLOCK - 1, 3 * BLOCK, 10 * BLOCK), "..xx......");
	ck_assert_str_eq(gone(2 * BLOCK + 1, BLOCK, 10 * BLOCK), "..........");
	ck_assert_str_eq(gone(2 * BLOCK + 1, 1, 10 * BLOCK), "..........");
	ck_assert_str_eq(gone(7 * BLOCK, 0, 8 * BLOCK + 5), ".......xx.");
	ck_assert_str_eq(gone(7 * BLOCK, BLOCK + 5, 8 * BLOCK + 5), ".......xx.");
	ck_assert_str_eq(gone(7 * BLOCK, BLOCK + 4, 8 * BLOCK + 5), ".......x..");
	ck_assert_str_eq(gone(9 * BLOCK, 0, 8 * BLOCK), "..........");
	ck_assert_str_eq(gone(UINT64_MAX, 0, 10 * BLOCK), "..........");
}
END_TEST

START_TEST(dirty_blocks_stay)
{
	struct stats st;

	call(0, 4, false);
	call(1, 1, true);
	call(3, 1, false);
	advise(ADVICE_DONTNEED, 0, 0);
	call(0, 4, false);
	st = run();
	ck_assert_uint_eq(st.advice_dropped_blocks, 3);
	ck_assert_uint_eq(st.misses, 4 + 1 + 2); /* 3 at once, then 0 and 2 */
	ck_assert_uint_eq(st.evictions, 0);
}
END_TEST

START_TEST(blocks_in_flight_stay)
{
	struct stats st;

	cfg.device.plugin = &device_fixed.plugin;
	call(0, 1, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 4 * BLOCK);
	advise(ADVICE_DONTNEED, 10 * BLOCK, 4 * BLOCK);
	call(10, 4, false);
	st = run();
	ck_assert_uint_eq(st.advice_dropped_blocks, 0);
	ck_assert_uint_eq(st.first_hits, 4);
}
END_TEST

static uint8_t
four_order(const void *self, block_t b)
{
	return 2;
}

static const struct prefetcher four = {
	.plugin = { .name = "four", .summary = "test: folios of four blocks" },
	.access = plain_access,
	.advise = plain_advise,
	.order = four_order,
};

START_TEST(folios_that_the_range_cuts_stay_also_inside_a_controller)
{
	static const struct prefetcher *const outer[] = { NULL, &prefetcher_iprp,
		&prefetcher_ledger };
	struct choice			      inner = { .plugin = &four.plugin };

	call(0, 12, false);
	call(0, 1, false);
	advise(ADVICE_DONTNEED, 2 * BLOCK, 8 * BLOCK); /* 4 to 7 are whole */
	for (unsigned i = 0; i < 3; i++) {
		cfg.prefetcher = inner;
		if (outer[i])
			cfg.prefetcher =
			    (struct choice){ .plugin = &outer[i]->plugin, .inner = &inner };
		ck_assert_uint_eq(run().advice_dropped_blocks, 4);
	}
}
END_TEST

START_TEST(what_finds_no_free_request_is_left_out)
{
	struct stats st;

	cfg.device.plugin = &device_fixed.plugin;
	cfg.queue_requests = 4;
	call(0, 1, false);
	for (uint32_t k = 0; k < 6; k++)
		advise(ADVICE_WILLNEED, (2 + 4 * k) * BLOCK, BLOCK);
	st = run();
	ck_assert_uint_eq(st.planned_blocks, 6);
	ck_assert_uint_eq(st.prefetched_blocks, 4); /* one of them is with the device */
	ck_assert_uint_eq(st.prefetch_dropped_blocks, 2);
}
END_TEST

START_TEST(a_prefetch_that_is_dropped_unused_was_in_vain)
{
	struct stats st;

	call(0, 1, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 2 * BLOCK);
	call(10, 1, false);
	call(1, 1, false);
	advise(ADVICE_DONTNEED, 0, 0);
	st = run();
	ck_assert_str_eq(heard, "w10+2/30 r0 r10 wasted12 r1 ");
	ck_assert_uint_eq(st.advice_dropped_blocks, 3);
	ck_assert_uint_eq(st.prefetch_wasted_blocks, 1);
	ck_assert_uint_eq(st.outcome_useless_blocks, 1);
}
END_TEST

START_TEST(frames_that_were_emptied_are_filled_before_any_block_is_evicted)
{
	for (unsigned p = 0; p < POLICIES; p++) {
		struct stats st;

		start();
		cfg.policy.plugin = &policies[p]->plugin;
		cfg.cache_blocks = 8;
		call(0, 8, false);
		call(0, 1, false);
		advise(ADVICE_DONTNEED, 2 * BLOCK, 3 * BLOCK);
		call(10, 3, false);
		call(0, 2, false);
		call(5, 3, false);
		st = run();
		ck_assert_uint_eq(st.advice_dropped_blocks, 3);
		ck_assert_uint_eq(st.evictions, 0);
		ck_assert_uint_eq(st.misses, 11);
		call(20, 8, false);
		st = run();
		ck_assert_uint_eq(st.evictions, 8);
	}
}
END_TEST

/* Dropped at random: no frame is lost, and none is held twice. */
START_TEST(policies_do_not_mind_that_a_block_leaves_from_their_midst)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		struct stats st;

		start();
		cfg.policy.plugin = &policies[round % POLICIES]->plugin;
		cfg.cache_blocks = 1 + random_below(&seed, 8);
		for (uint32_t i = 0; i < 100; i++) {
			call(random_below(&seed, 20), 1, false);
			if (random_below(&seed, 3) == 0)
				advise(ADVICE_DONTNEED, random_below(&seed, 20) * BLOCK,
				    (1 + random_below(&seed, 3)) * BLOCK);
		}
		st = run();
		ck_assert_uint_le(st.misses - st.evictions - st.advice_dropped_blocks,
		    cfg.cache_blocks);
	}
}
END_TEST

/* Read 4, 4 more, and after DONTNEED of all the first 4 again. */
static void
read_and_drop(void)
{
	call(0, 4, false);
	call(4, 4, false);
	call(0, 4, false);
	advise(ADVICE_WILLNEED, 10 * BLOCK, 4 * BLOCK);
	advise(ADVICE_DONTNEED, 0, 0);
}

START_TEST(dontneed_drops_with_every_prefetcher_and_the_rest_needs_the_hook)
{
	static const struct prefetcher *const deaf[] = { &prefetcher_none, &prefetcher_linux24 };

	for (int i = 0; i < 2; i++) {
		struct stats st;

		start();
		cfg.prefetcher.plugin = &deaf[i]->plugin;
		cfg.shadow = true;
		read_and_drop();
		st = run();
		ck_assert_uint_eq(st.advices, 1);
		ck_assert_uint_eq(st.advice_read_blocks, 0);
		ck_assert_uint_ge(st.advice_dropped_blocks, 4);
		ck_assert_uint_eq(st.shadow_misses, 12);
	}
}
END_TEST

START_TEST(advice_that_is_ignored_is_as_if_there_were_none)
{
	static const struct prefetcher *const any[] = { &prefetcher_none, &plain };

	for (int i = 0; i < 2; i++) {
		struct stats with, without;

		start();
		cfg.prefetcher.plugin = &any[i]->plugin;
		cfg.shadow = true;
		cfg.ignores_advice = true;
		read_and_drop();
		with = run();
		draft.trace.nadvice = 0;
		without = run();
		ck_assert_uint_eq(with.advices, 0);
		ck_assert_mem_eq(&with, &without, sizeof(with));
	}
}
END_TEST

/* Of the untimed replay, too; what waits for its write stays where there is a clock, and in the shadow. */
START_TEST(a_dirty_block_stays_in_the_shadow_and_not_without_a_clock)
{
	struct stats st;

	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.shadow = true;
	call(0, 4, true);
	call(4, 2, false);
	advise(ADVICE_DONTNEED, 0, 0);
	call(0, 4, false);
	st = run();
	ck_assert_uint_eq(st.misses, 6);
	ck_assert_uint_eq(st.shadow_misses, 6);
	ck_assert_uint_eq(st.advice_dropped_blocks, 0);
	cfg.shadow = false;
	cfg.replay = REPLAY_UNTIMED;
	st = run();
	ck_assert_uint_eq(st.misses, 10);
	ck_assert_uint_eq(st.advice_dropped_blocks, 4);
	ck_assert_uint_eq(st.evictions, 0);
}
END_TEST

START_TEST(what_is_dropped_in_the_warm_up_is_not_counted_without_a_clock_either)
{
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.cache_blocks = 6;
	cfg.warmup_calls = 3;
	read_and_drop();
	call(10, 5, false);
	call(20, 1, false);
	advise(ADVICE_DONTNEED, 11 * BLOCK, 2 * BLOCK);
	for (cfg.replay = REPLAY_SERIAL; cfg.replay <= REPLAY_UNTIMED;
	     cfg.replay += REPLAY_UNTIMED) {
		struct stats st = run();

		ck_assert_uint_eq(st.advices, 1);
		ck_assert_uint_eq(st.advice_dropped_blocks, 2);
		ck_assert_uint_eq(st.misses, 6);
		ck_assert_uint_eq(st.evictions, 3);
	}
}
END_TEST

static void
plain_dropped(void *self, block_t b)
{
	hear("dropped%u ", b, 0, 0);
}

static const struct prefetcher told = {
	.plugin = { .name = "told", .summary = "test: hears what is dropped" },
	.access = plain_access,
	.advise = plain_advise,
	.dropped = plain_dropped,
};

START_TEST(a_prefetcher_is_told_what_was_dropped_also_inside_a_controller)
{
	static const struct prefetcher *const outer[] = { &told, &prefetcher_iprp,
		&prefetcher_ledger, &prefetcher_fdp, &prefetcher_switch };
	struct choice			      inner = { .plugin = &told.plugin };

	for (unsigned i = 0; i < 5; i++) {
		start();
		cfg.prefetcher =
		    (struct choice){ .plugin = &outer[i]->plugin, .inner = i ? &inner : NULL };
		call(0, 4, false);
		call(7, 1, false);
		advise(ADVICE_DONTNEED, BLOCK, 2 * BLOCK);
		run();
		ck_assert_str_eq(heard, "r0 dropped2 dropped3 r7 ");
	}
}
END_TEST

START_TEST(advice_comes_in_its_order_before_the_call_of_its_process)
{
	draft_open(&draft, 0, 1);
	draft_blocks(&draft, 0, 0, 3, 1, false);
	draft_blocks(&draft, 5000, 1, 7, 1, false);
	draft_advise(&draft, ADVICE_SEQUENTIAL, 1, 0, 0);
	draft_advise(&draft, ADVICE_NORMAL, 1, 0, 0);
	draft_blocks(&draft, 6000, 0, 5, 1, false);
	draft_advise(&draft, ADVICE_RANDOM, 0, 0, 0);
	draft_advise(&draft, ADVICE_WILLNEED, 1, 20 * BLOCK, 1);
	for (cfg.replay = REPLAY_SERIAL; cfg.replay <= REPLAY_PROCESS; cfg.replay++) {
		heard[0] = '\0';
		run();
		ck_assert_str_eq(heard, "r3 s0+30/30 n0+30/30 r7 ?0+30/30 w20+1/30 r5 ");
	}
}
END_TEST

/* The first call sleeps for its blocks and for room in a cache of one frame. */
START_TEST(advice_is_given_once_however_often_its_call_is_resumed)
{
	cfg.device.plugin = &device_fixed.plugin;
	cfg.cache_blocks = 1;
	call(0, 3, false);
	advise(ADVICE_SEQUENTIAL, 0, 0);
	ck_assert_uint_eq(run().advices, 1);
	ck_assert_str_eq(heard, "s0+30/30 r0 ");
}
END_TEST

static char seen[400];

static void
see(void *ctx, const struct event *e)
{
	size_t used = strlen(seen);

	snprintf(seen + used, sizeof(seen) - used, "%c%u+%u ",
	    e->kind == EVENT_ADVICE	  ? 'a'
		: e->kind == EVENT_FORGET ? 'f'
					  : 'c',
	    e->block, e->count);
}

START_TEST(an_observer_sees_advice_and_runs_of_what_it_dropped)
{
	call(0, 9, false);
	call(2, 1, true);
	call(9, 1, false);
	advise(ADVICE_DONTNEED, 0, 6 * BLOCK);
	cfg.observer =
	    (struct observer){ .mask = 1u << EVENT_ADVICE | 1u << EVENT_FORGET | 1u << EVENT_CALL,
		    .see = see };
	run();
	ck_assert_str_eq(seen, "c1+9 c3+1 c10+1 a1+0 f1+2 f4+3 ");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("advice");

	tcase_add_checked_fixture(tests, start, NULL);
	tcase_add_test(tests, what_will_be_needed_is_there_when_it_is);
	tcase_add_test(tests, prefetched_blocks_have_ages_when_they_are_used_and_when_they_leave);
	tcase_add_test(tests, it_is_read_ahead_even_if_the_call_wants_it);
	tcase_add_test(tests, the_range_is_of_blocks_that_it_touches_up_to_the_end_of_the_file);
	tcase_add_test(tests, only_whole_blocks_are_dropped_and_a_last_one_that_the_file_ends_in);
	tcase_add_test(tests, dirty_blocks_stay);
	tcase_add_test(tests, blocks_in_flight_stay);
	tcase_add_test(tests, folios_that_the_range_cuts_stay_also_inside_a_controller);
	tcase_add_test(tests, what_finds_no_free_request_is_left_out);
	tcase_add_test(tests, a_prefetch_that_is_dropped_unused_was_in_vain);
	tcase_add_test(tests, frames_that_were_emptied_are_filled_before_any_block_is_evicted);
	tcase_add_test(tests, policies_do_not_mind_that_a_block_leaves_from_their_midst);
	tcase_add_test(tests, dontneed_drops_with_every_prefetcher_and_the_rest_needs_the_hook);
	tcase_add_test(tests, advice_that_is_ignored_is_as_if_there_were_none);
	tcase_add_test(tests, a_dirty_block_stays_in_the_shadow_and_not_without_a_clock);
	tcase_add_test(tests, what_is_dropped_in_the_warm_up_is_not_counted_without_a_clock_either);
	tcase_add_test(tests, a_prefetcher_is_told_what_was_dropped_also_inside_a_controller);
	tcase_add_test(tests, advice_comes_in_its_order_before_the_call_of_its_process);
	tcase_add_test(tests, advice_is_given_once_however_often_its_call_is_resumed);
	tcase_add_test(tests, an_observer_sees_advice_and_runs_of_what_it_dropped);
	return run_tests("advice", tests);
}
