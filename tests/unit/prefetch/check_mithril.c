/* check_mithril.c - blocks that are missed together, found and read ahead. */
#include "tests/unit/own.h"
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_mithril;

enum { A = 10, B = 20, C = 30, X = 40, Y = 50, Z = 60, U = 70, BLOCKS = 100 };

/* All references count, so that what is cached does not matter, and little is. */
#define ALL "record=all,metadata=1,"

static void
start(const char *params)
{
	plan_with(&prefetcher_mithril, params, BLOCKS);
	cfg.cache_blocks = 2;
}

static void
read_each(const uint32_t *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		read_run(block[i], block[i], 1);
}

#define READ(...)                                                                                  \
	read_each((const uint32_t[]){ __VA_ARGS__ },                                               \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* ---- mining ---- */

/* Four rows of two times: the second c fills the table. */
START_TEST(blocks_that_come_together_twice_are_partners)
{
	static const struct {
		const char *params, *plans;
		uint64_t    pairs;
	} list[] = {
		{ ALL "table=8,range=5", "10:20 | 20:30", 2 },
		{ ALL "table=8,range=2", "10:20 | 20:30", 2 },
		{ ALL "table=8,range=1", "10:20", 1 },
		{ ALL "table=8,support=3,range=5", "", 0 },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		start(list[i].params);
		READ(A, B, X, C, Y, Y, Y, Y, Y, Y, A, B, Z, C, U);
		READ(A, U, B);
		ck_assert_str_eq(planned(), list[i].plans);
		ck_assert_uint_eq(own("pairs"), list[i].pairs);
	}
}
END_TEST

/* Once 1 apart, once 5. */
START_TEST(a_pair_of_times_may_be_farther_apart_if_there_is_slack)
{
	for (unsigned slack = 0; slack < 2; slack++) {
		start(slack ? ALL "table=4,range=2,slack=1" : ALL "table=4,range=2");
		READ(A, C, 1, 2, 3, 4, 5, A, 6, 7, 8, 9, C);
		planned();
		ck_assert_uint_eq(own("minings"), 1);
		ck_assert_uint_eq(own("pairs"), slack);
	}
}
END_TEST

/* The first partner may be 2 apart; c then has to be exactly 1 apart once. */
START_TEST(a_second_partner_must_be_a_neighbour)
{
	start(ALL "table=6");
	READ(A, 1, B, 2, C, A, 3, B, 4, C);
	planned();
	ck_assert_uint_eq(own("pairs"), 2); /* a-b, b-c */
	start(ALL "table=6");
	READ(A, 1, B, 2, C, 3, B, A, C);
	planned();
	ck_assert_uint_eq(own("pairs"), 3); /* a-c as well */
}
END_TEST

START_TEST(a_table_is_mined_when_it_is_full_and_then_empty)
{
	start(ALL "table=16");
	for (unsigned round = 0; round < 4; round++)
		for (uint32_t i = 0; i < 8; i++)
			READ(i);
	planned();
	ck_assert_uint_eq(own("minings"), 2);
	ck_assert_int_eq(state[0], 32);
	ck_assert_int_eq(state[1], 0);
}
END_TEST

START_TEST(a_block_that_comes_too_often_has_no_partners)
{
	for (unsigned few = 0; few < 2; few++) {
		start(few ? ALL "table=6,max_support=2" : ALL "table=6");
		READ(A, C, A, C, A, C, X, X);
		planned();
		ck_assert_uint_eq(own("minings"), 1);
		ck_assert_uint_eq(own("pairs"), !few);
	}
}
END_TEST

START_TEST(pairs_of_two_files_are_counted_and_left_out)
{
	start(ALL "table=6");
	draft_open(&draft, draft_file(&draft, 2, BLOCKS), 0);
	for (unsigned i = 0; i < 2; i++) {
		draft_blocks(&draft, 0, 0, A, 1, false);
		draft_blocks(&draft, 0, 1, B, 1, false);
		draft_blocks(&draft, 0, 0, C, 1, false);
	}
	READ(U, Z, A);
	ck_assert_str_eq(planned(), "10:30");
	ck_assert_uint_eq(own("pairs"), 1);
	ck_assert_uint_eq(own("foreign_pairs"), 2);
}
END_TEST

START_TEST(misses_alone_count_unless_told_otherwise)
{
	start("table=4,metadata=1");
	READ(A, A, A, B, B, X, Y, A, B, X, Y, A);
	ck_assert_str_eq(planned(), "10:20");
	ck_assert_int_eq(state[0], 9);
}
END_TEST

/* ---- memory ---- */

/* A row of the table for a with b, then with c, then with x. */
START_TEST(the_oldest_partner_is_forgotten)
{
	static const char last[] = " | 10:40 | 10:30";
	const char	 *all;

	start(ALL "table=4");
	READ(A, B, A, B, A, C, A, C, A, X, A, X, U, Z, A);
	all = planned();
	ck_assert_uint_eq(own("pairs"), 3);
	ck_assert_uint_gt(strlen(all), sizeof(last));
	ck_assert_str_eq(all + strlen(all) - strlen(last), last);
}
END_TEST

/* Half of 1/256 of 8 KiB is one row of two times, and one list of two partners. */
START_TEST(the_oldest_row_makes_room)
{
	start("record=all,table=4,metadata=0.00391");
	READ(A, B, A, B, A, A, A, B, B);
	planned();
	ck_assert_uint_eq(own("minings"), 1);
	ck_assert_uint_eq(own("pairs"), 0);
}
END_TEST

/* There is a row for every block; those of blocks that were mined are used again. */
START_TEST(no_row_is_lost_while_there_is_memory)
{
	start(ALL "table=8");
	READ(A);
	for (uint32_t i = 0; i < 2 * BLOCKS; i++)
		READ(50 + i % 4, 50 + i % 4);
	READ(A);
	planned();
	ck_assert_uint_eq(own("minings"), BLOCKS / 2);
	ck_assert_int_eq(state[1], 1);
}
END_TEST

/* In three frames b takes the frame of c, which is then read again. */
START_TEST(a_plan_may_evict_what_it_names)
{
	const char *all;

	start(ALL "table=4");
	cfg.cache_blocks = 3;
	READ(A, B, A, B, A, C, A, C, C, X, A);
	all = planned();
	ck_assert_str_eq(all + strlen(all) - strlen("10:20 | 10:30"), "10:20 | 10:30");
}
END_TEST

START_TEST(without_memory_or_partners_nothing_is_read_ahead)
{
	static const char *const params[] = { "record=all,table=4,metadata=0",
		ALL "table=4,list=0" };

	for (unsigned i = 0; i < 2; i++) {
		start(params[i]);
		READ(A, B, A, B, U, Z, A, B);
		ck_assert_str_eq(planned(), "");
		ck_assert_uint_eq(stats.misses, 6);
	}
}
END_TEST

/* ---- what it is for ---- */

/* Twenty pairs, the two blocks of which are far apart, in any order. */
static uint64_t
missed_of_pairs(const struct prefetcher *p)
{
	uint64_t seed = 1;

	plan_with(p, p == &prefetcher_mithril ? "table=16,metadata=1" : NULL, BLOCKS);
	cfg.cache_blocks = 8;
	for (uint32_t i = 0; i < 250; i++) {
		uint32_t k = random_below(&seed, 20);

		READ(k, 99 - k * 7 % 20);
	}
	planned();
	return stats.misses;
}

START_TEST(pairs_that_recur_are_missed_half_as_often)
{
	ck_assert_uint_lt(missed_of_pairs(&prefetcher_mithril),
	    missed_of_pairs(&prefetcher_none) * 3 / 4);
}
END_TEST

START_TEST(a_run_has_no_pairs)
{
	start(NULL);
	read_run(0, 99, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

/* ---- limits ---- */

START_TEST(a_partner_behind_the_end_of_the_file_is_left_out)
{
	size_t last;

	start(ALL "table=4");
	READ(A, B, A, B, U, A);
	last = draft.trace.naccess - 1;
	draft.access[last].file_size = (A + 1) * DRAFT_BLOCK_BYTES;
	ck_assert_str_eq(planned(), "");
	plan_with(&prefetcher_mithril, NULL, 1);
	read_run(0, 0, 1);
	ck_assert_str_eq(planned(), "");
}
END_TEST

START_TEST(four_frames_are_enough)
{
	start("table=4,metadata=1");
	cfg.device.plugin = &device_fixed.plugin;
	cfg.cache_blocks = 4;
	for (unsigned round = 0; round < 4; round++)
		read_run(0, 99, 5);
	planned();
	ck_assert_uint_eq(stats.prefetched_blocks,
	    stats.prefetch_used_blocks + stats.prefetch_late_blocks + stats.prefetch_wasted_blocks +
		stats.prefetch_unused_blocks + stats.prefetch_inflight_blocks);
}
END_TEST

START_TEST(one_call_of_many_blocks_reads_what_calls_of_one_do)
{
	for (uint32_t n = 1; n <= 5; n++) {
		uint64_t read[2];

		for (unsigned i = 0; i < 2; i++) {
			plan_with(&prefetcher_mithril, "table=8,metadata=1", BLOCKS);
			cfg.cache_blocks = 12;
			for (uint32_t k = 0; k < 24; k++)
				read_run(k % 4 * 20, k % 4 * 20 + n - 1, i ? n : 1);
			planned();
			read[i] = stats.read_blocks;
		}
		ck_assert_uint_eq(read[0], read[1]);
	}
}
END_TEST

START_TEST(support_is_at_most_max_support)
{
	struct error  e;
	struct engine s;

	start("support=3,max_support=2");
	ck_assert_int_ne(engine_init(&s, &cfg, &draft.trace, &e), 0);
	ck_assert_str_eq(e.text, "support of mithril is at most max_support, 2, not 3");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("mithril");

	tcase_add_test(tests, blocks_that_come_together_twice_are_partners);
	tcase_add_test(tests, a_pair_of_times_may_be_farther_apart_if_there_is_slack);
	tcase_add_test(tests, a_second_partner_must_be_a_neighbour);
	tcase_add_test(tests, a_table_is_mined_when_it_is_full_and_then_empty);
	tcase_add_test(tests, a_block_that_comes_too_often_has_no_partners);
	tcase_add_test(tests, pairs_of_two_files_are_counted_and_left_out);
	tcase_add_test(tests, misses_alone_count_unless_told_otherwise);
	tcase_add_test(tests, the_oldest_partner_is_forgotten);
	tcase_add_test(tests, the_oldest_row_makes_room);
	tcase_add_test(tests, no_row_is_lost_while_there_is_memory);
	tcase_add_test(tests, a_plan_may_evict_what_it_names);
	tcase_add_test(tests, without_memory_or_partners_nothing_is_read_ahead);
	tcase_add_test(tests, pairs_that_recur_are_missed_half_as_often);
	tcase_add_test(tests, a_run_has_no_pairs);
	tcase_add_test(tests, a_partner_behind_the_end_of_the_file_is_left_out);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, one_call_of_many_blocks_reads_what_calls_of_one_do);
	tcase_add_test(tests, support_is_at_most_max_support);
	return run_tests("mithril", tests);
}
