/* check_clock.c - second chance: known answers, for both initial bits. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "clock", 2, 4, 0, 6, 785, ".H.HH....H.", 1 },
	{ "clock:init=1", 3, 2, 0, 6, 739, ".H.H.......", 3 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(a_referenced_block_gets_a_second_chance)
{
	start("clock", 4);
	play("1 2 3 4 1 3 3");
	ck_assert_str_eq(eviction_order(), "2 4 1 3");
	finish();
	start("clock:init=1", 4);
	play("1 2 3 4 5 1"); /* 5 clears all bits and replaces 1, which then replaces 2 */
	ck_assert_str_eq(eviction_order(), "3 4 5 1");
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once(rows[_i].setting);
}
END_TEST

START_TEST(a_larger_cache_of_the_textbook_misses_more)
{
	ck_assert_uint_eq(12 - hits_of("clock:init=1", BELADY, 3), 9);
	ck_assert_uint_eq(12 - hits_of("clock:init=1", BELADY, 4), 10);
}
END_TEST

START_TEST(a_loop_larger_than_the_cache_never_hits)
{
	ck_assert_str_eq(hits_of_passes(rows[_i].setting, 7, 8, 5), "0 0 0 0 0");
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("clock", 4);
	check_passes_over();
	finish();
}
END_TEST

START_TEST(a_frame_in_flight_keeps_its_bit)
{
	start("clock", 3);
	play("1 2 3 1 2");
	fly(1, true);
	demand(4); /* passes 1, clears 2, throws out 3 */
	ck_assert(!cache_find(&player.cache, 3));
	fly(1, false);
	demand(5); /* 1 still has its bit, 2 has lost it */
	ck_assert(cache_find(&player.cache, 1));
	ck_assert(!cache_find(&player.cache, 2));
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("clock");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, a_referenced_block_gets_a_second_chance);
	tcase_add_loop_test(tests, a_prefetch_counts_once, 0, 2);
	tcase_add_test(tests, a_larger_cache_of_the_textbook_misses_more);
	tcase_add_loop_test(tests, a_loop_larger_than_the_cache_never_hits, 0, 2);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, a_frame_in_flight_keeps_its_bit);
	return run_tests("clock", tests);
}
