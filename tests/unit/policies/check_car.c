/* check_car.c - CAR: known answers, its four lists, their limits. */
#include "tests/unit/policies/directory.h"

static const struct row row = { "car", 2, 4, 0, 8, 802, ".H.HH....H.", 1 };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&row);
}
END_TEST

START_TEST(the_lists_after_known_strings_are_known)
{
	check_lists("car", BELADY, 4, "T1, T2 5 2 1 4, B1, B2 3, target 3");
	check_lists("car", SCAN, 4, "T1 10 9, T2 2 1, B1 8 7, B2, target 0");
}
END_TEST

/* Six blocks that came back, two that replaced the oldest of these, three that came once. */
#define BOTH "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 10 11 12 "

/* The victim's ghost counts as well. */
START_TEST(a_ghost_moves_the_target_after_the_victim_is_chosen)
{
	check_lists("car", BOTH, 6, "T1 12, T2 8 7 6 5 4, B1 11 10, B2 3 2 1, target 0");
	check_lists("car", BOTH "10", 6, "T1, T2 10 8 7 6 5 4, B1 12 11, B2 3 2 1, target 1");
	check_lists("car", BOTH "10 11", 6, "T1, T2 11 10 8 7 6 5, B1 12, B2 4 3 2 1, target 3");
	check_lists("car", BOTH "10 11 1", 6, "T1, T2 1 11 10 8 7 6, B1 12, B2 5 4 3 2, target 2");
	check_lists("car", BOTH "10 11 13 14 12", 6,
	    "T1 14 13, T2 12 11 10 8, B1, B2 7 6 5 4 3 2, target 6");
}
END_TEST

START_TEST(a_hit_moves_nothing_until_the_clock_passes)
{
	check_lists("car", "1 2 3 4 2 1", 4, "T1 4 3 2 1, T2, B1, B2, target 0");
	check_lists("car", "1 2 3 4 2 1 5", 4, "T1 5 4, T2 2 1, B1 3, B2, target 0");
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("car");
	check_lists("car", "2 3 4 5 +1 1 6 7 8 9", 4, "T1 9 8 7 6, T2, B1, B2, target 0");
	check_lists("car", "+1 1 2 3 4 5", 4, "T1 5 4 3 2, T2, B1, B2, target 0");
}
END_TEST

START_TEST(a_prefetched_block_that_was_remembered_goes_to_t2)
{
	ck_assert_uint_eq(hits_of("car", "1 1 2 3 4 5 +2 2 6 7 8 2", 4), 3);
	check_lists("car", "1 1 2 3 4 5 +2", 4, "T1 2 5 4, T2 1, B1 3, B2, target 0");
	check_lists("car", "1 1 2 3 4 5 +2 2", 4, "T1 5 4, T2 2 1, B1 3, B2, target 0");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	check_lists("car", "1 1 2 3 4 5", 4, "T1 5 4 3, T2 1, B1 2, B2, target 0");
	check_lists("car", "1 1 +2 3 4 5", 4, "T1 5 4 3, T2 1, B1, B2, target 0");
	check_lists("car", "1 1 +2 3 4 5 2", 4, "T1 2 5 4, T2 1, B1 3, B2, target 0");
}
END_TEST

START_TEST(a_frame_in_flight_is_passed_over_and_keeps_its_bit)
{
	start("car", 4);
	play("1 2 3 4 1 2");
	fly(1, true);
	demand(5); /* 2 has its bit set, and moves; 3 goes */
	ck_assert_str_eq(directory_text(), "T1 5 4 1, T2 2, B1 3, B2, target 0");
	fly(1, false);
	demand(6);
	ck_assert_str_eq(directory_text(), "T1 6 5, T2 1 2, B1 4 3, B2, target 0");
	finish();
}
END_TEST

START_TEST(the_lists_keep_their_limits)
{
	check_limits_at_random("car");
	check_limits_after_drops("car");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("car");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, the_lists_after_known_strings_are_known);
	tcase_add_test(tests, a_ghost_moves_the_target_after_the_victim_is_chosen);
	tcase_add_test(tests, a_hit_moves_nothing_until_the_clock_passes);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetched_block_that_was_remembered_goes_to_t2);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, a_frame_in_flight_is_passed_over_and_keeps_its_bit);
	tcase_add_test(tests, the_lists_keep_their_limits);
	return run_tests("car", tests);
}
