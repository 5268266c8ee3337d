/* check_plugging.c - what waits behind a plug, and who pulls it. */
#include <string.h>

#include "sim/core/engine/engine.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct scheduler  scheduler_fifo, scheduler_linus, scheduler_noop;
extern const struct device     device_fixed;
extern const struct prefetcher prefetcher_none;

static struct draft  draft;
static struct config cfg;

/* ---- a prefetcher that reads ahead on a hit: no process waits for it ---- */

/* On a miss the next two blocks; on the first hit of such a block the fourth. */
static void
later_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->how == REF_MISS)
		plan_add(plan, d->index + 1, 2);
	else if (d->how == REF_FIRST_HIT)
		plan_add(plan, d->index + 4, 1);
}

static const struct prefetcher later = {
	.plugin = { .name = "later", .summary = "test: the fourth block on a hit" },
	.access = later_access,
};

/* ---- running ---- */

static void
setup(void)
{
	config_defaults(&cfg);
	cfg.cache_blocks = 64;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &later.plugin;
	cfg.scheduler.plugin = &scheduler_linus.plugin;
	cfg.device.plugin = &device_fixed.plugin; /* 10 ms a request and 100 us a block */
	cfg.device.params = "latency=10ms,rate=40960000";
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 100), 0);
	draft_open(&draft, draft_file(&draft, 2, 100), 0);
}

static void
call(usec_t time, uint32_t first, uint32_t count)
{
	draft_blocks(&draft, time, 0, first, count, false);
}

static char   seen[64]; /* [ plugged, ] unplugged, s started */
static usec_t when[64];
static size_t nseen;

static void
see(void *ctx, const struct event *e)
{
	ck_assert_uint_lt(nseen, sizeof(seen) - 1);
	when[nseen] = e->when;
	seen[nseen++] = e->kind == EVENT_PLUG ? '[' : e->kind == EVENT_UNPLUG ? ']' : 's';
}

static struct stats
run(void)
{
	struct error  e;
	struct stats  st;
	struct engine s;

	nseen = 0;
	memset(seen, 0, sizeof(seen));
	cfg.observer = (struct observer){
		.mask = 1u << EVENT_PLUG | 1u << EVENT_UNPLUG | 1u << EVENT_IO_START,
		.see = see,
	};
	ck_assert_msg(!engine_init(&s, &cfg, &draft.trace, &e), "%s", e.text);
	ck_assert_msg(!engine_run(&s, &e), "%s", e.text);
	st = s.stats;
	engine_release(&s);
	return st;
}

/* ---- a single process ---- */

/* Block 1 hits at 11,200 and 5 is read ahead; the process references 5 at 14,200. */
static void
three_reads(void)
{
	call(0, 0, 1);
	call(900, 1, 1);
	call(3900, 5, 1);
}

START_TEST(what_nobody_waits_for_starts_when_the_reader_sleeps)
{
	struct stats st;

	three_reads();
	st = run();
	ck_assert_str_eq(seen, "[]s[]s");
	ck_assert_int_eq(when[0], 0);
	ck_assert_int_eq(when[1], 0);
	ck_assert_int_eq(when[3], 11200);
	ck_assert_int_eq(when[4], 14200);
	ck_assert_int_eq(when[5], 14200);
	ck_assert_uint_eq(st.stall_late_us, 10100);
	ck_assert_uint_eq(st.elapsed_us, 14200 + 10100);
}
END_TEST

START_TEST(a_scheduler_that_does_not_plug_starts_it_at_once)
{
	struct stats st;

	three_reads();
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	st = run();
	ck_assert_str_eq(seen, "ss");
	ck_assert_int_eq(when[1], 11200);
	ck_assert_uint_eq(st.elapsed_us, 11200 + 10100);
}
END_TEST

START_TEST(noop_plugs_as_well)
{
	three_reads();
	cfg.scheduler.plugin = &scheduler_noop.plugin;
	ck_assert_uint_eq(run().elapsed_us, 14200 + 10100);
}
END_TEST

START_TEST(the_tick_of_the_flush_daemon_pulls_the_plug_also_when_nothing_is_dirty)
{
	struct stats st;

	call(0, 0, 1);
	call(900, 1, 1);
	call(7000000, 5, 1);
	st = run();
	ck_assert_str_eq(seen, "[]s[]s[]s"); /* the last one is after the end */
	ck_assert_int_eq(when[4], 5000000);
	ck_assert_int_eq(when[5], 5000000);
	ck_assert_uint_eq(st.first_hits, 2);
	cfg.flush_interval_us = 60 * 1000000;
	st = run();
	ck_assert_str_eq(seen, "[]s[]s");
	ck_assert_int_eq(when[4], 7010300);
	ck_assert_uint_eq(st.late_hits, 1);
}
END_TEST

START_TEST(every_plug_is_pulled_by_the_tick_after_it)
{
	call(0, 0, 1);
	for (uint32_t i = 0; i < 4; i++)
		call(10000000 * (usec_t)(i + 1) - 2000000, 1 + 4 * i, 1);
	run();
	ck_assert_str_eq(seen, "[]s[]s[]s[]s[]s");
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(when[3 * i + 4], 10000000 * (usec_t)(i + 1));
}
END_TEST

START_TEST(at_the_end_what_is_plugged_is_served_and_not_counted_as_elapsed)
{
	struct stats st;

	call(0, 0, 1);
	call(900, 1, 1);
	st = run();
	ck_assert_uint_eq(st.elapsed_us, 11200);
	ck_assert_uint_eq(st.drain_us, 10100);
	ck_assert_uint_eq(st.prefetch_inflight_blocks, 1);
	ck_assert_str_eq(seen, "[]s[]s");
}
END_TEST

/* ---- a busy device ---- */

START_TEST(what_waits_behind_a_busy_device_needs_no_kick)
{
	call(0, 0, 1); /* 0, and ahead of need 1 and 2 */
	call(50000, 2, 1);
	cfg.request_blocks = 1;
	ck_assert_uint_eq(run().first_hits, 1);
	ck_assert_int_eq(when[2], 0);
	ck_assert_int_eq(when[3], 10100);
	ck_assert_int_eq(when[4], 20200);
}
END_TEST

/* [0,1] until 10,200 and [2] until 20,300; at 10,300 block 1 hits and 5 is read ahead. */
START_TEST(a_request_in_service_keeps_the_queue_unplugged_only_if_it_is_still_in_it)
{
	struct stats st;

	call(0, 0, 1);
	call(100, 1, 1);
	call(50000, 5, 1);
	cfg.request_blocks = 2;
	st = run();
	ck_assert_uint_eq(st.late_hits, 1);
	ck_assert_int_eq(when[4], 10300); /* the drive has taken all there was */
	cfg.scheduler.params = "active=1";
	st = run();
	ck_assert_uint_eq(st.late_hits, 0);
	ck_assert_uint_eq(st.first_hits, 2);
	ck_assert_int_eq(when[4], 20300);
}
END_TEST

START_TEST(a_block_in_front_of_the_request_in_service_is_found_where_it_is)
{
	struct stats st;

	call(0, 0, 1);
	call(100, 1, 1); /* late: promotes the request in service */
	cfg.request_blocks = 1;
	cfg.scheduler.params = "active=1";
	st = run();
	ck_assert_uint_eq(st.late_hits, 1);
	ck_assert_uint_eq(st.promoted_requests, 1);
	ck_assert_uint_eq(st.stall_late_us, 10000);
}
END_TEST

/* ---- others ---- */

START_TEST(whoever_sleeps_pulls_the_plug_for_all)
{
	struct stats st;

	draft_open(&draft, 1, 1);
	three_reads();
	draft_blocks(&draft, 12000, 2, 50, 1, false);
	draft.access[2].time = 100000;
	cfg.replay = REPLAY_PROCESS;
	st = run();
	ck_assert_str_eq(seen, "[]s[]ss[]s");
	ck_assert_int_eq(when[4], 12000);
	ck_assert_uint_eq(st.late_hits, 0);
}
END_TEST

/* ---- room ---- */

/* A call of so many one-block requests: how long does it wait for a free one? */
static uint64_t
wait_for_room(const char *version, uint32_t blocks)
{
	draft.trace.naccess = 0;
	call(0, 0, blocks);
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.queue_requests = 16;
	cfg.request_blocks = 1;
	cfg.scheduler.params = version;
	return run().stall_frame_us;
}

START_TEST(who_finds_no_free_request_sleeps_until_a_batch_is_free)
{
	ck_assert_uint_eq(wait_for_room("version=2.4.27", 15), 0);
	ck_assert_uint_eq(wait_for_room("version=2.4.27", 16), 20200); /* 4 of 16, 1 at once */
	ck_assert_uint_eq(wait_for_room("version=2.4.20", 8), 0);
	ck_assert_uint_eq(wait_for_room("version=2.4.20", 9), 30300); /* 4 of 8 */
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	ck_assert_uint_eq(wait_for_room(NULL, 16), 10100);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("plugging");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, what_nobody_waits_for_starts_when_the_reader_sleeps);
	tcase_add_test(tests, a_scheduler_that_does_not_plug_starts_it_at_once);
	tcase_add_test(tests, noop_plugs_as_well);
	tcase_add_test(tests,
	    the_tick_of_the_flush_daemon_pulls_the_plug_also_when_nothing_is_dirty);
	tcase_add_test(tests, every_plug_is_pulled_by_the_tick_after_it);
	tcase_add_test(tests, at_the_end_what_is_plugged_is_served_and_not_counted_as_elapsed);
	tcase_add_test(tests, what_waits_behind_a_busy_device_needs_no_kick);
	tcase_add_test(tests,
	    a_request_in_service_keeps_the_queue_unplugged_only_if_it_is_still_in_it);
	tcase_add_test(tests, a_block_in_front_of_the_request_in_service_is_found_where_it_is);
	tcase_add_test(tests, whoever_sleeps_pulls_the_plug_for_all);
	tcase_add_test(tests, who_finds_no_free_request_sleeps_until_a_batch_is_free);
	return run_tests("plugging", tests);
}
