/* check_arc.c - ARC: known answers, its four lists, their limits. */
#include "tests/unit/policies/directory.h"

static const struct row rows[] = {
	{ "arc", 2, 5, 0, 8, 800, ".H.HH....H.", 1 },
	{ "arc:accusim=1", 2, 6, 0, 8, 782, ".H.HH....H.", 1 },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(the_lists_after_known_strings_are_known)
{
	check_lists("arc", BELADY, 4, "T1, T2 5 4 3 2, B1, B2 1, target 2");
	check_lists("arc", SCAN, 4, "T1 10 9, T2 2 1, B1 8 7, B2, target 0");
	check_lists("arc:accusim=1", "", 5, "T1, T2, B1, B2, target 2");
	check_lists("arc:accusim=1", BELADY, 4, "T1, T2 5 4 3 2, B1, B2 1, target 3");
}
END_TEST

/* Six blocks that came back, two that replaced the oldest of these, three that came once. */
#define BOTH "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 10 11 12 "

START_TEST(a_ghost_moves_the_target_by_the_ratio_of_the_lists)
{
	check_lists("arc", BOTH, 6, "T1 12, T2 8 7 6 5 4, B1 11 10, B2 3 2 1, target 0");
	check_lists("arc", BOTH "10", 6, "T1 12, T2 10 8 7 6 5, B1 11, B2 4 3 2 1, target 1.5");
	check_lists("arc", BOTH "10 11", 6, "T1 12, T2 11 10 8 7 6, B1, B2 5 4 3 2 1, target 5.5");
	check_lists("arc", BOTH "10 11 1", 6,
	    "T1 12, T2 1 11 10 8 7, B1, B2 6 5 4 3 2, target 4.5");
}
END_TEST

START_TEST(the_target_stays_between_nothing_and_the_whole_cache)
{
	check_lists("arc", BOTH "1", 6, "T1, T2 1 8 7 6 5 4, B1 12 11 10, B2 3 2, target 0");
	check_lists("arc:accusim=1", BOTH "13 10", 6,
	    "T1 13 12 11, T2 10 8 7, B1, B2 6 5 4 3 2 1, target 6"); /* 3 + 5 */
}
END_TEST

START_TEST(accusim_moves_it_by_whole_blocks)
{
	check_lists("arc:accusim=1", BOTH, 6, "T1 12 11 10, T2 8 7 6, B1, B2 5 4 3 2 1, target 3");
	check_lists("arc:accusim=1", "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 11 12 13 14 10", 7,
	    "T1 14 13 12, T2 10 9 8 7, B1 11, B2 6 5 4 3 2 1, target 5"); /* 3 + 5 / 2 */
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once(rows[_i].setting);
	check_lists(rows[_i].setting, "+1 1", 1, "T1 1, T2, B1, B2, target 0");
	check_lists(rows[_i].setting, "1 2 +1 1", 1, "T1 1, T2, B1, B2, target 0");
}
END_TEST

START_TEST(a_prefetched_block_that_was_remembered_goes_to_t2)
{
	ck_assert_uint_eq(hits_of(rows[_i].setting, "1 1 2 3 4 5 +2 2 6 7 8 2", 4), 3);
	check_lists("arc", "1 1 2 3 4 5 +2", 4, "T1 2 5 4, T2 1, B1 3, B2, target 0");
	check_lists("arc", "1 1 2 3 4 5 +2 2", 4, "T1 5 4, T2 2 1, B1 3, B2, target 0");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	check_lists("arc", "1 1 2 3 4 5", 4, "T1 5 4 3, T2 1, B1 2, B2, target 0");
	check_lists("arc", "1 1 +2 3 4 5", 4, "T1 5 4 3, T2 1, B1, B2, target 0");
	check_lists("arc", "1 1 +2 3 4 5 2", 4, "T1 2 5 4, T2 1, B1 3, B2, target 0");
}
END_TEST

START_TEST(the_lists_keep_their_limits)
{
	check_limits_at_random(rows[_i].setting);
	check_limits_after_drops(rows[_i].setting);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("arc");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, ROWS);
	tcase_add_test(tests, the_lists_after_known_strings_are_known);
	tcase_add_test(tests, a_ghost_moves_the_target_by_the_ratio_of_the_lists);
	tcase_add_test(tests, the_target_stays_between_nothing_and_the_whole_cache);
	tcase_add_test(tests, accusim_moves_it_by_whole_blocks);
	tcase_add_loop_test(tests, a_prefetch_counts_once, 0, ROWS);
	tcase_add_loop_test(tests, a_prefetched_block_that_was_remembered_goes_to_t2, 0, ROWS);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_loop_test(tests, the_lists_keep_their_limits, 0, ROWS);
	return run_tests("arc", tests);
}
