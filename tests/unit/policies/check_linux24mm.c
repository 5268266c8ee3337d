/* check_linux24mm.c - the two lists of Linux 2.4: known answers, refills of the inactive list. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "linux24mm", 2, 4, 0, 6, 824, ".H.HH....H.", 1 },
	{ "linux24mm:batch=1", 2, 4, 0, 8, 828, ".H.HH....H.", 1 },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(a_second_reference_protects)
{
	start("linux24mm:batch=1", 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2"); /* active 2 1, inactive 10 9 */
	finish();
	start("linux24mm", 4);
	play("1 2 3 4 2");
	ck_assert_str_eq(eviction_order(), "1 3 4 2");
	finish();
}
END_TEST

START_TEST(a_refill_moves_some_blocks_for_each_eviction_of_a_batch)
{
	start("linux24mm", 4);
	play("1 2 1 2 3 4 5"); /* 32 * 2 / (2 * 3) frames: both */
	ck_assert_str_eq(eviction_order(), "4 1 2 5");
	finish();
	start("linux24mm:batch=6", 4);
	play("1 2 1 2 3 4 5"); /* 6 * 2 / (2 * 3): two */
	ck_assert_str_eq(eviction_order(), "4 1 2 5");
	finish();
	start("linux24mm:batch=5", 4);
	play("1 2 1 2 3 4 5"); /* 5 * 2 / (2 * 3): one */
	ck_assert_str_eq(eviction_order(), "4 1 5 2");
	finish();
	start("linux24mm:batch=2", 4);
	play("1 2 1 2 3 4 5"); /* 2 * 2 / (2 * 3): none */
	ck_assert_str_eq(eviction_order(), "4 5 1 2");
	finish();
}
END_TEST

START_TEST(a_refill_is_due_once_in_a_batch)
{
	start("linux24mm:batch=3", 4);
	play("1 2 3 4 5"); /* due, but no block is active */
	play("4 5 6 7");   /* two blocks are: not due for two evictions */
	play("8");	   /* 3 * 2 / (2 * 3): one, before 8 comes */
	ck_assert_str_eq(eviction_order(), "7 4 8 5");
	finish();
}
END_TEST

START_TEST(a_referenced_active_block_is_spared_once)
{
	start("linux24mm", 4);
	play("1 2 1 2 2 3 4 5"); /* 2 goes round once, behind 1 */
	ck_assert_str_eq(eviction_order(), "4 1 2 5");
	finish();
	start("linux24mm", 4);
	play("1 2 1 2 1 3 4 5"); /* 1 goes round: 2 is moved first */
	ck_assert_str_eq(eviction_order(), "4 2 1 5");
	finish();
}
END_TEST

START_TEST(one_reference_brings_a_moved_block_back)
{
	start("linux24mm", 4);
	play("1 2 1 2 3 4 5 1"); /* 1 and 2 have been moved */
	ck_assert_str_eq(eviction_order(), "4 2 5 1");
	finish();
}
END_TEST

START_TEST(an_empty_inactive_list_gets_one_block_whenever_that_is_needed)
{
	start("linux24mm:batch=100", 3);
	play("1 1 2 2 3 3 4"); /* 100 * 3 / 2: all */
	ck_assert_str_eq(eviction_order(), "2 3 4");
	finish();
	start("linux24mm:batch=100", 3);
	play("4 5 6 7 1 1 2 2 3 3"); /* the refill was before 7 */
	play("8");
	ck_assert(!cache_find(&player.cache, 1));
	play("9");
	ck_assert(!cache_find(&player.cache, 8));
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once(rows[_i].setting);
}
END_TEST

START_TEST(a_prefetched_block_is_protected_by_its_second_use)
{
	start("linux24mm:batch=1", 4);
	play("+1 1 +2 2 2 3 4");
	ck_assert_str_eq(eviction_order(), "1 3 4 2");
	finish();
}
END_TEST

START_TEST(a_loop_larger_than_the_cache_never_hits)
{
	ck_assert_str_eq(hits_of_passes(rows[_i].setting, 7, 8, 5), "0 0 0 0 0");
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("linux24mm", 4);
	check_passes_over();
	finish();
}
END_TEST

START_TEST(a_refill_passes_over_frames_in_flight)
{
	start("linux24mm:batch=1", 2);
	play("1 2 1 2"); /* both active; 1 is the older one */
	fly(1, true);
	demand(3);
	ck_assert(!cache_find(&player.cache, 2));
	fly(3, true);
	fly(1, false);
	demand(4); /* the inactive list has a frame, but in flight */
	ck_assert(!cache_find(&player.cache, 1));
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("linux24mm");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, ROWS);
	tcase_add_test(tests, a_second_reference_protects);
	tcase_add_test(tests, a_refill_moves_some_blocks_for_each_eviction_of_a_batch);
	tcase_add_test(tests, a_refill_is_due_once_in_a_batch);
	tcase_add_test(tests, a_referenced_active_block_is_spared_once);
	tcase_add_test(tests, one_reference_brings_a_moved_block_back);
	tcase_add_test(tests, an_empty_inactive_list_gets_one_block_whenever_that_is_needed);
	tcase_add_loop_test(tests, a_prefetch_counts_once, 0, ROWS);
	tcase_add_test(tests, a_prefetched_block_is_protected_by_its_second_use);
	tcase_add_loop_test(tests, a_loop_larger_than_the_cache_never_hits, 0, ROWS);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, a_refill_passes_over_frames_in_flight);
	return run_tests("linux24mm", tests);
}
