/* check_future.c - what policies are told that need more than the block. */
#include <stdlib.h>

#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct prefetcher prefetcher_none, prefetcher_obl, prefetcher_linux24;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_null, device_fixed;

enum { FILES = 3, FILE_BLOCKS = 12, CALLS = 300 };

static struct draft  draft;
static struct config cfg;
static struct error  error;

/* ---- a policy that evicts the block whose next use is farthest, by looking at all ---- */

struct farthest {
	const struct future *future;
};

static int
farthest_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	REQUIRE(t == &draft.trace, "a policy sees another trace");
	((struct farthest *)self)->future = future;
	return 0;
}

static void
farthest_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	REQUIRE(!u, "a policy that needs no use is told of one");
}

static frame_t
farthest_evict(void *self, struct cache *c, block_t incoming)
{
	const struct future *future = ((struct farthest *)self)->future;
	frame_t		     best = NIL;

	for (frame_t f = 1; f <= c->nused; f++)
		if (!(c->frame[f].flags & FRAME_INFLIGHT) &&
		    (!best ||
			future_next(future, c->frame[f].block) >
			    future_next(future, c->frame[best].block)))
			best = f;
	return best;
}

static void
farthest_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
}

static void
farthest_remove(void *self, struct cache *c, frame_t f)
{
}

POLICY(farthest, .plugin = { .name = "farthest", .state_size = sizeof(struct farthest) },
    .needs = NEEDS_FUTURE, .init = farthest_init, .hit = farthest_hit, .evict = farthest_evict,
    .insert = farthest_insert, .remove = farthest_remove);

/* ---- a policy that writes down what it is told ---- */

struct told {
	bool	   hit, prefetched;
	struct use use;
};

static struct told told[4 * CALLS];
static size_t	   ntold;

static void
note(const struct cache *c, frame_t f, bool hit, const struct use *u)
{
	REQUIRE(ntold < 4 * CALLS, "more references than there are");
	told[ntold++] = (struct told){ hit, c->frame[f].flags & FRAME_PREFETCHED, *u };
}

static void
scribe_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	note(c, f, true, u);
}

static bool
scribe_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	const struct file *file = &draft.trace.file[u->file];

	REQUIRE(file->base + u->index == b, "miss() of a block and the use of another");
	return false;
}

static void
scribe_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	note(c, f, false, u);
}

POLICY(scribe, .plugin = { .name = "scribe" }, .needs = NEEDS_USE, .hit = scribe_hit,
    .miss = scribe_miss, .evict = farthest_evict, .insert = scribe_insert,
    .remove = farthest_remove);

/* ---- a policy that keeps what it was told, as one with a heap does ---- */

struct keeper {
	const struct future *future;
	uint32_t	     key[FILES * FILE_BLOCKS + 1]; /* of a frame */
};

static int
keeper_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	((struct keeper *)self)->future = future;
	return 0;
}

static void
keeper_note(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct keeper *k = self;

	k->key[f] = future_next(k->future, c->frame[f].block);
}

static frame_t
keeper_evict(void *self, struct cache *c, block_t incoming)
{
	const struct keeper *k = self;

	for (frame_t f = 1; f <= c->nused; f++)
		REQUIRE(!c->frame[f].block || c->frame[f].flags & FRAME_AWAITED ||
			k->key[f] == future_next(k->future, c->frame[f].block),
		    "frame %u: its block was referenced, and the policy does not know", f);
	return farthest_evict(self, c, incoming);
}

POLICY(keeper, .plugin = { .name = "keeper", .state_size = sizeof(struct keeper) },
    .needs = NEEDS_FUTURE, .init = keeper_init, .hit = keeper_note, .evict = keeper_evict,
    .insert = keeper_note, .remove = farthest_remove);

/* ---- a policy that follows the calls ---- */

static block_t string[4 * CALLS];

struct follower {
	size_t n; /* demand references so far */
};

static void
follow(struct follower *p, block_t b)
{
	REQUIRE(p->n < 4 * CALLS && string[p->n] == b, "reference %zu is of block %u, not of %u",
	    p->n, string[p->n], b);
	p->n++;
}

static void
follower_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	follow(self, c->frame[f].block);
}

static bool
follower_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	if (demand)
		follow(self, b);
	return false;
}

static void
follower_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
}

static frame_t
follower_evict(void *self, struct cache *c, block_t incoming)
{
	frame_t f = 1;

	while (!c->frame[f].block || c->frame[f].flags & FRAME_INFLIGHT)
		f++;
	return f;
}

POLICY(follower, .plugin = { .name = "follower", .state_size = sizeof(struct follower) },
    .needs = NEEDS_ORDER, .hit = follower_hit, .miss = follower_miss, .evict = follower_evict,
    .insert = follower_insert, .remove = farthest_remove);

/* ---- traces ---- */

static uint32_t opened[FILES];

static void
start(void)
{
	draft_start(&draft);
	config_defaults(&cfg);
	cfg.policy.plugin = &policy_farthest.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_null.plugin;
	cfg.wait = WAIT_BLOCK;
	cfg.replay = REPLAY_UNTIMED;
	for (uint32_t f = 0; f < FILES; f++)
		opened[f] = draft_open(&draft, draft_file(&draft, f, FILE_BLOCKS), f);
}

static void
random_calls(uint64_t seed)
{
	for (usec_t i = 0; i < CALLS; i++) {
		uint32_t first = random_below(&seed, FILE_BLOCKS - 3);

		draft_blocks(&draft, i * 10, opened[random_below(&seed, FILES)], first,
		    1 + random_below(&seed, 3), random_below(&seed, 8) == 0);
	}
}

static struct stats
run(void)
{
	struct stats st;

	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &error), "%s", error.text);
	return st;
}

/* ---- Belady's rule, from the trace alone ---- */

static size_t
flatten(void)
{
	const struct trace *t = &draft.trace;
	size_t		    n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		for (uint32_t k = 0; k < access_count(t, &t->access[i]); k++)
			string[n++] = access_block(t, &t->access[i]) + k;
	return n;
}

static size_t
next_use(size_t from, size_t n, block_t b)
{
	while (from < n && string[from] != b)
		from++;
	return from;
}

static uint64_t
least_misses(size_t n, size_t frames)
{
	block_t	 held[FILES * FILE_BLOCKS];
	size_t	 nheld = 0;
	uint64_t misses = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0, victim = 0;

		while (k < nheld && held[k] != string[i])
			k++;
		if (k < nheld)
			continue;
		misses++;
		if (nheld < frames) {
			held[nheld++] = string[i];
			continue;
		}
		for (k = 1; k < nheld; k++)
			if (next_use(i, n, held[k]) > next_use(i, n, held[victim]))
				victim = k;
		held[victim] = string[i];
	}
	return misses;
}

/* ---- tests ---- */

START_TEST(evicting_the_farthest_next_use_misses_least)
{
	start();
	random_calls((uint64_t)_i + 1);
	for (cfg.cache_blocks = 1; cfg.cache_blocks <= FILES * FILE_BLOCKS; cfg.cache_blocks++) {
		uint64_t least = least_misses(flatten(), cfg.cache_blocks);

		cfg.replay = REPLAY_UNTIMED;
		ck_assert_uint_eq(run().misses, least);
		cfg.replay = REPLAY_SERIAL;
		ck_assert_uint_eq(run().misses, least);
	}
}
END_TEST

START_TEST(the_future_is_in_place_whatever_runs_at_the_same_time)
{
	struct stats st;

	start();
	random_calls(99);
	cfg.cache_blocks = 9;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.prefetcher.plugin = &prefetcher_obl.plugin;
	cfg.replay = REPLAY_PROCESS;
	st = run();
	ck_assert_uint_gt(st.prefetched_blocks, 0);
	ck_assert_uint_eq(st.references, flatten());
}
END_TEST

START_TEST(a_policy_that_needs_the_future_is_told_of_every_reference)
{
	start();
	random_calls(7);
	cfg.policy.plugin = &policy_keeper.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.prefetcher.plugin = &prefetcher_linux24.plugin;
	for (unsigned i = 0; i < 2 * 12; i++) {
		cfg.replay = i % 2 ? REPLAY_SERIAL : REPLAY_PROCESS;
		cfg.wait = i % 3 ? WAIT_CALL : WAIT_BLOCK;
		cfg.cache_blocks = 2 + i / 2;
		run();
	}
}
END_TEST

START_TEST(a_policy_that_needs_the_order_is_told_of_every_reference_in_the_order_of_the_calls)
{
	start();
	random_calls(8);
	flatten();
	cfg.policy.plugin = &policy_follower.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.replay = REPLAY_SERIAL;
	for (unsigned i = 0; i < 3 * 12; i++) {
		cfg.prefetcher.plugin =
		    i % 3 ? &prefetcher_linux24.plugin : &prefetcher_none.plugin;
		cfg.wait = i % 2 ? WAIT_CALL : WAIT_BLOCK;
		cfg.cache_blocks = 2 + i / 2;
		run();
	}
}
END_TEST

START_TEST(a_policy_is_told_file_index_process_open_file_time_and_write)
{
	start();
	cfg.policy.plugin = &policy_scribe.plugin;
	cfg.cache_blocks = 8;
	draft_blocks(&draft, 0, opened[0], 5, 1, false);
	draft_blocks(&draft, 70, opened[2], 3, 2, true);
	draft_blocks(&draft, 90, opened[0], 5, 1, false);
	for (cfg.replay = REPLAY_SERIAL; cfg.replay <= REPLAY_UNTIMED; cfg.replay++) {
		ntold = 0;
		run();
		ck_assert_uint_eq(ntold, 4);
		ck_assert(!told[0].hit && told[0].use.file == 0 && told[0].use.index == 5 &&
		    told[0].use.process == 0 && !told[0].use.write && told[0].use.now == 0);
		ck_assert(!told[2].hit && told[2].use.file == 2 && told[2].use.index == 4 &&
		    told[2].use.process == 2 && told[2].use.open == opened[2] &&
		    told[2].use.write && told[2].use.now == 70);
		ck_assert(told[3].hit && told[3].use.index == 5 && told[3].use.now == 90);
	}
}
END_TEST

START_TEST(a_prefetched_block_comes_with_its_own_index_and_the_process_it_is_read_for)
{
	start();
	cfg.policy.plugin = &policy_scribe.plugin;
	cfg.cache_blocks = 8;
	cfg.replay = REPLAY_SERIAL;
	cfg.prefetcher.plugin = &prefetcher_obl.plugin;
	draft_blocks(&draft, 0, opened[0], 0, 1, false);
	draft_blocks(&draft, 10, opened[1], 6, 1, false);
	ntold = 0;
	run();
	ck_assert_uint_eq(ntold, 4);
	ck_assert(!told[2].prefetched && told[2].use.index == 6);
	ck_assert(told[3].prefetched && told[3].use.file == 1 && told[3].use.index == 7 &&
	    told[3].use.process == 1 && !told[3].use.write && told[3].use.now == 10);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("future");

	tcase_add_loop_test(tests, evicting_the_farthest_next_use_misses_least, 0, 4);
	tcase_add_test(tests, the_future_is_in_place_whatever_runs_at_the_same_time);
	tcase_add_test(tests, a_policy_that_needs_the_future_is_told_of_every_reference);
	tcase_add_test(tests, a_policy_is_told_file_index_process_open_file_time_and_write);
	tcase_add_test(tests,
	    a_policy_that_needs_the_order_is_told_of_every_reference_in_the_order_of_the_calls);
	tcase_add_test(tests,
	    a_prefetched_block_comes_with_its_own_index_and_the_process_it_is_read_for);
	return run_tests("future", tests);
}
