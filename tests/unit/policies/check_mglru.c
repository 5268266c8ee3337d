/*
 * check_mglru.c - multi-generational LRU: known answers, tiers, generations,
 * shadows.
 *
 * Comments show generations from the oldest on, each newest first; 5:2 is
 * block 5 with two accesses, and e0 counts what was evicted from tier 0.
 */
#include "tests/unit/policies/player.h"

/* From a model that was written apart from the program. */
static const struct row rows[] = {
	{ "mglru", 3, 2, 0, 6, 698, ".H.HH....H.", 1 },
	{ "mglru:marks=all", 3, 2, 0, 6, 698, ".H.HH....H.", 1 },
	{ "mglru:least=1", 3, 2, 0, 6, 760, ".H.HH....H.", 1 },
	{ "mglru:least=8", 3, 2, 0, 6, 754, ".H.HH....H.", 1 },
	{ "mglru:least=1,enter=second", 3, 2, 0, 6, 760, ".H.HH....H.", 1 },
	{ "mglru:least=8,shadows=1b", 3, 2, 0, 6, 738, ".H.HH....H.", 1 },
	{ "mglru:least=1,shadows=1b", 3, 2, 0, 6, 850, ".H.HH....H.", 1 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

static void
begin(const char *setting, frame_t frames, const char *string)
{
	give_string(string);
	start(setting, frames);
	play(string);
}

/* ---- tiers ---- */

START_TEST(an_access_moves_nothing)
{
	begin("mglru", 4, "1 2 3 4 1 2 1 2 1 2");
	ck_assert_str_eq(eviction_order(), "1 2 3 4");
	finish();
}
END_TEST

/* 1 leaves with two accesses and comes back: e0 1, e1 1, one refault in tier 1, 1 * (1 + 1) > 1 * 1 * 2 is not true. */
#define ONE_CAME_BACK "1 2 1 3 4 5 1"
/* e0 2, and 1 * (2 + 1) > 1 * 1 * 2 is true: tier 1 is protected.  6:1 1:1 5:1 4:1 */
#define PROTECTS ONE_CAME_BACK " 6"

START_TEST(a_tier_is_protected_once_it_comes_back_more_than_twice_as_often)
{
	begin("mglru:least=1", 4, ONE_CAME_BACK); /* 1:1 5:1 4:1 3:1 */
	ck_assert_uint_eq(counted("refaults"), 1);
	play("3 6"); /* 3:2 goes */
	ck_assert_uint_eq(counted("protected"), 0);
	finish();
	begin("mglru:least=1", 4, PROTECTS);
	play("4 7"); /* 4:2 is protected, 5 goes: 7:1 6:1 1:1, 4:0 */
	ck_assert_uint_eq(counted("protected"), 1);
	ck_assert(!cache_find(&player.cache, 5));
	ck_assert_str_eq(eviction_order(), "1 6 7 4");
	finish();
}
END_TEST

START_TEST(few_refaults_protect_nothing)
{
	begin("mglru:least=2", 4, PROTECTS " 4 7");
	ck_assert_uint_eq(counted("protected"), 0);
	ck_assert(!cache_find(&player.cache, 4));
	finish();
}
END_TEST

START_TEST(the_last_protected_is_the_first_to_go_in_the_next_generation)
{
	begin("mglru:least=1", 4, PROTECTS);
	play("4 5 7"); /* 4:2 and 5:2 are protected, 1:1 goes: 7:1 6:1, 4:0 5:0 */
	ck_assert_uint_eq(counted("protected"), 2);
	ck_assert_str_eq(eviction_order(), "6 7 5 4");
	finish();
}
END_TEST

START_TEST(a_full_count_comes_back_in_tier_1)
{
	/*
	 * 3 evicts 1:5, 1 evicts 2:2 and comes back as 1:2, 2 evicts 3:1.  By then tier 1 has e1 1
	 * and the refault of 2, and e0 2: 4 finds it protected, so that 1:2 stays, and 2:1 goes.
	 */
	begin("mglru:least=1,marks=all", 2, "4 1 2 1 1 1 1 3 2 1 2 4 4 1");
	player.marks[player.n] = '\0';
	ck_assert_str_eq(player.marks, "...HHHH.H...HH");
	ck_assert_uint_eq(counted("protected"), 1);
	finish();
}
END_TEST

START_TEST(a_block_read_again_and_again_is_one_access)
{
	static const char string[] = "1 1 2 3 4 5 1 6 4 4 7"; /* as PROTECTS, but in a row */

	begin("mglru:least=1", 4, string);
	ck_assert_uint_eq(counted("protected"), 0);
	finish();
	begin("mglru:least=1,marks=all", 4, string);
	ck_assert_uint_eq(counted("protected"), 1);
	finish();
}
END_TEST

START_TEST(a_write_is_neither_access_nor_refault)
{
	begin("mglru:least=1", 4, PROTECTS);
	player.write = true;
	play("4 7 4"); /* 7 evicts 4:1, and 4 evicts 5:1 */
	ck_assert_uint_eq(player.ghosts, 2);
	ck_assert_uint_eq(counted("protected"), 0);
	ck_assert_uint_eq(counted("refaults"), 1);
	finish();
}
END_TEST

/* ---- generations ---- */

START_TEST(a_generation_is_begun_when_two_are_left)
{
	/* Of four, 1 was in the oldest; when it leaves, only the two youngest are left. */
	begin("mglru", 1, "1 2");
	ck_assert_uint_eq(counted("aged"), 0);
	play("3");
	ck_assert_uint_eq(counted("aged"), 1);
	play("4 5 6");
	ck_assert_uint_eq(counted("aged"), 4);
	finish();
}
END_TEST

START_TEST(a_refault_counts_in_the_generation_of_its_eviction_only)
{
	begin("mglru", 1, "1 2 1 2 1 2");
	ck_assert_uint_eq(player.ghosts, 4);
	ck_assert_uint_eq(counted("refaults"), 0);
	finish();
	begin("mglru", 2, "1 2 3 1 2 3");
	ck_assert_uint_eq(player.ghosts, 3);
	ck_assert_uint_eq(counted("refaults"), 3);
	finish();
}
END_TEST

START_TEST(blocks_enter_the_oldest_generation_or_the_one_behind_it)
{
	block_t skew[LENGTH];

	make_skew(skew);
	ck_assert_uint_eq(replay("mglru:least=8", 48, skew), 1650);
	ck_assert_uint_eq(replay("mglru:least=8,enter=second", 48, skew), 1622);
}
END_TEST

START_TEST(blocks_in_flight_are_passed_over)
{
	begin("mglru", 4, "");
	check_passes_over();
	finish();
	begin("mglru:least=1", 4, PROTECTS);
	play("4 7"); /* 7:1 6:1 1:1, 4:0 */
	fly(7, true);
	fly(6, true);
	fly(1, true);
	demand(8);
	ck_assert(!cache_find(&player.cache, 4));
	finish();
}
END_TEST

/* ---- shadows ---- */

START_TEST(as_many_shadows_as_given_are_kept)
{
	begin("mglru:shadows=2b", 4, "1 2 3 4 5 6 7 1");
	ck_assert_uint_eq(player.ghosts, 0);
	play("4");
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
	begin("mglru", 4, "1 2 3 4 5 6 7 8 9 1");
	ck_assert_uint_eq(player.ghosts, 0);
	play("3");
	ck_assert_uint_eq(player.ghosts, 1);
	finish();
}
END_TEST

START_TEST(more_shadows_than_blocks_are_refused)
{
	struct error e = { 0 };
	uint64_t     nothing[128] = { 0 };

	begin("mglru", 4, "1");
	ck_assert_uint_le(player.policy->plugin.state_size, sizeof(nothing));
	ck_assert(!params_set(&player.policy->plugin, nothing, "shadows=5b", &e));
	ck_assert_int_eq(player.policy->init(nothing, &player.cache, &given.trace, NULL, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "shadows of mglru is at most 4 blocks"));
	player.policy->release(nothing);
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

START_TEST(a_prefetch_of_a_shadow_is_no_refault)
{
	begin("mglru:least=1", 4, "1 2 1 3 4 5");
	play("+1 1 6 4 7"); /* as PROTECTS, but nothing was learned */
	ck_assert_uint_eq(counted("refaults"), 0);
	ck_assert_uint_eq(counted("protected"), 0);
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(a_prefetched_block_with_a_full_count_comes_back_in_tier_1)
{
	begin("mglru:least=1,marks=all", 2, "4 1 2 1 1 1 1 3 2 +1 1 2 4 4 1");
	player.marks[player.n] = '\0';
	ck_assert_str_eq(player.marks, "...HHHH.HH..HH");
	ck_assert_uint_eq(counted("protected"), 1);
	finish();
}
END_TEST

START_TEST(an_unused_prefetch_is_neither_counted_nor_remembered)
{
	begin("mglru", 4, "+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
	/* 6 evicts 9 instead of 3:1, so that e0 is still 1. */
	begin("mglru:least=1", 4, "1 2 1 +9 4 5 1 6 4 7");
	ck_assert_uint_eq(counted("refaults"), 1);
	ck_assert_uint_eq(counted("protected"), 0);
	finish();
}
END_TEST

START_TEST(caches_of_few_blocks_work)
{
	ck_assert_uint_eq(hits_of("mglru", "1 1 2 1 1", 1), 2);
	ck_assert_uint_eq(hits_of("mglru", "1 2 1 3 1 4 1 5 1", 2), 2);
	ck_assert_str_eq(hits_of_passes("mglru", 4, 5, 4), "0 0 0 0");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("mglru");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0,
	    sizeof(rows) / sizeof(*rows));
	tcase_add_test(tests, an_access_moves_nothing);
	tcase_add_test(tests, a_tier_is_protected_once_it_comes_back_more_than_twice_as_often);
	tcase_add_test(tests, few_refaults_protect_nothing);
	tcase_add_test(tests, the_last_protected_is_the_first_to_go_in_the_next_generation);
	tcase_add_test(tests, a_full_count_comes_back_in_tier_1);
	tcase_add_test(tests, a_block_read_again_and_again_is_one_access);
	tcase_add_test(tests, a_write_is_neither_access_nor_refault);
	tcase_add_test(tests, a_generation_is_begun_when_two_are_left);
	tcase_add_test(tests, a_refault_counts_in_the_generation_of_its_eviction_only);
	tcase_add_test(tests, blocks_enter_the_oldest_generation_or_the_one_behind_it);
	tcase_add_test(tests, blocks_in_flight_are_passed_over);
	tcase_add_test(tests, as_many_shadows_as_given_are_kept);
	tcase_add_test(tests, more_shadows_than_blocks_are_refused);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetch_of_a_shadow_is_no_refault);
	tcase_add_test(tests, a_prefetched_block_with_a_full_count_comes_back_in_tier_1);
	tcase_add_test(tests, an_unused_prefetch_is_neither_counted_nor_remembered);
	tcase_add_test(tests, caches_of_few_blocks_work);
	return run_tests("mglru", tests);
}
