/*
 * check_shards.c - curves from samples: exact where nothing is left out, and
 * elsewhere as far off as they say.
 */
#include <math.h>

#include "sim/analysis/shards.h"
#include "tests/unit/loading.h"

enum { BLOCKS = 20000, CALLS = 150000 };

static struct mrc	exact;
static struct sample	sample;
static struct shards	shards;
static struct access	calls[CALLS];
static struct open_file open_file;
static struct file	file;

static void
stop(void)
{
	mrc_release(&exact);
	shards_release(&shards);
	sample_release(&sample);
	trace_release(&trace);
}

static void
follow_all(const struct trace *t)
{
	ck_assert_int_eq(mrc_init(&exact, t->nblocks, &error), 0);
	ck_assert_int_eq(mrc_trace(&exact, t, &error), 0);
}

static void
follow_sample(const struct trace *t, double rate, uint64_t seed)
{
	shards_release(&shards);
	sample_release(&sample);
	ck_assert_msg(!sample_init(&sample, t, rate, seed, &error), "%s", error.text);
	ck_assert_int_eq(shards_init(&shards, &sample, &error), 0);
	ck_assert_int_eq(shards_trace(&shards, t, &error), 0);
}

static double
rate_of_sample(void)
{
	return sample_rate(&sample, sample.n);
}

/* The estimated misses, and their error. */
static double
misses_at(uint64_t size, double *off)
{
	struct estimate m = shards_misses(&shards, size);

	*off = m.error;
	return m.misses;
}

/* One file, so far without calls. */
static struct trace
start_trace(void)
{
	file = (struct file){ .base = 1, .nblocks = BLOCKS };
	return (struct trace){
		.block_bytes = BLOCK_BYTES,
		.block_shift = 12,
		.access = calls,
		.open = &open_file,
		.nopen = 1,
		.file = &file,
		.nfiles = 1,
		.nblocks = BLOCKS + 1,
	};
}

static void
add_call(struct trace *t, uint32_t first, uint32_t count)
{
	ck_assert_uint_lt(t->naccess, CALLS);
	calls[t->naccess++] = (struct access){
		.offset = (uint64_t)first * BLOCK_BYTES,
		.length = count * BLOCK_BYTES & INT32_MAX,
	};
}

/* Few blocks are used much more often than the others. */
static struct trace
skewed_trace(uint32_t n)
{
	struct trace t = start_trace();
	uint64_t     seed = 5;

	while (n--) {
		double u = (random_below(&seed, 1000000) + 1) / 1e6;

		/* by Zipf's law, and scattered */
		add_call(&t, (uint32_t)(pow(BLOCKS, u) - 1) * 7919u % BLOCKS, 1);
	}
	return t;
}

START_TEST(all_blocks_give_the_exact_curve)
{
	struct trace t = skewed_trace(100000);

	follow_all(&t);
	follow_sample(&t, 1, 1);
	ck_assert_uint_eq(shards.references, 100000);
	ck_assert(rate_of_sample() == 1);
	ck_assert_uint_eq(sample_least(&sample), 1);
	for (uint64_t size = 1; size < 2 * BLOCKS; size++) {
		double off;

		REQUIRE(misses_at(size, &off) == (double)mrc_misses(&exact, size), "size %llu",
		    (unsigned long long)size);
		REQUIRE(off == 0, "size %llu", (unsigned long long)size);
	}
}
END_TEST

START_TEST(the_rate_is_the_share_of_used_blocks_that_was_sampled)
{
	struct trace t = skewed_trace(100000);

	follow_all(&t);
	for (double rate = 0.02; rate < 1; rate *= 1.7) {
		double sigma = sqrt(rate * (1 - rate) / exact.distinct), r;

		follow_sample(&t, rate, 1);
		ck_assert_uint_eq(sample.nblocks, exact.distinct);
		r = rate_of_sample();
		ck_assert(fabs(r - rate) < 4 * sigma);
		ck_assert(r == shards.whole.distinct / (double)exact.distinct);
		ck_assert_uint_eq(sample_least(&sample), (uint64_t)ceil(SAMPLE_PARTS / r));
	}
}
END_TEST

START_TEST(every_sampled_block_is_in_one_part)
{
	struct trace t = start_trace();
	uint32_t     blocks = 0;
	uint64_t     references = 0;

	for (unsigned i = 0; i < 3; i++)
		for (uint32_t b = 0; b < BLOCKS; b++)
			add_call(&t, b, 1);
	follow_sample(&t, 0.1, 1);
	for (unsigned i = 0; i < SAMPLE_PARTS; i++) {
		const struct mrc *part = &shards.part[i];

		ck_assert_uint_eq(part->distinct, part->nblocks - 1);
		ck_assert_uint_eq(part->references, 3 * part->distinct);
		ck_assert_uint_gt(part->distinct, BLOCKS / 10 / SAMPLE_PARTS / 2);
		blocks += part->distinct;
		references += part->references;
	}
	ck_assert_uint_eq(shards.whole.distinct, blocks);
	ck_assert_uint_eq(shards.whole.references, references);
}
END_TEST

/* The same references in calls of one block and of many, wherever these begin and end. */
START_TEST(long_calls_are_followed_block_by_block)
{
	static double misses[BLOCKS];
	struct trace  t = start_trace();
	uint64_t      seed = 7, references;
	uint32_t      first[500], count[500];
	double	      off;

	for (unsigned i = 0; i < 500; i++) {
		count[i] = 1 + random_below(&seed, i % 5 ? 70 : 400);
		first[i] = random_below(&seed, BLOCKS - count[i] + 1);
		add_call(&t, first[i], count[i]);
	}
	add_call(&t, BLOCKS - 64, 64);
	add_call(&t, 0, 1);
	follow_sample(&t, 0.5, 1);
	references = shards.references;
	for (uint32_t size = 0; size < BLOCKS; size++)
		misses[size] = misses_at(size, &off);
	t.naccess = 0;
	for (unsigned i = 0; i < 500; i++)
		for (uint32_t k = 0; k < count[i]; k++)
			add_call(&t, first[i] + k, 1);
	for (uint32_t k = 0; k < 64; k++)
		add_call(&t, BLOCKS - 64 + k, 1);
	add_call(&t, 0, 1);
	follow_sample(&t, 0.5, 1);
	ck_assert_uint_eq(shards.references, references);
	for (uint32_t size = 0; size < BLOCKS; size++)
		ck_assert(misses_at(size, &off) == misses[size]);
}
END_TEST

START_TEST(a_seed_gives_one_sample_and_another_another)
{
	struct trace t = skewed_trace(20000);
	double	     first, off;

	follow_sample(&t, 0.1, 1);
	first = misses_at(1000, &off);
	follow_sample(&t, 0.1, 1);
	ck_assert(misses_at(1000, &off) == first);
	follow_sample(&t, 0.1, 2);
	ck_assert(misses_at(1000, &off) != first);
}
END_TEST

START_TEST(misses_never_rise_with_the_cache_nor_exceed_the_references)
{
	struct trace t = skewed_trace(50000);
	double	     before, now, off;

	follow_sample(&t, 0.07, 1);
	before = misses_at(0, &off);
	ck_assert(before == 50000);
	for (uint64_t size = 1; size < 2 * BLOCKS; size++) {
		now = misses_at(size, &off);
		REQUIRE(now <= before, "size %llu", (unsigned long long)size);
		before = now;
	}
	ck_assert(fabs(before - shards.whole.distinct / rate_of_sample()) < 1e-6 * before);
}
END_TEST

START_TEST(between_whole_sampled_blocks_the_curve_is_straight)
{
	struct trace t = skewed_trace(50000);
	double	     rate, off;
	unsigned     straight = 0, falling = 0;

	follow_sample(&t, 0.07, 1);
	rate = rate_of_sample();
	for (uint32_t size = 200; size < BLOCKS / 2; size++) {
		double m[3];

		if ((uint32_t)(size * rate) != (uint32_t)((size + 2) * rate))
			continue;
		for (uint32_t k = 0; k < 3; k++)
			m[k] = misses_at(size + k, &off);
		REQUIRE(fabs(m[0] - 2 * m[1] + m[2]) < 1e-6, "size %u", size);
		straight++;
		falling += m[0] > m[2];
	}
	ck_assert_uint_gt(straight, 1000);
	ck_assert_uint_gt(falling, straight / 2);
}
END_TEST

START_TEST(too_small_a_sample_is_refused)
{
	struct trace t = start_trace();

	for (uint32_t b = 0; b < 100; b++)
		add_call(&t, 7 * b, 1);
	ck_assert_int_eq(sample_init(&sample, &t, 0.01, 1, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "of 100 blocks are too few to say anything"));
}
END_TEST

/* A file of which a block in a million is used: the sample is of those that are. */
START_TEST(blocks_that_are_never_used_are_no_part_of_the_sample)
{
	struct trace t = start_trace();

	file.nblocks = 1 << 30;
	t.nblocks = file.nblocks + 1;
	for (uint32_t i = 0; i < 3000; i++) {
		add_call(&t, 0, 1);
		calls[i].offset = (uint64_t)(i % 1000) * 1000003 * BLOCK_BYTES;
	}
	follow_sample(&t, 0.3, 1);
	ck_assert_uint_eq(sample.nblocks, 1000);
	ck_assert_uint_eq(shards.whole.distinct, shards.whole.nblocks - 1);
	ck_assert(fabs(rate_of_sample() - 0.3) < 0.06);
	ck_assert_uint_eq(shards.references, 3000);
}
END_TEST

/* ---- is the error as large as it says? ---- */

struct verdict {
	unsigned within, of;
	double	 error, off; /* sums of miss ratios */
};

/* Powers of two up to the footprint, many samples. */
static struct verdict
judge(const struct trace *t, double rate, unsigned samples)
{
	struct verdict v = { 0 };

	for (unsigned seed = 0; seed < samples; seed++) {
		uint64_t size = 1;

		follow_sample(t, rate, seed);
		while (size < sample_least(&sample))
			size *= 2;
		for (; size < 2 * exact.distinct; size *= 2) {
			double error_misses;
			double off =
			    fabs(misses_at(size, &error_misses) - (double)mrc_misses(&exact, size));

			v.within += off <= error_misses;
			v.of++;
			v.error += error_misses / (double)shards.references;
			v.off += off / (double)shards.references;
		}
	}
	return v;
}

/* At least 95 %; with intervals that are wide enough that would be no art. */
static void
is_honest(const struct trace *t, double rate)
{
	struct verdict v = judge(t, rate, 40);
	double	       share = (double)v.within / v.of;

	ck_assert_msg(share > 0.95, "rate %g: %.1f %% within the error", rate, 100 * share);
	ck_assert_msg(v.error < 6 * v.off, "rate %g: error %g, off %g", rate, v.error / v.of,
	    v.off / v.of);
}

START_TEST(the_exact_curve_of_a_skewed_trace_is_mostly_within_the_error)
{
	struct trace t = skewed_trace(CALLS - 1);

	follow_all(&t);
	is_honest(&t, 0.05);
	is_honest(&t, 0.3);
	is_honest(&t, 0.8);
}
END_TEST

START_TEST(the_exact_curve_of_a_real_trace_is_mostly_within_the_error)
{
	ck_assert_msg(!load_path("traces/samples/csq.txt.gz", NULL, false), "%s", error.text);
	follow_all(&trace);
	is_honest(&trace, 0.02);
	is_honest(&trace, 0.1);
	is_honest(&trace, 0.5);
}
END_TEST

/* 16,384 blocks nearly hold what csq reads again and again. */
START_TEST(where_the_curve_falls_steeply_the_error_holds_too)
{
	const uint64_t cliff = 16384;
	unsigned       within = 0;

	ck_assert_msg(!load_path("traces/samples/csq.txt.gz", NULL, false), "%s", error.text);
	follow_all(&trace);
	for (unsigned seed = 0; seed < 200; seed++) {
		double misses, off;

		follow_sample(&trace, 0.1, seed);
		misses = misses_at(cliff, &off);
		within += fabs(misses - (double)mrc_misses(&exact, cliff)) <= off;
	}
	ck_assert_uint_gt(within, 180);
	ck_assert_uint_lt(within, 200);
}
END_TEST

START_TEST(a_larger_sample_is_less_far_off)
{
	struct trace   t = skewed_trace(100000);
	struct verdict small, large;

	follow_all(&t);
	small = judge(&t, 0.05, 10);
	large = judge(&t, 0.5, 10);
	ck_assert(large.off / large.of < small.off / small.of);
	ck_assert(large.error / large.of < small.error / small.of);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("shards");

	tcase_add_checked_fixture(tests, NULL, stop);
	tcase_add_test(tests, all_blocks_give_the_exact_curve);
	tcase_add_test(tests, the_rate_is_the_share_of_used_blocks_that_was_sampled);
	tcase_add_test(tests, every_sampled_block_is_in_one_part);
	tcase_add_test(tests, long_calls_are_followed_block_by_block);
	tcase_add_test(tests, a_seed_gives_one_sample_and_another_another);
	tcase_add_test(tests, misses_never_rise_with_the_cache_nor_exceed_the_references);
	tcase_add_test(tests, between_whole_sampled_blocks_the_curve_is_straight);
	tcase_add_test(tests, too_small_a_sample_is_refused);
	tcase_add_test(tests, blocks_that_are_never_used_are_no_part_of_the_sample);
	tcase_add_test(tests, the_exact_curve_of_a_skewed_trace_is_mostly_within_the_error);
	tcase_add_test(tests, the_exact_curve_of_a_real_trace_is_mostly_within_the_error);
	tcase_add_test(tests, where_the_curve_falls_steeply_the_error_holds_too);
	tcase_add_test(tests, a_larger_sample_is_less_far_off);
	return run_tests("shards", tests);
}
