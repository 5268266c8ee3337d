/* check_backward.c - windows below what was read, and what they leave to the inner prefetcher. */
#include "tests/unit/prefetch/controlling.h"

extern const struct prefetcher prefetcher_backward;

static void
eager_access(void *self, const struct demand *d, struct plan *plan)
{
}

static void
control(const char *params)
{
	control_with(&prefetcher_backward, &eager, params, 1000);
}

/* Calls of n blocks, from the one that ends before block `end` down to block `first`. */
static void
read_down(uint32_t end, uint32_t first, uint32_t n)
{
	for (uint32_t i = end; i >= first + n; i -= n)
		read_run(i - n, i - 1, n);
}

/* The second call shows the direction: twice 2 blocks and the gap; then 2, the gap, and twice the last window. */
START_TEST(windows_begin_with_twice_the_call_and_grow_threefold)
{
	control(NULL);
	read_down(1000, 900, 2);
	ck_assert_str_eq(planned(),
	    "996:993-998 | 992:978-992 | 976:946-977 | 944:914-945 | 912:882-913");
	ck_assert_str_eq(misses.text, "998 999 996 992 976 944 912");
	ck_assert_uint_eq(own("windows"), 5);
	ck_assert_uint_eq(own("blocks"), 6 + 15 + 32 + 32 + 32);
}
END_TEST

START_TEST(a_window_ends_at_the_start_of_the_file)
{
	control(NULL);
	read_down(20, 0, 1);
	ck_assert_str_eq(planned(), "18:15-18 | 14:5-14 | 4:0-4");
	ck_assert_str_eq(misses.text, "19 18 14 4");
	ck_assert_int_eq(state[0], 0);
	ck_assert_int_eq(state[1], 5);
}
END_TEST

/* Two calls of 1 block and the gap are 4: the fifth block below is too far. */
START_TEST(steps_that_are_wider_than_two_calls_are_no_run)
{
	control(NULL);
	for (uint32_t i = 990; i > 900; i -= 4)
		read_run(i, i, 1);
	ck_assert_str_eq(planned(), "");
	control("gap=2");
	for (uint32_t i = 990; i > 970; i -= 4)
		read_run(i, i, 1);
	ck_assert_str_eq(planned(), "986:984-989 | 982:969-983");
}
END_TEST

START_TEST(a_call_longer_than_the_window_is_left_to_the_inner_prefetcher)
{
	control("pages=8");
	read_down(1000, 900, 9);
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(a_miss_elsewhere_begins_anew)
{
	control(NULL);
	read_down(1000, 996, 1);
	read_run(500, 500, 1);
	read_run(499, 499, 1);
	ck_assert_str_eq(planned(), "998:995-998 | 499:496-499");
}
END_TEST

START_TEST(forwards_and_at_random_the_run_is_that_of_the_inner_prefetcher)
{
	struct stats with;

	control_with(&prefetcher_backward, &prefetcher_ondemand, NULL, 1000);
	read_run(100, 500, 1);
	for (uint32_t i = 0; i < 100; i++)
		read_run(i * i * 7919 % 997 / 8 * 8, i * i * 7919 % 997 / 8 * 8, 1);
	planned();
	with = stats;
	ck_assert_uint_eq(own("windows"), 0);
	cfg.prefetcher = (struct choice){ .plugin = &prefetcher_ondemand.plugin };
	planned();
	memcpy(with.own, stats.own, sizeof(with.own));
	ck_assert_mem_eq(&with, &stats, sizeof(stats));
}
END_TEST

START_TEST(an_open_that_is_new_knows_no_run)
{
	control(NULL);
	read_run(999, 999, 1);
	read_run(998, 998, 1);
	draft.access[1].fresh = true;
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(advice_that_reads_are_random_turns_it_off)
{
	control(NULL);
	read_down(1000, 998, 1);
	draft_advise(&draft, ADVICE_RANDOM, 0, 0, 0);
	read_down(998, 990, 1);
	ck_assert_str_eq(planned(), "");
	ck_assert_uint_eq(advised, 1);
	read_run(980, 980, 1);
	draft_advise(&draft, ADVICE_NORMAL, 0, 0, 0);
	read_run(979, 979, 1);
	ck_assert_str_eq(planned(), "979:976-979");
}
END_TEST

START_TEST(no_pages_are_no_windows)
{
	control("pages=0");
	read_down(1000, 900, 1);
	ck_assert_str_eq(planned(), "");
	control_with(&prefetcher_backward, &prefetcher_none, NULL, 1000);
	read_down(1000, 900, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("backward");

	tcase_add_test(tests, windows_begin_with_twice_the_call_and_grow_threefold);
	tcase_add_test(tests, a_window_ends_at_the_start_of_the_file);
	tcase_add_test(tests, steps_that_are_wider_than_two_calls_are_no_run);
	tcase_add_test(tests, a_call_longer_than_the_window_is_left_to_the_inner_prefetcher);
	tcase_add_test(tests, a_miss_elsewhere_begins_anew);
	tcase_add_test(tests, forwards_and_at_random_the_run_is_that_of_the_inner_prefetcher);
	tcase_add_test(tests, an_open_that_is_new_knows_no_run);
	tcase_add_test(tests, advice_that_reads_are_random_turns_it_off);
	tcase_add_test(tests, no_pages_are_no_windows);
	return run_tests("backward", tests);
}
