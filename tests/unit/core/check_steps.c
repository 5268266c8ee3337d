/* check_steps.c - processes that start each other and wait, on traces small enough to work by hand. */
#include "sim/core/engine/engine.h"
#include "sim/core/simulate.h"
#include "tests/unit/loading.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed, device_null;

static struct config cfg;
static char	     log_text[1 << 14];

static void
setup(void)
{
	scratch_make();
	config_defaults(&cfg);
	cfg.cache_blocks = 64;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin; /* 10 ms a request */
	cfg.device.params = "latency=10ms,rate=1024T";
	cfg.replay = REPLAY_PROCESS;
	log_text[0] = '\0';
}

/* A process reads the next block that was never read, at that time. */
static void
reads(unsigned time, unsigned pid)
{
	static unsigned block;
	size_t		used = strlen(log_text);

	snprintf(log_text + used, sizeof(log_text) - used, "%u %u 3 R 9 0 %u 4096\n", time, pid,
	    block++ * 4096);
}

/* A line of any kind: "100 1 0 F 2 0 0 0". */
static void
line(const char *text)
{
	strcat(strcat(log_text, text), "\n");
}

/* What the steps of a run were, in the order in which they were taken. */
static char told[1024];

static void
see(void *ctx, const struct event *e)
{
	size_t used = strlen(told);

	snprintf(told + used, sizeof(told) - used, "%lld %u%c ", (long long)e->when,
	    trace.process[e->step->process].pid, "FXTPG"[e->step->kind]);
}

static struct stats
run(void)
{
	struct engine g;
	struct stats  st;

	told[0] = '\0';
	cfg.observer = (struct observer){ .mask = 1u << EVENT_STEP, .see = see };
	ck_assert_msg(!engine_init(&g, &cfg, &trace, &error), "%s", error.text);
	ck_assert_msg(!engine_run(&g, &error), "%s", error.text);
	st = g.stats;
	engine_release(&g);
	ck_assert_uint_eq(st.references, trace.naccess);
	return st;
}

static struct stats
runs(void)
{
	load(log_text);
	return run();
}

START_TEST(a_parent_that_waits_for_its_child_takes_the_time_of_both)
{
	struct stats st;

	reads(0, 1);
	line("100 1 0 F 2 0 0 0");
	line("120 1 0 T 2 0 0 480"); /* until 600 */
	reads(200, 2);
	reads(300, 2);
	line("550 2 0 X 0 0 0 0");
	reads(700, 1);
	st = runs();
	/* 10000, thinks 100, starts; the child thinks 100, 10000, 100, 10000, 250; 100, 10000. */
	ck_assert_uint_eq(st.elapsed_us, 40650);
	ck_assert_uint_eq(st.think_us, 100 + 20 + 100 + 100 + 250 + 100);
	ck_assert_uint_eq(st.wait_process_us, 100 + 20000 + 100 + 250 - 20);
	ck_assert_uint_eq(st.stall_us, 40000);
	ck_assert_uint_eq(st.broken_waits, 0);
	ck_assert_str_eq(told, "10100 1F 10120 1T 30550 2X ");
	cfg.replay = REPLAY_SERIAL;
	st = run();
	ck_assert_uint_eq(st.elapsed_us,
	    40700); /* the 50 until the parent noticed are think time */
	ck_assert_uint_eq(st.wait_process_us, 0);
	cfg.replay = REPLAY_PROCESS;
	cfg.think_scale = 2;
	ck_assert_uint_eq(run().elapsed_us, 41300);
}
END_TEST

START_TEST(two_children_side_by_side_take_the_time_of_the_longer)
{
	reads(0, 1);
	line("100 1 0 F 2 0 0 0");
	line("200 1 0 F 3 0 0 0");
	line("300 1 0 T 2 0 0 800");
	reads(400, 2);
	reads(500, 3);
	line("1100 2 0 X 0 0 0 0");
	line("1150 1 0 T 3 0 0 2050");
	line("3200 3 0 X 0 0 0 0");
	cfg.device.plugin = &device_null.plugin;
	cfg.device.params = NULL;
	struct stats st = runs();

	ck_assert_uint_eq(st.elapsed_us, 3200);
	ck_assert_uint_eq(st.wait_process_us, 800 + 2050);
	cfg.think_scale = 0.5;
	ck_assert_uint_eq(run().elapsed_us, 1600);
}
END_TEST

/* As above; the first wait is for whichever child ends first, and that is now the second. */
START_TEST(a_wait_for_any_child_ends_with_the_first)
{
	reads(0, 1);
	line("100 1 0 F 2 0 0 0");
	line("200 1 0 F 3 0 0 0");
	line("300 1 0 T 0 0 0 900");
	reads(400, 2);
	reads(500, 2);
	reads(600, 2);
	reads(650, 3);
	line("700 2 0 X 0 0 0 0");
	line("1000 3 0 X 0 0 0 0");
	line("1300 1 0 T 0 0 0 1");
	line("1400 1 0 T 0 0 0 1"); /* there is none left */
	reads(1500, 1);
	struct stats st = runs();

	/* 2 reads until 20400, 3 from then until 30400, 2 again until 40400 and until 50500. */
	ck_assert_str_eq(told, "10100 1F 10200 1F 10300 1T 30750 3X 30850 1T 50600 2X 50699 1T ");
	ck_assert_uint_eq(st.broken_waits, 0);
}
END_TEST

START_TEST(nested_children_are_waited_for_in_turn)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("10 1 0 T 2 0 0 100");
	line("20 2 0 F 3 0 0 0"); /* 2 makes no calls */
	line("20 2 0 T 3 0 0 50");
	line("30 3 0 F 4 0 0 0");
	line("30 3 0 T 4 0 0 30");
	reads(40, 4);
	line("50 4 0 X 0 0 0 0");
	line("65 3 0 X 0 0 0 0");
	line("80 2 0 X 0 0 0 0");
	reads(200, 1);
	struct stats st = runs();

	ck_assert_uint_eq(trace.nprocesses, 4);
	ck_assert_str_eq(told,
	    "10010 1F 10010 1T 10020 2F 10020 2T 10030 3F 10030 3T 20050 4X "
	    "20055 3X 20065 2X ");
	ck_assert_uint_eq(st.elapsed_us, 20065 + 90 + 10000);
}
END_TEST

START_TEST(a_child_that_never_exits_ends_with_its_last_call)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("20 1 0 T 2 0 0 100");
	reads(50, 2);
	reads(200, 1);
	ck_assert_uint_eq(runs().elapsed_us, 10050 + 10000 + 80 + 10000);
}
END_TEST

START_TEST(a_child_that_does_nothing_ends_at_once)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("20 1 0 T 2 0 0 100");
	reads(200, 1);
	ck_assert_uint_eq(runs().elapsed_us, 10020 + 80 + 10000);
}
END_TEST

START_TEST(a_parent_that_does_not_wait_goes_on)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	reads(20, 1);
	reads(50, 2);
	line("90000 2 0 X 0 0 0 0");
	struct stats st = runs();

	ck_assert_uint_eq(st.elapsed_us, 30020 + 90000 - 50); /* the end of the last process */
	ck_assert_uint_eq(st.wait_process_us, 0);
}
END_TEST

START_TEST(each_life_of_a_pid_is_waited_for)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("20 1 0 T 2 0 0 10");
	reads(22, 2);
	line("25 2 0 X 0 0 0 0");
	line("40 1 0 F 2 0 0 0");
	line("50 1 0 T 2 0 0 10");
	reads(52, 2);
	line("55 2 0 X 0 0 0 0");
	reads(70, 1);
	struct stats st = runs();

	ck_assert_str_eq(told, "10010 1F 10020 1T 20025 2X 20035 1F 20045 1T 30050 2X ");
	ck_assert_uint_eq(st.elapsed_us, 30060 + 10000);
}
END_TEST

START_TEST(one_end_of_a_pipe_waits_for_the_other)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("20 1 0 G 2 0 1 60"); /* it gets what 2 puts at 70 */
	reads(50, 2);
	line("70 2 0 P 0 0 0 0");
	line("75 2 0 P 0 0 0 0");
	line("90 1 0 G 2 0 2 0"); /* that was there already */
	line("95 1 0 G 2 0 7 0"); /* and that never comes: until 2 has ended */
	line("99 2 0 X 0 0 0 0");
	reads(200, 1);
	struct stats st = runs();

	ck_assert_str_eq(told, "10010 1F 10020 1G 20070 2P 20075 2P 20080 1G 20085 1G 20099 2X ");
	ck_assert_uint_eq(st.elapsed_us, 20099 + 105 + 10000);
	ck_assert_uint_eq(st.broken_waits, 0);
}
END_TEST

START_TEST(processes_that_wait_for_each_other_are_let_go)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("15 1 0 T 2 0 0 0");
	line("20 2 0 T 1 0 0 0");
	reads(50, 2);
	reads(60, 1);
	struct stats st = runs();

	ck_assert_uint_eq(st.broken_waits, 1);
	ck_assert_uint_eq(st.references, 3);
}
END_TEST

START_TEST(a_process_that_nobody_starts_begins_at_its_time_in_the_trace)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	reads(50, 2);
	reads(70000, 3);
	ck_assert_uint_eq(runs().elapsed_us, 80000);
}
END_TEST

START_TEST(what_comes_before_the_warm_up_ends_is_not_counted)
{
	reads(0, 1);
	line("10 1 0 F 2 0 0 0");
	line("20 1 0 T 2 0 0 100");
	reads(50, 2);
	reads(60, 2);
	reads(200, 1);
	load(log_text);
	cfg.warmup_calls = 2;
	struct engine g;

	ck_assert_msg(!engine_init(&g, &cfg, &trace, &error), "%s", error.text);
	ck_assert_msg(!engine_run(&g, &error), "%s", error.text);
	ck_assert_uint_eq(g.stats.wait_process_us, 10 + 10000);
	ck_assert_uint_eq(g.stats.elapsed_us, 10 + 10000 + 80 + 10000);
	engine_release(&g);
}
END_TEST

/* Steps of all kinds at random: every call is made once, and time is spent in one way. */
START_TEST(any_family_comes_to_an_end)
{
	uint64_t state = 5 + (uint64_t)_i;
	usec_t	 most = 0;

	for (unsigned i = 0; i < 7; i++)
		reads(i, i);
	for (unsigned i = 7; i < 200; i++) {
		unsigned pid = random_below(&state, 7), other = 1 + random_below(&state, 6);
		char	 op = "RRFTTPGX"[random_below(&state, 8)], text[80];

		if (op == 'R' || other == pid) {
			reads(i * 10, pid);
			continue;
		}
		snprintf(text, sizeof(text), "%u %u 0 %c %u 0 %u %u", i * 10, pid, op,
		    op == 'P' || op == 'X' ? 0 : other, op == 'G', random_below(&state, 50));
		line(text);
	}
	cfg.cache_blocks = 1 + random_below(&state, 4);
	struct stats st = runs();

	for (uint32_t p = 0; p < trace.nprocesses; p++)
		most += (usec_t)st.elapsed_us;
	ck_assert_uint_eq(st.references, st.hits + st.delayed_hits + st.misses);
	ck_assert_uint_le(st.think_us + st.stall_us + st.wait_process_us, (uint64_t)most);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("steps");

	tcase_add_checked_fixture(tests, setup, scratch_remove);
	tcase_add_test(tests, a_parent_that_waits_for_its_child_takes_the_time_of_both);
	tcase_add_test(tests, two_children_side_by_side_take_the_time_of_the_longer);
	tcase_add_test(tests, a_wait_for_any_child_ends_with_the_first);
	tcase_add_test(tests, nested_children_are_waited_for_in_turn);
	tcase_add_test(tests, a_child_that_never_exits_ends_with_its_last_call);
	tcase_add_test(tests, a_child_that_does_nothing_ends_at_once);
	tcase_add_test(tests, a_parent_that_does_not_wait_goes_on);
	tcase_add_test(tests, each_life_of_a_pid_is_waited_for);
	tcase_add_test(tests, one_end_of_a_pipe_waits_for_the_other);
	tcase_add_test(tests, processes_that_wait_for_each_other_are_let_go);
	tcase_add_test(tests, a_process_that_nobody_starts_begins_at_its_time_in_the_trace);
	tcase_add_test(tests, what_comes_before_the_warm_up_ends_is_not_counted);
	tcase_add_loop_test(tests, any_family_comes_to_an_end, 0, 300);
	return run_tests("steps", tests);
}
