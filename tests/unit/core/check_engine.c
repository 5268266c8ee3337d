/* check_sim.c - the whole path, on traces small enough to work by hand. */
#include "sim/core/engine/engine.h"
#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none, prefetcher_ondemand;
extern const struct scheduler  scheduler_fifo, scheduler_scan;
extern const struct device     device_fixed, device_null;

enum { BLOCK = DRAFT_BLOCK_BYTES, FILE_BLOCKS = 64 };

/* ---- a trace in memory: two processes, each with a file of its own ---- */

static struct draft draft;

static void
draft_two_files(uint32_t file_blocks)
{
	draft_start(&draft);
	for (uint32_t i = 0; i < 2; i++)
		draft_open(&draft, draft_file(&draft, 100 + i, file_blocks), i);
	draft.trace.nprocesses = 1;
}

/* Process p calls at that time for so many blocks of its own file. */
static void
call(usec_t time, uint32_t p, uint32_t block, uint32_t count, bool write)
{
	draft_call(&draft, time, p, (uint64_t)block * BLOCK, count * BLOCK, write);
	if (p >= draft.trace.nprocesses)
		draft.trace.nprocesses = p + 1;
}

/* ---- the prefetcher of the worked example: on a miss, the next two blocks ---- */

static void
two_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->how == REF_MISS)
		plan_add(plan, d->index + 1, 2);
}

static const struct prefetcher two = {
	.plugin = { .name = "two", .summary = "test: two blocks on a miss" },
	.access = two_access,
};

/* ---- running ---- */

static struct config cfg;
static struct error  error;

static void
setup(void)
{
	config_defaults(&cfg);
	cfg.cache_blocks = 8;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin; /* 10 ms a request and 100 us a block */
	cfg.device.params = "latency=10ms,rate=40960000";
	draft_two_files(FILE_BLOCKS);
}

static struct stats
run(void)
{
	struct stats  st;
	struct engine s;

	ck_assert_msg(!engine_init(&s, &cfg, &draft.trace, &error), "%s", error.text);
	ck_assert_msg(!engine_run(&s, &error), "%s", error.text);
	st = s.stats;
	engine_release(&s);
	return st;
}

/* ---- one process ---- */

static void
four_reads(void)
{
	draft_two_files(10);
	for (uint32_t i = 0; i < 4; i++)
		call(3000 * (i + 1), 0, i, 1, false);
	draft.access[0].time = 3000;
}

START_TEST(worked_example_without_prefetching)
{
	four_reads();
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 52400);
	ck_assert_uint_eq(st.think_us, 12000);
	ck_assert_uint_eq(st.stall_miss_us, 40400);
	ck_assert_uint_eq(st.stall_us, 40400);
	ck_assert_uint_eq(st.misses, 4);
	ck_assert_uint_eq(st.prefetched_blocks, 0);
	ck_assert_uint_eq(st.demand_size_1_requests, 4);
	ck_assert_uint_eq(st.device_busy_us, 40400);
	ck_assert_uint_eq(st.device_idle_us, 12000);
	ck_assert_uint_eq(st.drain_us, 0);
}
END_TEST

START_TEST(worked_example_with_whole_requests)
{
	four_reads();
	cfg.prefetcher.plugin = &two.plugin;
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 32600);
	ck_assert_uint_eq(st.stall_miss_us, 20200);
	ck_assert_uint_eq(st.stall_ride_us, 400);
	ck_assert_uint_eq(st.misses, 2);
	ck_assert_uint_eq(st.first_hits, 2);
	ck_assert_uint_eq(st.prefetched_blocks, 4);
	ck_assert_uint_eq(st.prefetch_used_blocks, 2);
	ck_assert_uint_eq(st.prefetch_unused_blocks, 2);
	ck_assert_uint_eq(st.prefetch_inflight_blocks, 0);
	ck_assert_uint_eq(st.demand_size_3_requests, 2);
	ck_assert_uint_eq(st.ride_along_blocks, 4);
	ck_assert_uint_eq(st.device_busy_us, 20600);
	ck_assert_uint_eq(st.device_idle_us, 12000);
	ck_assert_uint_eq(st.drain_us, 0);
}
END_TEST

START_TEST(worked_example_buffer_by_buffer)
{
	four_reads();
	cfg.prefetcher.plugin = &two.plugin;
	cfg.complete = COMPLETE_BUFFER;
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 32200);
	ck_assert_uint_eq(st.stall_miss_us, 20200);
	ck_assert_uint_eq(st.stall_ride_us, 0);
	ck_assert_uint_eq(st.prefetch_used_blocks, 2);
	ck_assert_uint_eq(st.prefetch_unused_blocks, 0);
	ck_assert_uint_eq(st.prefetch_inflight_blocks, 2);
	ck_assert_uint_eq(st.device_busy_us, 20400);
	ck_assert_uint_eq(st.device_idle_us, 11800);
	ck_assert_uint_eq(st.drain_us, 200);
}
END_TEST

START_TEST(a_call_is_one_request_or_one_per_block)
{
	call(0, 0, 0, 4, false);
	struct stats whole = run();

	ck_assert_uint_eq(whole.read_requests, 1);
	ck_assert_uint_eq(whole.merges, 3);
	ck_assert_uint_eq(whole.elapsed_us, 10400);
	cfg.wait = WAIT_BLOCK;
	struct stats single = run();

	ck_assert_uint_eq(single.read_requests, 4);
	ck_assert_uint_eq(single.elapsed_us, 40400);
	ck_assert_uint_eq(single.misses, whole.misses);
}
END_TEST

START_TEST(a_request_is_no_longer_than_its_limit)
{
	cfg.request_blocks = 3;
	cfg.cache_blocks = 16;
	call(0, 0, 0, 8, false);
	struct stats st = run();

	ck_assert_uint_eq(st.read_requests, 3);
	ck_assert_uint_eq(st.size_3_requests, 2);
	ck_assert_uint_eq(st.size_2_requests, 1);
}
END_TEST

START_TEST(planned_blocks_of_the_call_are_demand)
{
	cfg.prefetcher.plugin = &two.plugin;
	call(0, 0, 0, 2, false);
	struct stats st = run();

	ck_assert_uint_eq(st.misses, 2);
	ck_assert_uint_eq(st.references, 2);
	ck_assert_uint_eq(st.prefetch_demand_blocks, 1);
	/* block 1, planned by block 0, is a miss itself and plans 2 (there already) and 3 */
	ck_assert_uint_eq(st.prefetch_resident_blocks, 1);
	ck_assert_uint_eq(st.prefetched_blocks, 2);
	ck_assert_uint_eq(st.read_requests, 1);
}
END_TEST

START_TEST(a_late_hit_waits_and_promotes)
{
	cfg.prefetcher.plugin = &two.plugin;
	cfg.request_blocks = 1;
	call(0, 0, 0, 1, false);
	call(100, 0, 2, 1, false); /* still being read */
	struct stats st = run();

	ck_assert_uint_eq(st.late_hits, 1);
	ck_assert_uint_eq(st.prefetch_late_blocks, 1);
	ck_assert_uint_eq(st.promoted_requests, 1);
	/* 0 at 10,100; asked for at 10,200; 1 at 20,200; 2 at 30,300 */
	ck_assert_uint_eq(st.stall_late_us, 20100);
	ck_assert_uint_eq(st.late_service_us, 10100);
	ck_assert_uint_eq(st.late_queue_us, 10000);
	ck_assert_uint_eq(st.elapsed_us, 30300);
}
END_TEST

START_TEST(demand_queues_behind_prefetches)
{
	cfg.prefetcher.plugin = &two.plugin;
	cfg.request_blocks = 1;
	call(0, 0, 0, 1, false);
	call(100, 0, 9, 1, false);
	struct stats st = run();

	/* 9 is asked for at 10,200 while 1 is read until 20,200, then 2 until 30,300 */
	ck_assert_uint_eq(st.stall_prefetch_queue_us, 20100);
	ck_assert_uint_eq(st.stall_miss_us, 10100 + 10100);
}
END_TEST

static block_t served[8];
static size_t  nserved;

static void
see_service(void *ctx, const struct event *e)
{
	served[nserved++] = e->block;
}

START_TEST(the_elevator_takes_the_nearest_ahead_first_come_does_not)
{
	draft_open(&draft, 0, 2);
	call(0, 0, 0, 1, false);
	call(1, 1, 0, 1, false);
	call(2, 2, 9, 1, false); /* nearer to the head than process 1's, but later */
	cfg.replay = REPLAY_PROCESS;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_IO_START, .see = see_service };
	run();
	cfg.scheduler.plugin = &scheduler_scan.plugin;
	run();
	ck_assert_uint_eq(nserved, 6);
	ck_assert_uint_eq(served[1], 1 + FILE_BLOCKS);
	ck_assert_uint_eq(served[2], 1 + 9);
	ck_assert_uint_eq(served[4], 1 + 9);
	ck_assert_uint_eq(served[5], 1 + FILE_BLOCKS);
}
END_TEST

START_TEST(a_call_larger_than_the_cache_waits_for_frames)
{
	cfg.cache_blocks = 4;
	call(0, 0, 0, 10, false);
	struct stats st = run();

	ck_assert_uint_eq(st.misses, 10);
	ck_assert_uint_eq(st.evictions, 6);
	ck_assert_uint_gt(st.stall_frame_us, 0);
	ck_assert_uint_eq(st.stall_us, st.elapsed_us);
}
END_TEST

START_TEST(think_time_scales)
{
	four_reads();
	cfg.think_scale = 0.5;
	ck_assert_uint_eq(run().think_us, 6000);
	cfg.think_scale = 0;
	ck_assert_uint_eq(run().elapsed_us, 40400);
}
END_TEST

START_TEST(warm_up_is_left_out)
{
	four_reads();
	call(15000, 0, 3, 1, false);
	cfg.warmup_calls = 4;
	struct stats st = run();

	ck_assert_uint_eq(st.references, 1);
	ck_assert_uint_eq(st.hits, 1);
	ck_assert_uint_eq(st.elapsed_us, 3000);
	ck_assert_uint_eq(st.device_busy_us, 0);
	cfg.warmup_calls = 5;
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
	ck_assert_str_eq(error.text, "a warm-up of 5 calls leaves nothing of the trace's 5");
}
END_TEST

/* ---- writes ---- */

START_TEST(a_dirty_block_is_written_when_evicted)
{
	cfg.cache_blocks = 1;
	call(0, 0, 0, 1, true);
	call(100, 0, 1, 1, false);
	struct stats st = run();

	ck_assert_uint_eq(st.write_misses, 1);
	ck_assert_uint_eq(st.evicted_dirty, 1);
	ck_assert_uint_eq(st.written_blocks, 1);
	ck_assert_uint_eq(st.read_blocks, 1);
	ck_assert_uint_eq(st.stall_write_queue_us, 10100);
	ck_assert_uint_eq(st.elapsed_us, 100 + 10100 + 10100);
}
END_TEST

START_TEST(an_old_dirty_block_is_flushed)
{
	call(0, 0, 0, 2, true);
	call(29000000, 0, 0, 1, true); /* already dirty: its age counts from the first write */
	call(36000000, 0, 5, 1, false);
	struct stats st = run();

	ck_assert_uint_eq(st.written_blocks, 2);
	ck_assert_uint_eq(st.write_requests, 1);
	ck_assert_uint_eq(st.evicted_dirty, 0);
	cfg.flush_age_us = 60 * 1000000;
	ck_assert_uint_eq(run().written_blocks, 0);
}
END_TEST

START_TEST(a_flush_that_finds_the_queue_full_goes_on_after_the_next_completion)
{
	cfg.cache_blocks = 64;
	cfg.queue_requests = 4;
	cfg.flush_interval_us = cfg.flush_age_us = 1000000;
	for (uint32_t i = 0; i < 30; i++)
		call(0, 0, 2 * i, 1, true);
	call(10000000, 0, 1, 1, false);
	ck_assert_uint_eq(run().written_blocks, 30);
}
END_TEST

/*
 * Recorded on Linux 6.18: with read_ahead_kb 128 and nr_requests 4, the last
 * call reads blocks 0 and 1, 3, 5 to 31.
 */
static struct stats
run_window_with_gaps(const char *params)
{
	cfg.cache_blocks = 64;
	cfg.queue_requests = 4;
	cfg.wait = WAIT_BLOCK;
	cfg.prefetcher = (struct choice){ .plugin = &prefetcher_ondemand.plugin, .params = params };
	for (uint32_t i = 15; i; i--)
		call(0, 0, 2 * i, 1, false);
	call(0, 0, 0, 16, false);
	return run();
}

START_TEST(a_window_waits_for_free_requests)
{
	struct stats st = run_window_with_gaps("version=6.18");

	ck_assert_uint_eq(st.read_blocks, 32);
	ck_assert_uint_eq(st.prefetch_dropped_blocks, 0);
	ck_assert_uint_eq(st.read_requests, 31);
	ck_assert_uint_eq(st.blocked_requests, 12);
	ck_assert_uint_eq(st.references, 31);
}
END_TEST

START_TEST(earlier_kernels_leave_out_what_finds_no_free_request)
{
	struct stats st = run_window_with_gaps("version=6.8");

	ck_assert_uint_ne(st.prefetch_dropped_blocks, 0);
	ck_assert_uint_lt(st.read_blocks, 32);
}
END_TEST

/*
 * On a miss the other blocks up to 31, with a mark on the missing one; when it
 * meets the mark, the even ones of 40 to 49.
 */
static void
marks_access(void *self, const struct demand *d, struct plan *plan)
{
	plan->waits = true;
	if (d->how == REF_MISS && !d->again && d->index == 0) {
		plan_add(plan, 0, 32);
		plan_mark(plan, 0, 1);
	} else if (d->again) {
		ck_assert_int_eq(d->how, REF_MISS);
		ck_assert(d->marked && !d->absent);
		for (uint32_t i = 40; i < 50; i += 2)
			plan_add(plan, i, 1);
	}
}

static const struct prefetcher marks = {
	.plugin = { .name = "marks", .summary = "test: marks what it misses" },
	.access = marks_access,
};

START_TEST(the_second_plan_of_a_block_waits_for_the_end_of_the_first)
{
	cfg.cache_blocks = 64;
	cfg.queue_requests = 4;
	cfg.prefetcher.plugin = &marks.plugin;
	for (uint32_t i = 15; i; i--)
		call(0, 0, 2 * i, 1, false);
	call(0, 0, 0, 1, false);
	call(0, 1, 31, 1, false); /* the other process has a file of its own */
	struct stats st = run();

	ck_assert_uint_eq(st.prefetch_dropped_blocks, 0);
	ck_assert_uint_eq(st.planned_blocks, 31 + 5);
	ck_assert_uint_eq(st.read_blocks, 32 + 5 + 1);
	cfg.replay = REPLAY_PROCESS;
	ck_assert_uint_eq(run().read_blocks, 32 + 5 + 1);
}
END_TEST

START_TEST(write_through_waits_for_the_disk)
{
	cfg.writes = WRITES_THROUGH;
	call(0, 0, 0, 2, true);
	call(0, 0, 0, 1, false);
	struct stats st = run();

	ck_assert_uint_eq(st.stall_write_us, 10200);
	ck_assert_uint_eq(st.stall_us, 10200);
	ck_assert_uint_eq(st.hits, 1);
	ck_assert_uint_eq(st.write_requests, 1);
}
END_TEST

/* The first request has begun when the others write; the second has the data of both. */
START_TEST(each_process_waits_for_a_write_that_has_its_data)
{
	draft_start(&draft);
	draft_file(&draft, 100, FILE_BLOCKS);
	for (uint32_t i = 0; i < 3; i++)
		draft_call(&draft, i ? 4000 + i * 1000 : 0, draft_open(&draft, 0, i), 0, BLOCK,
		    true);
	cfg.writes = WRITES_THROUGH;
	cfg.replay = REPLAY_PROCESS;
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 20200);
	ck_assert_uint_eq(st.stall_write_us, 10100 + (20200 - 5000) + (20200 - 6000));
	ck_assert_uint_eq(st.write_requests, 3);
}
END_TEST

START_TEST(accusim_writes_are_sent_at_a_miss_and_waited_for_by_nobody)
{
	cfg.writes = WRITES_ACCUSIM;
	call(0, 0, 0, 2, true);
	call(0, 0, 0, 2, true);	    /* in flight: waits for the first */
	call(50000, 0, 0, 2, true); /* a hit costs nothing */
	struct stats st = run();

	ck_assert_uint_eq(st.write_requests, 1);
	ck_assert_uint_eq(st.delayed_hits, 2);
	ck_assert_uint_eq(st.stall_delayed_us, 10200);
	ck_assert_uint_eq(st.hits, 2);
	ck_assert_uint_eq(st.elapsed_us, 10200 + 50000);
}
END_TEST

/* ---- several processes ---- */

START_TEST(stalls_of_processes_overlap)
{
	for (uint32_t i = 0; i < 4; i++) {
		call(1000 * i, 0, i, 1, false);
		call(1000 * i, 1, i, 1, false);
	}
	cfg.device.plugin = &device_null.plugin;
	cfg.device.params = NULL;
	cfg.replay = REPLAY_PROCESS;
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 3000);
	ck_assert_uint_eq(st.think_us, 6000);
	cfg.replay = REPLAY_SERIAL;
	ck_assert_uint_eq(run().think_us, 3000);
}
END_TEST

START_TEST(a_process_queues_behind_another)
{
	call(0, 0, 0, 1, false);
	call(0, 1, 30, 1, false);
	cfg.replay = REPLAY_PROCESS;
	struct stats st = run();

	ck_assert_uint_eq(st.elapsed_us, 20200);
	ck_assert_uint_eq(st.stall_miss_us, 20200);
	ck_assert_uint_eq(st.stall_demand_queue_us, 10100);
	ck_assert_uint_eq(st.stall_us, 30300);
}
END_TEST

START_TEST(two_processes_share_one_read)
{
	call(0, 0, 0, 1, false);
	call(100, 1, 0, 1, false);
	draft.open[1].file = 0;
	cfg.replay = REPLAY_PROCESS;
	struct stats st = run();

	ck_assert_uint_eq(st.read_requests, 1);
	ck_assert_uint_eq(st.delayed_hits, 1);
	ck_assert_uint_eq(st.stall_delayed_us, 10000);
}
END_TEST

START_TEST(room_is_given_to_whoever_has_waited_longest)
{
	draft_open(&draft, 0, 2);
	cfg.cache_blocks = 1;
	cfg.replay = REPLAY_PROCESS;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_IO_START, .see = see_service };
	call(0, 0, 0, 1, false);
	call(0, 0, 1, 1, false); /* asked for when block 0 has come, after the others */
	call(1, 1, 0, 1, false);
	call(2, 2, 9, 1, false);
	struct stats st = run();

	ck_assert_uint_eq(nserved, 4);
	ck_assert_uint_eq(served[1], 1 + FILE_BLOCKS);
	ck_assert_uint_eq(served[2], 1 + 9);
	ck_assert_uint_eq(served[3], 1 + 1);
	ck_assert_uint_eq(st.stall_frame_us, 10099 + 20198 + 20200);
}
END_TEST

enum { CROWD = 5000, CROWD_CALLS = 20 };

/* Would each completion wake them all, this test would run into its time limit. */
START_TEST(five_thousand_processes_share_a_small_cache)
{
	static struct access	access[CROWD * CROWD_CALLS];
	static struct open_file open[CROWD];
	static struct traced	process[CROWD];
	uint64_t		seed = 1;

	draft.trace.access = access;
	draft.trace.open = open;
	draft.trace.process = process;
	draft.trace.nopen = draft.trace.nprocesses = CROWD;
	for (uint32_t i = 0; i < CROWD; i++)
		open[i] = (struct open_file){ .file = i % 2, .process = i };
	for (uint32_t i = 0; i < CROWD * CROWD_CALLS; i++) {
		uint64_t offset = (uint64_t)random_below(&seed, FILE_BLOCKS) * BLOCK;

		access[i] = (struct access){ .time = i,
			.offset = offset,
			.length = BLOCK,
			.file_size = FILE_BLOCKS * BLOCK,
			.open = (i % CROWD) & OPENS_MAX };
	}
	draft.trace.naccess = draft.trace.reads = CROWD * CROWD_CALLS;
	cfg.replay = REPLAY_PROCESS;
	struct stats st = run();

	ck_assert_uint_eq(st.references, CROWD * CROWD_CALLS);
	ck_assert_uint_eq(st.references, st.hits + st.delayed_hits + st.misses);
}
END_TEST

/* ---- what is seen ---- */

static char   seen[64];
static size_t nseen;

static void
see(void *ctx, const struct event *e)
{
	static const char letter[EVENT_KINDS] = {
		[EVENT_CALL] = '(',
		[EVENT_HIT] = 'h',
		[EVENT_FIRST_HIT] = 'f',
		[EVENT_LATE] = 'l',
		[EVENT_DELAYED] = 'j',
		[EVENT_MISS] = 'm',
		[EVENT_PREFETCH] = 'p',
		[EVENT_PLAN] = '?',
		[EVENT_OUTCOME] = 'o',
		[EVENT_EVICT] = 'e',
		[EVENT_FILL] = '#',
		[EVENT_IO_START] = 's',
		[EVENT_IO_DONE] = 'd',
		[EVENT_CALL_DONE] = ')',
		[EVENT_WAIT] = 'w',
		[EVENT_MERGE] = '+',
		[EVENT_PLUG] = '[',
		[EVENT_UNPLUG] = ']',
	};

	seen[nseen++] = letter[e->kind];
}

START_TEST(an_observer_sees_every_step_in_order)
{
	four_reads();
	cfg.prefetcher.plugin = &two.plugin;
	cfg.observer = (struct observer){ .mask = (1u << EVENT_KINDS) - 1, .see = see };
	run();
	ck_assert_str_eq(seen, "(m#?#+p#+pswd)(fo?)(fo?)(m#?#+p#+pswd)");
}
END_TEST

START_TEST(impossible_settings_are_refused)
{
	struct stats st;

	call(0, 0, 0, 1, false);
	cfg.cache_blocks = (uint64_t)1 << 32;
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
	cfg.cache_blocks = 8;
	cfg.device.params = "latency=soon";
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
}
END_TEST

/* ---- hooks of controllers ---- */

static struct finished finished[16];
static unsigned	       nfinished;

static void
listen_finished(void *self, const struct finished *f)
{
	ck_assert_uint_lt(nfinished, 16);
	finished[nfinished++] = *f;
}

static const struct prefetcher listening = {
	.plugin = { .name = "listening", .summary = "test: two blocks on a miss, and requests" },
	.access = two_access,
	.finished = listen_finished,
};

static void
finished_is(unsigned n, const struct finished *f)
{
	const struct finished *g = &finished[n];

	ck_assert_uint_eq(g->block, f->block);
	ck_assert_uint_eq(g->count, f->count);
	ck_assert_uint_eq(g->write, f->write);
	ck_assert_uint_eq(g->demand, f->demand);
	ck_assert_int_eq(g->queued, f->queued);
	ck_assert_int_eq(g->started, f->started);
	ck_assert_int_eq(g->done, f->done);
	ck_assert_int_eq(g->transfer, f->transfer);
}

START_TEST(each_request_that_is_finished_is_reported_once)
{
	for (unsigned complete = 0; complete < 2; complete++) {
		struct stats st;

		setup();
		cfg.prefetcher.plugin = &listening.plugin;
		cfg.complete = complete;
		cfg.request_blocks = 2;
		cfg.writes = WRITES_THROUGH;
		nfinished = 0;
		call(0, 0, 10, 1, false); /* with 11; then 12 */
		call(100, 0, 30, 1, true);
		st = run();
		ck_assert_uint_eq(nfinished, 3);
		ck_assert_uint_eq(nfinished, st.read_requests + st.write_requests);
		finished_is(0, &(struct finished){ 11, 2, false, true, 0, 0, 10200, 200 });
		finished_is(1, &(struct finished){ 13, 1, false, false, 0, 10200, 20300, 100 });
		finished_is(2,
		    &(struct finished){ 31, 1, true, false, complete ? 10200 : 10300, 20300, 30400,
			100 });
	}
}
END_TEST

/* What ends after the last call is reported, too. */
START_TEST(requests_are_reported_until_the_device_is_idle)
{
	struct stats st;

	cfg.prefetcher.plugin = &listening.plugin;
	cfg.request_blocks = 1;
	nfinished = 0;
	call(0, 0, 10, 1, false);
	st = run();
	ck_assert_uint_eq(st.elapsed_us, 10100);
	ck_assert_uint_eq(nfinished, 3);
	finished_is(2, &(struct finished){ 13, 1, false, false, 0, 20200, 30300, 100 });
}
END_TEST

static block_t	sparable;
static unsigned spare_asked;
static block_t	evicted_blocks[16];
static unsigned nevicted;

static block_t
spare_one(void *self, const struct cache *c)
{
	block_t b = sparable;

	spare_asked++;
	ck_assert_uint_eq(c->nused, c->nframes);
	sparable = 0;
	return b;
}

static void
see_evicted(void *ctx, const struct event *e)
{
	ck_assert_uint_lt(nevicted, 16);
	evicted_blocks[nevicted++] = e->block;
}

static unsigned told_evicted, told_by_prefetch, told_used, told_wasted;

static void
tell_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	told_evicted++;
	told_by_prefetch += by_prefetch;
	told_used += used;
}

static void
tell_outcome(void *self, block_t b, enum outcome how)
{
	told_wasted += how == PREFETCH_WASTED;
}

static const struct prefetcher sparing = {
	.plugin = { .name = "sparing", .summary = "test: two blocks on a miss, one to spare" },
	.access = two_access,
	.evicted = tell_evicted,
	.outcome = tell_outcome,
	.spare = spare_one,
};

static void
start_sparing(uint64_t frames)
{
	cfg.prefetcher.plugin = &sparing.plugin;
	cfg.cache_blocks = frames;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_EVICT, .see = see_evicted };
	spare_asked = nevicted = told_evicted = told_by_prefetch = told_used = told_wasted = 0;
}

START_TEST(a_full_cache_evicts_the_block_that_can_be_spared)
{
	struct stats st;

	start_sparing(7);
	sparable = 1 + 12;
	call(0, 0, 10, 1, false); /* with 11 and 12 */
	call(50000, 0, 20, 1, false);
	call(100000, 0, 30, 1, false); /* 30 in the last frame; 31, 32 */
	st = run();
	ck_assert_uint_eq(spare_asked, 2);
	ck_assert_uint_eq(nevicted, 2);
	ck_assert_uint_eq(evicted_blocks[0], 1 + 12);
	ck_assert_uint_eq(evicted_blocks[1], 1 + 10); /* as LRU says */
	ck_assert_uint_eq(st.evictions, 2);
	ck_assert_uint_eq(st.prefetch_wasted_blocks, 1);
	ck_assert_uint_eq(told_evicted, 2);
	ck_assert_uint_eq(told_by_prefetch, 2);
	ck_assert_uint_eq(told_used, 1);
	ck_assert_uint_eq(told_wasted, 1);
}
END_TEST

/* 20 takes the place of 10, which was demanded; 21 and 22 those of 11 and 12, which were not. */
START_TEST(an_eviction_tells_for_what_it_was_and_whether_the_block_was_used)
{
	start_sparing(3);
	call(0, 0, 10, 1, false);
	call(50000, 0, 20, 1, false);
	run();
	ck_assert_uint_eq(told_evicted, 3);
	ck_assert_uint_eq(told_by_prefetch, 2);
	ck_assert_uint_eq(told_used, 1);
}
END_TEST

START_TEST(with_free_frames_nothing_need_be_spared)
{
	start_sparing(9);
	for (uint32_t i = 1; i <= 3; i++)
		call(50000 * i, 0, 10 * i, 1, false);
	run();
	ck_assert_uint_eq(spare_asked, 0);
	ck_assert_uint_eq(nevicted, 0);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("engine");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, worked_example_without_prefetching);
	tcase_add_test(tests, worked_example_with_whole_requests);
	tcase_add_test(tests, worked_example_buffer_by_buffer);
	tcase_add_test(tests, a_call_is_one_request_or_one_per_block);
	tcase_add_test(tests, a_request_is_no_longer_than_its_limit);
	tcase_add_test(tests, planned_blocks_of_the_call_are_demand);
	tcase_add_test(tests, a_late_hit_waits_and_promotes);
	tcase_add_test(tests, demand_queues_behind_prefetches);
	tcase_add_test(tests, the_elevator_takes_the_nearest_ahead_first_come_does_not);
	tcase_add_test(tests, a_call_larger_than_the_cache_waits_for_frames);
	tcase_add_test(tests, think_time_scales);
	tcase_add_test(tests, warm_up_is_left_out);
	tcase_add_test(tests, a_dirty_block_is_written_when_evicted);
	tcase_add_test(tests, an_old_dirty_block_is_flushed);
	tcase_add_test(tests, a_flush_that_finds_the_queue_full_goes_on_after_the_next_completion);
	tcase_add_test(tests, a_window_waits_for_free_requests);
	tcase_add_test(tests, earlier_kernels_leave_out_what_finds_no_free_request);
	tcase_add_test(tests, the_second_plan_of_a_block_waits_for_the_end_of_the_first);
	tcase_add_test(tests, write_through_waits_for_the_disk);
	tcase_add_test(tests, each_process_waits_for_a_write_that_has_its_data);
	tcase_add_test(tests, accusim_writes_are_sent_at_a_miss_and_waited_for_by_nobody);
	tcase_add_test(tests, stalls_of_processes_overlap);
	tcase_add_test(tests, a_process_queues_behind_another);
	tcase_add_test(tests, two_processes_share_one_read);
	tcase_add_test(tests, room_is_given_to_whoever_has_waited_longest);
	tcase_add_test(tests, five_thousand_processes_share_a_small_cache);
	tcase_add_test(tests, an_observer_sees_every_step_in_order);
	tcase_add_test(tests, impossible_settings_are_refused);
	tcase_add_test(tests, each_request_that_is_finished_is_reported_once);
	tcase_add_test(tests, requests_are_reported_until_the_device_is_idle);
	tcase_add_test(tests, a_full_cache_evicts_the_block_that_can_be_spared);
	tcase_add_test(tests, an_eviction_tells_for_what_it_was_and_whether_the_block_was_used);
	tcase_add_test(tests, with_free_frames_nothing_need_be_spared);
	return run_tests("engine", tests);
}
