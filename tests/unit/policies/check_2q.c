/* check_2q.c - 2Q: known answers, its lists, its parameters. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "2q", 1, 3, 5, 6, 849, ".H.HH....H.", 1 },
	{ "2q:kout=100%", 1, 3, 5, 6, 808, ".H.HH....H.", 1 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(the_lists_after_a_loop_are_known)
{
	start("2q", 4);
	play(LOOP);
	ck_assert_str_eq(player.marks, ".........H..HH..H..H");
	ck_assert_str_eq(eviction_order(), "3 1 5 4"); /* A1in 4 3, Am 5 1 */
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("2q");
}
END_TEST

START_TEST(a_prefetched_block_that_was_remembered_goes_to_am)
{
	ck_assert_uint_eq(hits_of("2q", "1 2 3 4 5 +1 1 6 7 8 1 +2 2 9 2 1", 4), 5);
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("2q", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(accusim_lets_it_enter_am_at_once)
{
	char text[64];

	order_after(text, sizeof(text), "2q", "1 2 3 4 5 +1");
	ck_assert_str_eq(text, "3 4 5 1");
	order_after(text, sizeof(text), "2q:accusim=1", "1 2 3 4 5 +1"); /* Am 1 */
	ck_assert_str_eq(text, "3 4 1 5");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("2q");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, the_lists_after_a_loop_are_known);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetched_block_that_was_remembered_goes_to_am);
	tcase_add_test(tests, accusim_lets_it_enter_am_at_once);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	return run_tests("2q", tests);
}
