/* check_known.c - when are planned blocks used? */
#include <math.h>

#include "prefetch/known.h"
#include "tests/unit/support.h"

enum { BLOCKS = 16, FRAMES = 4, CALLS = 12 };

/* Block 1 is read again after 4 references, block 2 after 9; block 9 once, block 3 never again. */
static const uint32_t order[CALLS] = { 1, 2, 3, 4, 1, 5, 6, 7, 8, 9, 2, 1 };

static struct access	access_of[CALLS];
static struct open_file opens[1];
static struct file	files[1];
static struct trace	trace;
static struct cache	cache;
static struct known	known;

static void
setup(void)
{
	struct error e;

	files[0] = (struct file){ .base = 1, .nblocks = BLOCKS, .bytes = BLOCKS * 4096 };
	for (unsigned i = 0; i < CALLS; i++)
		access_of[i] = (struct access){ .offset = order[i] * 4096ull,
			.length = 4096,
			.file_size = files[0].bytes };
	trace = (struct trace){ .block_bytes = 4096,
		.block_shift = 12,
		.access = access_of,
		.naccess = CALLS,
		.open = opens,
		.nopen = 1,
		.file = files,
		.nfiles = 1,
		.nblocks = 1 + BLOCKS,
		.reads = CALLS };
	ck_assert_int_eq(known_init(&known, &trace, &e), 0);
	ck_assert_int_eq(cache_init(&cache, FRAMES, trace.nblocks, &e), 0);
}

static void
teardown(void)
{
	known_release(&known);
	cache_release(&cache);
}

/* The first n references, or the others of them, all of them misses. */
static void
pass(unsigned n)
{
	for (unsigned i = (unsigned)known.references; i < n; i++)
		known_pass(&known,
		    &(struct demand){ .base = 1,
			.index = order[i],
			.how = REF_MISS,
			.cache = &cache });
}

static void
fill(void)
{
	while (cache.nused < FRAMES)
		cache_take(&cache);
}

static double
until(uint32_t index)
{
	return known_until(&known, 1 + index);
}

START_TEST(a_use_is_as_far_as_blocks_come_until_then)
{
	pass(3);
	ck_assert_double_eq_tol(until(1), 2 * 3 / 4., 1e-9);
	ck_assert_double_eq_tol(until(2), 8 * 3 / 4., 1e-9);
	ck_assert(isinf(until(3)));
}
END_TEST

START_TEST(hits_bring_nothing)
{
	pass(1);
	for (unsigned i = 1; i < 3; i++)
		known_pass(&known,
		    &(struct demand){ .base = 1,
			.index = order[i],
			.how = REF_HIT,
			.cache = &cache });
	ck_assert_double_eq_tol(until(2), 8 / 4., 1e-9);
}
END_TEST

START_TEST(a_block_stays_until_free_frames_and_frames_are_taken)
{
	ck_assert_double_eq(known_stay(&cache), 2 * FRAMES);
	fill();
	ck_assert_double_eq(known_stay(&cache), FRAMES);
}
END_TEST

/* Soon is before one block has come, as the cache has four frames. */
START_TEST(uses_are_soon_later_or_too_late_and_of_absent_blocks)
{
	const struct demand d = { .base = 1, .nblocks = BLOCKS, .cache = &cache };
	struct known_uses   u;

	pass(1);
	u = known_uses(&known, &d, 1, 3); /* 1 after 4 references, 2 after 1 */
	ck_assert_double_eq(u.soon, 1);
	ck_assert_double_eq(u.later, 1);
	pass(3);
	u = known_uses(&known, &d, 0, 10);
	ck_assert_double_eq(u.soon + u.later, 8); /* all but 3 */
	cache_bind(&cache, cache_take(&cache), 1 + 9);
	u = known_uses(&known, &d, 0, 10);
	ck_assert_double_eq(u.soon + u.later, 7);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("known");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_use_is_as_far_as_blocks_come_until_then);
	tcase_add_test(tests, hits_bring_nothing);
	tcase_add_test(tests, a_block_stays_until_free_frames_and_frames_are_taken);
	tcase_add_test(tests, uses_are_soon_later_or_too_late_and_of_absent_blocks);
	return run_tests("known", tests);
}
