/* check_open.c - open replay through the cache: calls arrive when the trace says. */
#include <string.h>

#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none, prefetcher_linux24, prefetcher_ondemand;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed;

static struct draft    draft;
static struct config   cfg;
static struct stats    st;
static struct response response[DRAFT_CALLS];

static void
setup(void)
{
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 2000), 0);
	config_defaults(&cfg);
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.device.params = "latency=8ms,rate=1000G";
	cfg.cache_blocks = 100;
	cfg.replay = REPLAY_OPEN;
	cfg.response = response;
	memset(response, 0, sizeof(response));
}

static void
run(void)
{
	struct error e;

	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &e), "%s", e.text);
}

START_TEST(a_hit_does_not_wait_for_the_misses_before_it)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 10000, 0, 500, 1, false);
	draft_blocks(&draft, 11000, 0, 0, 1, false);
	draft_blocks(&draft, 12000, 0, 600, 1, false);
	draft_blocks(&draft, 13000, 0, 500, 1, false); /* on its way */
	run();
	ck_assert_int_eq(response[0].us, 8000);
	ck_assert_int_eq(response[1].us, 8000);
	ck_assert_int_eq(response[2].us, 0);
	ck_assert_uint_eq(response[2].outstanding, 1);
	ck_assert_int_eq(response[3].us, 6000 + 8000);
	ck_assert_int_eq(response[4].us, 5000);
	ck_assert_uint_eq(response[4].outstanding, 2);
	ck_assert_uint_eq(st.hits, 1);
	ck_assert_uint_eq(st.delayed_hits, 1);
	ck_assert_uint_eq(st.misses, 3);
	ck_assert_uint_eq(st.stall_demand_queue_us, 6000);
	ck_assert_uint_eq(st.stall_delayed_us, 5000);
	ck_assert_uint_eq(st.elapsed_us, 26000);
	ck_assert_uint_eq(st.outstanding_max, 3);
	ck_assert_uint_eq(st.response_p50_us, 8000);
}
END_TEST

START_TEST(a_block_is_there_for_the_call_that_comes_when_it_arrives)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 8000, 0, 0, 1, false);
	run();
	ck_assert_int_eq(response[1].us, 0);
	ck_assert_uint_eq(response[1].outstanding, 0);
	ck_assert_uint_eq(st.hits, 1);
}
END_TEST

START_TEST(the_time_scale_moves_arrivals)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 0, 500, 1, false);
	cfg.think_scale = 3;
	run();
	ck_assert_int_eq(response[1].arrival, 9000);
	ck_assert_int_eq(response[1].us, 8000);
	cfg.think_scale = 0;
	run();
	ck_assert_int_eq(response[1].arrival, 0);
	ck_assert_int_eq(response[1].us, 16000);
}
END_TEST

/* As often as not where the call before ended, so that something is read ahead. */
static void
calls_apart(uint32_t n, usec_t apart)
{
	uint64_t seed = 3;
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t count = 1 + random_below(&seed, 8);

		if (random_below(&seed, 2) || at + count > 2000)
			at = random_below(&seed, 1900);
		draft_blocks(&draft, apart * i, 0, at, count, false);
		at += count;
	}
}

START_TEST(calls_far_apart_take_as_long_open_as_serially)
{
	static const struct prefetcher *const prefetcher[] = { &prefetcher_none,
		&prefetcher_linux24, &prefetcher_ondemand };
	usec_t				      serial[300];
	struct stats			      closed;

	calls_apart(300, 200000);
	cfg.device.params = "latency=2ms,rate=10M";
	cfg.prefetcher.plugin = &prefetcher[_i]->plugin;
	cfg.wait = _i % 2 ? WAIT_BLOCK : WAIT_CALL;
	cfg.replay = REPLAY_SERIAL;
	run();
	closed = st;
	for (uint32_t i = 0; i < 300; i++)
		serial[i] = response[i].us;
	cfg.replay = REPLAY_OPEN;
	run();
	for (uint32_t i = 0; i < 300; i++)
		REQUIRE(serial[i] == response[i].us && serial[i] < 100000, "call %u", i);
	ck_assert_uint_eq(st.hits, closed.hits);
	ck_assert_uint_eq(st.stall_us, closed.stall_us);
	ck_assert_uint_eq(st.prefetched_blocks, closed.prefetched_blocks);
	ck_assert_uint_eq(st.response_p99_us, closed.response_p99_us); /* there was an account */
	ck_assert_uint_gt(st.hits, 0);
}
END_TEST

enum { CROWD = 3000 };

/* More calls than processes, all at once: they are served in order, and no wait is lost. */
START_TEST(calls_for_which_there_is_no_reader_wait_from_their_arrival)
{
	struct access	*access = calloc(CROWD, sizeof(*access));
	struct response *all = calloc(CROWD, sizeof(*all));

	draft_blocks(&draft, 0, 0, 0, 1, false);
	for (uint32_t i = 0; i < CROWD; i++) {
		access[i] = draft.access[0];
		access[i].offset = (uint64_t)(i * 7 % 2000) * DRAFT_BLOCK_BYTES;
	}
	draft.trace.access = access;
	draft.trace.naccess = CROWD;
	cfg.cache_blocks = 4000;
	cfg.response = all;
	run();
	/* All 2,000 blocks are read once, one request a block, or as many as touch. */
	ck_assert_uint_eq(st.misses, 2000);
	ck_assert_uint_eq(st.response_us, st.stall_us);
	ck_assert_uint_gt(st.stall_frame_us, 0);
	ck_assert_uint_eq(st.outstanding_max, CROWD);
	ck_assert_uint_eq(all[CROWD - 1].outstanding, CROWD - 1);
	ck_assert_int_eq(all[0].us, 8000);
	ck_assert_uint_eq(st.response_max_us, st.elapsed_us);
	for (uint32_t i = 0; i < CROWD; i++)
		REQUIRE(all[i].us % 8000 == 0, "call %u", i); /* it ended with a request */
	free(access);
	free(all);
}
END_TEST

/* With a full queue calls of four blocks are served one after the other, each by one request. */
START_TEST(a_call_that_has_begun_is_served_before_those_behind_it)
{
	cfg.queue_requests = 3;
	cfg.device.params = "latency=8ms,rate=1000G";
	for (uint32_t i = 0; i < 40; i++)
		draft_blocks(&draft, 0, 0, 1000 - 20 * i, 4, false);
	cfg.cache_blocks = 1000;
	run();
	ck_assert_uint_eq(st.misses, 160);
	for (uint32_t i = 1; i < 40; i++)
		REQUIRE(response[i].us >= response[i - 1].us, "call %u overtakes", i);
	ck_assert_uint_eq(st.read_requests, 40);
}
END_TEST

START_TEST(what_is_warm_up_is_left_out)
{
	for (uint32_t i = 0; i < 10; i++)
		draft_blocks(&draft, 20000 * i, 0, 2 * i, 1, false);
	cfg.warmup_calls = 4;
	run();
	ck_assert_uint_eq(st.response_calls, 6);
	ck_assert_uint_eq(st.response_us, 6 * 8000);
	ck_assert_uint_eq(st.misses, 6);
	ck_assert_uint_eq(st.outstanding_us, 6 * 8000);
}
END_TEST

START_TEST(writes_are_buffered_as_ever)
{
	draft_blocks(&draft, 0, 0, 0, 1, true);
	draft_blocks(&draft, 100, 0, 1, 1, true);
	run();
	ck_assert_uint_eq(st.response_max_us, 0);
	cfg.writes = WRITES_THROUGH;
	run();
	ck_assert_int_eq(response[0].us, 8000);
	ck_assert_int_eq(response[1].us, 15900);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("open");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_hit_does_not_wait_for_the_misses_before_it);
	tcase_add_test(tests, a_block_is_there_for_the_call_that_comes_when_it_arrives);
	tcase_add_test(tests, the_time_scale_moves_arrivals);
	tcase_add_loop_test(tests, calls_far_apart_take_as_long_open_as_serially, 0, 3);
	tcase_add_test(tests, calls_for_which_there_is_no_reader_wait_from_their_arrival);
	tcase_add_test(tests, a_call_that_has_begun_is_served_before_those_behind_it);
	tcase_add_test(tests, what_is_warm_up_is_left_out);
	tcase_add_test(tests, writes_are_buffered_as_ever);
	return run_tests("open", tests);
}
