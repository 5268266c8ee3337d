/*
 * check_alloc.c - memory is obtained while loading and setting up, never in a
 * run; and when there is none, a clear error is all that comes of it.
 */
#include "sim/core/engine.h"
#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "sim/trace/merge.h"
#include "tests/unit/allocator.h"
#include "tests/unit/loading.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none, prefetcher_linux24;
extern const struct scheduler  scheduler_fifo, scheduler_scan;
extern const struct device     device_null, device_fixed, device_raid5;

START_TEST(this_program_is_linked_so_that_it_sees_allocations)
{
	struct cache c;
	int	     status;

	watch_from_here(2);
	status = cache_init(&c, 10, 10, &error);
	watch.on = false;
	ck_assert_msg(status == -1 && watch.asked == 2 && !watch.held,
	    "link with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup");
}
END_TEST

/* ---- a whole simulation, from file to counters ---- */

/* Many files, processes and calls, some out of order: every table must grow. */
static void
write_trace(void)
{
	FILE *f = fopen(scratch_path, "w");

	ck_assert_ptr_nonnull(f);
	fputs("# time_us pid fd op inode file_size offset length\n", f);
	for (unsigned i = 0; i < 5000; i++) {
		unsigned file = i % 40, late = i % 100 == 99 ? 50 : 0;

		fprintf(f, "%u %u %u %c %u 400000 %u 5000\n", 10 * i - late, 7 + i % 20, 3 + file,
		    i % 5 ? 'R' : 'W', 500 + file, i / 40 % 90 * 4000);
	}
	ck_assert_int_eq(fclose(f), 0);
}

static struct config cfg;
static unsigned	     programs; /* run at once, of the same trace */

static void
setup(void)
{
	scratch_make();
	programs = 1;
	config_defaults(&cfg);
	cfg.cache_blocks = 50;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_linux24.plugin;
	cfg.scheduler.plugin = &scheduler_scan.plugin;
	cfg.device.plugin = &device_fixed.plugin;
}

static void
choose(enum plugin_kind kind, const char *text, struct choice *out)
{
	choice_release(out);
	ck_assert_msg(!registry_choose(kind, text, out, &error), "%s", error.text);
}

/* A controller around that prefetcher, with tables that are full soon. */
static void
choose_controller(const struct plugin *inner)
{
	static char text[128];

	snprintf(text, sizeof(text), "iprp:threshold=2,runs=2,files=3+%s", inner->name);
	choose(PLUGIN_PREFETCHER, text, &cfg.prefetcher);
}

static int
simulate_file(const char *path, struct stats *st)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };
	int			   status;

	error = (struct error){ 0 };
	if (trace_load_together(&trace, (const char *const[]){ path, path }, programs, &options,
		false, &error))
		return -1;
	status = simulate(&cfg, &trace, st, &error);
	trace_release(&trace);
	return status;
}

/* The nth allocation fails: an error and nothing kept, or the same result as ever without it. */
static void
check_refusal(const char *path, uint64_t n, const struct stats *expected)
{
	struct stats st;
	int	     status;

	watch_from_here(n);
	status = simulate_file(path, &st);
	watch.on = false;
	REQUIRE(!watch.held, "%lld blocks kept after allocation %llu failed", (long long)watch.held,
	    (unsigned long long)n);
	if (!status) {
		REQUIRE(!memcmp(&st, expected, sizeof(st)), "allocation %llu changed the result",
		    (unsigned long long)n);
		return;
	}
	REQUIRE(status == -1 && error.exit_code == EXIT_FAILED, "status %d, exit %d", status,
	    error.exit_code);
	REQUIRE(strstr(error.text, "memory"), "allocation %llu: '%s'", (unsigned long long)n,
	    error.text);
	REQUIRE(!strchr(error.text, '\n'), "'%s'", error.text);
}

static void
refuse_each(const char *path)
{
	struct stats expected;
	uint64_t     all;

	watch_from_here(0);
	ck_assert_msg(!simulate_file(path, &expected), "%s", error.text);
	all = watch.asked;
	watch.on = false;
	ck_assert_uint_gt(all, 15);
	ck_assert_int_eq(watch.held, 0);
	for (uint64_t n = 1; n <= all; n++)
		check_refusal(path, n, &expected);
}

START_TEST(when_memory_runs_out_anywhere_there_is_an_error_and_no_leak)
{
	write_trace();
	for (unsigned replay = REPLAY_SERIAL; replay <= REPLAY_UNTIMED; replay++) {
		cfg.replay = replay;
		cfg.prefetcher.plugin =
		    replay == REPLAY_PROCESS ? &prefetcher_linux24.plugin : &prefetcher_none.plugin;
		refuse_each(scratch_path);
	}
}
END_TEST

START_TEST(when_memory_runs_out_in_a_strace_log_there_is_an_error_and_no_leak)
{
	refuse_each("tests/data/small.strace");
}
END_TEST

START_TEST(when_memory_runs_out_for_programs_at_once_there_is_an_error_and_no_leak)
{
	programs = 2;
	refuse_each("tests/data/small.strace");
	write_trace();
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	refuse_each(scratch_path);
}
END_TEST

START_TEST(when_memory_runs_out_for_a_device_there_is_an_error_and_no_leak)
{
	for (const struct data_sheet *sheet = data_sheets; sheet->name; sheet++) {
		choose(PLUGIN_DEVICE, sheet->name, &cfg.device);
		refuse_each("tests/data/small.txt");
	}
}
END_TEST

START_TEST(when_memory_runs_out_for_an_array_there_is_an_error_and_no_leak)
{
	choose(PLUGIN_DEVICE, "raid5+cheetah9lp", &cfg.device);
	refuse_each("tests/data/small.txt");
}
END_TEST

START_TEST(when_memory_runs_out_for_any_plug_in_there_is_an_error_and_no_leak)
{
	for (const struct plugin *const *p = registry_list(PLUGIN_POLICY); *p; p++) {
		cfg.policy.plugin = *p;
		refuse_each("tests/data/small.txt");
	}
	for (const struct plugin *const *p = registry_list(PLUGIN_PREFETCHER); *p; p++) {
		choose(PLUGIN_PREFETCHER, (*p)->name, &cfg.prefetcher);
		refuse_each("tests/data/small.txt");
		if ((*p)->around)
			continue;
		choose_controller(*p);
		refuse_each("tests/data/small.txt");
	}
}
END_TEST

/* ---- while it runs ---- */

static void
check_run(const char *name)
{
	struct engine s;
	int	      status;

	ck_assert_msg(!engine_init(&s, &cfg, &trace, &error), "%s", error.text);
	watch_from_here(0);
	status = engine_run(&s, &error);
	watch.on = false;
	ck_assert_int_eq(status, 0);
	ck_assert_msg(!watch.asked && !watch.held, "%s allocates or frees in a run", name);
	ck_assert_uint_ge(s.stats.references, 5000);
	engine_release(&s);
}

START_TEST(a_run_asks_for_no_memory_and_gives_none_back)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };

	write_trace();
	ck_assert_msg(!trace_load(&trace, scratch_path, &options, &error), "%s", error.text);
	for (unsigned i = 0; i < 6; i++) {
		cfg.replay = i % 2 ? REPLAY_SERIAL : REPLAY_PROCESS;
		cfg.writes = (enum writes)(i % 3);
		for (const struct plugin *const *p = registry_list(PLUGIN_POLICY); *p; p++) {
			cfg.policy.plugin = *p;
			check_run((*p)->name);
		}
		for (const struct plugin *const *p = registry_list(PLUGIN_PREFETCHER); *p; p++) {
			choose(PLUGIN_PREFETCHER, (*p)->name, &cfg.prefetcher);
			check_run((*p)->name);
			if ((*p)->around)
				continue;
			choose_controller(*p);
			check_run("a controller");
		}
	}
}
END_TEST

START_TEST(no_device_asks_for_memory_in_a_run)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };

	write_trace();
	ck_assert_msg(!trace_load(&trace, scratch_path, &options, &error), "%s", error.text);
	for (const struct data_sheet *sheet = data_sheets; sheet->name; sheet++) {
		choose(PLUGIN_DEVICE, sheet->name, &cfg.device);
		check_run(sheet->name);
	}
	choose(PLUGIN_DEVICE, "raid5+cheetah9lp", &cfg.device);
	check_run("raid5");
	choose(PLUGIN_DEVICE, "null", &cfg.device);
	check_run("null");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("alloc");

	tcase_add_checked_fixture(tests, setup, scratch_remove);
	tcase_add_test(tests, this_program_is_linked_so_that_it_sees_allocations);
	tcase_add_test(tests, when_memory_runs_out_anywhere_there_is_an_error_and_no_leak);
	tcase_add_test(tests, when_memory_runs_out_in_a_strace_log_there_is_an_error_and_no_leak);
	tcase_add_test(tests,
	    when_memory_runs_out_for_programs_at_once_there_is_an_error_and_no_leak);
	tcase_add_test(tests, when_memory_runs_out_for_a_device_there_is_an_error_and_no_leak);
	tcase_add_test(tests, when_memory_runs_out_for_an_array_there_is_an_error_and_no_leak);
	tcase_add_test(tests, when_memory_runs_out_for_any_plug_in_there_is_an_error_and_no_leak);
	tcase_add_test(tests, a_run_asks_for_no_memory_and_gives_none_back);
	tcase_add_test(tests, no_device_asks_for_memory_in_a_run);
	return run_tests("alloc", tests);
}
