/* check_replay.c - the untimed replay counts what a timed run does. */
#include <string.h>

#include "sim/core/engine/replay.h"
#include "sim/core/simulate.h"
#include "tests/unit/support.h"

#define X(id) extern const struct policy policy_##id;
#include "policies/policies.def"
#undef X
extern const struct prefetcher prefetcher_none, prefetcher_linux24;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_null;

static const struct policy *const policies[] = {
#define X(id) &policy_##id,
#include "policies/policies.def"
#undef X
};

enum { POLICIES = sizeof(policies) / sizeof(*policies) };

/* More calls than are checked at once, and calls larger than a batch. */
enum { CALLS = 70000, BLOCKS = 10000, BLOCK_BYTES = 512, LONGEST = 5000 };

static struct access	access[CALLS];
static struct open_file open_file = { .process = 0 };
static struct file	file = { .base = 1, .nblocks = BLOCKS, .inode = 7 };
static struct traced	process = { .pid = 1 };
static struct trace	trace = {
	    .block_bytes = BLOCK_BYTES,
	    .block_shift = 9,
	    .access = access,
	    .naccess = CALLS,
	    .longest_bytes = LONGEST * BLOCK_BYTES,
	    .open = &open_file,
	    .nopen = 1,
	    .file = &file,
	    .nfiles = 1,
	    .process = &process,
	    .nprocesses = 1,
	    .nblocks = BLOCKS + 1,
	    .writes = 1,
};
static struct config cfg;
static struct error  error;

static void
setup(void)
{
	uint64_t seed = 1;

	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t count = i % 10000 ? 1 + random_below(&seed, 3) : LONGEST;
		uint32_t among = i % 3 ? 1000 : BLOCKS - count;

		access[i] = (struct access){
			.time = i,
			.offset = (uint64_t)random_below(&seed, among) * BLOCK_BYTES,
			.length = (count * BLOCK_BYTES) & INT32_MAX,
			.file_size = BLOCKS * BLOCK_BYTES,
			.write = i % 7 == 0,
		};
	}
	config_defaults(&cfg);
	cfg.cache_blocks = 600;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_null.plugin;
	cfg.wait = WAIT_BLOCK;
}

static struct stats
run(enum replay how)
{
	struct stats st;

	cfg.replay = how;
	ck_assert_msg(!simulate(&cfg, &trace, &st, &error), "%s", error.text);
	return st;
}

/* Every counter that the untimed replay knows. */
static void
compare(void)
{
	struct stats timed = run(REPLAY_SERIAL), untimed = run(REPLAY_UNTIMED);
	unsigned     known = 0;

	for (const struct counter *i = stat_info; i->name; i++) {
		uint64_t n = counter_value(&untimed, i);

		known += n != STAT_UNKNOWN;
		REQUIRE(n == STAT_UNKNOWN || n == counter_value(&timed, i),
		    "%s, %u frames: %s is %llu untimed, %llu timed", cfg.policy.plugin->name,
		    (unsigned)cfg.cache_blocks, i->name, (unsigned long long)n,
		    (unsigned long long)counter_value(&timed, i));
	}
	ck_assert_uint_eq(known, 10);
	ck_assert_uint_ne(untimed.hits, STAT_UNKNOWN);
	ck_assert_uint_ne(untimed.misses, STAT_UNKNOWN);
}

START_TEST(every_policy_hits_as_often_as_in_a_run_whose_device_takes_no_time)
{
	static const uint64_t frames[] = { 1, 2, 600, LONGEST, BLOCKS - 1, BLOCKS, 2 * BLOCKS };

	for (unsigned p = 0; p < POLICIES; p++) {
		cfg.policy.plugin = &policies[p]->plugin;
		for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
			cfg.cache_blocks = frames[i];
			compare();
		}
	}
}
END_TEST

START_TEST(a_warm_up_is_left_out_wherever_it_ends)
{
	static const uint64_t calls[] = { 1, 5000, 65536, 65537, CALLS - 1 };

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		cfg.warmup_calls = calls[i];
		compare();
	}
	cfg.warmup_calls = CALLS;
	cfg.replay = REPLAY_UNTIMED;
	ck_assert_int_eq(simulate(&cfg, &trace, &(struct stats){ 0 }, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "leaves nothing"));
}
END_TEST

/* At the ends of what is checked at once, of a batch, twice before a call, and in the middle. */
START_TEST(what_dontneed_drops_leaves_every_policy_as_in_a_timed_run)
{
	static const uint64_t before[] = { 1, 777, 778, 5000, 5000, 20001, 40000, 65535, 65536,
		65537, CALLS - 1 };
	enum { ADVICE = sizeof(before) / sizeof(*before) };
	static struct advice advice[ADVICE];

	for (uint32_t i = 0; i < ADVICE; i++) {
		advice[i] = (struct advice){ .before = before[i],
			.offset = i % 4 * 100 * BLOCK_BYTES,
			.length = i % 3 ? 700 * BLOCK_BYTES : 0,
			.file_size = BLOCKS * BLOCK_BYTES,
			.kind = i == 3 ? ADVICE_WILLNEED : ADVICE_DONTNEED };
		access[before[i]].advised = true;
	}
	trace.advice = advice;
	trace.nadvice = ADVICE;
	cfg.writes = WRITES_THROUGH; /* no block is dirty */
	for (unsigned p = 0; p < POLICIES; p++) {
		cfg.policy.plugin = &policies[p]->plugin;
		cfg.cache_blocks = p % 2 ? 600 : 2000;
		compare();
		ck_assert_uint_gt(run(REPLAY_UNTIMED).advice_dropped_blocks, 2000);
		ck_assert_uint_eq(run(REPLAY_UNTIMED).advices, ADVICE - 1);
	}
	cfg.policy.plugin = &policy_lru.plugin;
	for (cfg.warmup_calls = 776; cfg.warmup_calls < 780; cfg.warmup_calls++)
		compare();
	cfg.ignores_advice = true;
	compare();
	ck_assert_uint_eq(run(REPLAY_UNTIMED).advice_dropped_blocks, 0);
	trace.nadvice = 0;
}
END_TEST

/* ---- several caches ---- */

/* Of a few frames, the one whose block is needed last goes; it checks what it is told. */
struct seer {
	const struct future *future;
	uint32_t	     passed;
	frame_t		     hand;
};

static int
seer_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	((struct seer *)self)->future = future;
	return 0;
}

static void
see(struct seer *s, const struct cache *c, frame_t f, const struct use *u)
{
	block_t b = c->frame[f].block;

	REQUIRE(u->index == b - 1, "block %u: index %u", b, u->index);
	REQUIRE(future_next(s->future, b) > s->passed, "block %u: the past instead of the future",
	    b);
	s->passed++;
}

static void
seer_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	see(self, c, f, u);
}

static frame_t
seer_evict(void *self, struct cache *c, block_t incoming)
{
	struct seer *s = self;
	frame_t	     best = NIL;

	for (unsigned i = 0; i < 8; i++) {
		s->hand = s->hand % c->nframes + 1;
		if (!best ||
		    future_next(s->future, c->frame[s->hand].block) >
			future_next(s->future, c->frame[best].block))
			best = s->hand;
	}
	return best;
}

static void
seer_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	see(self, c, f, u);
}

static void
seer_remove(void *self, struct cache *c, frame_t f)
{
}

POLICY(seer,
    .plugin = { .name = "seer", .summary = "looks ahead", .state_size = sizeof(struct seer) },
    .on_hit = HIT_IGNORES, .needs = NEEDS_FUTURE | NEEDS_USE, .init = seer_init, .hit = seer_hit,
    .evict = seer_evict, .insert = seer_insert, .remove = seer_remove);

enum { SIZES = 5 };

static uint64_t
misses_alone(const struct choice *policy, frame_t frames)
{
	cfg.policy = *policy;
	cfg.cache_blocks = frames;
	return run(REPLAY_UNTIMED).misses;
}

/* More references than are decoded at once, for all policies; the seer is there several times. */
START_TEST(several_caches_miss_as_each_does_alone)
{
	static const frame_t frames[SIZES] = { 1, 7, 600, LONGEST, BLOCKS };
	struct choice	     choice[POLICIES + 1];
	struct replay_cache  cache[(POLICIES + 1) * SIZES];
	size_t		     n = 0;

	for (uint32_t i = 0; i < CALLS; i += 1500) {
		access[i].offset = 0;
		access[i].length = (LONGEST * BLOCK_BYTES) & INT32_MAX;
	}
	for (unsigned p = 0; p <= POLICIES; p++)
		choice[p] =
		    (struct choice){ .plugin = p ? &policies[p - 1]->plugin : &policy_seer.plugin };
	for (unsigned i = 0; i < SIZES; i++)
		for (unsigned p = 0; p <= POLICIES; p++)
			cache[n++] = (struct replay_cache){ &choice[p], frames[i], 0 };
	ck_assert_msg(!replay_caches(cache, n, &trace, 1, &error), "%s", error.text);
	for (size_t i = 0; i < n; i++)
		REQUIRE(cache[i].misses == misses_alone(cache[i].policy, cache[i].frames),
		    "%s, %u frames: %llu misses among others", cache[i].policy->plugin->name,
		    cache[i].frames, (unsigned long long)cache[i].misses);
}
END_TEST

START_TEST(one_cache_that_cannot_be_made_is_an_error_of_all)
{
	struct choice	    good = { .plugin = &policy_lru.plugin };
	struct choice	    bad = { .plugin = &policy_2q.plugin, .params = "kin=11b" };
	struct replay_cache cache[] = { { &good, 10, 0 }, { &bad, 11, 0 }, { &bad, 10, 0 } };

	ck_assert_int_eq(replay_caches(cache, 2, &trace, 1, &error), 0);
	ck_assert_int_eq(replay_caches(cache, 3, &trace, 1, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(error.text, "kin of 2q is at most 10 blocks"));
}
END_TEST

START_TEST(what_takes_time_is_unknown_and_so_are_ratios_made_of_it)
{
	struct stats st = run(REPLAY_UNTIMED);
	double	     value;

	ck_assert_uint_eq(st.elapsed_us, STAT_UNKNOWN);
	ck_assert_uint_eq(st.prefetched_blocks, STAT_UNKNOWN);
	for (const struct ratio_info *i = ratio_info; i->name; i++) {
		bool known = !strcmp(i->name, "hit_ratio") || !strcmp(i->name, "miss_ratio") ||
		    !strcmp(i->name, "demand_hit_ratio") || !strcmp(i->name, "late_ratio");

		REQUIRE(i->value(&st, BLOCK_BYTES, &value) == known, "%s", i->name);
	}
}
END_TEST

START_TEST(a_prefetcher_is_a_usage_error)
{
	struct stats st;

	cfg.replay = REPLAY_UNTIMED;
	cfg.prefetcher.plugin = &prefetcher_linux24.plugin;
	ck_assert_int_eq(simulate(&cfg, &trace, &st, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(error.text, "linux24"));
}
END_TEST

START_TEST(wrong_parameters_are_an_error)
{
	struct stats st;

	cfg.replay = REPLAY_UNTIMED;
	cfg.policy = (struct choice){ .plugin = &policy_fifo.plugin, .params = "depth=1" };
	ck_assert_int_eq(simulate(&cfg, &trace, &st, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "fifo has no parameters"));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("replay");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, every_policy_hits_as_often_as_in_a_run_whose_device_takes_no_time);
	tcase_add_test(tests, a_warm_up_is_left_out_wherever_it_ends);
	tcase_add_test(tests, what_dontneed_drops_leaves_every_policy_as_in_a_timed_run);
	tcase_add_test(tests, several_caches_miss_as_each_does_alone);
	tcase_add_test(tests, one_cache_that_cannot_be_made_is_an_error_of_all);
	tcase_add_test(tests, what_takes_time_is_unknown_and_so_are_ratios_made_of_it);
	tcase_add_test(tests, a_prefetcher_is_a_usage_error);
	tcase_add_test(tests, wrong_parameters_are_an_error);
	return run_tests("replay", tests);
}
