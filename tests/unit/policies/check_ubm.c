/* check_ubm.c - UBM: known answers, its three parts, and which of them loses a frame. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "ubm:threshold=3", 4, 4, 10, 8, 761, ".H.H.....H.", 2 },
	{ "ubm", 2, 4, 0, 6, 761, ".H.H.....H.", 2 }, /* lru: no run is that long */
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

/* ---- classes ---- */

START_TEST(a_loop_is_kept_in_part_from_its_third_pass_on)
{
	ck_assert_str_eq(hits_of_passes("ubm:threshold=3", 6, 10, 6), "0 2 6 6 6 6");
	ck_assert_str_eq(hits_of_passes("ubm:threshold=4", 6, 10, 3), "0 3 6");
	ck_assert_str_eq(hits_of_passes("ubm:threshold=11", 6, 10, 6), "0 0 0 0 0 0");
}
END_TEST

START_TEST(sequential_blocks_go_first_and_the_oldest_before_the_others)
{
	check_order("ubm:threshold=3", 8, "1 3 50 51 52 53 54", "52 53 54 1 3 50 51");
	check_order("ubm:threshold=3", 8, "1 3 50 51 52 53 54 53",
	    "52 54 1 3 50 51 53"); /* 53: a jump */
}
END_TEST

START_TEST(loops_lose_their_newest_block_and_others_their_oldest)
{
	check_order("ubm:threshold=3", 8, "1 2 3 4 9 11 1 2 3 4", "9 11 4 3 2 1");
}
END_TEST

START_TEST(a_block_follows_the_class_of_its_last_reference)
{
	check_order("ubm:threshold=3", 8, "1 2 3 4 9 1 2 3 4 9 3", "9 3 4 2 1"); /* 3: a jump */
	check_order("ubm:threshold=3", 8, "1 2 3 4 9 1 2 3 4 5",
	    "5 9 4 3 2 1"); /* 5: behind the loop */
	check_order("ubm:threshold=3", 8, "1 2 3 4 9 3 1 2 3 4", "9 4 3 2 1");
}
END_TEST

#define TWO_LOOPS                                                                                  \
	"1 2 3 4 1 2 3 4 11 12 13 14 1 2 3 4 1 2 3 4 11 12 13 14 1 2 3 4" /* periods 6.5 and 12 */

START_TEST(the_loop_with_the_longest_period_loses_frames_first)
{
	check_order("ubm:threshold=3", 8, TWO_LOOPS, "14 13 12 11 4 3 2 1");
	check_order("ubm:threshold=3", 9, TWO_LOOPS " 50", "50 14 13 12 11 4 3 2 1");
	/* After more repetitions of the other loop: periods 13.25 and 4.75. */
	check_order("ubm:threshold=3", 8,
	    TWO_LOOPS " 11 12 13 14 11 12 13 14 11 12 13 14 11 12 13 14 1 2 3 4",
	    "4 3 2 1 14 13 12 11");
}
END_TEST

/* ---- marginal gains ---- */

static void
repeat(block_t b, unsigned times)
{
	while (times--)
		demand(b);
}

static void
odd_blocks(block_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		demand(first + 2 * i);
}

static void
run_of_25(void)
{
	for (block_t b = 201; b <= 220; b++)
		demand(b);
	repeat(220, 5);
}

/*
 * Two windows of 100 references.  In the second, 50 are of a loop and 50 of
 * other blocks: 20 hit, 10 find ghosts, and 20 neither.  At its end there are
 * 10 other blocks and 10 ghosts.  k is ln(0.6 / 0.4) / ln(20 / 10) = 0.585, and
 * the gain 50/100 * 0.6 * ((10/9)^k - 1) = 0.0191.
 */
static void
play_windows(unsigned period, bool ghosts)
{
	start("ubm:threshold=3,window=100b", 30);
	repeat(1, 101 - period);
	run_of_25();
	repeat(220, period - 26);
	drop(1);
	ck_assert_uint_eq(player.n, 100);
	run_of_25();
	odd_blocks(3, 10); /* fill the cache */
	odd_blocks(23, 10);
	repeat(41, period - 45);
	run_of_25();
	odd_blocks(ghosts ? 3 : 103, 10);
	repeat(ghosts ? 21 : 121, 65 - period);
	ck_assert_uint_eq(player.n, 200);
	ck_assert_uint_eq(player.ghosts, ghosts ? 10 : 0);
	ck_assert(cache_find(&player.cache, 220));
	demand(60);
}

START_TEST(a_loop_gives_a_frame_if_its_gain_is_not_above_that_of_the_other_blocks)
{
	play_windows(53, true); /* 1/53 is 0.0189 */
	ck_assert(!cache_find(&player.cache, 220));
	ck_assert(cache_find(&player.cache, 3));
	finish();
}
END_TEST

START_TEST(the_other_blocks_give_a_frame_if_the_gain_of_the_loop_is_above_theirs)
{
	play_windows(52, true); /* 1/52 is 0.0192 */
	ck_assert(cache_find(&player.cache, 220));
	ck_assert(!cache_find(&player.cache, 3));
	finish();
}
END_TEST

START_TEST(without_hits_on_ghosts_the_other_blocks_gain_nothing)
{
	play_windows(53, false);
	ck_assert(cache_find(&player.cache, 220));
	ck_assert(!cache_find(&player.cache, 103));
	finish();
}
END_TEST

/* ---- ghosts ---- */

START_TEST(as_many_blocks_are_remembered_as_the_cache_has)
{
	start("ubm", 4);
	play("1 3 5 7 9 11 13 15 17"); /* 1, which went first, has been forgotten */
	demand(1);
	ck_assert_uint_eq(player.ghosts, 0); /* 3, too */
	demand(5);
	ck_assert_uint_eq(player.ghosts, 1);
	drop(1);
	play("20 22 24");
	demand(9);
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
}
END_TEST

START_TEST(only_other_blocks_are_remembered)
{
	start("ubm:threshold=2", 2);
	play("1 2 9 2"); /* 2 is sequential */
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once(rows[_i].setting);
	check_order("ubm:threshold=3", 4, "1 3 +5 7", "1 3 5 7");
	check_order("ubm:threshold=3", 8, "1 +2 +3 +4 2 3 4 9 1 2 3 4", "9 4 3 2 1");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("ubm", 4);
	play("+1 3 5 7 9 1");
	ck_assert_uint_eq(player.ghosts, 0);
	play("3");
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
}
END_TEST

START_TEST(a_prefetch_of_a_remembered_block_is_no_hit_on_a_ghost)
{
	start("ubm", 4);
	play("1 3 5 7 9 +1 1 3");
	ck_assert_uint_eq(player.ghosts, 1); /* of 3 */
	finish();
}
END_TEST

/* A loop of four blocks, then what is read ahead into five frames of six; those that are left. */
static const char *
read_ahead_beside_a_loop(const char *setting)
{
	static char text[64];
	size_t	    n = 0;

	start(setting, 6);
	play("1 2 3 4 9 1 2 3 4 +20 +21 +22 +23 +24");
	for (block_t b = 1; b <= 24; b++)
		if (cache_find(&player.cache, b))
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %u", b);
	finish();
	return text;
}

START_TEST(loops_leave_some_frames_to_blocks_read_ahead)
{
	ck_assert_str_eq(read_ahead_beside_a_loop("ubm:threshold=3,ahead=1b"), " 1 2 3 4 23 24");
	ck_assert_str_eq(read_ahead_beside_a_loop("ubm:threshold=3,ahead=2b"), " 1 2 3 22 23 24");
	ck_assert_str_eq(read_ahead_beside_a_loop("ubm:threshold=3"), " 1 2 21 22 23 24");
	ck_assert_str_eq(read_ahead_beside_a_loop("ubm:threshold=3,ahead=4b"), " 1 20 21 22 23 24");
}
END_TEST

/* ---- frames in flight ---- */

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("ubm", 4);
	check_passes_over();
	finish();
	start("ubm:threshold=3", 6);
	play("1 3 50 51 52 53");
	fly(52, true);
	demand(60);
	ck_assert(!cache_find(&player.cache, 53));
	demand(70);
	ck_assert(!cache_find(&player.cache, 1));
	finish();
}
END_TEST

START_TEST(a_loop_in_flight_stays_the_longest)
{
	start("ubm:threshold=3", 8);
	play(TWO_LOOPS);
	for (block_t b = 11; b <= 14; b++)
		fly(b, true);
	demand(60);
	ck_assert(!cache_find(&player.cache, 4));
	fly(60, true);
	fly(12, false);
	demand(70);
	ck_assert(!cache_find(&player.cache, 12));
	finish();
}
END_TEST

START_TEST(the_smallest_caches_work)
{
	ck_assert_uint_eq(hits_of("ubm:threshold=2", "1 1 2 2 3 +4 4 1 2 1 2 2 2", 1), 5);
	ck_assert_uint_eq(hits_of("ubm:threshold=2", "1 2 3 1 2 3 1 2 3 1 2 3", 2), 4);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("ubm");

	give_skew();
	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, ROWS);
	tcase_add_test(tests, a_loop_is_kept_in_part_from_its_third_pass_on);
	tcase_add_test(tests, sequential_blocks_go_first_and_the_oldest_before_the_others);
	tcase_add_test(tests, loops_lose_their_newest_block_and_others_their_oldest);
	tcase_add_test(tests, a_block_follows_the_class_of_its_last_reference);
	tcase_add_test(tests, the_loop_with_the_longest_period_loses_frames_first);
	tcase_add_test(tests,
	    a_loop_gives_a_frame_if_its_gain_is_not_above_that_of_the_other_blocks);
	tcase_add_test(tests,
	    the_other_blocks_give_a_frame_if_the_gain_of_the_loop_is_above_theirs);
	tcase_add_test(tests, without_hits_on_ghosts_the_other_blocks_gain_nothing);
	tcase_add_test(tests, as_many_blocks_are_remembered_as_the_cache_has);
	tcase_add_test(tests, only_other_blocks_are_remembered);
	tcase_add_loop_test(tests, a_prefetch_counts_once, 0, ROWS);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, a_prefetch_of_a_remembered_block_is_no_hit_on_a_ghost);
	tcase_add_test(tests, loops_leave_some_frames_to_blocks_read_ahead);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, a_loop_in_flight_stays_the_longest);
	tcase_add_test(tests, the_smallest_caches_work);
	return run_tests("ubm", tests);
}
