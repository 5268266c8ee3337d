/* check_direct.c - the device alone: worked examples, a queue of theory, and laws. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none;
extern const struct scheduler  scheduler_fifo, scheduler_scan, scheduler_deadline, scheduler_sptf;
extern const struct device     device_fixed;

static struct draft    draft;
static struct config   cfg;
static struct stats    st;
static struct error    error;
static struct response response[DRAFT_CALLS];

/* ---- a device that takes notes ---- */

static struct {
	uint64_t capacity;
	uint32_t depth;
	usec_t	 us; /* of a request; 0: any */
	uint64_t seed;
	uint64_t sector[DRAFT_CALLS];
	uint32_t sectors[DRAFT_CALLS], n, at_once, most;
	usec_t	 end[DEPTH_MAX]; /* of those in service */
} spy;

static uint64_t
spy_capacity(const void *self)
{
	return spy.capacity;
}

static uint32_t
spy_depth(const void *self)
{
	return spy.depth;
}

static void
spy_count(usec_t now, usec_t end)
{
	uint32_t still = 0;

	for (uint32_t i = 0; i < spy.at_once; i++)
		if (spy.end[i] > now)
			spy.end[still++] = spy.end[i];
	REQUIRE(still < spy.depth, "more than %u requests at once", spy.depth);
	spy.end[still++] = end;
	spy.at_once = still;
	if (still > spy.most)
		spy.most = still;
}

static void
spy_service(void *self, const struct transfer *r, struct service *out)
{
	usec_t sum = 0;

	REQUIRE(r->sectors && r->sector + r->sectors <= spy.capacity, "beyond the end");
	spy.sector[spy.n] = r->sector;
	spy.sectors[spy.n++] = r->sectors;
	*out = (struct service){ .from_buffer = !r->write && random_below(&spy.seed, 3) == 0 };
	for (unsigned i = 0; i < SERVICE_PARTS; i++) {
		out->part[i] = spy.us ? 0 : random_below(&spy.seed, 3000);
		sum += out->part[i];
	}
	out->part[SERVICE_SEEK] += spy.us;
	spy_count(r->now, r->now + sum + spy.us);
}

static const struct device device_spy = {
	.plugin = { .name = "spy", .summary = "test: takes notes" },
	.capacity = spy_capacity,
	.depth = spy_depth,
	.service = spy_service,
};

/* ---- runs ---- */

static void
setup(void)
{
	memset(&spy, 0, sizeof(spy));
	spy.capacity = UINT64_C(1) << 40;
	spy.depth = 1;
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 1000), 0);
	config_defaults(&cfg);
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.device.params = "latency=8ms,rate=1000G";
	cfg.replay = REPLAY_OPEN;
	cfg.response = response;
	memset(response, 0, sizeof(response));
}

static void
run(void)
{
	spy.n = spy.at_once = 0;
	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &error), "%s", error.text);
}

static void
refused(const char *why)
{
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
	ck_assert_msg(strstr(error.text, why) != NULL, "%s", error.text);
}

static void
use_spy(uint32_t depth, usec_t us)
{
	cfg.device.plugin = &device_spy.plugin;
	cfg.device.params = NULL;
	spy.depth = depth;
	spy.us = us;
}

/* Of a part of the response of call i. */
static usec_t
queued(size_t i)
{
	return response[i].part[0];
}

/* ---- worked examples ---- */

START_TEST(a_call_that_comes_during_another_waits_for_it)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 0, 500, 1, true);
	draft_blocks(&draft, 30000, 0, 7, 1, false);
	run();
	ck_assert_int_eq(response[0].us, 8000);
	ck_assert_int_eq(response[1].us, 13000);
	ck_assert_int_eq(queued(1), 5000);
	ck_assert_uint_eq(response[1].outstanding, 1);
	ck_assert_int_eq(response[2].us, 8000);
	ck_assert_int_eq(response[2].arrival, 30000);
	ck_assert_uint_eq(st.elapsed_us, 38000);
	ck_assert_uint_eq(st.device_busy_us, 24000);
	ck_assert_uint_eq(st.device_idle_us, 14000);
	ck_assert_uint_eq(st.queue_us, 5000);
	ck_assert_uint_eq(st.read_requests, 2);
	ck_assert_uint_eq(st.write_requests, 1);
	ck_assert_uint_eq(st.response_us, 29000);
	ck_assert_uint_eq(st.response_max_us, 13000);
	ck_assert_uint_eq(st.outstanding_max, 2);
	ck_assert_uint_eq(st.references, STAT_UNKNOWN);
	ck_assert_uint_eq(st.think_us, STAT_UNKNOWN);
}
END_TEST

START_TEST(a_device_that_serves_two_at_once_lets_nobody_wait)
{
	use_spy(2, 8000);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 0, 500, 1, false);
	draft_blocks(&draft, 4000, 0, 600, 1, false); /* but the third */
	run();
	ck_assert_int_eq(response[0].us, 8000);
	ck_assert_int_eq(response[1].us, 8000);
	ck_assert_int_eq(response[2].us, 4000 + 8000);
	ck_assert_uint_eq(spy.most, 2);
	ck_assert_uint_eq(st.device_busy_us, 16000);
	ck_assert_uint_eq(st.outstanding_max, 3);
}
END_TEST

START_TEST(a_call_is_a_request_of_exactly_its_sectors)
{
	draft_open(&draft, draft_file(&draft, 2, 10), 0);
	use_spy(1, 100);
	draft_call(&draft, 0, 0, 0, 1, false);
	draft_call(&draft, 0, 0, 511, 2, false);
	draft_call(&draft, 0, 0, 1024, 4096, true);
	draft_call(&draft, 0, 0, 4096, 1 << 20, false);
	draft_call(&draft, 0, 1, 512, 512, false);
	run();
	ck_assert_uint_eq(spy.n, 5);
	ck_assert_uint_eq(spy.sector[0], 0);
	ck_assert_uint_eq(spy.sectors[0], 1);
	ck_assert_uint_eq(spy.sector[1], 0);
	ck_assert_uint_eq(spy.sectors[1], 2);
	ck_assert_uint_eq(spy.sector[2], 2);
	ck_assert_uint_eq(spy.sectors[2], 8);
	ck_assert_uint_eq(spy.sector[3], 8);
	ck_assert_uint_eq(spy.sectors[3], 2048);
	ck_assert_uint_eq(spy.sector[4], 8000 + 1);
	ck_assert_uint_eq(spy.sectors[4], 1);
}
END_TEST

START_TEST(the_files_must_fit_on_the_device_to_the_sector)
{
	use_spy(1, 100);
	draft_call(&draft, 0, 0, 999 * 4096, 1536, false);
	draft.file[0].bytes = 999 * 4096 + 1536;
	spy.capacity = 999 * 8 + 3;
	run();
	spy.capacity--;
	refused("the device holds");
	spy.capacity++;
	draft.file[0].bytes++; /* of one sector more */
	refused("the device holds");
}
END_TEST

START_TEST(a_closed_loop_thinks_when_its_call_has_ended)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 0, 500, 1, true);
	draft_blocks(&draft, 4000, 0, 7, 1, false);
	cfg.replay = REPLAY_SERIAL;
	cfg.think_scale = 2;
	run();
	ck_assert_int_eq(response[1].arrival, 8000 + 6000);
	ck_assert_int_eq(response[2].arrival, 22000 + 2000);
	ck_assert_int_eq(response[2].us, 8000);
	ck_assert_uint_eq(st.elapsed_us, 32000);
	ck_assert_uint_eq(st.think_us, 8000);
}
END_TEST

/* Process 1 starts at 1000, waits for process 0, and thinks for 2000. */
START_TEST(every_process_is_a_loop)
{
	draft_open(&draft, 0, 1);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 1000, 1, 500, 1, false);
	draft_blocks(&draft, 2000, 0, 7, 1, false);
	draft_blocks(&draft, 3000, 1, 8, 1, false);
	cfg.replay = REPLAY_PROCESS;
	run();
	ck_assert_int_eq(response[1].arrival, 1000);
	ck_assert_int_eq(response[1].us, 15000);
	ck_assert_int_eq(response[2].arrival, 10000);
	ck_assert_int_eq(response[2].us, 14000);
	ck_assert_int_eq(response[3].arrival, 18000);
	ck_assert_int_eq(response[3].us, 14000);
	ck_assert_uint_eq(st.elapsed_us, 32000);
}
END_TEST

START_TEST(the_time_scale_moves_arrivals)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 0, 500, 1, true);
	cfg.think_scale = 0.5;
	run();
	ck_assert_int_eq(response[1].arrival, 1500);
	ck_assert_int_eq(response[1].us, 14500);
}
END_TEST

START_TEST(whom_the_queue_has_no_room_for_waits_before_it_in_order)
{
	use_spy(1, 1000);
	cfg.queue_requests = 3;
	cfg.scheduler.plugin = &scheduler_scan.plugin;
	for (uint32_t i = 0; i < 9; i++)
		draft_blocks(&draft, 0, 0, 900 - i, 1, false);
	run();
	/* The first begins at once; of 1, 2, 3 in the queue the lowest goes, and 4 enters. */
	ck_assert_uint_eq(spy.sector[0], 900 * 8);
	ck_assert_uint_eq(spy.sector[1], 897 * 8);
	ck_assert_uint_eq(st.blocked_requests, 5);
	ck_assert_int_eq(queued(8), response[8].us - 1000);
	ck_assert_uint_eq(st.response_us, st.queue_us + 9 * 1000);
}
END_TEST

START_TEST(the_arm_is_behind_the_request_before)
{
	use_spy(1, 1000);
	cfg.scheduler.plugin = &scheduler_scan.plugin;
	draft_blocks(&draft, 0, 0, 100, 10, false);
	draft_blocks(&draft, 1, 0, 105, 1, false); /* behind the arm when the first has begun */
	draft_blocks(&draft, 2, 0, 200, 1, false);
	run();
	ck_assert_uint_eq(spy.sector[1], 200 * 8);
	ck_assert_uint_eq(spy.sector[2], 105 * 8);
}
END_TEST

START_TEST(a_call_that_comes_when_another_ends_finds_it_gone)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 8000, 0, 500, 1, false);
	run();
	ck_assert_uint_eq(response[1].outstanding, 0);
	ck_assert_uint_eq(st.outstanding_max, 1);
}
END_TEST

/* The second ends while the first, older, is still in service: its time goes on counting. */
START_TEST(warm_up_may_end_amid_other_requests)
{
	cfg.device.params = "latency=1ms,rate=4096000,depth=2";
	draft_blocks(&draft, 0, 0, 0, 9, false);   /* until 10,000 */
	draft_blocks(&draft, 0, 0, 500, 1, false); /* until 2,000 */
	cfg.warmup_calls = 1;
	run();
	ck_assert_uint_eq(st.elapsed_us, 8000);
	ck_assert_uint_eq(st.device_busy_us, 8000);
	ck_assert_uint_eq(st.device_idle_us, 0);
}
END_TEST

START_TEST(what_is_warm_up_is_left_out)
{
	for (uint32_t i = 0; i < 10; i++)
		draft_blocks(&draft, 20000 * i, 0, i, 1, false);
	cfg.warmup_calls = 4;
	run();
	ck_assert_uint_eq(st.response_calls, 6);
	ck_assert_uint_eq(st.read_requests, 6);
	ck_assert_uint_eq(st.device_busy_us, 6 * 8000);
	ck_assert_uint_eq(st.elapsed_us, 9 * 20000 + 8000 - (3 * 20000 + 8000));
	ck_assert_uint_eq(st.outstanding_us, 6 * 8000);
}
END_TEST

START_TEST(calls_far_apart_take_as_long_open_as_serially)
{
	usec_t	 serial[100];
	uint64_t seed = 7;

	cfg.device.params = "latency=1ms,rate=10M";
	for (uint32_t i = 0; i < 100; i++)
		draft_blocks(&draft, 60000 * i, 0, random_below(&seed, 900),
		    1 + random_below(&seed, 100), random_below(&seed, 2));
	cfg.replay = REPLAY_SERIAL;
	run();
	for (uint32_t i = 0; i < 100; i++)
		serial[i] = response[i].us;
	cfg.replay = REPLAY_OPEN;
	run();
	for (uint32_t i = 0; i < 100; i++)
		REQUIRE(serial[i] == response[i].us && serial[i] < 60000, "call %u", i);
}
END_TEST

/* ---- laws ---- */

/* Three processes, calls of any size and at any distance. */
static void
any_calls(uint64_t *seed)
{
	usec_t time = 0;

	draft_open(&draft, 0, 1);
	draft_open(&draft, 0, 2);
	for (uint32_t i = 0; i < DRAFT_CALLS; i++) {
		draft_call(&draft, time, random_below(seed, 3), random_below(seed, 1 << 21),
		    1 + random_below(seed, 1 << 18), random_below(seed, 3) == 0);
		time += random_below(seed, 2) ? random_below(seed, 20000) : 0;
	}
}

static void
check_sums(void)
{
	uint64_t all = 0, host = 0;

	for (size_t i = 0; i < DRAFT_CALLS; i++) {
		usec_t sum = 0;

		for (unsigned p = 0; p < RESPONSE_PARTS; p++) {
			REQUIRE(response[i].part[p] >= 0, "part %u of call %zu", p, i);
			sum += response[i].part[p];
		}
		REQUIRE(sum == response[i].us, "the parts of call %zu", i);
		all += (uint64_t)sum;
		host += (uint64_t)response[i].part[0];
	}
	ck_assert_uint_eq(all, st.response_us);
	ck_assert_uint_eq(all, st.outstanding_us);
	ck_assert_uint_eq(host, st.queue_us);
	ck_assert_uint_eq(st.device_busy_us,
	    st.device_queue_us + st.overhead_us + st.seek_us + st.rotation_us + st.transfer_us +
		st.bus_us);
	ck_assert_uint_eq(st.device_busy_us + st.device_idle_us, st.elapsed_us);
	ck_assert_uint_eq(st.read_requests + st.write_requests, DRAFT_CALLS);
	if (spy.depth == 1)
		ck_assert_uint_eq(all, st.queue_us + st.device_busy_us);
}

START_TEST(the_parts_of_each_response_add_up_to_it)
{
	static const struct scheduler *const scheduler[] = { &scheduler_fifo, &scheduler_scan,
		&scheduler_deadline, &scheduler_sptf };
	static const enum replay replay[] = { REPLAY_OPEN, REPLAY_SERIAL, REPLAY_PROCESS };
	uint64_t		 seed = (uint64_t)_i + 1;
	struct stats		 once;

	use_spy(_i % 2 ? 7 : 1, 0);
	any_calls(&seed);
	cfg.scheduler.plugin = &scheduler[_i % 4]->plugin;
	cfg.replay = replay[_i % 3];
	cfg.queue_requests = _i % 5 ? 128 : 3;
	run();
	check_sums();
	if (spy.depth == 7 && cfg.replay == REPLAY_OPEN)
		ck_assert_uint_eq(spy.most, 7);
	once = st;
	spy.seed = 0;
	cfg.response = NULL; /* not recorded: nothing changes */
	run();
	ck_assert_mem_eq(&once, &st, sizeof(st));
}
END_TEST

/* ---- a queue that theory knows ---- */

enum { THEORY = 400000, SERVICE_US = 10000 };

/* Poisson arrivals at a server that always takes as long: the mean wait is rho S / 2 (1 - rho). */
static double
mean_wait(double rho, uint64_t seed)
{
	struct access *access = calloc(THEORY, sizeof(*access));
	double	       now = 0;

	for (uint32_t i = 0; i < THEORY; i++) {
		access[i] = draft.access[0];
		access[i].time = (usec_t)now;
		now -=
		    log((1 + random_below(&seed, 1 << 30)) / (double)(1 << 30)) * SERVICE_US / rho;
	}
	draft.trace.access = access;
	draft.trace.naccess = THEORY;
	cfg.response = NULL;
	run();
	free(access);
	ck_assert_double_eq_tol((double)st.device_busy_us / (double)st.elapsed_us, rho, 0.01);
	return (double)st.queue_us / THEORY;
}

START_TEST(an_m_d_1_queue_waits_as_pollaczek_and_khinchine_say)
{
	static const double load[] = { 0.5, 0.8 };
	double		    wait = load[_i] * SERVICE_US / (2 * (1 - load[_i]));

	cfg.device.params = "latency=10ms,rate=1000G";
	draft_blocks(&draft, 0, 0, 0, 1, false);
	ck_assert_double_eq_tol(mean_wait(load[_i], 1) / wait, 1, 0.03);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("direct");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_call_that_comes_during_another_waits_for_it);
	tcase_add_test(tests, a_device_that_serves_two_at_once_lets_nobody_wait);
	tcase_add_test(tests, a_call_is_a_request_of_exactly_its_sectors);
	tcase_add_test(tests, the_files_must_fit_on_the_device_to_the_sector);
	tcase_add_test(tests, a_closed_loop_thinks_when_its_call_has_ended);
	tcase_add_test(tests, every_process_is_a_loop);
	tcase_add_test(tests, the_time_scale_moves_arrivals);
	tcase_add_test(tests, whom_the_queue_has_no_room_for_waits_before_it_in_order);
	tcase_add_test(tests, the_arm_is_behind_the_request_before);
	tcase_add_test(tests, a_call_that_comes_when_another_ends_finds_it_gone);
	tcase_add_test(tests, warm_up_may_end_amid_other_requests);
	tcase_add_test(tests, what_is_warm_up_is_left_out);
	tcase_add_test(tests, calls_far_apart_take_as_long_open_as_serially);
	tcase_add_loop_test(tests, the_parts_of_each_response_add_up_to_it, 0, 60);
	tcase_add_loop_test(tests, an_m_d_1_queue_waits_as_pollaczek_and_khinchine_say, 0, 2);
	return run_tests("direct", tests);
}
