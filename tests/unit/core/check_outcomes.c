/* check_outcome.c - the five classes of a prefetched block, case by case. */
#include "sim/core/engine/outcomes.h"
#include "tests/unit/support.h"

enum { BLOCKS = 16, A = 1, B = 2, V = 10, W = 11 }; /* prefetched blocks and victims */

static struct outcomes outcomes;
static struct slots    slots; /* the entry of a block is its number */
static struct stats    stats;
static struct turn     turn;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(outcomes_init(&outcomes, &slots, BLOCKS, &e), 0);
	stats = (struct stats){ 0 };
}

static void
teardown(void)
{
	outcomes_release(&outcomes);
}

/* b is prefetched into the frame of that victim, NIL: into an empty one. */
static void
prefetch(block_t b, block_t victim, bool unused)
{
	outcomes_prefetched(&outcomes, b, victim, unused);
}

static void
miss(block_t b)
{
	outcomes_missed(&outcomes, b, false, &stats, &turn);
}

static void
resolve(block_t b, enum outcome how)
{
	outcomes_resolved(&outcomes, b, how, &stats);
}

/* Every class and nothing else. */
static void
expect(uint64_t timely, uint64_t late, uint64_t costly, uint64_t useless, uint64_t polluting)
{
	ck_assert_uint_eq(stats.outcome_timely_blocks, timely);
	ck_assert_uint_eq(stats.outcome_late_blocks, late);
	ck_assert_uint_eq(stats.outcome_costly_blocks, costly);
	ck_assert_uint_eq(stats.outcome_useless_blocks, useless);
	ck_assert_uint_eq(stats.outcome_polluting_blocks, polluting);
}

START_TEST(a_prefetch_that_hurt_nobody_is_timely_late_or_useless)
{
	prefetch(A, V, false);
	resolve(A, PREFETCH_USED);
	expect(1, 0, 0, 0, 0);
	prefetch(A, W, false);
	resolve(A, PREFETCH_LATE);
	expect(1, 1, 0, 0, 0);
	prefetch(A, B, false);
	resolve(A, PREFETCH_WASTED);
	expect(1, 1, 0, 1, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 0);
}
END_TEST

START_TEST(a_prefetch_into_an_empty_frame_hurts_nobody)
{
	prefetch(A, NIL, false);
	miss(V);
	resolve(A, PREFETCH_USED);
	expect(1, 0, 0, 0, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 0);
}
END_TEST

START_TEST(an_unresolved_prefetch_has_no_class)
{
	prefetch(A, V, false);
	miss(V);
	expect(0, 0, 0, 0, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 1);
}
END_TEST

START_TEST(a_victim_missed_before_the_use_makes_the_prefetch_costly)
{
	prefetch(A, V, false);
	miss(V);
	resolve(A, PREFETCH_USED);
	expect(0, 0, 1, 0, 0);
	prefetch(B, W, false);
	miss(W);
	resolve(B, PREFETCH_LATE);
	expect(0, 0, 2, 0, 0);
}
END_TEST

START_TEST(a_victim_missed_after_the_use_makes_the_prefetch_costly)
{
	prefetch(A, V, false);
	resolve(A, PREFETCH_USED);
	miss(V);
	expect(0, 0, 1, 0, 0);
	prefetch(B, W, false);
	resolve(B, PREFETCH_LATE);
	expect(0, 1, 1, 0, 0);
	miss(W);
	expect(0, 0, 2, 0, 0);
}
END_TEST

START_TEST(a_victim_missed_makes_a_wasted_prefetch_polluting_before_or_after)
{
	prefetch(A, V, false);
	miss(V);
	resolve(A, PREFETCH_WASTED);
	expect(0, 0, 0, 0, 1);
	prefetch(B, W, false);
	resolve(B, PREFETCH_WASTED);
	expect(0, 0, 0, 1, 1);
	miss(W);
	expect(0, 0, 0, 0, 2);
	ck_assert_uint_eq(stats.pollution_victim_misses, 2);
	ck_assert_uint_eq(stats.pollution_thrash_misses, 0);
}
END_TEST

START_TEST(one_eviction_hurts_once)
{
	prefetch(A, V, false);
	resolve(A, PREFETCH_USED);
	miss(V);
	miss(V);
	ck_assert_uint_eq(stats.pollution_victim_misses, 1);
	expect(0, 0, 1, 0, 0);
}
END_TEST

START_TEST(a_victim_fetched_again_is_forgotten)
{
	prefetch(A, V, false);
	prefetch(V, NIL, false);
	miss(V); /* evicted by demand meanwhile */
	resolve(A, PREFETCH_USED);
	expect(1, 0, 0, 0, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 0);
}
END_TEST

START_TEST(only_the_last_culprit_of_a_victim_is_hurt)
{
	prefetch(A, V, false);
	prefetch(V, NIL, false);
	prefetch(B, V, true);
	resolve(A, PREFETCH_WASTED);
	miss(V);
	resolve(B, PREFETCH_USED);
	expect(0, 0, 1, 1, 0);
}
END_TEST

START_TEST(an_earlier_culprit_resolved_late_does_not_answer_for_a_later_one)
{
	prefetch(A, V, false);
	prefetch(V, NIL, false);
	prefetch(B, V, true);
	resolve(B, PREFETCH_WASTED);
	resolve(A, PREFETCH_USED); /* must not change what is known of B */
	miss(V);
	expect(1, 0, 0, 0, 1);
}
END_TEST

START_TEST(the_first_of_two_prefetches_of_a_block_keeps_its_own_fate)
{
	prefetch(A, V, false);
	resolve(A, PREFETCH_USED);
	prefetch(A, W, false);
	resolve(A, PREFETCH_WASTED);
	expect(1, 0, 0, 1, 0);
	miss(V);
	expect(0, 0, 1, 1, 0);
	miss(W);
	expect(0, 0, 1, 0, 1);
}
END_TEST

START_TEST(a_victim_that_was_an_unused_prefetch_itself_counts_as_thrash)
{
	prefetch(A, NIL, false);
	resolve(A, PREFETCH_WASTED);
	prefetch(B, A, true);
	miss(A);
	resolve(B, PREFETCH_USED);
	expect(0, 0, 1, 1, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 1);
	ck_assert_uint_eq(stats.pollution_thrash_misses, 1);

	/* The same with the culprit resolved before the miss. */
	prefetch(V, NIL, false);
	resolve(V, PREFETCH_WASTED);
	prefetch(W, V, true);
	resolve(W, PREFETCH_LATE);
	miss(V);
	expect(0, 0, 2, 2, 0);
	ck_assert_uint_eq(stats.pollution_thrash_misses, 2);
}
END_TEST

START_TEST(what_was_before_counting_starts_has_no_consequences)
{
	prefetch(A, V, false);
	prefetch(B, W, false);
	resolve(A, PREFETCH_USED);
	miss(W);
	stats = (struct stats){ 0 };
	outcomes_forget(&outcomes);
	miss(V);
	resolve(B, PREFETCH_USED);
	expect(1, 0, 0, 0, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 0);
}
END_TEST

/* ---- what the shadow knows ---- */

START_TEST(a_victim_that_would_have_left_anyway_hurts_nobody)
{
	prefetch(A, V, false);
	ck_assert(outcomes_missed(&outcomes, V, true, &stats, &turn));
	ck_assert_uint_eq(turn.block, NIL);
	resolve(A, PREFETCH_USED);
	expect(1, 0, 0, 0, 0);
	prefetch(B, W, false);
	resolve(B, PREFETCH_WASTED);
	ck_assert(outcomes_missed(&outcomes, W, true, &stats, &turn));
	ck_assert_uint_eq(turn.block, NIL);
	expect(1, 0, 0, 1, 0);
	ck_assert_uint_eq(stats.pollution_victim_misses, 2);
}
END_TEST

START_TEST(a_turn_names_the_prefetch_and_both_classes)
{
	prefetch(A, V, false);
	ck_assert_int_eq(outcomes_resolved(&outcomes, A, PREFETCH_WASTED, &stats), FATE_USELESS);
	ck_assert(outcomes_missed(&outcomes, V, false, &stats, &turn));
	ck_assert_uint_eq(turn.block, A);
	ck_assert_int_eq(turn.from, FATE_USELESS);
	ck_assert_int_eq(turn.to, FATE_POLLUTING);
	ck_assert(!outcomes_missed(&outcomes, V, false, &stats, &turn));
	ck_assert_uint_eq(turn.block, NIL);
}
END_TEST

/* ---- the filter ---- */

START_TEST(the_filter_counts_victims_that_had_been_referenced)
{
	prefetch(A, V, false);
	miss(V);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
	miss(V);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
	prefetch(B, W, true);
	miss(W);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
	prefetch(A, V, false);
	prefetch(V, NIL, false);
	miss(V);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
}
END_TEST

/* Block 4096 + 5 shares the bit of block 1 exclusive or 5. */
START_TEST(two_blocks_may_share_a_bit_of_the_filter)
{
	struct outcomes large;
	struct error	e;

	ck_assert_int_eq(outcomes_init(&large, &slots, 2 * FILTER_BITS, &e), 0);
	outcomes_prefetched(&large, 7, FILTER_BITS + 5, false);
	outcomes_missed(&large, 1 ^ 5, false, &stats, &turn);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
	ck_assert_uint_eq(stats.pollution_victim_misses, 0);
	outcomes_missed(&large, FILTER_BITS + 5, false, &stats, &turn);
	ck_assert_uint_eq(stats.pollution_filter_misses, 1);
	ck_assert_uint_eq(stats.pollution_victim_misses, 1);
	outcomes_release(&large);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("outcome");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_prefetch_that_hurt_nobody_is_timely_late_or_useless);
	tcase_add_test(tests, a_prefetch_into_an_empty_frame_hurts_nobody);
	tcase_add_test(tests, an_unresolved_prefetch_has_no_class);
	tcase_add_test(tests, a_victim_missed_before_the_use_makes_the_prefetch_costly);
	tcase_add_test(tests, a_victim_missed_after_the_use_makes_the_prefetch_costly);
	tcase_add_test(tests, a_victim_missed_makes_a_wasted_prefetch_polluting_before_or_after);
	tcase_add_test(tests, one_eviction_hurts_once);
	tcase_add_test(tests, a_victim_fetched_again_is_forgotten);
	tcase_add_test(tests, only_the_last_culprit_of_a_victim_is_hurt);
	tcase_add_test(tests, an_earlier_culprit_resolved_late_does_not_answer_for_a_later_one);
	tcase_add_test(tests, the_first_of_two_prefetches_of_a_block_keeps_its_own_fate);
	tcase_add_test(tests, a_victim_that_was_an_unused_prefetch_itself_counts_as_thrash);
	tcase_add_test(tests, what_was_before_counting_starts_has_no_consequences);
	tcase_add_test(tests, a_victim_that_would_have_left_anyway_hurts_nobody);
	tcase_add_test(tests, a_turn_names_the_prefetch_and_both_classes);
	tcase_add_test(tests, the_filter_counts_victims_that_had_been_referenced);
	tcase_add_test(tests, two_blocks_may_share_a_bit_of_the_filter);
	return run_tests("outcome", tests);
}
