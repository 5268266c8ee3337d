/*
 * check_ledger.c - which plans the controller lets pass, and what of them.
 *
 * Most tests put it around `eager`, which plans four blocks behind the call at
 * its first block.  A request takes 10 ms, and 0.1 ms a block.  Verdicts by hand
 * have no simulation behind: a test says what is in the cache.
 */
#include "tests/unit/prefetch/controlling.h"

extern const struct prefetcher prefetcher_ledger;

enum { BLOCKS = 4000 };

/* ---- prefetchers to control ---- */

static unsigned asked;

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
	asked++;
	if (d->index == d->first)
		plan_add(plan, d->index + d->left, 4);
}

/* Four blocks behind the call, if the first of them is absent. */
static void
batch_access(void *self, const struct demand *d, struct plan *plan)
{
	uint32_t after = d->index + d->left;

	if (d->index == d->first && !demand_holds(d, after))
		plan_add(plan, after, 4);
}

static const struct prefetcher batch = {
	.plugin = { .name = "batch", .summary = "test: four blocks where none is ahead" },
	.access = batch_access,
};

/* Plans that a test writes, at the first block of a call: of all calls, or of one at that block. */
static struct extent script[4];
static uint32_t	     script_at;

static void
scripted_access(void *self, const struct demand *d, struct plan *plan)
{
	bool plans = d->index == d->first && (!script_at || d->index == script_at);

	for (unsigned i = 0; plans && i < 4; i++)
		plan_add(plan, script[i].index, script[i].count);
}

static const struct prefetcher scripted = {
	.plugin = { .name = "scripted", .summary = "test: what the test says" },
	.access = scripted_access,
};

/* The second and the fourth block behind a reference. */
static void
second_access(void *self, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index + 2, 1);
	plan_add(plan, d->index + 4, 1);
}

static const struct prefetcher second = {
	.plugin = { .name = "second", .summary = "test: every second block" },
	.access = second_access,
};

/* Every third block, backwards. */
static void
below_access(void *self, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index - 3, 1);
	plan_add(plan, d->index - 6, 1);
}

static const struct prefetcher below = {
	.plugin = { .name = "below", .summary = "test: every third block, backwards" },
	.access = below_access,
};

static uint32_t marks = 1;

/* A missing block with three more; it is marked. */
static void
marking_access(void *self, const struct demand *d, struct plan *plan)
{
	asked++;
	if (!d->absent)
		return;
	plan_add(plan, d->index, 4);
	plan_mark(plan, d->index, marks);
}

static const struct prefetcher marking = {
	.plugin = { .name = "marking", .summary = "test: batches with a mark" },
	.access = marking_access,
};

static void
control(const struct prefetcher *inner, const char *params)
{
	control_with(&prefetcher_ledger, inner, params, BLOCKS);
	cfg.device = (struct choice){ .plugin = &device_fixed.plugin,
		.params = "latency=10ms,rate=40960000" };
	memset(script, 0, sizeof(script));
	script_at = 0;
	asked = 0;
}

/* Single blocks: a list that does not repeat, and in which none is behind another. */
static void
read_random(uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		read_run(i * 7 % 397 * 10, i * 7 % 397 * 10, 1);
}

/* ---- what passes ---- */

/* At block 4 the first plan has come true, and the next one rides with that block. */
START_TEST(a_sequential_process_is_passed_soon)
{
	control(&batch, NULL);
	read_run(0, 20, 1);
	ck_assert_str_eq(planned(), "4:5-8 | 8:9-12 | 12:13-16 | 16:17-20 | 20:21-24");
	ck_assert_uint_eq(own("vetoed_plans"), 4);
	counted(5, 20, 13);
	ck_assert_uint_eq(stats.prefetch_late_blocks, 3); /* 9, 13 and 17 */
}
END_TEST

/* A block that is absent alone costs the request that it saves; two save two. */
START_TEST(what_is_ahead_already_does_not_pay_for_a_request)
{
	control(&eager, NULL);
	read_run(0, 12, 1);
	ck_assert_str_eq(planned(), "4:5-8 | 6:7-10 | 8:9-12 | 10:11-14 | 12:13-16");
	ck_assert_uint_eq(own("vetoed_plans"), 4 + 4);
	ck_assert_uint_eq(own("vetoed_blocks"), 4 * 4 + 4);
}
END_TEST

START_TEST(useless_plans_of_a_random_process_are_vetoed_after_a_while)
{
	uint64_t passed;

	control(&eager, NULL);
	cfg.cache_blocks = 100; /* while there is room, later uses are hoped for */
	read_random(1, 200);
	planned();
	passed = own("passed_plans");
	ck_assert_uint_lt(passed, 40);
	ck_assert_uint_gt(own("vetoed_plans"), 150);
	read_random(201, 200);
	planned();
	ck_assert_uint_eq(own("passed_plans"), passed);
	ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
	ck_assert_uint_gt(own("vetoed_blocks"), 4 * 300);
}
END_TEST

START_TEST(a_process_that_becomes_sequential_is_passed_again)
{
	control(&eager, NULL);
	read_random(1, 200);
	read_run(1000, 1199, 1);
	planned();
	ck_assert_uint_gt(stats.prefetch_used_blocks, 80);
	ck_assert_uint_lt(stats.misses, 200 + 120);
}
END_TEST

START_TEST(on_a_device_that_takes_no_time_no_plan_saves_any)
{
	control(&eager, NULL);
	cfg.device = (struct choice){ .plugin = &device_null.plugin };
	read_run(0, 99, 1);
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("passed_plans"), 0);
}
END_TEST

/* ---- what is left of a plan ---- */

/* Plans so many blocks behind block 10, of a call of `blocks`, and of all before that. */
static const char *
plan_of(uint32_t blocks, const char *params)
{
	control(&scripted, params);
	draft_blocks(&draft, 0, 0, 10, blocks, false);
	return NULL;
}

START_TEST(blocks_of_the_call_are_never_vetoed)
{
	plan_of(6, NULL); /* nothing is known: all else is vetoed */
	script[0] = (struct extent){ 11, 3, false };
	ck_assert_str_eq(planned(), "10:11-13");
	ck_assert_uint_eq(stats.trimmed_blocks, 0);
	script[1] = (struct extent){ 14, 10, false };
	ck_assert_str_eq(planned(), "10:11-15");
	ck_assert_uint_eq(stats.trimmed_blocks, 8);
	ck_assert_uint_eq(own("vetoed_blocks"), 8);
	ck_assert_uint_eq(own("vetoed_plans"), 1);
	counted(6, 0, 0);
}
END_TEST

START_TEST(the_demanded_block_stays_in_a_plan_that_begins_with_it)
{
	plan_of(1, NULL);
	script[0] = (struct extent){ 10, 1, false };
	ck_assert_str_eq(planned(), "10:10");
	script[0] = (struct extent){ 10, 5, false };
	ck_assert_str_eq(planned(), "10:10");
	ck_assert_uint_eq(own("vetoed_blocks"), 4);
	script[0] = (struct extent){ 11, 5, false };
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_blocks"), 5);
}
END_TEST

START_TEST(blocks_behind_the_file_are_not_planned_and_not_counted)
{
	control(&scripted, NULL);
	read_run(BLOCKS - 3, BLOCKS - 3, 1);
	script[0] = (struct extent){ BLOCKS - 2, UINT32_MAX, false };
	script[1] = (struct extent){ BLOCKS - 1, 10, false };
	script[2] = (struct extent){ BLOCKS + 5, 10, false };
	script[3] = (struct extent){ UINT32_MAX - 1, 2, false };
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(own("vetoed_blocks"), 2);
}
END_TEST

START_TEST(a_plan_of_cached_blocks_is_not_weighed)
{
	control(&eager, NULL);
	read_run(0, 7, 8);
	read_run(0, 3, 1);
	planned();
	ck_assert_uint_eq(own("passed_plans") + own("vetoed_plans"), 1); /* behind 7 */
}
END_TEST

/* Nothing between single blocks is read. */
START_TEST(pieces_pass_as_they_are_planned)
{
	unsigned n = 0;

	control(&second, NULL);
	for (uint32_t i = 0; i < 200; i++)
		draft_blocks(&draft, 100000 * i, 0, 2 * i, 1, false);
	planned();
	for (char *at = sets.text; at; at = strchr(at, '|'), n++) {
		unsigned index, block;
		int	 length;

		at += *at == '|' ? 2 : 0;
		ck_assert_int_eq(sscanf(at, "%u:%u%n", &index, &block, &length), 2);
		ck_assert(block == index + 2 || block == index + 4);
		ck_assert(!at[length] || at[length] == ' ');
	}
	ck_assert_uint_gt(own("passed_plans"), 20);
	ck_assert_uint_ge(n, own("passed_plans"));
}
END_TEST

START_TEST(blocks_before_the_call_pass_too)
{
	control(&below, NULL);
	for (uint32_t i = 0; i < 200; i++)
		draft_blocks(&draft, 100000 * i, 0, 3000 - 3 * i, 1, false);
	planned();
	ck_assert_uint_gt(own("passed_plans"), 100);
	ck_assert_uint_gt(stats.prefetched_blocks, 150);
	ck_assert_uint_le(stats.prefetched_blocks - stats.prefetch_used_blocks -
		stats.prefetch_late_blocks,
	    2);
}
END_TEST

START_TEST(blocks_before_the_call_are_counted_when_vetoed)
{
	plan_of(3, NULL);
	script[0] = (struct extent){ 4, 2, false };
	script[1] = (struct extent){ 9, 3, false }; /* with two of the call */
	ck_assert_str_eq(planned(), "10:11");
	ck_assert_uint_eq(own("vetoed_blocks"), 3);
	ck_assert_uint_eq(stats.trimmed_blocks, 3);
}
END_TEST

/* ---- learning ---- */

/* At a mark the inner prefetcher is called twice; all else is as without marks. */
START_TEST(a_second_demand_of_a_block_is_not_learned)
{
	struct stats with;
	unsigned     calls;

	control(&marking, NULL);
	read_random(1, 100);
	read_run(200, 399, 1);
	planned();
	with = stats;
	calls = asked;
	marks = 0;
	asked = 0;
	planned();
	marks = 1;
	ck_assert_uint_eq(asked, 300);
	ck_assert_uint_gt(calls, 300 + 100);
	ck_assert_uint_gt(own("passed_plans"), 10);
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
}
END_TEST

START_TEST(what_is_vetoed_and_read_later_is_regretted)
{
	control(&scripted, "soon=2");
	script_at = 99;
	script[0] = (struct extent){ 100, 4, false };
	read_run(99, 99, 1);
	planned();
	ck_assert_uint_eq(own("vetoed_blocks"), 4);
	for (uint32_t i = 0; i < 4 + 2; i++) /* the probe ends */
		read_run(1000 + 200 * i, 1000 + 200 * i, 1);
	read_run(102, 102, 1);
	read_run(102, 102, 1);
	planned();
	ck_assert_uint_eq(own("regretted_blocks"), 1);
}
END_TEST

/* ---- frames ---- */

START_TEST(unused_blocks_leave_first)
{
	control(&eager, NULL);
	cfg.cache_blocks = 64;
	read_run(0, 199, 1); /* plans pass, and some are wrong */
	for (uint32_t i = 0; i < 60; i++)
		read_run(400 + 40 * i, 403 + 40 * i, 1);
	planned();
	ck_assert_uint_gt(own("taken_back_blocks"), 0);
	ck_assert_uint_le(own("taken_back_blocks"), stats.prefetch_wasted_blocks);
	ck_assert_uint_eq(evictions, stats.evictions);
}
END_TEST

/* ---- around anything ---- */

START_TEST(what_the_inner_prefetcher_wants_to_know_is_passed_on)
{
	control(&eager, NULL);
	cfg.cache_blocks = 20;
	read_run(0, 99, 1);
	draft_blocks(&draft, 0, 0, 200, 1, true);
	planned();
	ck_assert_uint_gt(stats.evictions, 50);
	ck_assert_uint_eq(asked, 100);
	ck_assert_uint_eq(evictions, stats.evictions);
	ck_assert_uint_eq(finished, stats.read_requests + stats.write_requests);
	ck_assert_uint_eq(outcomes,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks);
}
END_TEST

START_TEST(advice_passes)
{
	control(&eager, NULL);
	read_run(0, 0, 1);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 500 * DRAFT_BLOCK_BYTES, 40 * DRAFT_BLOCK_BYTES);
	ck_assert_str_eq(planned(), "500:500-539");
	ck_assert_uint_eq(advised, 1);
	ck_assert_uint_eq(stats.advice_read_blocks, 40);
	control(&prefetcher_linux24, NULL); /* which knows none */
	read_run(0, 3, 1);
	draft_advise(&draft, ADVICE_WILLNEED, 0, 0, 0);
	planned();
	ck_assert_uint_eq(stats.advices, 0);
}
END_TEST

START_TEST(a_controller_of_none_changes_nothing)
{
	struct stats with;

	control(&prefetcher_none, NULL);
	cfg.cache_blocks = 30;
	read_run(0, 99, 3);
	read_random(1, 100);
	planned();
	with = stats;
	for (const struct counter *c = prefetcher_ledger.plugin.counters; c->name; c++)
		ck_assert_uint_eq(own(c->name), 0);
	cfg.prefetcher = (struct choice){ .plugin = &prefetcher_none.plugin };
	planned();
	memcpy(with.own, stats.own, sizeof(with.own));
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
}
END_TEST

/* ---- what it says ---- */

static unsigned notes[3];

static void
listen(void *ctx, const struct event *e)
{
	static const char *const known[] = { "costs more than it saves: vetoed",
		"saves more than it costs: passed" };

	for (unsigned i = 0; i < e->plan->nnotes; i++)
		for (unsigned k = 0; k < 2; k++)
			notes[k] += !strcmp(e->plan->note[i], known[k]);
}

START_TEST(each_verdict_is_noted)
{
	struct error e;

	control(&eager, NULL);
	read_random(1, 30);
	read_run(1000, 1399, 1);
	cfg.observer = (struct observer){ .mask = 1u << EVENT_PLAN, .see = listen };
	memset(notes, 0, sizeof(notes));
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &stats, &e), 0);
	ck_assert(notes[0] && notes[1]);
	ck_assert_uint_eq(notes[0], own("vetoed_plans"));
	ck_assert_uint_eq(notes[1], own("passed_plans"));
}
END_TEST

START_TEST(its_state_is_the_last_verdict_and_the_prices)
{
	const char *const *names = prefetcher_ledger.state_names;
	unsigned	   n = 0;

	while (names[n])
		n++;
	ck_assert_uint_le(n, STATE_MAX);
	control(&batch, NULL);
	read_run(0, 0, 1);
	planned();
	ck_assert_int_eq(state[0], 0); /* nothing is expected */
	ck_assert_int_eq(state[1], 4); /* four blocks of 1 us */
	ck_assert_int_eq(state[2] + state[3], 0);
	ck_assert_int_eq(state[4], 100); /* its request is finished now */
	ck_assert_int_eq(state[7], 100);
	read_run(1, 8, 1); /* five plans have come true, of a call a block */
	planned();
	ck_assert_int_eq(state[0], 39278);	 /* 4 * (5 + 5/6)/6 of 100 + 10000 */
	ck_assert_int_eq(state[1], 400 + 10000); /* a request that is only read ahead */
	ck_assert_int_eq(state[2], 97);
	ck_assert_int_eq(state[3], 97);
	ck_assert_int_eq(state[4], 100);
	ck_assert_int_eq(state[5], 10000);
	ck_assert_int_eq(state[6], 0);
	ck_assert_int_eq(state[7], 100);
	read_run(8, 8, 1); /* which has nothing to weigh */
	planned();
	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(state[i], 0);
}
END_TEST

START_TEST(what_is_read_ahead_while_the_device_is_idle_costs_little)
{
	control(&eager, NULL);
	for (uint32_t i = 0; i < 100; i++)
		draft_blocks(&draft, 100000 * i, 0, 100 + i, 1, false);
	planned();
	ck_assert_int_lt(state[7], 30);
}
END_TEST

/* ---- verdicts by hand ---- */

static struct cache  cache;
static struct access reads[2]; /* through open file 0, 1 */
static void	    *controller;

/* A request has positioned for so long; its block takes 100 us. */
static void
finish(block_t b, usec_t positioning)
{
	prefetcher_ledger.finished(controller,
	    &(struct finished){ .block = b,
		.count = 1,
		.demand = true,
		.done = positioning + 100,
		.transfer = 100 });
}

/* A cache of 100 frames, and two open files of one file. */
static void
weigh_start(const char *params)
{
	struct error e;

	control(&scripted, params);
	draft_open(&draft, 0, 1);
	reads[1].open = 1;
	controller = prefetcher_start(&cfg.prefetcher, &draft.trace, &e);
	ck_assert_msg(controller, "%s", e.text);
	ck_assert_int_eq(cache_init(&cache, 100, draft.trace.nblocks, &e), 0);
}

static void
weigh_end(void)
{
	prefetcher_stop(&prefetcher_ledger, controller);
	cache_release(&cache);
}

/* The demand of block `index`, in a call up to block `last`, when 202 ms have passed. */
static void
demand(uint32_t open, uint32_t first, uint32_t last, uint32_t index)
{
	bool		    absent = !cache_find(&cache, 1 + index);
	const struct demand d = { .call = &reads[open],
		.index = index,
		.first = first,
		.left = last - index + 1,
		.how = absent ? REF_MISS : REF_HIT,
		.absent = absent,
		.now = 202000,
		.cache = &cache,
		.base = 1,
		.end = BLOCKS,
		.nblocks = BLOCKS };
	struct plan	    plan;

	plan_start(&plan);
	prefetcher_ledger.access(controller, &d, &plan);
	prefetcher_ledger.state(controller, 0, state);
	memset(script, 0, sizeof(script));
}

/* The same for a call of a block, with a plan of so many blocks behind it. */
static void
plan_at(uint32_t index, uint32_t n)
{
	script[0] = (struct extent){ index + 1, n, false };
	demand(0, index, index, index);
}

static void
hold(uint32_t index)
{
	cache_bind(&cache, cache_take(&cache), 1 + index);
}

/* Requests have taken 10 ms; up to n blocks are cached, 0 ends them. */
static void
weigh_start_with(const uint32_t *cached, unsigned n)
{
	weigh_start(NULL);
	finish(3000, 10000);
	finish(3001, 10000);
	for (unsigned k = 0; k < n && cached[k]; k++)
		hold(cached[k]);
}

/* Of six blocks behind block 200.  The device has been busy for a tenth of the time. */
START_TEST(absent_blocks_cost_their_transfers_and_one_request)
{
	static const struct {
		uint32_t cached[5];
		int64_t	 cost, waited;
	} list[] = {
		{ { 0 }, 600, 100 },			   /* with block 200 */
		{ { 203 }, 200 + (300 + 10000) / 10, 46 }, /* 201-202 with it */
		{ { 201 }, (500 + 10000) / 10, 10 },
		{ { 200 }, (600 + 10000) / 10, 10 },
		{ { 200, 201, 204 }, (400 + 10000) / 10, 10 },
		{ { 200, 202, 204, 205 }, (300 + 10000) / 10, 10 },
		{ { 201, 202, 203, 204, 205 }, (100 + 10000) / 10, 10 },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		weigh_start_with(list[i].cached, 5);
		plan_at(200, 6);
		REQUIRE(state[1] == list[i].cost && state[7] == list[i].waited, "%zu: %d, %d", i,
		    (int)state[1], (int)state[7]);
		weigh_end();
	}
}
END_TEST

/* Cached blocks do not part pieces; what lies between the call and a window belongs to it. */
START_TEST(each_piece_of_a_plan_costs_a_request)
{
	static const struct {
		struct extent plan[4];
		uint32_t      cached[2];
		int64_t	      cost;
	} list[] = {
		{ { { 202, 1, 0 }, { 204, 1, 0 } }, { 0 }, (200 + 20000) / 10 },
		{ { { 202, 1, 0 }, { 204, 1, 0 } }, { 203 }, (200 + 10000) / 10 },
		{ { { 202, 1, 0 }, { 204, 1, 0 } }, { 203, 204 }, (100 + 10000) / 10 },
		{ { { 300, 1, 0 }, { 150, 1, 0 }, { 140, 2, 0 } }, { 0 }, (400 + 30000) / 10 },
		{ { { 201, 2, 0 }, { 300, 1, 0 } }, { 0 }, 200 + (100 + 10000) / 10 },
		{ { { 198, 5, 0 } }, { 0 }, 200 + (200 + 10000) / 10 },
		{ { { 203, 3, 0 } }, { 0 }, 500 },
		{ { { 203, 1, 0 } }, { 0 }, (100 + 10000) / 10 },
		{ { { BLOCKS - 1, 1, 0 } }, { 0 }, (100 + 10000) / 10 },
		{ { { 203, 2, 0 } }, { 201, 202 }, (200 + 10000) / 10 },
		{ { { 300, 1, 0 }, { 303, 9, 0 } }, { 0 }, (1000 + 20000) / 10 },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		weigh_start_with(list[i].cached, 2);
		memcpy(script, list[i].plan, sizeof(script));
		demand(0, 200, 200, 200);
		REQUIRE(state[1] == list[i].cost, "%zu: %d", i, (int)state[1]);
		weigh_end();
	}
}
END_TEST

/* A hole of up to 64 blocks, behind the call or of cached blocks between two pieces. */
START_TEST(holes_belong_to_a_plan_if_they_are_small)
{
	static const struct {
		uint32_t at, hole;
		int64_t	 behind, cached;
	} list[] = {
		{ BLOCKS - 64, 62, 63 * 100, (200 + 10000) / 10 },
		{ BLOCKS - 65, 63, 64 * 100, (200 + 10000) / 10 },
		{ BLOCKS - 66, 64, (100 + 10000) / 10, (200 + 10000) / 10 },
		{ BLOCKS - 67, 65, (100 + 10000) / 10, (200 + 20000) / 10 },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		uint32_t at = list[i].at, last = at + list[i].hole + 1;

		weigh_start_with(NULL, 0);
		script[0] = (struct extent){ last, 1, false };
		demand(0, at, at, at);
		REQUIRE(state[1] == list[i].behind, "%zu: %d", i, (int)state[1]);
		weigh_end();
		weigh_start_with(NULL, 0);
		for (uint32_t k = 301; k < 301 + list[i].hole; k++)
			hold(k);
		script[0] = (struct extent){ 300, 1, false };
		script[1] = (struct extent){ 301 + list[i].hole, 1, false };
		demand(0, 200, 200, 200);
		REQUIRE(state[1] == list[i].cached, "%zu: %d", i, (int)state[1]);
		weigh_end();
	}
}
END_TEST

static void
hold_with(uint32_t index, unsigned flags)
{
	hold(index);
	cache.frame[cache_find(&cache, 1 + index)].flags = (uint8_t)flags;
}

/* Of a call for blocks 199 and 200: it waits for its last block, or not. */
START_TEST(a_piece_rides_with_the_last_block_of_the_call)
{
	static const struct {
		bool	 first_held, last_held;
		unsigned flags; /* of the last */
		bool	 rides;
	} list[] = {
		{ false, false, 0, true },
		{ true, false, 0, true },
		{ false, true, 0, false }, /* the first one is absent */
		{ true, true, 0, false },
		{ true, true, FRAME_INFLIGHT, true },
		{ true, true, FRAME_INFLIGHT | FRAME_PREFETCHED, false },
		{ true, true, FRAME_PREFETCHED, false },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		weigh_start(NULL);
		finish(3000, 10000);
		finish(3001, 10000);
		if (list[i].first_held)
			hold(199);
		if (list[i].last_held)
			hold_with(200, list[i].flags);
		script[0] = (struct extent){ 201, 6, false };
		demand(0, 199, 200, 199);
		REQUIRE(state[1] == (list[i].rides ? 600 : (600 + 10000) / 10) &&
			state[7] == (list[i].rides ? 100 : 10),
		    "%zu: %d, %d", i, (int)state[1], (int)state[7]);
		weigh_end();
	}
}
END_TEST

/* The first block behind a call is used, and the other three are not. */
START_TEST(absent_blocks_save_what_is_expected_at_their_distance)
{
	for (unsigned cached = 0; cached < 2; cached++) {
		weigh_start("soon=1");
		finish(3000, 10000);
		finish(3001, 10000);
		plan_at(10, 4);
		demand(0, 11, 11, 11);
		for (uint32_t i = 0; i < 4; i++) /* the probe ends */
			demand(0, 1000 + 10 * i, 1000 + 10 * i, 1000 + 10 * i);
		if (cached)
			hold(21);
		plan_at(20, 4);
		ck_assert_int_eq(state[2], cached ? 0 : 19); /* 3/4 of a block, of 4 */
		ck_assert_int_eq(state[3], cached ? 0 : 19);
		weigh_end();
	}
}
END_TEST

/* A demand finds the cache full, and as many blocks come as it has frames. */
static void
fill_and_renew(void)
{
	cache.nused = cache.nframes;
	demand(1, 3400, 3400, 3400);
	cache.nused *= 2;
}

/* In a full cache two blocks of four are used later; a miss costs 0 if it continues a call, else 900 us. */
START_TEST(open_files_that_take_turns_continue_their_own_calls)
{
	weigh_start("soon=1,stake=1");
	finish(3000, 900);
	finish(3001, 0);
	fill_and_renew();
	plan_at(10, 4);
	for (uint32_t i = 0; i < 5; i++)
		demand(1, 1000 + 10 * i, 1000 + 10 * i, 1000 + 10 * i);
	demand(0, 11, 12, 11); /* continues */
	demand(1, 2000, 2000, 2000);
	demand(0, 11, 12, 12);
	plan_at(20, 4);
	ck_assert_int_eq(state[6], 4 * 2 * 100 / (4 * 4 + 1));
	weigh_end();
}
END_TEST

/* One of four blocks is used later, unless it has been in the cache all the time. */
START_TEST(a_hit_is_no_later_use)
{
	for (unsigned held = 0; held < 2; held++) {
		weigh_start("soon=1,stake=1");
		finish(3000, 900);
		hold(3500);
		fill_and_renew();
		plan_at(10, 4);
		for (uint32_t i = 0; i < 5; i++)
			demand(1, 1000 + 10 * i, 1000 + 10 * i, 1000 + 10 * i);
		if (held) {
			cache_vacate(&cache, cache_find(&cache, 1 + 3500));
			hold(12);
		}
		demand(0, 12, 12, 12);
		plan_at(20, 4);
		ck_assert_int_eq(state[6], held ? 0 : 4 * (100 + 900) / (4 * 4 + 1));
		weigh_end();
	}
}
END_TEST

/* Everything at once, in caches of few frames. */
START_TEST(parameters_at_their_ends_in_any_cache)
{
	static const char *const name[] = { "soon", "stake", "near", "memory", "prior" };
	uint64_t		 seed = 1;

	for (unsigned i = 0; i < 120; i++) {
		static const struct prefetcher *const inner[] = { &prefetcher_linux24,
			&prefetcher_ondemand, &eager };
		static const uint64_t		      frames[] = { 1, 2, 3, 4, 5, 6, 7, 8, 300 };
		char				      params[200] = "";
		size_t				      used = 0;

		for (unsigned k = 0; k < 5; k++)
			used += (size_t)snprintf(params + used, sizeof(params) - used, "%s%s=%u",
			    k ? "," : "", name[k], random_below(&seed, 2) ? 1 : 1u << 30);
		control(inner[i % 3], params);
		cfg.cache_blocks = frames[i % 9];
		for (unsigned k = 0; k < 60; k++) {
			uint32_t at = random_below(&seed, BLOCKS - 100);

			read_run(at, at + random_below(&seed, 6), 1 + random_below(&seed, 3));
		}
		planned();
		ck_assert_uint_eq(stats.trimmed_blocks, own("vetoed_blocks"));
		ck_assert_uint_le(own("taken_back_blocks"), stats.prefetch_wasted_blocks);
	}
}
END_TEST

START_TEST(a_trace_of_one_block)
{
	for (unsigned frames = 1; frames < 3; frames++) {
		control_with(&prefetcher_ledger, &eager, NULL, 1);
		cfg.cache_blocks = frames;
		read_run(0, 0, 1);
		read_run(0, 0, 1);
		ck_assert_str_eq(planned(), "");
		counted(1, 0, 0);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("ledger");

	tcase_add_test(tests, a_sequential_process_is_passed_soon);
	tcase_add_test(tests, what_is_ahead_already_does_not_pay_for_a_request);
	tcase_add_test(tests, useless_plans_of_a_random_process_are_vetoed_after_a_while);
	tcase_add_test(tests, a_process_that_becomes_sequential_is_passed_again);
	tcase_add_test(tests, on_a_device_that_takes_no_time_no_plan_saves_any);
	tcase_add_test(tests, blocks_of_the_call_are_never_vetoed);
	tcase_add_test(tests, the_demanded_block_stays_in_a_plan_that_begins_with_it);
	tcase_add_test(tests, blocks_behind_the_file_are_not_planned_and_not_counted);
	tcase_add_test(tests, a_plan_of_cached_blocks_is_not_weighed);
	tcase_add_test(tests, pieces_pass_as_they_are_planned);
	tcase_add_test(tests, blocks_before_the_call_pass_too);
	tcase_add_test(tests, blocks_before_the_call_are_counted_when_vetoed);
	tcase_add_test(tests, a_second_demand_of_a_block_is_not_learned);
	tcase_add_test(tests, what_is_vetoed_and_read_later_is_regretted);
	tcase_add_test(tests, unused_blocks_leave_first);
	tcase_add_test(tests, what_the_inner_prefetcher_wants_to_know_is_passed_on);
	tcase_add_test(tests, advice_passes);
	tcase_add_test(tests, a_controller_of_none_changes_nothing);
	tcase_add_test(tests, each_verdict_is_noted);
	tcase_add_test(tests, its_state_is_the_last_verdict_and_the_prices);
	tcase_add_test(tests, absent_blocks_cost_their_transfers_and_one_request);
	tcase_add_test(tests, each_piece_of_a_plan_costs_a_request);
	tcase_add_test(tests, holes_belong_to_a_plan_if_they_are_small);
	tcase_add_test(tests, a_piece_rides_with_the_last_block_of_the_call);
	tcase_add_test(tests, absent_blocks_save_what_is_expected_at_their_distance);
	tcase_add_test(tests, open_files_that_take_turns_continue_their_own_calls);
	tcase_add_test(tests, a_hit_is_no_later_use);
	tcase_add_test(tests, parameters_at_their_ends_in_any_cache);
	tcase_add_test(tests, a_trace_of_one_block);
	tcase_add_test(tests, what_is_read_ahead_while_the_device_is_idle_costs_little);
	return run_tests("ledger", tests);
}
