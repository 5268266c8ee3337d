/* check_cache.c - frames, and the map from block to frame. */
#include "sim/core/flist.h"
#include "tests/unit/support.h"

enum { FRAMES = 3, BLOCKS = 10 };

static struct cache cache;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(cache_init(&cache, FRAMES, BLOCKS, &e), 0);
}

static void
teardown(void)
{
	cache_release(&cache);
}

START_TEST(a_new_cache_holds_no_block)
{
	for (block_t b = 0; b < BLOCKS; b++)
		ck_assert_uint_eq(cache_find(&cache, b), NIL);
	ck_assert(cache_has_room(&cache));
}
END_TEST

START_TEST(frames_are_handed_out_once_each_and_then_no_more)
{
	ck_assert_uint_eq(cache_take(&cache), 1);
	ck_assert_uint_eq(cache_take(&cache), 2);
	ck_assert_uint_eq(cache_take(&cache), 3);
	ck_assert_uint_eq(cache_take(&cache), NIL);
	ck_assert_uint_eq(cache_take(&cache), NIL);
	ck_assert_uint_eq(cache.nused, FRAMES);
}
END_TEST

START_TEST(a_bound_block_is_found_in_its_frame_until_it_is_unbound)
{
	cache_bind(&cache, 2, 7);
	cache_bind(&cache, 3, BLOCKS - 1);
	ck_assert_uint_eq(cache_find(&cache, 7), 2);
	ck_assert_uint_eq(cache_find(&cache, BLOCKS - 1), 3);
	ck_assert_uint_eq(cache.frame[2].block, 7);
	cache_unbind(&cache, 2);
	ck_assert_uint_eq(cache_find(&cache, 7), NIL);
	ck_assert_uint_eq(cache_find(&cache, BLOCKS - 1), 3);
}
END_TEST

START_TEST(there_is_room_until_every_frame_is_in_flight)
{
	cache.npinned = FRAMES - 1;
	ck_assert(cache_has_room(&cache));
	cache.npinned = FRAMES;
	ck_assert(!cache_has_room(&cache));
}
END_TEST

START_TEST(released_twice_is_released_once)
{
	cache_release(&cache);
	cache_release(&cache);
	ck_assert_ptr_null(cache.frame);
	ck_assert_ptr_null(cache.where);
}
END_TEST

/* ---- lists of frames ---- */

static struct flist list;

/* The frames from head to tail, and back from tail to head, as digits. */
static const char *
order(void)
{
	static char text[2 * FRAMES + 2];
	size_t	    n = 0;

	for (frame_t f = list.head; f; f = cache.frame[f].next)
		text[n++] = (char)('0' + f);
	text[n++] = '|';
	for (frame_t f = list.tail; f; f = cache.frame[f].prev)
		text[n++] = (char)('0' + f);
	text[n] = '\0';
	return text;
}

static void
push_all(void)
{
	list = (struct flist){ 0 };
	for (frame_t f = 1; f <= FRAMES; f++)
		flist_push(&list, cache.frame, f);
}

START_TEST(a_list_holds_the_newest_at_its_head)
{
	push_all();
	ck_assert_str_eq(order(), "321|123");
	ck_assert_uint_eq(list.len, 3);
}
END_TEST

START_TEST(a_frame_leaves_a_list_from_its_head_middle_or_tail)
{
	push_all();
	flist_remove(&list, cache.frame, 2);
	ck_assert_str_eq(order(), "31|13");
	flist_remove(&list, cache.frame, 3);
	ck_assert_str_eq(order(), "1|1");
	flist_remove(&list, cache.frame, 1);
	ck_assert_str_eq(order(), "|");
	ck_assert_uint_eq(list.len, 0);
	push_all();
	flist_remove(&list, cache.frame, 1);
	ck_assert_str_eq(order(), "32|23");
}
END_TEST

START_TEST(any_frame_of_a_list_can_go_to_its_head)
{
	push_all();
	flist_to_head(&list, cache.frame, 2);
	ck_assert_str_eq(order(), "231|132");
	flist_to_head(&list, cache.frame, 1);
	ck_assert_str_eq(order(), "123|321");
	flist_to_head(&list, cache.frame, 1);
	ck_assert_str_eq(order(), "123|321");
	ck_assert_uint_eq(list.len, 3);
}
END_TEST

START_TEST(the_last_evictable_frame_is_the_one_nearest_the_tail_not_in_flight)
{
	push_all();
	ck_assert_uint_eq(flist_last_evictable(&list, cache.frame), 1);
	cache.frame[1].flags = FRAME_INFLIGHT | FRAME_PREFETCHED;
	ck_assert_uint_eq(flist_last_evictable(&list, cache.frame), 2);
	cache.frame[2].flags = FRAME_INFLIGHT;
	ck_assert_uint_eq(flist_last_evictable(&list, cache.frame), 3);
	cache.frame[3].flags = FRAME_INFLIGHT;
	ck_assert_uint_eq(flist_last_evictable(&list, cache.frame), NIL);
	cache.frame[2].flags = FRAME_DIRTY;
	ck_assert_uint_eq(flist_last_evictable(&list, cache.frame), 2);
}
END_TEST

/* ---- frame_check() ---- */

static const char dirty_early[] = "a block is dirty before it is used";

/* Two blocks held, one in flight, and a vacant frame. */
static void
fill(void)
{
	for (block_t b = 4; b <= 6; b++)
		cache_bind(&cache, cache_take(&cache), b);
	cache_vacate(&cache, 2);
	cache.frame[3].flags = FRAME_INFLIGHT | FRAME_PREFETCHED;
	cache.npinned = 1;
	ck_assert_ptr_eq(frame_check(&cache), NULL);
}

START_TEST(a_check_finds_nothing_wrong_with_a_cache_in_order)
{
	ck_assert_ptr_eq(frame_check(&cache), NULL);
	fill();
	ck_assert_uint_eq(cache_take(&cache), 2);
	cache_bind(&cache, 2, 9);
	ck_assert_ptr_eq(frame_check(&cache), NULL);
}
END_TEST

START_TEST(a_check_finds_flags_that_exclude_each_other)
{
	fill();
	cache.frame[3].flags |= FRAME_AWAITED;
	ck_assert_str_eq(frame_check(&cache), "a block is both prefetched and awaited");
	cache.frame[3].flags = FRAME_INFLIGHT | FRAME_PREFETCHED | FRAME_DIRTY;
	ck_assert_str_eq(frame_check(&cache), dirty_early);
	cache.frame[3].flags = FRAME_INFLIGHT | FRAME_AWAITED | FRAME_DIRTY;
	ck_assert_str_eq(frame_check(&cache), dirty_early);
	cache.frame[3].flags = FRAME_INFLIGHT | FRAME_UNCOUNTED;
	ck_assert_str_eq(frame_check(&cache), "a block that was not prefetched is uncounted");
	cache.frame[3].flags = FRAME_INFLIGHT | 1 << 6;
	ck_assert_str_eq(frame_check(&cache), "a frame has an unknown flag");
}
END_TEST

START_TEST(a_check_finds_counts_that_are_wrong)
{
	fill();
	cache.npinned = 2;
	ck_assert_str_eq(frame_check(&cache), "the count of frames in flight is wrong");
	cache.npinned = 1;
	cache.frame[3].flags = 0;
	ck_assert_str_eq(frame_check(&cache), "the count of frames in flight is wrong");
	cache.npinned = 0;
	cache.nused = FRAMES + 1;
	ck_assert_str_eq(frame_check(&cache), "more frames are used than there are");
}
END_TEST

START_TEST(a_check_finds_blocks_and_frames_that_do_not_agree)
{
	fill();
	cache.where[4] = 3;
	ck_assert_str_eq(frame_check(&cache), "a frame holds a block that is elsewhere");
	cache.where[4] = 1;
	cache.where[8] = 1;
	ck_assert_str_eq(frame_check(&cache), "more blocks are found than held, or fewer");
	cache.where[8] = FRAMES + 1;
	ck_assert_str_eq(frame_check(&cache), "a block is in a frame that was never used");
}
END_TEST

START_TEST(a_check_finds_a_vacant_frame_that_is_lost_twice_or_held)
{
	fill();
	cache.vacant = NIL;
	ck_assert_str_eq(frame_check(&cache), "a vacant frame is lost");
	cache.vacant = 2;
	cache.frame[2].next = 2;
	ck_assert_str_eq(frame_check(&cache), "the list of vacant frames is damaged");
	cache.frame[2].next = NIL;
	cache.vacant = 1;
	ck_assert_str_eq(frame_check(&cache), "the list of vacant frames is damaged");
	cache.vacant = 2;
	cache.frame[2].flags = FRAME_MARKED;
	ck_assert_str_eq(frame_check(&cache), "an empty frame has a block or flags");
	cache.frame[2].flags = 0;
	cache.frame[NIL].flags = FRAME_MARKED;
	ck_assert_str_eq(frame_check(&cache), "an empty frame has a block or flags");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("cache");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_new_cache_holds_no_block);
	tcase_add_test(tests, frames_are_handed_out_once_each_and_then_no_more);
	tcase_add_test(tests, a_bound_block_is_found_in_its_frame_until_it_is_unbound);
	tcase_add_test(tests, there_is_room_until_every_frame_is_in_flight);
	tcase_add_test(tests, released_twice_is_released_once);
	tcase_add_test(tests, a_list_holds_the_newest_at_its_head);
	tcase_add_test(tests, a_frame_leaves_a_list_from_its_head_middle_or_tail);
	tcase_add_test(tests, any_frame_of_a_list_can_go_to_its_head);
	tcase_add_test(tests, the_last_evictable_frame_is_the_one_nearest_the_tail_not_in_flight);
	tcase_add_test(tests, a_check_finds_nothing_wrong_with_a_cache_in_order);
	tcase_add_test(tests, a_check_finds_flags_that_exclude_each_other);
	tcase_add_test(tests, a_check_finds_counts_that_are_wrong);
	tcase_add_test(tests, a_check_finds_blocks_and_frames_that_do_not_agree);
	tcase_add_test(tests, a_check_finds_a_vacant_frame_that_is_lost_twice_or_held);
	return run_tests("cache", tests);
}
