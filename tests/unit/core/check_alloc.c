/*
 * check_alloc.c - memory is obtained while loading and setting up, never in a
 * run; and when there is none, a clear error is all that comes of it.
 *
 * Linked with --wrap for malloc, calloc, realloc, free and strdup, so that
 * what the simulator asks for passes through here and can be refused.
 */
#include "sim/core/engine/engine.h"
#include "sim/trace/merge.h"
#include "tests/unit/allocator.h"
#include "tests/unit/conformance.h"
#include "tests/unit/loading.h"

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
static unsigned	     programs;	 /* run at once, of the same trace */
static const char   *plugged_in; /* the plug-in that the test is about, or "" */

static void
setup(void)
{
	scratch_make();
	programs = 1;
	plugged_in = "";
	choose_plainly(&cfg);
	cfg.cache_blocks = 50;
}

/* path NULL: the trace that is loaded. */
static int
simulate_file(const char *path, struct stats *st)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };
	int			   status;

	error = (struct error){ 0 };
	if (!path)
		return simulate(&cfg, &trace, st, &error);
	if (trace_load_together(&trace, (const char *const[]){ path, path }, programs, &options,
		false, &error))
		return -1;
	status = simulate(&cfg, &trace, st, &error);
	trace_release(&trace);
	return status;
}

/* The nth allocation fails: an error and nothing kept, or the same result without it. */
static void
check_refusal(const char *path, uint64_t n, const struct stats *expected)
{
	struct stats st;
	int	     status;

	watch_from_here(n);
	status = simulate_file(path, &st);
	watch.on = false;
	REQUIRE(!watch.held, "%s: %lld blocks kept after allocation %llu failed", plugged_in,
	    (long long)watch.held, (unsigned long long)n);
	if (!status) {
		REQUIRE(!memcmp(&st, expected, sizeof(st)),
		    "%s: allocation %llu changed the result", plugged_in, (unsigned long long)n);
		return;
	}
	REQUIRE(status == -1 && error.exit_code == EXIT_FAILED, "%s: status %d, exit %d",
	    plugged_in, status, error.exit_code);
	REQUIRE(strstr(error.text, "memory"), "%s: allocation %llu: '%s'", plugged_in,
	    (unsigned long long)n, error.text);
	REQUIRE(!strchr(error.text, '\n'), "'%s'", error.text);
}

/* Of very many, as of an array's members which are all alike, not each. */
static void
refuse_each(const char *path)
{
	struct stats expected;
	uint64_t     all;

	watch_from_here(0);
	ck_assert_msg(!simulate_file(path, &expected), "%s", error.text);
	all = watch.asked;
	watch.on = false;
	ck_assert_uint_gt(all, 8);
	REQUIRE(!watch.held, "%s: %lld blocks kept", plugged_in, (long long)watch.held);
	for (uint64_t n = 1; n <= all; n += 1 + n / 32)
		check_refusal(path, n, &expected);
}

START_TEST(when_memory_runs_out_anywhere_there_is_an_error_and_no_leak)
{
	write_trace();
	for (unsigned replay = REPLAY_SERIAL; replay <= REPLAY_UNTIMED; replay++) {
		cfg.replay = replay;
		choose_setting(&cfg, PLUGIN_PREFETCHER,
		    replay == REPLAY_PROCESS ? "linux24" : "none");
		cfg.shadow = replay != REPLAY_UNTIMED;
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
	refuse_each(scratch_path);
}
END_TEST

/* Everything that is registered of the _i-th kind; parameters decide about tables, too. */
START_TEST(when_memory_runs_out_for_any_plug_in_there_is_an_error_and_no_leak)
{
	static struct settings s;
	struct stats	       st;

	ck_assert_int_eq(load_path("tests/data/small.txt", NULL, false), 0);
	settings_all(&s, (enum plugin_kind)_i);
	for (unsigned i = 0; i < s.n; i++) {
		plugged_in = s.text[i];
		choose_setting(&cfg, (enum plugin_kind)_i, plugged_in);
		suit_prefetcher(&cfg);
		if (simulate_file(NULL, &st))
			check_refused(plugged_in, &error);
		else
			refuse_each(NULL);
	}
}
END_TEST

/* ---- while it runs ---- */

static void
check_run(const char *name)
{
	struct engine s;
	int	      status;

	if (engine_init(&s, &cfg, &trace, &error)) {
		check_refused(name, &error);
		return;
	}
	watch_from_here(0);
	status = engine_run(&s, &error);
	watch.on = false;
	REQUIRE(!status, "%s: %s", name, error.text);
	REQUIRE(!watch.asked && !watch.held, "%s allocates or frees in a run", name);
	ck_assert_uint_ge(s.stats.references, 5000);
	engine_release(&s);
}

START_TEST(with_no_plug_in_a_run_asks_for_memory_or_gives_any_back)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };
	static struct settings	   s;

	write_trace();
	ck_assert_msg(!trace_load(&trace, scratch_path, &options, &error), "%s", error.text);
	settings_all(&s, (enum plugin_kind)_i);
	for (unsigned i = 0; i < s.n; i++) {
		choose_setting(&cfg, (enum plugin_kind)_i, s.text[i]);
		for (unsigned replay = REPLAY_SERIAL; replay <= REPLAY_PROCESS; replay++) {
			cfg.replay = replay;
			cfg.writes = (enum writes)((i + replay) % 3);
			suit_prefetcher(&cfg);
			check_run(s.text[i]);
		}
	}
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
	tcase_add_loop_test(tests,
	    when_memory_runs_out_for_any_plug_in_there_is_an_error_and_no_leak, 0, PLUGIN_FORMAT);
	tcase_add_loop_test(tests, with_no_plug_in_a_run_asks_for_memory_or_gives_any_back, 0,
	    PLUGIN_FORMAT);
	return run_tests("alloc", tests);
}
