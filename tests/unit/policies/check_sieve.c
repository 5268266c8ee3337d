/* check_sieve.c - SIEVE: known answers, its list, its hand. */
#include "tests/unit/policies/player.h"

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&(struct row){ "sieve", 2, 4, 0, 8, 824, ".H.HH....H.", 1 });
}
END_TEST

START_TEST(the_list_after_a_scan_is_known)
{
	start("sieve", 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2"); /* 10 9 2 1, bits of 2 and 1, hand at 9 */
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("sieve");
}
END_TEST

START_TEST(the_hand_passes_over_frames_in_flight)
{
	start("sieve", 4);
	play("1 2 3 4");
	fly(1, true);
	fly(3, true);
	play("5 6"); /* take 2 and 4 */
	fly(1, false);
	fly(3, false);
	ck_assert_str_eq(eviction_order(), "5 6 1 3"); /* the hand is behind 4 */
	finish();
}
END_TEST

START_TEST(a_frame_in_flight_keeps_its_bit)
{
	start("sieve", 3);
	play("1 2 3 1 2");
	fly(1, true);
	play("4"); /* clears the bit of 2, takes 3 */
	fly(1, false);
	ck_assert_str_eq(eviction_order(), "2 4 1"); /* 1 goes in the second round */
	finish();
}
END_TEST

START_TEST(the_hand_outlives_the_frame_that_it_is_at)
{
	start("sieve", 4);
	play("1 2 3 4 1 5"); /* clears 1, takes 2, is at 3 */
	drop(3);
	play("6 7");
	ck_assert(!cache_find(&player.cache, 4));
	ck_assert_str_eq(eviction_order(), "5 6 7 1");
	finish();
}
END_TEST

START_TEST(without_its_head_the_hand_begins_again_at_the_tail)
{
	start("sieve", 3);
	play("1 2 3 1 2 4"); /* takes 3, the head */
	ck_assert_str_eq(eviction_order(), "1 2 4");
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("sieve");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, the_list_after_a_scan_is_known);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, the_hand_passes_over_frames_in_flight);
	tcase_add_test(tests, a_frame_in_flight_keeps_its_bit);
	tcase_add_test(tests, the_hand_outlives_the_frame_that_it_is_at);
	tcase_add_test(tests, without_its_head_the_hand_begins_again_at_the_tail);
	return run_tests("sieve", tests);
}
