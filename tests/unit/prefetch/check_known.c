/* check_known.c - are planned blocks used while they would still be in the cache? */
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

/* The first n references, all of them misses. */
static void
pass(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
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

static bool
used(uint32_t index)
{
	return known_use(&known, &cache, 1 + index);
}

START_TEST(a_block_is_used_if_its_next_reference_comes_within_the_cache)
{
	fill();
	pass(3);
	ck_assert(used(1));  /* in 2 references */
	ck_assert(!used(2)); /* in 8 */
	ck_assert(!used(3)); /* never */
}
END_TEST

START_TEST(free_frames_let_it_stay_longer)
{
	pass(3);
	ck_assert(used(9));  /* in 7 references; twice 4 frames */
	ck_assert(!used(2)); /* in 8 */
	fill();
	ck_assert(!used(9));
}
END_TEST

START_TEST(hits_bring_nothing)
{
	fill();
	pass(1);
	for (unsigned i = 1; i < 3; i++)
		known_pass(&known,
		    &(struct demand){ .base = 1,
			.index = order[i],
			.how = REF_HIT,
			.cache = &cache });
	ck_assert(used(2)); /* 3 references a block: 12 until 4 have come */
}
END_TEST

START_TEST(only_absent_blocks_are_counted)
{
	const struct demand d = { .base = 1, .nblocks = BLOCKS, .cache = &cache };

	pass(1);
	ck_assert_uint_eq(known_uses(&known, &d, 1, 5), 4);
	cache_bind(&cache, cache_take(&cache), 1 + 2);
	ck_assert_uint_eq(known_uses(&known, &d, 1, 5), 3);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("known");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_block_is_used_if_its_next_reference_comes_within_the_cache);
	tcase_add_test(tests, free_frames_let_it_stay_longer);
	tcase_add_test(tests, hits_bring_nothing);
	tcase_add_test(tests, only_absent_blocks_are_counted);
	return run_tests("known", tests);
}
