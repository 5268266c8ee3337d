/*
 * check_sparse.c - few blocks of a vast file: results are those of the same
 * calls closer together, and memory is that of the blocks that are used.
 */
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/analysis/mrc.h"
#include "sim/core/future.h"
#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "sim/trace/slots.h"
#include "tests/unit/support.h"

enum { USED = 20000, CALLS = 2 * USED, VAST = 5003, CLOSE = 101, KILOBYTE = 1024 };

static struct access	calls[CALLS];
static struct open_file open_file;
static struct file	file;
static struct traced	process;
static struct error	error;

/* Single blocks of a file that is read once in order and once at random, so many blocks apart. */
static struct trace
trace_of(uint32_t distance)
{
	uint64_t state = 1;

	file = (struct file){ .base = 1, .nblocks = USED * distance, .inode = 1 };
	file.bytes = (uint64_t)file.nblocks * DRAFT_BLOCK_BYTES;
	for (uint32_t i = 0; i < CALLS; i++) {
		uint64_t block = i < USED ? i : random_below(&state, USED);

		calls[i] = (struct access){ .time = (usec_t)i * 1000,
			.offset = block * distance * DRAFT_BLOCK_BYTES,
			.length = DRAFT_BLOCK_BYTES,
			.file_size = file.bytes,
			.write = i % 7 == 0 };
	}
	return (struct trace){
		.block_bytes = DRAFT_BLOCK_BYTES,
		.block_shift = 12,
		.access = calls,
		.naccess = CALLS,
		.reads = CALLS,
		.writes = 1,
		.longest_bytes = DRAFT_BLOCK_BYTES,
		.open = &open_file,
		.nopen = 1,
		.file = &file,
		.nfiles = 1,
		.process = &process,
		.nprocesses = 1,
		.nblocks = file.nblocks + 1,
	};
}

/* ---- slots ---- */

START_TEST(in_an_ordinary_trace_the_index_is_the_block)
{
	struct trace t = trace_of(CLOSE);
	struct slots s;

	ck_assert(!trace_is_sparse(&t));
	ck_assert_int_eq(slots_init(&s, &t, &error), 0);
	for (block_t b = 0; b < t.nblocks; b += 1001) {
		REQUIRE(slots_find(&s, b) == b, "block %u", b);
		REQUIRE(slots_enter(&s, b) == b, "block %u", b);
	}
	ck_assert_uint_eq(slots_used(&s, t.nblocks), t.nblocks);
	ck_assert_uint_eq(slots_most(&t), t.nblocks);
	slots_release(&s);
}
END_TEST

START_TEST(in_a_sparse_trace_each_block_has_an_index_of_its_own)
{
	struct trace  t = trace_of(VAST);
	struct slots  s;
	const block_t first = SLOTS_GROUP * 1000, second = SLOTS_GROUP * 7;

	ck_assert(trace_is_sparse(&t));
	ck_assert_int_eq(slots_init(&s, &t, &error), 0);
	ck_assert_uint_lt(slots_find(&s, first + 3), SLOTS_GROUP);
	ck_assert_uint_eq(slots_enter(&s, first + 3), SLOTS_GROUP + 3);
	ck_assert_uint_eq(slots_enter(&s, second), 2 * SLOTS_GROUP);
	ck_assert_uint_eq(slots_find(&s, first), SLOTS_GROUP);
	ck_assert_uint_lt(slots_find(&s, t.nblocks - 1), SLOTS_GROUP);
	ck_assert_uint_eq(slots_enter(&s, t.nblocks - 1) / SLOTS_GROUP, 3);
	ck_assert_uint_eq(slots_used(&s, t.nblocks), 4 * SLOTS_GROUP);
	ck_assert_uint_lt(slots_most(&t), t.nblocks / 2);
	slots_release(&s);
}
END_TEST

/* ---- results ---- */

static void
choose(const struct plugin_kind *kind, const char *text, struct choice *to)
{
	ck_assert_msg(!registry_choose(kind, text, to, &error), "%s", error.text);
}

static struct stats
run(uint32_t distance, const char *policy, const char *prefetcher, enum replay replay)
{
	struct trace  t = trace_of(distance);
	struct config cfg = { 0 };
	struct stats  st;

	config_defaults(&cfg);
	cfg.cache_blocks = 2048;
	cfg.replay = replay;
	cfg.shadow = replay != REPLAY_UNTIMED;
	cfg.warmup_calls = 1000;
	choose(PLUGIN_POLICY, policy, &cfg.policy);
	choose(PLUGIN_PREFETCHER, prefetcher, &cfg.prefetcher);
	choose(PLUGIN_SCHEDULER, "fifo", &cfg.scheduler);
	choose(PLUGIN_DEVICE, "fixed", &cfg.device);
	ck_assert_msg(!simulate(&cfg, &t, &st, &error), "%s", error.text);
	choice_release(&cfg.policy);
	choice_release(&cfg.prefetcher);
	choice_release(&cfg.scheduler);
	choice_release(&cfg.device);
	return st;
}

static const struct {
	const char *policy, *prefetcher;
	enum replay replay;
} runs[] = {
	{ "lru", "none", REPLAY_UNTIMED },
	{ "clock", "none", REPLAY_UNTIMED },
	{ "lru", "none", REPLAY_SERIAL },
	{ "fifo", "linux24", REPLAY_SERIAL },
	{ "lru", "linux26", REPLAY_SERIAL },
	{ "lru", "ondemand:version=6.18,large=1", REPLAY_SERIAL },
	{ "lru", "obl", REPLAY_PROCESS },
	{ "lru", "amp", REPLAY_SERIAL },
	{ "clock", "iprp", REPLAY_OPEN },
	{ "ubm:threshold=2", "none", REPLAY_UNTIMED },
	{ "ubm:threshold=2", "obl", REPLAY_SERIAL },
	{ "sarc", "obl", REPLAY_SERIAL },
};

/* How far requests lie apart does, and which blocks share a bit of the filter. */
static void
level(struct stats *st)
{
	for (unsigned i = 0; i < SEEK_CLASSES; i++)
		(&st->seek_0_requests)[i] = 0;
	st->pollution_filter_misses = 0;
}

START_TEST(counters_do_not_depend_on_the_distance_of_the_blocks)
{
	struct stats far = run(VAST, runs[_i].policy, runs[_i].prefetcher, runs[_i].replay);
	struct stats close = run(CLOSE, runs[_i].policy, runs[_i].prefetcher, runs[_i].replay);

	level(&far);
	level(&close);
	ck_assert_mem_eq(&far, &close, sizeof(far));
}
END_TEST

START_TEST(the_future_is_that_of_the_same_calls)
{
	struct trace  t = trace_of(CLOSE);
	struct future close, far;

	ck_assert_int_eq(future_init(&close, &t, &error), 0);
	t = trace_of(VAST);
	ck_assert_int_eq(future_init(&far, &t, &error), 0);
	for (uint32_t i = 0; i < CALLS; i++) {
		block_t b = access_block(&t, &calls[i]), near = 1 + (b - 1) / VAST * CLOSE;

		REQUIRE(future_next(&far, b) == i && future_next(&close, near) == i, "call %u", i);
		future_pass(&far, b);
		future_pass(&close, near);
		REQUIRE(future_next(&far, b) == future_next(&close, near), "call %u", i);
	}
	ck_assert_uint_eq(future_next(&far, t.nblocks - 1), FUTURE_NEVER);
	future_release(&close);
	future_release(&far);
}
END_TEST

static struct mrc
curve(uint32_t distance)
{
	struct trace t = trace_of(distance);
	struct mrc   m;

	ck_assert_int_eq(mrc_init(&m, slots_most(&t), &error), 0);
	ck_assert_int_eq(mrc_trace(&m, &t, &error), 0);
	return m;
}

START_TEST(the_miss_ratio_curve_is_that_of_the_same_calls)
{
	struct mrc close = curve(CLOSE), far = curve(VAST);

	ck_assert_uint_eq(far.distinct, USED);
	for (uint32_t n = 0; n <= USED; n++)
		REQUIRE(mrc_misses(&far, n) == mrc_misses(&close, n), "%u blocks", n);
	mrc_release(&close);
	mrc_release(&far);
}
END_TEST

/* ---- memory ---- */

/* The peak of a process that runs it, in bytes. */
static double
peak(uint32_t distance, const char *prefetcher)
{
	struct rusage use;
	int	      status;
	pid_t	      pid = fork();

	if (!pid) {
		run(distance, "lru", prefetcher, REPLAY_SERIAL);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	getrusage(RUSAGE_CHILDREN, &use);
	return (double)use.ru_maxrss * KILOBYTE;
}

/* A table of four bytes for each block has an entry on each of USED pages. */
START_TEST(memory_is_that_of_the_blocks_that_are_used)
{
	const double page = 4096, close = peak(CLOSE, "none");

	if (SANITIZED)
		return;
	ck_assert_double_lt(peak(VAST, "none") - close, USED * page / 4);
	ck_assert_double_lt(peak(VAST, "iprp") - close, USED * page / 2);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("sparse");

	tcase_add_test(tests, in_an_ordinary_trace_the_index_is_the_block);
	tcase_add_test(tests, in_a_sparse_trace_each_block_has_an_index_of_its_own);
	tcase_add_loop_test(tests, counters_do_not_depend_on_the_distance_of_the_blocks, 0,
	    sizeof(runs) / sizeof(*runs));
	tcase_add_test(tests, the_future_is_that_of_the_same_calls);
	tcase_add_test(tests, the_miss_ratio_curve_is_that_of_the_same_calls);
	tcase_add_test(tests, memory_is_that_of_the_blocks_that_are_used);
	return run_tests("sparse", tests);
}
