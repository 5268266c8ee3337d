/* check_sarc.c - SARC: known answers, what is sequential, what moves the size of SEQ. */
#include "tests/unit/policies/player.h"

#define TINY "sarc:threshold=2,bottom=1b"

static const struct row row = { TINY, 3, 4, 8, 7, 727, ".H.H.H...H.", 2 };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&row);
}
END_TEST

/* The lists as the comments show them: newest first. */
START_TEST(the_lists_after_known_strings_are_known)
{
	check_order(TINY, 4, SCAN, "9 1 10 2");	      /* SEQ 2 10 9, RANDOM 1, desired 2.5 */
	check_order(TINY, 4, BELADY, "3 4 1 5");      /* SEQ 5 4 3, RANDOM 1, desired 1.5 */
	check_order(TINY, 4, LOOP, "2 3 4 5");	      /* SEQ 5 4 3 2 */
	check_order(TINY, 4, "1 3 5 7 3", "1 5 7 3"); /* RANDOM 3 7 5 1 */
}
END_TEST

START_TEST(a_miss_is_sequential_at_the_end_of_a_run_as_long_as_the_threshold)
{
	check_order("sarc:threshold=2,bottom=1b", 6, "1 2 3 4 9 9", "2 1 9 3 4"); /* SEQ 4 3 2 */
	check_order("sarc:threshold=3,bottom=1b", 6, "1 2 3 4 9 9", "3 1 2 9 4"); /* SEQ 4 3 */
	check_order("sarc:threshold=1,bottom=1b", 6, "1 9 3 5 1", "9 3 5 1");	  /* all */
}
END_TEST

START_TEST(a_run_ends_at_the_border_of_two_files)
{
	static struct file file[] = { { .base = 1, .nblocks = 2 }, { .base = 3, .nblocks = 250 } };

	give_string("1 2 3 20");
	check_order(TINY, 5, "1 2 3 4 20", "2 1 20 3 4"); /* SEQ 4 3 2, RANDOM 20 1 */
	given.trace.file = file;
	given.trace.nfiles = 2;
	start(TINY, 5);
	play("1 2 3 4 20");
	ck_assert_str_eq(eviction_order(), "2 1 3 20 4"); /* SEQ 4 2, RANDOM 20 3 1 */
	finish();
	give_skew();
}
END_TEST

START_TEST(the_older_tail_goes_while_a_list_is_shorter_than_the_bottom)
{
	check_order("sarc:bottom=2b", 4, "1 2 3 9 1", "2 3 9 1");
	check_order("sarc:bottom=4b", 4, "9 1 2 3", "9 1 2 3");
	check_order("sarc:bottom=4b", 4, "1 2 9 11 2", "1 9 11 2");
}
END_TEST

START_TEST(few_sequential_misses_before_a_hit_at_the_bottom_of_random_shrink_seq)
{
	/* 3 of them, 2 * 3 * 2 / 3 = 4: SEQ may grow.  Then 0: it shrinks to 3 blocks. */
	check_order("sarc:bottom=2b", 8, "1 3 5 7 50 51 52 53 1 3 56 57 58 59",
	    "57 58 7 50 1 3 56 59");
}
END_TEST

START_TEST(many_sequential_misses_before_a_hit_at_the_bottom_of_random_let_seq_grow)
{
	/* 5 of them: desired grows from 2 to 4, where it would have stayed at 2. */
	check_order("sarc:bottom=2b", 8, "1 3 5 7 50 51 52 53 54 55 1 56 57 58 59",
	    "5 7 50 1 56 57 58 59");
}
END_TEST

START_TEST(a_hit_above_the_bottom_changes_nothing)
{
	check_order(TINY, 8, "1 3 5 7 50 51 52 53 54 55 56 57 58 59", "57 1 3 5 7 50 58 59");
	check_order(TINY, 8, "1 3 5 7 50 51 52 53 54 3 55 56 57 58 59", "57 1 5 7 50 3 58 59");
}
END_TEST

/* Blocks 50 .. last, a hit at the bottom of SEQ, and 6 blocks more. */
static frame_t
blocks_of_random_after(block_t last)
{
	frame_t left = 0;

	start("sarc:bottom=2b", 8);
	play("1 3 5");
	for (block_t b = 50; b <= last; b++)
		demand(b);
	demand(last - 3);
	for (block_t b = last + 1; b <= last + 6; b++)
		demand(b);
	for (block_t b = 1; b <= 50; b++)
		left += cache_find(&player.cache, b) != NIL;
	finish();
	return left;
}

START_TEST(a_hit_at_the_bottom_of_seq_lets_it_grow_if_the_ratio_is_above_20)
{
	ck_assert_uint_eq(blocks_of_random_after(70), 4); /* 2 * 20 * 2 / 4 */
	ck_assert_uint_eq(blocks_of_random_after(71), 2); /* 2 * 21 * 2 / 4 */
}
END_TEST

START_TEST(a_prefetched_block_is_in_seq_and_no_sequential_miss)
{
	check_order(TINY, 4, "1 3 5 7", "1 3 5 7");
	check_order(TINY, 5, "+1 5 +9 7 5", "1 7 9 5"); /* SEQ 9 1, RANDOM 5 7 */
	check_order(TINY, 4, "+1 1", "1");
	/* Before the hit on 1 there are no sequential misses, or three. */
	check_order("sarc:bottom=2b", 8, "1 3 5 7 20 +21 +22 +23 1 50 51 52 53 54 55",
	    "53 54 5 7 20 1 50 55");
	check_order("sarc:bottom=2b", 8, "1 3 5 7 20 21 22 23 1 50 51 52 53 54 55",
	    "51 20 1 50 52 53 54 55");
}
END_TEST

START_TEST(a_prefetched_block_continues_a_run)
{
	check_order(TINY, 4, "+1 2 5 7", "1 5 7 2");				   /* SEQ 2 1 */
	check_order("sarc:threshold=3,bottom=1b", 5, "1 +2 3 9 11", "2 1 9 11 3"); /* SEQ 3 2 */
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("sarc:bottom=4b", 4);
	check_passes_over();
	finish();
	start("sarc:bottom=4b", 4);
	play("1 2 3 9"); /* SEQ 3 2, RANDOM 9 1: older tails first */
	fly(1, true);
	fly(2, true);
	demand(20);
	ck_assert(!cache_find(&player.cache, 3));
	demand(30);
	ck_assert(!cache_find(&player.cache, 9));
	finish();
}
END_TEST

START_TEST(one_list_is_lru)
{
	block_t skew[LENGTH];

	make_skew(skew);
	for (frame_t c = 1; c <= SKEW_BLOCKS; c += 5) {
		uint64_t lru = replay("lru", c, skew);

		ck_assert_uint_eq(replay("sarc:threshold=1", c, skew), lru);
		ck_assert_uint_eq(replay("sarc:bottom=100%", c, skew),
		    lru); /* the older tail goes */
	}
}
END_TEST

START_TEST(a_bottom_larger_than_the_cache_is_refused)
{
	struct error	     e = { 0 };
	struct cache	     c = { .nframes = 4 };
	void		    *self;
	const char	    *params;
	const void	    *found = registry_find(PLUGIN_POLICY, "sarc:bottom=5b", &params, &e);
	const struct policy *p = found;

	self = plugin_state(&p->plugin, params, &e);
	ck_assert_int_eq(p->init(self, &c, &given.trace, NULL, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "bottom of sarc is at most 4 blocks"));
	plugin_free(self, p->release);
}
END_TEST

START_TEST(the_smallest_caches_work)
{
	ck_assert_uint_eq(hits_of("sarc", "1 1 2 2 +3 3 4 3 3", 1), 4);
	ck_assert_uint_eq(hits_of("sarc", "1 2 1 2 3 3 4 5 4 5", 2), 3);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("sarc");

	give_skew();
	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, the_lists_after_known_strings_are_known);
	tcase_add_test(tests, a_miss_is_sequential_at_the_end_of_a_run_as_long_as_the_threshold);
	tcase_add_test(tests, a_run_ends_at_the_border_of_two_files);
	tcase_add_test(tests, the_older_tail_goes_while_a_list_is_shorter_than_the_bottom);
	tcase_add_test(tests,
	    few_sequential_misses_before_a_hit_at_the_bottom_of_random_shrink_seq);
	tcase_add_test(tests,
	    many_sequential_misses_before_a_hit_at_the_bottom_of_random_let_seq_grow);
	tcase_add_test(tests, a_hit_above_the_bottom_changes_nothing);
	tcase_add_test(tests, a_hit_at_the_bottom_of_seq_lets_it_grow_if_the_ratio_is_above_20);
	tcase_add_test(tests, a_prefetched_block_is_in_seq_and_no_sequential_miss);
	tcase_add_test(tests, a_prefetched_block_continues_a_run);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, one_list_is_lru);
	tcase_add_test(tests, a_bottom_larger_than_the_cache_is_refused);
	tcase_add_test(tests, the_smallest_caches_work);
	return run_tests("sarc", tests);
}
