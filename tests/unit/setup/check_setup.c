/* check_setup.c - what was typed, as it is simulated. */
#include <string.h>

#include "sim/setup/setup.h"
#include "tests/unit/support.h"

static struct options o;
static struct setup   s;
static struct error   e;

static void
type(const char *option, const char *value)
{
	char *argv[] = { (char[]){ "run" }, (char[]){ "t" }, (char *)(uintptr_t)option,
		(char *)(uintptr_t)value, NULL };

	e = (struct error){ 0 };
	ck_assert_msg(!options_parse(&o, COMMAND_RUN, option ? 4 : 2, argv, &e), "%s", e.text);
}

static void
refuses(const char *option, const char *value, const char *why)
{
	type(option, value);
	ck_assert_int_eq(setup_init(&s, &o, &e), -1);
	ck_assert_str_eq(e.text, why);
}

static void
accepts(const char *option, const char *value)
{
	type(option, value);
	ck_assert_msg(!setup_init(&s, &o, &e), "%s", e.text);
}

static void
teardown(void)
{
	setup_release(&s);
}

START_TEST(names_become_plug_ins_and_sizes_become_blocks)
{
	accepts("--prefetch", "linux24:max=32");
	ck_assert_str_eq(s.config.policy.plugin->name, "lru");
	ck_assert_str_eq(s.config.prefetcher.plugin->name, "linux24");
	ck_assert_str_eq(s.config.prefetcher.params, "max=32");
	ck_assert_str_eq(s.config.scheduler.plugin->name, "fifo");
	ck_assert_str_eq(s.config.device.plugin->name, "disk");
	ck_assert_ptr_nonnull(s.config.device.sheet);
	ck_assert_uint_eq(s.config.cache_blocks, 16384);
	ck_assert_uint_eq(s.config.request_blocks, 33);
	ck_assert_uint_eq(s.config.queue_requests, 128);
	ck_assert_uint_eq(s.trace.block_bytes, 4096);
}
END_TEST

START_TEST(sizes_follow_the_block)
{
	accepts("--block", "512K");
	ck_assert_uint_eq(s.config.cache_blocks, 128);
	accepts("--request", "128K");
	ck_assert_uint_eq(s.config.request_blocks, 32);
}
END_TEST

START_TEST(wrong_parameters_are_refused_before_a_trace_is_loaded)
{
	refuses("--prefetch", "linux24:mx=3",
	    "--prefetch: unknown parameter of linux24 'mx'; did you mean 'max'?");
	refuses("--device", "fixed:latncy=3ms",
	    "--device: unknown parameter of fixed 'latncy'; did you mean 'latency'?");
	refuses("--format", "text:a=1",
	    "--format: unknown parameter of text 'a'; text has no parameters");
}
END_TEST

START_TEST(sizes_that_cannot_be_are_refused)
{
	refuses("--cache", "5K", "--cache: 5K is not a whole number of blocks of 4K: 2b is near");
	refuses("--cache", "4294967295b",
	    "--cache: a cache of 4,294,967,295 blocks is too large: 4,294,967,294 is the most");
	refuses("--block", "3K", "--block: '3K' is not a power of two from 512 to 1M");
	refuses("--block", "256", "--block: '256' is not a power of two from 512 to 1M");
	refuses("--block", "2M", "--block: '2M' is not a power of two from 512 to 1M");
	refuses("--request", "6K",
	    "--request: 6K is not a whole number of blocks of 4K: 2b is near");
	refuses("--request", "0K", "--request: at least one block is needed");
	refuses("--request", "5000000b", "--request: '5000000b' is too large");
	refuses("--queue", "0", "--queue: '0' is not between 3 and 1048576");
	refuses("--queue", "2000000", "--queue: '2000000' is not between 3 and 1048576");
}
END_TEST

static void
accepts_with_costs(const char *option, const char *value)
{
	char *argv[] = { (char[]){ "run" }, (char[]){ "t" },
		(char[]){ "--device=raid0+tests/cli/data/costly.dev" }, (char *)(uintptr_t)option,
		(char *)(uintptr_t)value, NULL };

	setup_release(&s);
	ck_assert_msg(!options_parse(&o, COMMAND_RUN, 5, argv, &e), "%s", e.text);
	ck_assert_msg(!setup_init(&s, &o, &e), "%s", e.text);
}

START_TEST(costs_are_typed_or_of_the_data_sheet)
{
	accepts("--cpu", "call=5");
	ck_assert_uint_eq(s.config.cpu.call_ps, 5000);
	accepts_with_costs("--cpu", "sheet");
	ck_assert_uint_eq(s.config.cpu.call_ps, 50000000);
	ck_assert_uint_eq(s.config.cpu.byte_ps, 12500);
	accepts_with_costs("--cpu", "page=7");
	ck_assert_uint_eq(s.config.cpu.call_ps, 0);
	ck_assert_uint_eq(s.config.cpu.page_ps, 7000);
	accepts_with_costs("--cpu", "none");
	ck_assert(!cpu_costs_any(&s.config.cpu));
	/* where there is nothing to pay for, a data sheet asks for nothing */
	accepts_with_costs("--cache", "0");
	ck_assert(!cpu_costs_any(&s.config.cpu));
	accepts_with_costs("--replay", "untimed");
	ck_assert(!cpu_costs_any(&s.config.cpu));
}
END_TEST

static void
refuses_without_cache(const char *option, const char *value, const char *why)
{
	char *argv[] = { (char[]){ "run" }, (char[]){ "t" }, (char[]){ "--cache=0" },
		(char *)(uintptr_t)option, (char *)(uintptr_t)value, NULL };

	e = (struct error){ 0 };
	ck_assert_msg(!options_parse(&o, COMMAND_RUN, 5, argv, &e), "%s", e.text);
	ck_assert_int_eq(setup_init(&s, &o, &e), -1);
	ck_assert_str_eq(e.text, why);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
}

START_TEST(without_a_cache_there_is_only_the_device)
{
	accepts("--cache", "0");
	ck_assert_uint_eq(s.config.cache_blocks, 0);
	accepts("--cache", "0b");
	refuses_without_cache("--replay", "untimed",
	    "--cache 0 has only the device, and --replay untimed has none: choose --replay "
	    "open, serial or process");
	refuses_without_cache("--cpu", "call=5",
	    "--cache 0 has no cache, whose calls and pages cost processor time: use --cpu none "
	    "with it");
	refuses_without_cache("--prefetch", "linux24",
	    "--cache 0 has no cache for prefetching: use --prefetch none with it, not linux24");
	refuses_without_cache("--scheduler", "noop",
	    "--cache 0 neither merges requests nor plugs the queue: use --scheduler fifo, scan, "
	    "sptf or deadline with it, not noop");
	refuses_without_cache("--layout", "accusim",
	    "--cache 0 sends the sectors that a call names: use --layout packed with it");
	refuses_without_cache("--request", "64K",
	    "--cache 0 makes each call one request, however large: leave out --request");
}
END_TEST

START_TEST(a_cache_whose_tables_do_not_fit_in_memory_is_refused)
{
	ck_assert_int_eq(setup_check_memory(1 << 20, 4096, 64 << 20, &e), 0);
	ck_assert_int_eq(setup_check_memory((1 << 28) + 1, 4096, 8ULL << 30, &e), -1);
	ck_assert_str_eq(e.text,
	    "simulating a cache of 1.0 TiB takes 8.0 GiB of tables, and "
	    "this machine has 8.0 GiB of memory");
	ck_assert_int_eq(e.exit_code, EXIT_FAILED);
}
END_TEST

START_TEST(the_warm_up_is_shorter_than_the_trace)
{
	struct trace t = { .naccess = 1000 };

	accepts("--warmup", "12.34%");
	ck_assert_int_eq(setup_fit(&s, &o, &t, &e), 0);
	ck_assert_uint_eq(s.config.warmup_calls, 123);
	accepts("--warmup", "999");
	ck_assert_int_eq(setup_fit(&s, &o, &t, &e), 0);
	ck_assert_uint_eq(s.config.warmup_calls, 999);
	accepts("--warmup", "1000");
	ck_assert_int_eq(setup_fit(&s, &o, &t, &e), -1);
	ck_assert_str_eq(e.text,
	    "--warmup: 1,000 calls leave nothing to count: the trace has 1,000");
}
END_TEST

START_TEST(a_data_sheet_of_ones_own_is_read_and_freed)
{
	accepts("--device", "sim/device/sheets/cheetah9lp.dev");
	ck_assert_ptr_nonnull(strstr(s.config.device.sheet, "[geometry]"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("setup");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, names_become_plug_ins_and_sizes_become_blocks);
	tcase_add_test(tc, sizes_follow_the_block);
	tcase_add_test(tc, wrong_parameters_are_refused_before_a_trace_is_loaded);
	tcase_add_test(tc, sizes_that_cannot_be_are_refused);
	tcase_add_test(tc, costs_are_typed_or_of_the_data_sheet);
	tcase_add_test(tc, without_a_cache_there_is_only_the_device);
	tcase_add_test(tc, a_cache_whose_tables_do_not_fit_in_memory_is_refused);
	tcase_add_test(tc, the_warm_up_is_shorter_than_the_trace);
	tcase_add_test(tc, a_data_sheet_of_ones_own_is_read_and_freed);
	return run_tests("setup", tc);
}
