/* check_fifo.c - first in, first out: known answers, and Belady's anomaly. */
#include "tests/unit/policies/player.h"

static const struct row row = { "fifo", 3, 2, 0, 6, 698, ".H.HH....H.", 1 };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&row);
}
END_TEST

START_TEST(blocks_go_in_order_of_arrival_whatever_was_referenced)
{
	start("fifo", 4);
	play("1 2 +3 4 2 1 1 3 4");
	ck_assert_str_eq(eviction_order(), "1 2 3 4");
	finish();
	check_prefetch_counts_once("fifo");
}
END_TEST

START_TEST(a_larger_cache_misses_more)
{
	ck_assert_uint_eq(12 - hits_of("fifo", BELADY, 3), 9);
	ck_assert_uint_eq(12 - hits_of("fifo", BELADY, 4), 10);
}
END_TEST

START_TEST(a_loop_larger_than_the_cache_never_hits)
{
	ck_assert_str_eq(hits_of_passes("fifo", 7, 8, 5), "0 0 0 0 0");
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("fifo", 4);
	check_passes_over();
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("fifo");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, blocks_go_in_order_of_arrival_whatever_was_referenced);
	tcase_add_test(tests, a_larger_cache_misses_more);
	tcase_add_test(tests, a_loop_larger_than_the_cache_never_hits);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	return run_tests("fifo", tests);
}
