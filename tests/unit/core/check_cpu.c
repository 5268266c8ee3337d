/* check_cpu.c - the time of the processor: what a call costs, who pays, and when. */
#include <string.h>

#include "sim/core/engine/cpu.h"
#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed, device_null;

enum { US = 1000000 }; /* of picoseconds */

static struct draft    draft;
static struct config   cfg;
static struct stats    st;
static struct error    error;
static struct response response[DRAFT_CALLS];

/* The two blocks behind each reference. */
static void
two_access(void *self, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index + 1, 2);
}

static void
two_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index, 3);
}

static const struct prefetcher two = {
	.plugin = { .name = "two", .summary = "test: two blocks ahead" },
	.access = two_access,
	.advise = two_advise,
};

/* A block takes 10 ms. */
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
	cfg.device.params = "latency=10ms,rate=1000G";
	cfg.cache_blocks = 100;
	cfg.response = response;
	memset(response, 0, sizeof(response));
}

static void
run(void)
{
	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &error), "%s", error.text);
}

static void
hits(uint32_t n, usec_t apart)
{
	for (uint32_t i = 0; i < n; i++)
		draft_blocks(&draft, apart * i, 0, 0, 1, false);
}

START_TEST(each_part_of_a_call_has_its_cost)
{
	draft_call(&draft, 0, 0, 100, 5000, false); /* two blocks */
	draft_call(&draft, 0, 0, 100, 10, true);
	cfg.cpu = (struct cpu_costs){ .call_ps = 3 * US };
	run();
	ck_assert_uint_eq(st.cpu_us, 2 * 3);
	cfg.cpu = (struct cpu_costs){ .page_ps = 3 * US };
	run();
	ck_assert_uint_eq(st.cpu_us, 3 * 3);
	cfg.cpu = (struct cpu_costs){ .byte_ps = 3 * US };
	run();
	ck_assert_uint_eq(st.cpu_us, 5010 * 3);
	cfg.cpu = (struct cpu_costs){ .read_page_ps = 3 * US };
	run();
	ck_assert_uint_eq(st.cpu_us, 2 * 3);
	cfg.cpu =
	    (struct cpu_costs){ .call_ps = US, .page_ps = US, .byte_ps = US, .read_page_ps = US };
	run();
	ck_assert_uint_eq(st.cpu_us, 2 + 3 + 5010 + 2);
	ck_assert_uint_eq(st.elapsed_us, st.stall_us + st.cpu_us);
}
END_TEST

/* Where nothing reads ahead, a page may cost something else. */
START_TEST(single_pages_have_a_cost_of_their_own)
{
	hits(10, 0);
	cfg.cpu = (struct cpu_costs){ .page_ps = 2 * US, .single_page_ps = 5 * US };
	run();
	ck_assert_uint_eq(st.cpu_us, 50);
	cfg.prefetcher.plugin = &two.plugin;
	run();
	ck_assert_uint_eq(st.cpu_us, 20);
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.cpu.single_page_ps = 0;
	run();
	ck_assert_uint_eq(st.cpu_us, 20);
}
END_TEST

START_TEST(blocks_read_ahead_and_for_advice_cost_who_asked_for_them)
{
	draft_blocks(&draft, 0, 0, 0, 1, false); /* 0, and 1 and 2 ahead */
	draft_blocks(&draft, 0, 0, 1, 1, false); /* 3 ahead */
	draft_blocks(&draft, 0, 0, 2, 1, false); /* 50 to 52 before, 4 ahead */
	draft_advise(&draft, ADVICE_WILLNEED, 0, (uint64_t)50 * DRAFT_BLOCK_BYTES, 1);
	cfg.prefetcher.plugin = &two.plugin;
	cfg.cpu = (struct cpu_costs){ .read_page_ps = 7 * US };
	cfg.replay = REPLAY_OPEN;
	cfg.think_scale = 1;
	run();
	ck_assert_uint_eq(st.advice_read_blocks, 3);
	ck_assert_uint_eq(st.cpu_us, 8 * 7);
	cfg.replay = REPLAY_SERIAL;
	run();
	ck_assert_uint_eq(st.cpu_us, 8 * 7);
	/* the second and third call found their blocks there: they only pay */
	ck_assert_int_eq(response[1].us, 7);
	ck_assert_int_eq(response[2].us, 4 * 7);
}
END_TEST

/* 0.3 us a million times, and a picosecond. */
START_TEST(what_is_below_a_microsecond_adds_up_exactly)
{
	enum { MANY = 1000000 };
	struct access *access = calloc(MANY, sizeof(*access));

	hits(1, 0);
	for (uint32_t i = 0; i < MANY; i++)
		access[i] = draft.access[0];
	draft.trace.access = access;
	draft.trace.naccess = MANY;
	cfg.device.plugin = &device_null.plugin;
	cfg.device.params = NULL;
	cfg.response = NULL;
	cfg.cpu = (struct cpu_costs){ .call_ps = 300000 };
	run();
	ck_assert_uint_eq(st.cpu_us, 300000);
	ck_assert_uint_eq(st.elapsed_us, 300000);
	cfg.cpu.call_ps = 1;
	run();
	ck_assert_uint_eq(st.cpu_us, 1);
	cfg.cpu.call_ps = 300001;
	cfg.replay = REPLAY_PROCESS;
	run();
	ck_assert_uint_eq(st.cpu_us, 300001);
	draft.trace.access = draft.access;
	free(access);
}
END_TEST

START_TEST(the_last_call_is_paid_before_the_end)
{
	hits(2, 1000);
	cfg.cpu.call_ps = 250 * US;
	run();
	ck_assert_uint_eq(st.think_us, 1000);
	ck_assert_uint_eq(st.stall_us, 10000);
	ck_assert_uint_eq(st.elapsed_us, 10000 + 250 + 1000 + 250);
	ck_assert_int_eq(response[0].us, 10250);
	ck_assert_int_eq(response[1].us, 250);
	ck_assert_int_eq(response[1].arrival, 11250);
}
END_TEST

/* The read of the first call's prefetches goes on while the processor works: 10 ms in all. */
START_TEST(reads_ahead_go_on_meanwhile)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 0, 0, 1, 1, false);
	cfg.prefetcher.plugin = &two.plugin;
	cfg.request_blocks = 1; /* 0, then 1, then 2 */
	cfg.cpu.call_ps = 4000 * (uint64_t)US;
	run();
	ck_assert_uint_eq(st.stall_late_us, 6000);
	ck_assert_uint_eq(st.elapsed_us, 10000 + 4000 + 6000 + 4000);
	cfg.cpu.call_ps = 10000 * (uint64_t)US; /* it arrives at the moment of the call */
	run();
	ck_assert_uint_eq(st.stall_late_us, 0);
	ck_assert_uint_eq(st.first_hits, 1);
	ck_assert_uint_eq(st.elapsed_us, 10000 + 2 * 10000);
	cfg.cpu.call_ps = 12000 * (uint64_t)US;
	run();
	ck_assert_uint_eq(st.elapsed_us, 10000 + 2 * 12000);
}
END_TEST

/* Each process has a processor: both pay at the same time. */
START_TEST(processes_pay_side_by_side)
{
	draft_open(&draft, 0, 1);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 0, 1, 0, 1, false); /* delayed: the same block */
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 500, 1, 0, 1, false);
	cfg.replay = REPLAY_PROCESS;
	cfg.cpu.call_ps = 300 * US;
	run();
	ck_assert_uint_eq(st.cpu_us, 4 * 300);
	ck_assert_uint_eq(st.stall_us, 20000);
	ck_assert_uint_eq(st.think_us, 500);
	ck_assert_uint_eq(st.elapsed_us, 10000 + 300 + 500 + 300);
	ck_assert_int_eq(response[1].us, 10300);
	ck_assert_int_eq(response[2].us, 300);
}
END_TEST

/* In open replay the process is busy while it pays, but calls come on time and find another. */
START_TEST(open_replay_pays_in_the_response)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 20000, 0, 0, 1, false);
	draft_blocks(&draft, 20100, 0, 0, 1, false);
	draft_blocks(&draft, 20200, 0, 900, 1, false);
	cfg.replay = REPLAY_OPEN;
	cfg.cpu.call_ps = 250 * US;
	run();
	ck_assert_int_eq(response[0].us, 10250);
	ck_assert_int_eq(response[1].us, 250);
	ck_assert_int_eq(response[2].us, 250);
	ck_assert_uint_eq(response[2].outstanding, 1);
	ck_assert_uint_eq(response[3].outstanding, 2);
	ck_assert_uint_eq(st.outstanding_max, 3);
	ck_assert_uint_eq(st.response_us, st.stall_us + st.cpu_us);
	ck_assert_uint_eq(st.cpu_us, 4 * 250);
	ck_assert_uint_eq(st.elapsed_us, 20200 + 10250);
	ck_assert_uint_eq(st.think_us, STAT_UNKNOWN);
}
END_TEST

/* There are 1,024 of them; the calls that find none wait for one, and in order. */
START_TEST(open_replay_may_run_out_of_processes)
{
	enum { CROWD = 1500, PROCESSES = 1024 };
	struct access *access = calloc(CROWD, sizeof(*access));

	hits(1, 0);
	for (uint32_t i = 0; i < CROWD; i++)
		access[i] = draft.access[0];
	draft.trace.access = access;
	draft.trace.naccess = CROWD;
	cfg.device.plugin = &device_null.plugin;
	cfg.device.params = NULL;
	cfg.replay = REPLAY_OPEN;
	cfg.response = NULL;
	cfg.cpu.call_ps = 250 * US;
	run();
	ck_assert_uint_eq(st.cpu_us, CROWD * 250);
	ck_assert_uint_eq(st.stall_us, (CROWD - PROCESSES) * 250);
	ck_assert_uint_eq(st.response_us, st.stall_us + st.cpu_us);
	ck_assert_uint_eq(st.elapsed_us, 500);
	draft.trace.access = draft.access;
	free(access);
}
END_TEST

/* The second process pays from 10,000 to 14,000; counting starts when the first has, at 12,000. */
START_TEST(what_is_paid_in_the_warm_up_is_not_counted)
{
	draft_open(&draft, 0, 1);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 0, 1, 0, 2, false);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	cfg.replay = REPLAY_PROCESS;
	cfg.request_blocks = 2;
	cfg.cpu.page_ps = 2000 * (uint64_t)US;
	cfg.warmup_calls = 1;
	run();
	ck_assert_uint_eq(st.references, 1);
	ck_assert_uint_eq(st.cpu_us, 2000 + 4000);
	cfg.replay = REPLAY_SERIAL;
	run();
	ck_assert_uint_eq(st.cpu_us, 4000 + 2000);
	ck_assert_uint_eq(st.elapsed_us, st.stall_us + st.cpu_us);
	cfg.cpu.read_page_ps = 100 * US; /* of block 1 only */
	run();
	ck_assert_uint_eq(st.cpu_us, 4000 + 100 + 2000);
}
END_TEST

START_TEST(without_a_clock_or_a_cache_nothing_is_paid)
{
	hits(3, 0);
	cfg.cpu.call_ps = US;
	cfg.response = NULL;
	cfg.replay = REPLAY_UNTIMED;
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "--cpu none"));
	cfg.replay = REPLAY_SERIAL;
	cfg.cache_blocks = 0;
	ck_assert_int_eq(simulate(&cfg, &draft.trace, &st, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "--cpu none"));
	cfg.cpu.call_ps = 0;
	run();
	ck_assert_uint_eq(st.cpu_us, STAT_UNKNOWN);
	cfg.cache_blocks = 100;
	cfg.replay = REPLAY_UNTIMED;
	run();
	ck_assert_uint_eq(st.cpu_us, STAT_UNKNOWN);
}
END_TEST

/* The events of a call: it ends when it has paid. */
static usec_t done_at[DRAFT_CALLS];
static size_t ndone;

static void
see(void *ctx, const struct event *e)
{
	done_at[ndone++] = e->when;
}

START_TEST(a_call_is_done_when_it_has_paid)
{
	hits(3, 100);
	cfg.cpu.call_ps = 40 * US;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_CALL_DONE, .see = see };
	ndone = 0;
	run();
	ck_assert_uint_eq(ndone, 3);
	ck_assert_int_eq(done_at[0], 10040);
	ck_assert_int_eq(done_at[1], 10180);
	ck_assert_int_eq(done_at[2], 10320);
}
END_TEST

/* ---- the costs in a data sheet ---- */

static struct cpu_costs
costs_of(const char *text)
{
	struct choice	 inner = { .sheet = text }, outer = { .inner = &inner };
	struct cpu_costs c;

	ck_assert(cpu_costs_of_device(&outer, &c));
	return c;
}

START_TEST(a_data_sheet_has_costs_in_nanoseconds)
{
	struct choice	 bare = { .sheet = "kind = ssd\n[x]\ny = 1\n" };
	struct cpu_costs c = costs_of("kind = ssd\n[x]\ny = 1\n[cpu_ns]\ncall = 812\npage=410.5\n"
				      "byte = 0.09\nread_page = 2400\nsingle_page = 800\n");

	ck_assert_uint_eq(c.call_ps, 812000);
	ck_assert_uint_eq(c.page_ps, 410500);
	ck_assert_uint_eq(c.byte_ps, 90);
	ck_assert_uint_eq(c.read_page_ps, 2400000);
	ck_assert_uint_eq(c.single_page_ps, 800000);
	c = costs_of("[cpu_ns]\nbyte = 0.0006\n");
	ck_assert_uint_eq(c.byte_ps, 1);
	ck_assert_uint_eq(c.call_ps, 0);
	ck_assert(!cpu_costs_of_device(&bare, &c) && !cpu_costs_any(&c));
	ck_assert(!cpu_costs_of_device(&cfg.device, &c));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("cpu");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, each_part_of_a_call_has_its_cost);
	tcase_add_test(tests, single_pages_have_a_cost_of_their_own);
	tcase_add_test(tests, blocks_read_ahead_and_for_advice_cost_who_asked_for_them);
	tcase_add_test(tests, what_is_below_a_microsecond_adds_up_exactly);
	tcase_add_test(tests, the_last_call_is_paid_before_the_end);
	tcase_add_test(tests, reads_ahead_go_on_meanwhile);
	tcase_add_test(tests, processes_pay_side_by_side);
	tcase_add_test(tests, open_replay_pays_in_the_response);
	tcase_add_test(tests, open_replay_may_run_out_of_processes);
	tcase_add_test(tests, what_is_paid_in_the_warm_up_is_not_counted);
	tcase_add_test(tests, without_a_clock_or_a_cache_nothing_is_paid);
	tcase_add_test(tests, a_call_is_done_when_it_has_paid);
	tcase_add_test(tests, a_data_sheet_has_costs_in_nanoseconds);
	return run_tests("cpu", tests);
}
