/*
 * check_stage.c - the calls of a trace on real files: which pages are read and stay, and what is
 * refused.  Nothing depends on how long it takes.  Systems may reclaim pages at any time: a run
 * that has lost some is made again.
 */
#define _GNU_SOURCE /* sched_setaffinity() */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/registry.h"
#include "tests/unit/measure/staged.h"

enum { TMPFS_MAGIC = 0x01021994 };
enum { TRIES = 8, WAY_TOO_MANY = 1 << 20 };

static struct draft	d;
static struct stage	s;
static struct run_how	how;
static struct run_times times;
static float		us[DRAFT_CALLS];
static struct error	error;

static void
setup(void)
{
	staged_draft(&d);
	how = (struct run_how){ .random = true };
	times = (struct run_times){ .call_us = us };
	error = (struct error){ 0 };
}

static void
make(void)
{
	REQUIRE(!stage_make(&s, &d.trace, STAGED_DIR, &error), "%s", error.text);
}

static void
run(void)
{
	for (unsigned i = 0; i < TRIES; i++) {
		REQUIRE(!stage_run(&s, &how, &times, &error), "%s", error.text);
		if (!times.lost_pages)
			return;
	}
	if (pages_can_be_seen())
		ck_abort_msg("%u runs have all lost pages", TRIES);
	exit(EXIT_SUCCESS); /* memory has become short: it was told */
}

static void
make_fails(const char *dir, const char *why)
{
	ck_assert_int_eq(stage_make(&s, &d.trace, dir, &error), -1);
	REQUIRE(strstr(error.text, why), "'%s'", error.text);
	ck_assert_ptr_null(s.files.fd);
}

static void
run_fails(const char *why)
{
	ck_assert_int_eq(stage_run(&s, &how, &times, &error), -1);
	REQUIRE(strstr(error.text, why), "'%s'", error.text);
}

static uint64_t
distinct(void)
{
	block_t	  n;
	uint64_t *touched = trace_touched(&d.trace, &n, &error);

	free(touched);
	return n;
}

static unsigned
descriptors_open(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* ---- pages ---- */

START_TEST(without_readahead_the_pages_of_the_calls_are_read_and_stay)
{
	unsigned before = descriptors_open();

	make();
	ck_assert_uint_eq(s.bytes, 2 * STAGED_PAGES * SCRATCH_PAGE);
	run();
	ck_assert_uint_eq(times.pages_read, distinct());
	ck_assert_uint_eq(times.resident_pages, distinct());
	for (size_t i = 0; i < d.trace.naccess; i++)
		ck_assert(us[i] > 0);
	ck_assert(times.elapsed_us > 0 && times.calls_us > 0);
	stage_release(&s);
	ck_assert_uint_eq(descriptors_open(), before);
}
END_TEST

START_TEST(every_run_begins_with_no_page_in_memory)
{
	make();
	for (unsigned i = 0; i < 3; i++) {
		how.random = i != 1;
		run();
		ck_assert_uint_ge(times.pages_read, distinct());
	}
	ck_assert_uint_eq(times.pages_read, distinct());
	stage_release(&s);
}
END_TEST

START_TEST(with_readahead_more_pages_are_read)
{
	how.random = false;
	make();
	run();
	ck_assert_uint_ge(times.pages_read, distinct());
	ck_assert_uint_eq(times.pages_read, times.resident_pages);
	stage_release(&s);
}
END_TEST

START_TEST(a_warm_run_reads_nothing)
{
	unsigned tries = 0;

	how.warm = true;
	make();
	do
		run(); /* a page may be lost */
	while (times.pages_read && tries++ < TRIES);
	ck_assert_uint_eq(times.pages_read, 0);
	ck_assert_uint_eq(times.resident_pages, distinct());
	stage_release(&s);
}
END_TEST

START_TEST(a_real_time_priority_ends_with_the_run)
{
	how.real_time = true;
	make();
	run();
	ck_assert_uint_eq(times.pages_read, distinct());
	stage_release(&s);
}
END_TEST

/* Each call starts as long behind the end of the one before as it started behind its start. */
START_TEST(think_time_passes)
{
	how.think_scale = 40; /* some is slept */
	make();
	run();
	ck_assert(times.elapsed_us >= 40 * 10 * (STAGED_CALLS - 1));
	stage_release(&s);
}
END_TEST

/* ---- writes and advice ---- */

static void
write_instead(size_t call)
{
	d.access[call].write = true;
	d.trace.reads--;
	d.trace.writes++;
}

START_TEST(writes_are_left_out_unless_they_are_wanted)
{
	for (unsigned i = 0; i < 10; i++)
		write_instead(10 * i);
	make();
	for (unsigned wanted = 0; wanted < 2; wanted++) {
		how.writes = wanted;
		run();
		for (unsigned i = 0; i < 10; i++)
			ck_assert(wanted ? us[10 * i] > 0 : us[10 * i] == -1);
		ck_assert(us[1] > 0);
	}
	how.writes = false;
	run(); /* dirty pages are written and dropped before */
	ck_assert_uint_eq(times.pages_read, times.resident_pages);
	stage_release(&s);
}
END_TEST

static void
advise_all(enum advice_kind kind, size_t call, uint32_t open, bool own)
{
	d.advice[d.trace.nadvice++] = (struct advice){ .before = call,
		.open = open,
		.kind = kind & ADVICE_KIND_MASK,
		.own = own,
		.fresh = own,
		.file_size = STAGED_PAGES * SCRATCH_PAGE };
	d.access[call].advised = true;
}

/* The second file is read whole, though its own calls are made at random. */
START_TEST(advice_is_followed_where_readahead_is)
{
	if (!machine_shows(STAGED_DIR, 2,
		(bool (*const[])(struct shows *)){ shows_ahead, shows_willneed }))
		return;
	for (uint32_t i = 0; i < STAGED_PROCESSES; i++)
		advise_all(ADVICE_RANDOM, i, i, true);
	for (uint32_t i = STAGED_PROCESSES; i < STAGED_CALLS; i++)
		d.access[i].fresh = false; /* it would need advice again */
	advise_all(ADVICE_WILLNEED, 2, 1, false);
	make();
	run();
	ck_assert_uint_eq(times.resident_pages, distinct());
	how.random = false;
	run();
	ck_assert_uint_gt(times.resident_pages, distinct());
	ck_assert_uint_ge(times.resident_pages, STAGED_PAGES);
	ck_assert_uint_lt(times.resident_pages, 2 * STAGED_PAGES);
	stage_release(&s);
}
END_TEST

START_TEST(pages_that_advice_drops_are_read_again_and_are_not_lost)
{
	how.random = false;
	for (uint32_t i = 0; i < STAGED_PROCESSES; i++)
		advise_all(ADVICE_DONTNEED, STAGED_CALLS / 2, i, false);
	make();
	run();
	ck_assert_uint_gt(times.pages_read, times.resident_pages);
	ck_assert_uint_eq(times.lost_pages, 0);
	stage_release(&s);
}
END_TEST

/* ---- evictions ---- */

static void
simulate_lru(struct evictions *v, struct stats *out, uint64_t blocks)
{
	struct config c;

	config_defaults(&c);
	c.cache_blocks = blocks;
	REQUIRE(!registry_choose(PLUGIN_POLICY, "lru", &c.policy, &error) &&
		!registry_choose(PLUGIN_PREFETCHER, "none", &c.prefetcher, &error) &&
		!registry_choose(PLUGIN_SCHEDULER, "fifo", &c.scheduler, &error) &&
		!registry_choose(PLUGIN_DEVICE, "null", &c.device, &error) &&
		!evictions_init(v, &c, &d.trace, out, &error),
	    "%s", error.text);
}

START_TEST(memory_is_kept_as_a_simulated_cache_keeps_it)
{
	static const uint64_t sizes[] = { 4, 10, 40 };
	struct evictions      v;
	struct stats	      stats;

	simulate_lru(&v, &stats, sizes[_i]);
	how.evict = &v;
	make();
	run();
	ck_assert_uint_eq(times.pages_read, stats.misses);
	ck_assert_uint_eq(times.resident_pages, sizes[_i]);
	ck_assert_uint_gt(stats.misses, distinct());
	stage_release(&s);
	evictions_release(&v);
}
END_TEST

/* A dirty page is written before it leaves. */
START_TEST(written_pages_leave_too)
{
	struct evictions v;
	struct stats	 stats;

	for (unsigned i = 0; i < STAGED_CALLS; i += 3)
		write_instead(i);
	simulate_lru(&v, &stats, 10);
	how.evict = &v;
	how.writes = true;
	make();
	run();
	ck_assert_uint_le(times.resident_pages, 10);
	stage_release(&s);
	evictions_release(&v);
}
END_TEST

START_TEST(evictions_need_a_cold_run_of_one_thread_and_this_trace)
{
	struct evictions v;
	struct stats	 stats;

	simulate_lru(&v, &stats, 10);
	how.evict = &v;
	make();
	how.warm = true;
	run_fails("only in a cold run of one thread");
	how.warm = false;
	how.by_process = true;
	run_fails("only in a cold run of one thread");
	how.by_process = false;
	v.ncalls--;
	run_fails("the evictions are those of another trace");
	stage_release(&s);
	evictions_release(&v);
}
END_TEST

/* ---- waits for a processor ---- */

#ifdef __linux__

static atomic_bool rival_ends;

static void *
run_rival(void *unused)
{
	while (!atomic_load(&rival_ends))
		;
	return unused;
}

/* A thread that never waits, on the one processor that is left to this test. */
static pthread_t
start_rival(void)
{
	cpu_set_t one;
	pthread_t rival;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	ck_assert(!sched_setaffinity(0, sizeof(one), &one));
	ck_assert(!pthread_create(&rival, NULL, run_rival, NULL));
	return rival;
}

/* To evict absent pages takes far longer than all calls. */
START_TEST(waits_while_pages_leave_are_not_those_of_the_calls)
{
	enum { ABSENT = 200000 };
	size_t		 end[STAGED_CALLS + 1];
	struct evictions v = { calloc(ABSENT, sizeof(*v.block)), end, ABSENT, STAGED_CALLS };
	pthread_t	 rival = start_rival();

	for (unsigned i = 0; i <= STAGED_CALLS; i++)
		end[i] = ABSENT;
	how.evict = &v;
	make();
	run();
	atomic_store(&rival_ends, true);
	pthread_join(rival, NULL);
	REQUIRE(times.waited_us < times.calls_us + times.apart_us / 8,
	    "%.0f us of waiting, %.0f us in calls, %.0f us apart", times.waited_us, times.calls_us,
	    times.apart_us);
	stage_release(&s);
	free(v.block);
}
END_TEST

#endif

/* ---- calls that fail ---- */

START_TEST(a_read_behind_the_end_fails)
{
	d.access[7].offset = (uint64_t)WAY_TOO_MANY * SCRATCH_PAGE;
	make();
	for (unsigned i = 0; i < 2; i++) {
		how.by_process = i;
		run_fails("call 8: the file ends before it");
	}
	stage_release(&s);
}
END_TEST

/* ---- descriptors ---- */

static void
limit_descriptors(unsigned n)
{
	ck_assert(!setrlimit(RLIMIT_NOFILE, &(struct rlimit){ n, n }));
}

/* Sixteen are open, in turn, twelve at most at a time. */
static void
open_often(void)
{
	staged_draft(&d);
	d.trace.naccess = 0;
	while (d.trace.nopen < DRAFT_OPENS)
		draft_open(&d, d.trace.nopen % 2, 0);
	for (uint32_t i = 0; i < DRAFT_OPENS; i++)
		for (uint32_t k = 0; k < 12 && k <= i; k++)
			draft_blocks(&d, 0, i - k, (i + k) % STAGED_PAGES, 1, false);
}

START_TEST(where_descriptors_are_few_they_are_closed_early)
{
	open_often();
	limit_descriptors(2 + 12 + 32);
	make();
	ck_assert(s.files.scarce);
	run();
	ck_assert_uint_eq(times.pages_read, distinct());
	how.warm = true;
	run();
	ck_assert_uint_eq(times.resident_pages, distinct());
	stage_release(&s);
}
END_TEST

START_TEST(too_few_descriptors_are_refused)
{
	open_often();
	limit_descriptors(2 + 12 + 31);
	make_fails(STAGED_DIR,
	    "draft: it takes 46 file descriptors, for 2 files and for 12 open at a time; the limit "
	    "is 45: raise it with ulimit -Hn");
}
END_TEST

START_TEST(a_low_limit_is_raised)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 20;
	setrlimit(RLIMIT_NOFILE, &limit);
	make();
	ck_assert(!s.files.scarce);
	stage_release(&s);
}
END_TEST

/* ---- what is refused before a file is made ---- */

START_TEST(a_trace_of_huge_files_is_refused)
{
	d.file[1].bytes = UINT64_C(1) << 60;
	make_fails(STAGED_DIR, "draft: its files take ");
	ck_assert_ptr_nonnull(strstr(error.text, " free: name another directory with --dir"));
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_refused)
{
	make_fails("/nowhere",
	    "/nowhere: No such file or directory: name another directory with --dir");
}
END_TEST

START_TEST(blocks_that_are_not_pages_are_refused)
{
	d.trace.block_bytes = 8192;
	make_fails(STAGED_DIR, "draft: its blocks are of 8192 bytes, pages of 4096");
}
END_TEST

START_TEST(a_file_system_in_memory_is_refused)
{
	struct statfs fs;

	if (!access("/dev/shm", W_OK) && !statfs("/dev/shm", &fs) && fs.f_type == TMPFS_MAGIC)
		make_fails("/dev/shm", "cached pages cannot be observed in /dev/shm: ");
}
END_TEST

START_TEST(a_file_size_limit_is_named)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 3 << 20, 3 << 20 });
	d.file[0].bytes = 4 << 20;
	d.file[1].bytes = 5 << 20; /* the largest, before any is made */
	make_fails(STAGED_DIR,
	    "a scratch file takes 5.0 MiB, beyond the file size limit of 3.0 MiB: raise it with "
	    "ulimit -f");
}
END_TEST

/* ---- where pages cannot be seen ---- */

START_TEST(a_machine_without_pages_says_so)
{
	make_fails(STAGED_DIR, "");
	ck_assert_uint_gt(strlen(error.text), 0);
}
END_TEST

static void
add_tests_of_files(TCase *tc)
{
	tcase_add_test(tc, without_readahead_the_pages_of_the_calls_are_read_and_stay);
	tcase_add_test(tc, every_run_begins_with_no_page_in_memory);
	tcase_add_test(tc, with_readahead_more_pages_are_read);
	tcase_add_test(tc, a_warm_run_reads_nothing);
	tcase_add_test(tc, a_real_time_priority_ends_with_the_run);
	tcase_add_test(tc, think_time_passes);
	tcase_add_test(tc, writes_are_left_out_unless_they_are_wanted);
	tcase_add_test(tc, advice_is_followed_where_readahead_is);
	tcase_add_test(tc, pages_that_advice_drops_are_read_again_and_are_not_lost);
	tcase_add_loop_test(tc, memory_is_kept_as_a_simulated_cache_keeps_it, 0, 3);
	tcase_add_test(tc, written_pages_leave_too);
	tcase_add_test(tc, evictions_need_a_cold_run_of_one_thread_and_this_trace);
#ifdef __linux__
	tcase_add_test(tc, waits_while_pages_leave_are_not_those_of_the_calls);
#endif
	tcase_add_test(tc, a_read_behind_the_end_fails);
	tcase_add_test(tc, where_descriptors_are_few_they_are_closed_early);
	tcase_add_test(tc, too_few_descriptors_are_refused);
	tcase_add_test(tc, a_low_limit_is_raised);
	tcase_add_test(tc, a_file_size_limit_is_named);
}

int
main(void)
{
	TCase *tc = tcase_create("stage");

	tcase_add_checked_fixture(tc, setup, NULL);
	if (pages_can_be_seen())
		add_tests_of_files(tc);
	else
		tcase_add_test(tc, a_machine_without_pages_says_so);
#ifdef __linux__
	tcase_add_test(tc, a_trace_of_huge_files_is_refused);
	tcase_add_test(tc, a_directory_that_is_not_there_is_refused);
	tcase_add_test(tc, blocks_that_are_not_pages_are_refused);
	tcase_add_test(tc, a_file_system_in_memory_is_refused);
#endif
	return run_tests("stage", tc);
}
