/*
 * check_mrc.c - LRU's misses at every size, against a list kept by hand and
 * against the LRU that simulates.
 */
#include <string.h>

#include "sim/analysis/mrc.h"
#include "sim/core/policy.h"
#include "tests/unit/loading.h"

extern const struct policy policy_lru;

enum { REFERENCES = 200000, LARGEST = 20000 };

static struct mrc mrc;
static block_t	  ref[REFERENCES];

static void
stop(void)
{
	mrc_release(&mrc);
	trace_release(&trace);
}

static void
follow(const block_t *b, size_t n, block_t nblocks)
{
	mrc_release(&mrc);
	ck_assert_msg(!mrc_init(&mrc, nblocks, &error), "%s", error.text);
	for (size_t i = 0; i < n; i++)
		mrc_reference(&mrc, b[i]);
	mrc_finish(&mrc);
	ck_assert_uint_eq(mrc.references, n);
}

/* ---- by hand ---- */

/* All sizes at once: a block's place in a list kept in order of use is its distance. */
static void
equals_list(const char *what, const block_t *b, size_t n, block_t nblocks)
{
	static block_t	list[LARGEST];
	static uint64_t at[LARGEST + 1];
	uint64_t	misses = 0;
	uint32_t	length = 0;

	memset(at, 0, sizeof(at));
	for (size_t i = 0; i < n; i++) {
		uint32_t d = 0;

		while (d < length && list[d] != b[i])
			d++;
		if (d == length)
			length++, misses++;
		else
			at[d]++;
		memmove(list + 1, list, d * sizeof(*list));
		list[0] = b[i];
	}
	follow(b, n, nblocks);
	ck_assert_uint_eq(mrc.distinct, length);
	ck_assert_uint_eq(mrc_misses(&mrc, length), misses);
	ck_assert_uint_eq(mrc_misses(&mrc, UINT64_MAX), misses);
	for (uint32_t d = length; d--;) {
		misses += at[d];
		REQUIRE(mrc_misses(&mrc, d) == misses,
		    "%s of %u blocks: size %u misses %llu times, "
		    "not %llu",
		    what, nblocks - 1, d, (unsigned long long)mrc_misses(&mrc, d),
		    (unsigned long long)misses);
	}
}

START_TEST(random_strings_miss_as_a_list_says)
{
	uint64_t seed = 1;

	for (block_t nblocks = 2; nblocks < 300; nblocks += 1 + nblocks / 7) {
		for (size_t i = 0; i < 5000; i++)
			ref[i] = 1 + random_below(&seed, nblocks - 1);
		equals_list("random", ref, 5000, nblocks);
		for (size_t i = 0; i < 5000; i++)
			ref[i] = 1 + random_below(&seed, 1 + random_below(&seed, nblocks - 1));
		equals_list("skewed", ref, 5000, nblocks);
	}
}
END_TEST

START_TEST(hostile_strings_miss_as_a_list_says)
{
	for (block_t nblocks = 2; nblocks < 200; nblocks += 1 + nblocks / 5) {
		block_t blocks = nblocks - 1;

		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = 1 + i % blocks;
		equals_list("loop", ref, 3000, nblocks);
		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = 1 + (i / blocks % 2 ? blocks - 1 - i % blocks : i % blocks);
		equals_list("to and fro", ref, 3000, nblocks);
		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = 1 + i / 3 % blocks;
		equals_list("repeats", ref, 3000, nblocks);
		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = i % 2 ? 1 : 1 + i / 2 % blocks;
		equals_list("one block between all others", ref, 3000, nblocks);
		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = 1 + (i < 1500 ? 0 : i % blocks);
		equals_list("one block, then a loop", ref, 3000, nblocks);
		for (uint32_t i = 0; i < 3000; i++)
			ref[i] = nblocks - 1;
		equals_list("the last block alone", ref, 3000, nblocks);
	}
}
END_TEST

/* Several levels of counters; slots run out many times. */
START_TEST(long_strings_miss_as_a_list_says)
{
	uint64_t seed = 2;

	for (size_t i = 0; i < 60000; i++)
		ref[i] = 1 + random_below(&seed, i % 4 ? 300 : 3000);
	equals_list("long", ref, 60000, 3001);
	ck_assert_uint_gt(mrc.nlevels, 1);
	ck_assert_uint_gt(60000, 4 * mrc.nslots);
}
END_TEST

START_TEST(no_reference_at_all_is_no_miss)
{
	follow(ref, 0, 10);
	ck_assert_uint_eq(mrc_misses(&mrc, 0), 0);
	ck_assert_uint_eq(mrc_misses(&mrc, 5), 0);
}
END_TEST

/* ---- by simulation ---- */

static uint64_t
simulated_misses(size_t n, block_t nblocks, frame_t frames)
{
	struct cache c;
	void	    *self = calloc(1, policy_lru.plugin.state_size);
	struct batch batch = { .ref = ref, .n = n };

	ck_assert_msg(!cache_init(&c, frames, nblocks, &error), "%s", error.text);
	policy_lru.replay(self, &c, &batch);
	cache_release(&c);
	free(self);
	return n - batch.hits;
}

static void
equals_simulation(size_t n, block_t nblocks)
{
	for (frame_t frames = 1; frames < 2 * nblocks; frames += 1 + frames / 6)
		ck_assert_uint_eq(mrc_misses(&mrc, frames), simulated_misses(n, nblocks, frames));
}

START_TEST(every_size_misses_as_the_simulated_lru_does)
{
	uint64_t seed = 3;

	for (size_t i = 0; i < REFERENCES; i++)
		ref[i] = 1 + random_below(&seed, 1 + random_below(&seed, LARGEST));
	follow(ref, REFERENCES, LARGEST + 1);
	equals_simulation(REFERENCES, LARGEST + 1);
}
END_TEST

static size_t
flatten(const struct trace *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		for (uint32_t k = 0; k < access_count(t, &t->access[i]); k++) {
			ck_assert_uint_lt(n, REFERENCES);
			ref[n++] = access_block(t, &t->access[i]) + k;
		}
	return n;
}

START_TEST(a_real_trace_misses_as_the_simulated_lru_does)
{
	size_t n;

	ck_assert_msg(!load_path("traces/samples/csq.txt.gz", NULL, false), "%s", error.text);
	n = flatten(&trace);
	ck_assert_int_eq(mrc_init(&mrc, trace.nblocks, &error), 0);
	ck_assert_int_eq(mrc_trace(&mrc, &trace, &error), 0);
	ck_assert_uint_eq(mrc.references, n);
	equals_simulation(n, trace.nblocks);
}
END_TEST

/* Reads and writes, of parts of blocks and of many, in two files. */
START_TEST(calls_reference_every_block_they_touch)
{
	static struct draft d;
	const block_t	    expected[] = { 1, 2, 1, 5, 6, 7, 2, 7 };

	draft_start(&d);
	draft_file(&d, 1, 4);
	draft_file(&d, 2, 10);
	draft_open(&d, 0, 0);
	draft_open(&d, 1, 0);
	draft_call(&d, 0, 0, 4000, 200, false);
	draft_call(&d, 1, 0, 0, 1, true);
	draft_blocks(&d, 2, 1, 0, 3, true);
	draft_call(&d, 3, 0, 4096, 4096, false);
	draft_call(&d, 4, 1, 3 * 4096 - 1, 1, false);
	ck_assert_uint_eq(flatten(&d.trace), 8);
	ck_assert_int_eq(memcmp(ref, expected, sizeof(expected)), 0);
	ck_assert_int_eq(mrc_init(&mrc, d.trace.nblocks, &error), 0);
	ck_assert_int_eq(mrc_trace(&mrc, &d.trace, &error), 0);
	ck_assert_uint_eq(mrc.distinct, 5);
	ck_assert_uint_eq(mrc_misses(&mrc, 1), 8);
	ck_assert_uint_eq(mrc_misses(&mrc, 2), 6);
	ck_assert_uint_eq(mrc_misses(&mrc, 4), 6);
	ck_assert_uint_eq(mrc_misses(&mrc, 5), 5);
}
END_TEST

START_TEST(too_many_blocks_are_refused)
{
	ck_assert_int_eq(mrc_init(&mrc, UINT32_MAX, &error), -1);
	ck_assert_str_eq(error.text,
	    "a curve of 4294967295 blocks is too long: 1073741759 is the most");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("mrc");

	tcase_add_checked_fixture(tests, NULL, stop);
	tcase_add_test(tests, random_strings_miss_as_a_list_says);
	tcase_add_test(tests, hostile_strings_miss_as_a_list_says);
	tcase_add_test(tests, long_strings_miss_as_a_list_says);
	tcase_add_test(tests, no_reference_at_all_is_no_miss);
	tcase_add_test(tests, every_size_misses_as_the_simulated_lru_does);
	tcase_add_test(tests, a_real_trace_misses_as_the_simulated_lru_does);
	tcase_add_test(tests, calls_reference_every_block_they_touch);
	tcase_add_test(tests, too_many_blocks_are_refused);
	return run_tests("mrc", tests);
}
