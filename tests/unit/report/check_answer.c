/* check_answer.c - the first sentence of a report says what happened, in every case. */
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "sim/report/run/answer.h"
#include "tests/unit/support.h"

static struct config config;
static struct trace  trace;
static struct stats  stats, without;
static struct report r;
static char	    *text;

static void
setup(void)
{
	struct error e;

	config_defaults(&config);
	ck_assert_int_eq(registry_choose(PLUGIN_DEVICE, "cheetah9lp", &config.device, &e), 0);
	config.cache_blocks = 1;
	trace = (struct trace){ 0 };
	stats = without = (struct stats){ 0 };
	r = (struct report){ .config = &config, .trace = &trace, .stats = &stats };
	text = NULL;
}

static void
teardown(void)
{
	free(text);
	choice_release(&config.device);
}

static const char *
answer(void)
{
	size_t n;
	FILE  *out;

	free(text);
	out = open_memstream(&text, &n);
	answer_print(&r, out);
	fclose(out);
	return text;
}

static const struct {
	uint64_t    now, then;
	const char *sentence;
} compared[] = {
	{ 108566000, 75158000, "44 % slower than without prefetching (108.6 s; 75.2 s)\n" },
	{ 75158000, 108566000, "31 % faster than without prefetching (75.2 s; 108.6 s)\n" },
	{ 102300, 100000, "2.3 % slower than without prefetching (102.3 ms; 100.0 ms)\n" },
	{ 5, 10, "50 % faster than without prefetching (5 us; 10 us)\n" },
	{ 1020000, 980000, "4.1 % slower than without prefetching (1.02 s; 0.98 s)\n" },
	{ 450, 10, "4400 % slower than without prefetching (450 us; 10 us)\n" },
	/* no difference within 0.05 % */
	{ 75158000, 75158000, "as fast as without prefetching (75.2 s)\n" },
	{ 75150000, 75158000, "as fast as without prefetching (75.150 s; 75.158 s)\n" },
	{ 100051000, 100000000, "0.1 % slower than without prefetching (100.1 s; 100.0 s)\n" },
	/* no time at all */
	{ 0, 0, "as fast as without prefetching (0 us)\n" },
	{ 7, 0, "slower than without prefetching (7 us; 0 us)\n" },
	{ 0, 7, "100 % faster than without prefetching (0 us; 7 us)\n" },
};

START_TEST(a_run_with_prefetching_is_compared)
{
	r.without = &without;
	stats.elapsed_us = compared[_i].now;
	without.elapsed_us = compared[_i].then;
	ck_assert_str_eq(answer(), compared[_i].sentence);
}
END_TEST

START_TEST(a_run_without_prefetching_says_how_much_of_the_time_is_waiting)
{
	struct error e;

	stats.elapsed_us = 75158000;
	stats.think_us = 7070000;
	stats.stall_us = 68088000;
	ck_assert_str_eq(answer(), "75.2 s, of which 91 % waiting for the disk\n");
	stats.cpu_us = 68088000 + 7070000;
	ck_assert_str_eq(answer(), "75.2 s, of which 45 % waiting for the disk\n");
	stats.cpu_us = 0;
	stats.stall_us = 70700;
	ck_assert_str_eq(answer(), "75.2 s, of which 1.0 % waiting for the disk\n");
	choice_release(&config.device);
	ck_assert_int_eq(registry_choose(PLUGIN_DEVICE, "ssd-850evo", &config.device, &e), 0);
	ck_assert_str_eq(answer(), "75.2 s, of which 1.0 % waiting for the device\n");
	stats = (struct stats){ 0 };
	ck_assert_str_eq(answer(), "0 us\n");
}
END_TEST

START_TEST(without_a_clock_the_answer_is_the_hit_ratio)
{
	config.replay = REPLAY_UNTIMED;
	stats.references = 138575;
	stats.hits = 113800;
	ck_assert_str_eq(answer(), "hit ratio 82.1 % (113,800 of 138,575 references)\n");
	stats.references = stats.hits = 0;
	ck_assert_str_eq(answer(), "hit ratio 0.0 % (0 of 0 references)\n");
}
END_TEST

START_TEST(calls_at_their_times_and_the_device_alone_have_response_times)
{
	config.replay = REPLAY_OPEN;
	stats.response_calls = 10;
	stats.response_us = 123400;
	stats.response_p99_us = 50000;
	ck_assert_str_eq(answer(), "12.3 ms mean response time, 99 % within 50.0 ms\n");
	r.without = &without;
	without = stats;
	without.response_us = 246800;
	ck_assert_str_eq(answer(),
	    "responses 50 % faster than without prefetching (12.3 ms; 24.7 ms on average)\n");
	r.without = NULL;
	config.replay = REPLAY_SERIAL;
	config.cache_blocks = 0;
	ck_assert_str_eq(answer(), "12.3 ms mean response time, 99 % within 50.0 ms\n");
	stats.response_calls = stats.response_us = stats.response_p99_us = 0;
	ck_assert_str_eq(answer(), "0 us mean response time, 99 % within 0 us\n");
}
END_TEST

START_TEST(each_of_several_programs_has_a_line)
{
	static const char    *name[] = { "glimpse", "csq" };
	static const uint64_t us[] = { 640100000, 12300000 }, before[] = { 571500000, 12300000 };

	trace.nprograms = 2;
	trace.program = name;
	stats.elapsed_us = 640100000;
	without.elapsed_us = 571500000;
	r.program_us = us;
	ck_assert_str_eq(answer(), "640.1 s\n  glimpse 640.1 s\n  csq 12.3 s\n");
	r.without = &without;
	r.program_us_without = before;
	ck_assert_str_eq(answer(),
	    "12 % slower than without prefetching (640.1 s; 571.5 s)\n"
	    "  glimpse 12 % slower (640.1 s; 571.5 s)\n  csq as fast (12.3 s)\n");
}
END_TEST

START_TEST(slower_is_red_and_faster_is_green)
{
	r.colour = true;
	r.without = &without;
	stats.elapsed_us = 3;
	without.elapsed_us = 2;
	ck_assert_int_eq(strncmp(answer(), "\033[1;31m50 % slower", 17), 0);
	without.elapsed_us = 6;
	ck_assert_int_eq(strncmp(answer(), "\033[1;32m50 % faster", 17), 0);
	without.elapsed_us = 3;
	ck_assert_int_eq(strncmp(answer(), "\033[1mas fast", 11), 0);
	ck_assert_ptr_nonnull(strstr(text, "\033[m"));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("answer");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, a_run_with_prefetching_is_compared, 0,
	    sizeof(compared) / sizeof(*compared));
	tcase_add_test(tests, a_run_without_prefetching_says_how_much_of_the_time_is_waiting);
	tcase_add_test(tests, without_a_clock_the_answer_is_the_hit_ratio);
	tcase_add_test(tests, calls_at_their_times_and_the_device_alone_have_response_times);
	tcase_add_test(tests, each_of_several_programs_has_a_line);
	tcase_add_test(tests, slower_is_red_and_faster_is_green);
	return run_tests("answer", tests);
}
