/*
 * check_curves.c - the curves of every registered policy: exact ones miss as
 * runs do, estimated ones are as far off as they say.
 */
#include <math.h>

#include "sim/analysis/curves.h"
#include "tests/unit/conformance.h"
#include "tests/unit/loading.h"

enum { SIZES_MAX = 64, POLICIES_MAX = 64, BLOCKS = 20000, CALLS = 150000, FEW = 5 };

static const uint64_t plenty = UINT64_C(1) << 40;

static struct settings all;
static struct choice   policy[POLICIES_MAX];
static uint64_t	       size[SIZES_MAX];
static size_t	       nsizes;
static struct curves   exact, sampled;

static void
setup(void)
{
	all.n = 0;
	settings_registered(&all, PLUGIN_POLICY);
	ck_assert_uint_le(all.n, POLICIES_MAX);
	for (unsigned p = 0; p < all.n; p++)
		ck_assert(!registry_choose(PLUGIN_POLICY, all.text[p], &policy[p], &error));
}

/* Leave out the policies that a sample does not show. */
static void
drop_unsampled(void)
{
	unsigned n = 0;

	for (unsigned p = 0; p < all.n; p++) {
		if (policy_of(&policy[p])->unsampled) {
			choice_release(&policy[p]);
			continue;
		}
		memmove(all.text[n], all.text[p], sizeof(*all.text));
		policy[n++] = policy[p];
	}
	ck_assert_uint_gt(n, 0);
	all.n = n;
}

/* Leave out all but the first n. */
static void
drop_behind(unsigned n)
{
	while (all.n > n)
		choice_release(&policy[--all.n]);
}

static void
stop(void)
{
	curves_release(&exact);
	curves_release(&sampled);
	for (unsigned p = 0; p < all.n; p++)
		choice_release(&policy[p]);
	trace_release(&trace);
}

static void
load_sample(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "traces/samples/%s.txt.gz", name);
	ck_assert_msg(!load_path(path, NULL, false), "%s", error.text);
}

static int
draw(struct curves *c, double rate, uint64_t seed, unsigned jobs, uint64_t memory)
{
	struct curves_plan p = { .blocks = size, .n = nsizes, .jobs = jobs, .memory = memory };

	curves_release(c);
	if (curves_init(c, &trace, policy, all.n, rate, seed, &error))
		return -1;
	return curves_replay(c, &p, &error);
}

static void
set_sizes(const uint64_t *to, size_t n)
{
	memcpy(size, to, n * sizeof(*to));
	nsizes = n;
}

/* ---- exact ---- */

static uint64_t
misses_of_run(const char *text, uint64_t blocks)
{
	static struct config cfg;
	struct stats	     st;

	choose_plainly(&cfg);
	choose_setting(&cfg, PLUGIN_POLICY, text);
	cfg.cache_blocks = blocks;
	cfg.replay = REPLAY_UNTIMED;
	ck_assert_msg(!simulate(&cfg, &trace, &st, &error), "%s", error.text);
	return st.misses;
}

static void
equals_runs(const struct curves *c)
{
	for (unsigned p = 0; p < all.n; p++)
		for (size_t i = 0; i < nsizes; i++) {
			struct estimate m = curves_at(c, p, size[i]);

			REQUIRE(m.misses == (double)misses_of_run(all.text[p], size[i]),
			    "%s, %llu blocks: %.0f misses", all.text[p],
			    (unsigned long long)size[i], m.misses);
			REQUIRE(m.error == 0, "%s", all.text[p]);
		}
}

/* Sizes in any order, one of them twice. */
START_TEST(every_policy_misses_as_often_as_in_a_run)
{
	load_sample("csq");
	ck_assert_int_eq(trace_footprint(&trace, &error), 0);
	set_sizes((const uint64_t[]){ 5000, 1, 2, 77, trace.footprint - 1, trace.footprint,
		      2ull * trace.footprint, 77 },
	    8);
	ck_assert_msg(!draw(&exact, 1, 0, 2, plenty), "%s", error.text);
	ck_assert_uint_eq(exact.footprint, trace.footprint);
	ck_assert_uint_eq(exact.least, 1);
	equals_runs(&exact);
}
END_TEST

START_TEST(without_lru_there_are_the_same_totals)
{
	uint64_t references, footprint;

	load_sample("glimpse");
	set_sizes((const uint64_t[]){ 300 }, 1);
	ck_assert_int_eq(draw(&exact, 1, 0, 1, plenty), 0);
	references = exact.references;
	footprint = exact.footprint;
	curves_release(&exact);
	ck_assert_int_eq(curves_init(&exact, &trace, policy + 1, 1, 1, 0, &error), 0);
	ck_assert_uint_eq(exact.references, references);
	ck_assert_uint_eq(exact.footprint, footprint);
}
END_TEST

/* Misses of every policy and size, to be compared. */
static void
collect(const struct curves *c, double to[POLICIES_MAX][SIZES_MAX][2])
{
	for (unsigned p = 0; p < all.n; p++)
		for (size_t i = 0; i < nsizes; i++) {
			struct estimate m = curves_at(c, p, size[i]);

			to[p][i][0] = m.misses;
			to[p][i][1] = m.error;
		}
}

START_TEST(workers_and_memory_do_not_change_the_results)
{
	static double	      alone[POLICIES_MAX][SIZES_MAX][2], many[POLICIES_MAX][SIZES_MAX][2];
	static const unsigned jobs[] = { 2, 100 };
	static const uint64_t memory[] = { 2 << 20, 6 << 20, UINT64_MAX };

	load_sample("glimpse");
	nsizes = 0;
	for (uint64_t n = 200; n < 6000; n += 2600)
		size[nsizes++] = n;
	drop_unsampled();
	drop_behind(FEW);
	for (double rate = 0.3; rate <= 1; rate += 0.7) {
		memset(alone, 0, sizeof(alone));
		memset(many, 0, sizeof(many));
		ck_assert_msg(!draw(&exact, rate, 0, 1, plenty), "%s", error.text);
		collect(&exact, alone);
		for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
			for (size_t k = 0; k < sizeof(memory) / sizeof(*memory); k++) {
				ck_assert_msg(!draw(&sampled, rate, 0, jobs[i], memory[k]), "%s",
				    error.text);
				collect(&sampled, many);
				ck_assert(!memcmp(alone, many, sizeof(alone)));
			}
	}
}
END_TEST

START_TEST(a_plan_says_what_fits_into_memory)
{
	struct curves_plan p = { .blocks = size, .n = 1, .jobs = 8, .memory = plenty };
	const uint64_t	   bytes = (16 + 96) * 1000 + (4 + 8) * 5000; /* of tables */

	load_sample("csq");
	set_sizes((const uint64_t[]){ 1000 }, 1);
	ck_assert_int_eq(curves_init(&exact, &trace, policy, all.n, 1, 0, &error), 0);
	ck_assert_int_eq(curves_replay(&exact, &p, &error), 0);
	ck_assert(!p.cut);
	ck_assert_uint_eq(p.jobs, 8);
	curves_release(&exact);
	p.memory = 20 * bytes; /* the trace has 29,709 blocks */
	ck_assert_int_eq(curves_init(&exact, &trace, policy, all.n, 1, 0, &error), 0);
	ck_assert_int_eq(curves_replay(&exact, &p, &error), 0);
	ck_assert_uint_lt(p.jobs, 8);
	ck_assert_uint_eq(p.together, 1);
	curves_release(&exact);
	p.memory = bytes;
	ck_assert_int_eq(curves_init(&exact, &trace, policy, all.n, 1, 0, &error), 0);
	ck_assert_int_eq(curves_replay(&exact, &p, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "this machine has 168.0 KiB of memory"));
}
END_TEST

/* The tables of a cache that holds everything are not made. */
START_TEST(a_cache_beyond_the_footprint_takes_no_memory)
{
	load_sample("glimpse");
	set_sizes((const uint64_t[]){ UINT64_C(1) << 50 }, 1);
	ck_assert_msg(!draw(&exact, 1, 0, 2, 1), "%s", error.text);
	for (unsigned p = 0; p < all.n; p++)
		ck_assert(curves_at(&exact, p, size[0]).misses == (double)exact.footprint);
}
END_TEST

START_TEST(a_policy_that_refuses_a_size_is_an_error)
{
	struct choice	   one;
	struct curves_plan p = { .blocks = size, .n = 2, .jobs = 2, .memory = plenty };

	load_sample("glimpse");
	set_sizes((const uint64_t[]){ 100, 32 }, 2);
	ck_assert_int_eq(registry_choose(PLUGIN_POLICY, "2q:kin=33b", &one, &error), 0);
	ck_assert_int_eq(curves_init(&exact, &trace, &one, 1, 1, 0, &error), 0);
	ck_assert_int_eq(curves_replay(&exact, &p, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(error.text, "kin of 2q is at most 32 blocks"));
	choice_release(&one);
}
END_TEST

/* ---- from samples ---- */

/* Few blocks are used much more often than the others, and scattered. */
static void
make_skewed(void)
{
	static struct access	call[CALLS];
	static struct open_file open;
	static struct file	file = { .base = 1, .nblocks = BLOCKS };
	static struct traced	process;
	uint64_t		seed = 5;

	for (uint32_t i = 0; i < CALLS; i++) {
		double	 u = (random_below(&seed, 1000000) + 1) / 1e6;
		uint32_t b = (uint32_t)(pow(BLOCKS, u) - 1) * 7919u % BLOCKS;

		call[i] = (struct access){ .time = i,
			.offset = (uint64_t)b * BLOCK_BYTES,
			.length = BLOCK_BYTES };
	}
	/* It is released as if it were loaded. */
	trace = (struct trace){ .block_bytes = BLOCK_BYTES,
		.block_shift = 12,
		.access = memcpy(malloc(sizeof(call)), call, sizeof(call)),
		.naccess = CALLS,
		.longest_bytes = BLOCK_BYTES,
		.open = memcpy(malloc(sizeof(open)), &open, sizeof(open)),
		.nopen = 1,
		.file = memcpy(malloc(sizeof(file)), &file, sizeof(file)),
		.nfiles = 1,
		.process = memcpy(malloc(sizeof(process)), &process, sizeof(process)),
		.nprocesses = 1,
		.nblocks = BLOCKS + 1 };
}

struct verdict {
	unsigned within, of;
	double	 error, off; /* sums */
};

/* Powers of two up to the footprint, of all policies, from one sample. */
static void
judge(struct verdict v[POLICIES_MAX], double rate, uint64_t seed)
{
	ck_assert_msg(!draw(&sampled, rate, seed, 1, plenty), "%s", error.text);
	for (unsigned p = 0; p < all.n; p++)
		for (size_t i = 0; i < nsizes; i++) {
			struct estimate m = curves_at(&sampled, p, size[i]);
			double		off = fabs(m.misses - curves_at(&exact, p, size[i]).misses);

			if (size[i] < sampled.least)
				continue;
			v[p].within += off <= m.error;
			v[p].of++;
			v[p].error += m.error;
			v[p].off += off;
		}
}

static void
are_honest(double rate, uint64_t seeds)
{
	struct verdict v[POLICIES_MAX] = { 0 }, sum = { 0 };

	drop_unsampled();
	nsizes = 0;
	for (uint64_t n = 32; n < 30000; n *= 2)
		size[nsizes++] = n;
	ck_assert_int_eq(draw(&exact, 1, 0, 1, plenty), 0);
	for (uint64_t seed = 0; seed < seeds; seed++)
		judge(v, rate, seed);
	for (unsigned p = 0; p < all.n; p++) {
		double share = (double)v[p].within / v[p].of;

		REQUIRE(share > 0.93, "%s: %.1f %% within the error", all.text[p], 100 * share);
		REQUIRE(v[p].error < 12 * v[p].off, "%s: error %g, off %g", all.text[p],
		    v[p].error / v[p].of, v[p].off / v[p].of);
		sum.within += v[p].within;
		sum.of += v[p].of;
	}
	ck_assert_msg((double)sum.within / sum.of > 0.95, "%u of %u within the error", sum.within,
	    sum.of);
}

START_TEST(the_truth_of_a_real_trace_is_mostly_within_the_error)
{
	load_sample("csq");
	are_honest(0.05, 20);
}
END_TEST

START_TEST(the_truth_of_another_real_trace_is_mostly_within_the_error)
{
	load_sample("glimpse");
	are_honest(0.1, 5);
}
END_TEST

START_TEST(the_truth_of_a_skewed_trace_is_mostly_within_the_error)
{
	make_skewed();
	are_honest(0.05, 20);
}
END_TEST

START_TEST(a_sample_of_all_blocks_is_exact)
{
	drop_unsampled();
	load_sample("csq");
	set_sizes((const uint64_t[]){ 10, 63, 64, 65, 1000, 100000 }, 6);
	ck_assert_int_eq(draw(&exact, 1, 0, 1, plenty), 0);
	ck_assert_int_eq(draw(&sampled, 0.9999999, 0, 1, plenty), 0);
	ck_assert_uint_eq(sampled.sample.n, exact.footprint);
	for (unsigned p = 0; p < all.n; p++)
		for (size_t i = 0; i < nsizes; i++) {
			struct estimate m = curves_at(&sampled, p, size[i]);

			REQUIRE(m.misses == curves_at(&exact, p, size[i]).misses && m.error == 0,
			    "%s, %llu blocks", all.text[p], (unsigned long long)size[i]);
		}
}
END_TEST

/* LRU by replays is what LRU is by stack distances; small caches are between whole numbers. */
START_TEST(replays_of_lru_estimate_what_stack_distances_do)
{
	const struct choice both[] = { { .plugin = policy[0].plugin },
		{ .plugin = policy[0].plugin, .params = "" } };
	struct curves_plan  p = { .blocks = size, .jobs = 1, .memory = plenty };

	load_sample("csq");
	ck_assert_str_eq(both[0].plugin->name, "lru");
	nsizes = 0;
	for (uint64_t n = 200; n < 3000; n += 67)
		size[nsizes++] = n;
	p.n = nsizes;
	ck_assert_int_eq(curves_init(&sampled, &trace, both, 2, 0.02, 1, &error), 0);
	ck_assert_int_eq(curves_replay(&sampled, &p, &error), 0);
	for (size_t i = 0; i < nsizes; i++) {
		struct estimate stack = curves_at(&sampled, 0, size[i]),
				replayed = curves_at(&sampled, 1, size[i]);

		REQUIRE(fabs(stack.misses - replayed.misses) < 1e-6 * stack.misses, "%llu blocks",
		    (unsigned long long)size[i]);
	}
}
END_TEST

/* ---- what a policy is told in a sample ---- */

/* First in, first out; ends its worker if the use or the future of a reference is of another. */
struct witness {
	const struct trace  *t;
	const struct future *future;
	frame_t		     hand;
	uint32_t	     passed;
	double		     rate;
};

static int
witness_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	*(struct witness *)self = (struct witness){ .t = t, .future = future, .rate = c->rate };
	return 0;
}

static void
testify(struct witness *w, const struct cache *c, frame_t f, const struct use *u)
{
	block_t	 b = c->frame[f].block;
	uint32_t next = future_next(w->future, b);
	bool	 found = w->t->file[u->file].base + u->index == b;

	if (!found || u->index >= w->t->file[u->file].nblocks || next <= w->passed ||
	    !(w->rate > 0 && w->rate <= 0.2))
		abort();
	w->passed++;
}

static void
witness_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	testify(self, c, f, u);
}

static frame_t
witness_evict(void *self, struct cache *c, block_t incoming)
{
	struct witness *w = self;

	return w->hand = w->hand % c->nframes + 1;
}

static void
witness_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	testify(self, c, f, u);
}

static void
witness_remove(void *self, struct cache *c, frame_t f)
{
}

POLICY(witness,
    .plugin = { .name = "witness",
	.summary = "checks what it is told",
	.state_size = sizeof(struct witness) },
    .on_hit = HIT_IGNORES, .needs = NEEDS_USE | NEEDS_FUTURE, .init = witness_init,
    .hit = witness_hit, .evict = witness_evict, .insert = witness_insert, .remove = witness_remove);

START_TEST(uses_and_the_future_are_those_of_the_sample)
{
	static const uint64_t rooms[] = { 500, 5000, 20000 };
	const struct choice   one = { .plugin = &policy_witness.plugin };
	struct curves_plan    p = { .blocks = rooms, .n = 3, .jobs = 2, .memory = plenty };

	load_sample("glimpse");
	ck_assert_int_eq(curves_init(&sampled, &trace, &one, 1, 0.1, 0, &error), 0);
	ck_assert_msg(!curves_replay(&sampled, &p, &error), "%s", error.text);
	ck_assert(curves_at(&sampled, 0, 500).misses > curves_at(&sampled, 0, 20000).misses);
}
END_TEST

START_TEST(a_policy_that_a_sample_does_not_show_is_refused_with_the_reason)
{
	load_sample("glimpse");
	for (unsigned p = 0; p < all.n; p++) {
		const char *reason = policy_of(&policy[p])->unsampled;
		int	    failed = curves_init(&sampled, &trace, &policy[p], 1, 0.1, 0, &error);

		curves_release(&sampled);
		REQUIRE(!failed == !reason, "%s", all.text[p]);
		REQUIRE(!reason || error.exit_code == EXIT_USAGE, "%s", all.text[p]);
		REQUIRE(!reason || strstr(error.text, reason), "%s: %s", all.text[p], error.text);
	}
}
END_TEST

START_TEST(too_small_a_sample_is_refused)
{
	drop_unsampled();
	load_sample("glimpse");
	set_sizes((const uint64_t[]){ 1000 }, 1);
	ck_assert_int_eq(draw(&sampled, 0.0001, 0, 1, plenty), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "are too few to say anything"));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("curves");

	tcase_add_checked_fixture(tests, setup, stop);
	tcase_add_test(tests, every_policy_misses_as_often_as_in_a_run);
	tcase_add_test(tests, without_lru_there_are_the_same_totals);
	tcase_add_test(tests, workers_and_memory_do_not_change_the_results);
	tcase_add_test(tests, a_plan_says_what_fits_into_memory);
	tcase_add_test(tests, a_cache_beyond_the_footprint_takes_no_memory);
	tcase_add_test(tests, a_policy_that_refuses_a_size_is_an_error);
	tcase_add_test(tests, the_truth_of_a_real_trace_is_mostly_within_the_error);
	tcase_add_test(tests, the_truth_of_another_real_trace_is_mostly_within_the_error);
	tcase_add_test(tests, the_truth_of_a_skewed_trace_is_mostly_within_the_error);
	tcase_add_test(tests, a_sample_of_all_blocks_is_exact);
	tcase_add_test(tests, replays_of_lru_estimate_what_stack_distances_do);
	tcase_add_test(tests, uses_and_the_future_are_those_of_the_sample);
	tcase_add_test(tests, a_policy_that_a_sample_does_not_show_is_refused_with_the_reason);
	tcase_add_test(tests, too_small_a_sample_is_refused);
	return run_tests("curves", tests);
}
