/*
 * check_linux.c - the two lists of today's Linux: known answers, distances,
 * batches, accesses, shadows.
 *
 * Comments show the lists as "inactive | active", newest first; a ' is a bit.
 */
#include "tests/unit/policies/player.h"

/* From a model that was written apart from the program. */
static const struct row rows[] = {
	{ "linux", 2, 5, 0, 6, 780, ".H.HH....H.", 1 },
	{ "linux:batch=1", 2, 4, 0, 8, 821, ".H.HH....H.", 1 },
	{ "linux:batch=5", 2, 5, 0, 6, 794, ".H.HH....H.", 1 },
	{ "linux:marks=all", 2, 5, 0, 6, 782, ".H.HH....H.", 1 },
	{ "linux:batch=1,marks=all", 2, 4, 0, 8, 808, ".H.HH....H.", 1 },
	{ "linux:batch=1,demoted=clear", 2, 4, 0, 8, 801, ".H.HH....H.", 1 },
	{ "linux:batch=1,distance=all", 2, 4, 0, 8, 804, ".H.HH....H.", 1 },
	{ "linux:batch=1,ratio=3", 2, 4, 0, 8, 802, ".H.HH....H.", 1 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

static void
write_to(block_t b)
{
	player.write = true;
	demand(b);
	player.write = false;
}

/* ---- two lists ---- */

START_TEST(the_second_access_makes_active)
{
	give_string("1 2 3 4 1 2 5");
	start("linux:batch=1", 4);
	play("1 2 3 4 1 2 5"); /* 5' 4' | 2 1 */
	ck_assert_uint_eq(counted("activated"), 2);
	ck_assert_str_eq(eviction_order(), "4 5 1 2");
	ck_assert_uint_eq(counted("deactivated"), 2);
	finish();
}
END_TEST

START_TEST(a_refault_is_near_within_the_active_list)
{
	/* 1 and 2 become active at ages 1 and 2; 3 leaves at 3, 4 at 4, 5 at 5: 3 is at distance 2 of 2. */
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 2 1 2 3 4 5 6 3"),
	    "6 1 2 3"); /* 6' | 3' 2 1 */
	/* 6 leaves at 6, so that 3 is at distance 3. */
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 2 1 2 3 4 5 6 7 3"),
	    "7 3 1 2"); /* 3' 7' | 2 1 */
	ck_assert_str_eq(order_of("linux:batch=1,distance=all", 4, "1 2 1 2 3 4 5 6 7 3"),
	    "7 1 2 3");
}
END_TEST

START_TEST(refaults_and_near_ones_are_counted)
{
	give_string("1 2 1 2 3 4 5 6 3 4");
	start("linux:batch=1", 4);
	play("1 2 1 2 3 4 5 6 3");
	ck_assert_uint_eq(counted("refaults"), 1);
	ck_assert_uint_eq(counted("restored"), 1);
	play("4");
	ck_assert_uint_eq(counted("refaults"), 2);
	ck_assert_uint_eq(player.ghosts, 2);
	finish();
}
END_TEST

START_TEST(a_bit_is_cleared_or_kept_on_the_way_back)
{
	static const char string[] = "1 2 1 2 1 2 3 4 3 5 1";

	/* 4' | 3 2' 1'; 5 sends 1 back and evicts 4: 5' 1 | 3 2', or 5' 1' | 3 2' */
	ck_assert_str_eq(order_of("linux:batch=1,demoted=clear", 4, string),
	    "1 5 2 3");							   /* 5' 1' | 3 2' */
	ck_assert_str_eq(order_of("linux:batch=1", 4, string), "5 2 3 1"); /* 5' | 1 3 2' */
}
END_TEST

START_TEST(the_active_list_may_be_longer_in_large_memories)
{
	static const char string[] = "1 2 3 1 2 3 4 5"; /* 5' | 3 2 1; ratio 1: 5' 1 | 3 2 */
	char		  order_of_6[64], order_of_1[64];

	strcpy(order_of_6, order_of("linux:batch=1,ratio=6", 4, string));
	strcpy(order_of_1, order_of("linux:batch=1,ratio=1", 4, string));
	ck_assert_str_eq(order_of_1, "1 5 2 3");
	ck_assert_str_eq(order_of_6, "5 1 2 3");
	give_string(string);
	for (unsigned shift = 27; shift <= 30; shift++) { /* a cache of half a G, 1G, 2G, 4G */
		given.trace.block_bytes = 1u << shift;
		start("linux:batch=1", 4);
		play(string);
		ck_assert_str_eq(eviction_order(), shift > 27 ? order_of_6 : order_of_1);
		finish();
	}
}
END_TEST

START_TEST(blocks_in_flight_are_passed_over)
{
	give_string("1");
	start("linux:batch=1", 4);
	check_passes_over();
	finish();
	start("linux:batch=1", 4);
	play("1 2 1 2 3 4"); /* 4' 3' | 2 1 */
	fly(3, true);
	fly(4, true);
	demand(5);
	ck_assert(!cache_find(&player.cache, 1));
	finish();
}
END_TEST

/* ---- batches ---- */

START_TEST(an_active_list_that_is_no_longer_than_the_other_is_protected)
{
	give_string("1");
	start("linux:batch=1", 6);
	play("1 2 3 1 2 3 4 5 6 7 8 9"); /* 9 8 7 | 3 2 1 */
	ck_assert_uint_eq(counted("deactivated"), 0);
	ck_assert_str_eq(eviction_order(), "7 8 9 1 2 3");
	finish();
}
END_TEST

START_TEST(a_restored_block_ends_the_protection_for_a_batch)
{
	give_string("1");
	start("linux:batch=1", 6);
	play("1 2 1 2 3 4 5 6 7 3"); /* 3' 7' 6' 5' | 2 1; 3 left at 3, at distance 0 */
	ck_assert_uint_eq(counted("restored"), 1);
	ck_assert_uint_eq(counted("deactivated"), 0);
	play("8"); /* 3 inactive ones of 6: 1/2 of them, and of 3 active ones */
	ck_assert_uint_eq(counted("deactivated"), 1);
	play("9");
	ck_assert_uint_eq(counted("deactivated"), 1);
	finish();
}
END_TEST

/* Of 16 inactive blocks 1/16 go, of 15 1/8, of 14 1/4, of 11 1/2: 1 + 1 + 3 + 5 are at least 8. */
START_TEST(a_batch_takes_shares_of_the_inactive_list_until_it_is_large_enough)
{
	give_string("1");
	start("linux:batch=8", 16);
	for (block_t b = 1; b <= 17; b++)
		demand(b); /* 16 inactive: a batch of 10 begins */
	for (block_t b = 7; b <= 17; b++)
		demand(b); /* all of them active */
	ck_assert_uint_eq(counted("activated"), 11);
	for (block_t b = 18; b <= 26; b++)
		demand(b); /* the rest of the batch, which deactivates nothing */
	ck_assert_uint_eq(counted("deactivated"), 0);
	demand(27);
	ck_assert_uint_gt(counted("deactivated"), 0);
	finish();
}
END_TEST

/* ---- accesses ---- */

START_TEST(a_block_read_again_and_again_is_one_access)
{
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 1 1 2 3 4 5"), "2 3 4 5");
	ck_assert_str_eq(order_of("linux:batch=1,marks=all", 4, "1 1 1 2 3 4 5"), "3 4 5 1");
}
END_TEST

START_TEST(reads_of_a_block_through_two_descriptors_are_two_accesses)
{
	give_string("1 2 3 4");
	given.trace.nopen = 2;
	given.trace.open = (struct open_file[]){ { 0, 0 }, { 0, 1 } };
	start("linux:batch=1", 4);
	play("1 1");
	ck_assert_uint_eq(counted("activated"), 0);
	player.other = true;
	play("1");
	ck_assert_uint_eq(counted("activated"), 1);
	finish();
}
END_TEST

START_TEST(a_write_is_no_access)
{
	give_string("1 2");
	start("linux:batch=1", 4);
	play("1 2");
	write_to(1);
	write_to(1);
	ck_assert_uint_eq(counted("activated"), 0);
	finish();
	start("linux:batch=1,marks=all", 4);
	play("1 2");
	write_to(1);
	ck_assert_uint_eq(counted("activated"), 1);
	finish();
}
END_TEST

START_TEST(a_block_that_is_overwritten_is_not_restored)
{
	static const char string[] = "1 2 1 2 3 4 5 6";

	give_string(string);
	start("linux:batch=1", 4);
	play(string);
	write_to(3);
	ck_assert_uint_eq(counted("refaults"), 1);
	ck_assert_uint_eq(counted("restored"), 0);
	finish();
	start("linux:batch=1,marks=all", 4);
	play(string);
	write_to(3);
	ck_assert_uint_eq(counted("restored"), 1);
	finish();
}
END_TEST

/* ---- shadows ---- */

START_TEST(as_many_shadows_are_kept_as_there_are_frames)
{
	give_string("1");
	start("linux:batch=1", 4);
	play("1 2 3 4 5 6 7 8 9 1"); /* 1 2 3 4 5 have left, and 1 is at distance 4 */
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
	start("linux:batch=1", 4);
	play("1 2 3 4 5 6 7 8 9 10 1");
	ck_assert_uint_eq(player.ghosts, 0);
	play("3");
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
}
END_TEST

START_TEST(a_block_that_is_dropped_leaves_no_shadow)
{
	give_string("1");
	start("linux:batch=1", 4);
	play("1 2 3 4");
	drop(1);
	play("5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	play("2");
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once)
{
	give_string("1");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_prefetch_counts_once(rows[i].setting);
}
END_TEST

START_TEST(a_prefetched_block_with_a_near_shadow_is_active_when_it_is_fetched)
{
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 2 1 2 3 4 5 6 +3"), "6 1 2 3");
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 2 1 2 3 4 5 6 +3 3"), "6 1 2 3");
	ck_assert_str_eq(order_of("linux:batch=1", 4, "1 2 1 2 3 4 5 6 7 +3 3"), "7 3 1 2");
	give_string("1 2 1 2 3 4 5 6 3");
	start("linux:batch=1", 4);
	play("1 2 1 2 3 4 5 6 +3");
	ck_assert_uint_eq(counted("restored"), 1);
	play("3");
	ck_assert_uint_eq(player.ghosts, 0);
	ck_assert_uint_eq(counted("refaults"), 1);
	ck_assert_uint_eq(counted("restored"), 1);
	finish();
}
END_TEST

START_TEST(a_prefetched_block_is_active_at_its_second_access)
{
	ck_assert_str_eq(order_of("linux:batch=1", 4, "+1 1 2 3 4 5"), "2 3 4 5");
	ck_assert_str_eq(order_of("linux:batch=1", 4, "+1 1 2 1 3 4 5"), "3 4 5 1");
}
END_TEST

START_TEST(a_block_that_is_prefetched_for_a_write_is_restored)
{
	static const char string[] = "1 2 1 2 3 4 5 6";

	give_string(string);
	start("linux:batch=1", 4);
	play(string);
	player.write = true;
	prefetch(3);
	player.write = false;
	ck_assert_uint_eq(counted("restored"), 1);
	finish();
}
END_TEST

START_TEST(an_unused_prefetch_leaves_a_shadow)
{
	give_string("1");
	start("linux:batch=1", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 1);
	ck_assert_uint_eq(counted("refaults"), 1);
	finish();
}
END_TEST

START_TEST(caches_of_few_blocks_work)
{
	ck_assert_uint_eq(hits_of("linux:batch=1", "1 1 2 1 1", 1), 2);
	ck_assert_uint_eq(hits_of("linux:batch=1", "1 2 1 3 1 4 1 5 1", 2), 4);
	ck_assert_str_eq(hits_of_passes("linux:batch=1", 4, 5, 4), "0 0 0 0");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("linux");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0,
	    sizeof(rows) / sizeof(*rows));
	tcase_add_test(tests, the_second_access_makes_active);
	tcase_add_test(tests, a_refault_is_near_within_the_active_list);
	tcase_add_test(tests, refaults_and_near_ones_are_counted);
	tcase_add_test(tests, a_bit_is_cleared_or_kept_on_the_way_back);
	tcase_add_test(tests, the_active_list_may_be_longer_in_large_memories);
	tcase_add_test(tests, blocks_in_flight_are_passed_over);
	tcase_add_test(tests, an_active_list_that_is_no_longer_than_the_other_is_protected);
	tcase_add_test(tests, a_restored_block_ends_the_protection_for_a_batch);
	tcase_add_test(tests, a_batch_takes_shares_of_the_inactive_list_until_it_is_large_enough);
	tcase_add_test(tests, a_block_read_again_and_again_is_one_access);
	tcase_add_test(tests, reads_of_a_block_through_two_descriptors_are_two_accesses);
	tcase_add_test(tests, a_write_is_no_access);
	tcase_add_test(tests, a_block_that_is_overwritten_is_not_restored);
	tcase_add_test(tests, a_block_that_is_dropped_leaves_no_shadow);
	tcase_add_test(tests, as_many_shadows_are_kept_as_there_are_frames);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetched_block_with_a_near_shadow_is_active_when_it_is_fetched);
	tcase_add_test(tests, a_prefetched_block_is_active_at_its_second_access);
	tcase_add_test(tests, a_block_that_is_prefetched_for_a_write_is_restored);
	tcase_add_test(tests, an_unused_prefetch_leaves_a_shadow);
	tcase_add_test(tests, caches_of_few_blocks_work);
	return run_tests("linux", tests);
}
