/* check_ghosts.c - blocks that have left the cache, and parts of a cache. */
#include <string.h>

#include "sim/core/ghosts.h"
#include "tests/unit/support.h"

enum { FRAMES = 10, BLOCKS = 50 };

static struct cache  cache;
static struct ghosts ghosts;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(cache_init(&cache, FRAMES, BLOCKS, &e), 0);
	ck_assert_int_eq(ghosts_init(&ghosts, 3, &cache, &e), 0);
}

static void
teardown(void)
{
	ghosts_release(&ghosts);
	cache_release(&cache);
}

START_TEST(ghosts_are_found_until_they_are_removed)
{
	struct flist list = { 0 };

	for (block_t b = 1; b < BLOCKS; b++) {
		ghosts_push(&ghosts, &list, &cache, b);
		ck_assert_uint_ne(ghosts_find(&ghosts, &cache, b), NIL);
		ck_assert_uint_eq(ghosts.entry[list.head].block, b);
		if (list.len == 3)
			ghosts_remove(&ghosts, &list, &cache, list.tail);
		ck_assert(b < 3 || !ghosts_find(&ghosts, &cache, b - 2));
	}
	ck_assert_uint_eq(ghosts.nused, 3);
}
END_TEST

START_TEST(there_is_room_for_every_block_and_no_more)
{
	static const uint64_t n[] = { BLOCKS, UINT32_MAX, (uint64_t)UINT32_MAX + 2, UINT64_MAX };
	struct error	      e;

	for (unsigned i = 0; i < 4; i++) {
		ghosts_release(&ghosts);
		ck_assert_int_eq(ghosts_init(&ghosts, n[i], &cache, &e), 0);
		ck_assert_uint_eq(ghosts.n, BLOCKS);
	}
}
END_TEST

START_TEST(a_share_is_rounded_down_to_at_least_one_block)
{
	frame_t	     n;
	struct error e;

	ck_assert_int_eq(cache_part(&cache, SHARE_ONE / 4, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 2);
	ck_assert_int_eq(cache_part(&cache, 1, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(cache_part(&cache, SHARE_ONE, 7, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 7);
	ck_assert_int_eq(cache_part(&cache, PART_BLOCKS + 7, 7, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(more_blocks_than_there_may_be_are_refused)
{
	frame_t	     n;
	struct error e;

	ck_assert_int_lt(cache_part(&cache, PART_BLOCKS + 8, 7, "kin of 2q", &n, &e), 0);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(e.text, "kin of 2q is at most 7 blocks in a cache of 10"));
}
END_TEST

/* A sample of a tenth of the blocks, in a tenth of a cache of 100. */
START_TEST(in_a_sample_numbers_of_blocks_are_scaled_and_shares_are_not)
{
	frame_t	     n;
	struct error e;

	cache.rate = 0.1;
	ck_assert_int_eq(cache_part(&cache, SHARE_ONE / 2, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 5);
	ck_assert_int_eq(cache_part(&cache, PART_BLOCKS + 32, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(cache_part(&cache, PART_BLOCKS + 1, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(cache_part(&cache, PART_BLOCKS + 109, FRAMES, "p", &n, &e), 0);
	ck_assert_uint_eq(n, FRAMES);
	ck_assert_int_lt(cache_part(&cache, PART_BLOCKS + 110, FRAMES, "p", &n, &e), 0);
	ck_assert_ptr_nonnull(strstr(e.text, "p is at most 100 blocks in a cache of 100, not 110"));
	ck_assert_uint_eq(cache_scaled(&cache, 0), 0);
	ck_assert_uint_eq(cache_scaled(&cache, 1), 1);
	ck_assert_uint_eq(cache_scaled(&cache, 25), 3);
	cache.rate = 0;
	ck_assert_uint_eq(cache_scaled(&cache, UINT64_MAX - 1), UINT64_MAX - 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("ghosts");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, ghosts_are_found_until_they_are_removed);
	tcase_add_test(tests, there_is_room_for_every_block_and_no_more);
	tcase_add_test(tests, a_share_is_rounded_down_to_at_least_one_block);
	tcase_add_test(tests, more_blocks_than_there_may_be_are_refused);
	tcase_add_test(tests, in_a_sample_numbers_of_blocks_are_scaled_and_shares_are_not);
	return run_tests("ghosts", tests);
}
