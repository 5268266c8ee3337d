/* check_lru.c - least recently used: known answers, and the stack property. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "lru", 2, 4, 0, 6, 761, ".H.H.....H.", 2 },
	{ "lru:second=1", 2, 4, 0, 6, 761, ".H.HH...HH.", 0 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(skewed_references_are_those_of_the_known_answers)
{
	static const block_t begin[] = { 17, 2, 7, 19, 58, 2, 32, 4, 16, 1 };
	block_t		     ref[LENGTH];

	make_skew(ref);
	ck_assert_mem_eq(ref, begin, sizeof(begin));
}
END_TEST

START_TEST(the_oldest_reference_goes_first)
{
	start("lru", 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2");
	finish();
	start("lru", 4);
	play("1 2 3 4 2 1");
	ck_assert_str_eq(eviction_order(), "3 4 2 1");
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_as_a_reference)
{
	start("lru", 4);
	play("1 2 +3 4 1");
	ck_assert_str_eq(eviction_order(), "2 3 4 1");
	finish();
	check_prefetch_counts_once("lru");
}
END_TEST

START_TEST(the_first_reference_may_leave_a_prefetched_block_where_it_is)
{
	start("lru:first=stay", 4);
	play("1 +2 3 4 2");
	ck_assert_str_eq(eviction_order(), "1 2 3 4");
	finish();
	start("lru:first=stay", 4);
	play("1 +2 3 4 2 2");
	ck_assert_str_eq(eviction_order(), "1 3 4 2");
	finish();
}
END_TEST

START_TEST(an_unused_prefetched_block_may_return_once)
{
	start("lru:second=1", 4);
	play("+1 2 3 4 5");
	ck_assert(cache_find(&player.cache, 1)); /* 2 went */
	play("6 7 8 9");
	ck_assert(!cache_find(&player.cache, 1));
	finish();
}
END_TEST

/* Prefetched blocks enter there, in a cache of four frames; what goes first. */
static const char *
order_with(enum insert_at at, const char *string)
{
	start("lru", 4);
	player.cache.ahead = at;
	player.policy->init(player.self, &player.cache, &given.trace, NULL, &(struct error){ 0 });
	play(string);
	return eviction_order();
}

START_TEST(prefetched_blocks_enter_where_the_cache_says)
{
	ck_assert_str_eq(order_with(INSERT_HEAD, "1 2 3 +4"), "1 2 3 4");
	finish();
	ck_assert_str_eq(order_with(INSERT_TAIL, "1 2 3 +4"), "4 1 2 3");
	finish();
	ck_assert_str_eq(order_with(INSERT_MIDDLE, "1 2 3 +4"), "1 4 2 3");
	finish();
	ck_assert_str_eq(order_with(INSERT_MIDDLE, "1 2 3 +4 4"), "1 2 3 4");
	finish();
	ck_assert_str_eq(order_with(INSERT_MIDDLE, "1 2 3 4 +5 +6"), "5 6 3 4");
	finish();
}
END_TEST

/* hits[c]: of a cache of c frames, by looking for each block in a list sorted by last reference. */
static void
stack_hits(const block_t *ref, uint64_t hits[SKEW_BLOCKS + 2])
{
	block_t stack[SKEW_BLOCKS + 1];
	size_t	depth = 0, at;

	memset(hits, 0, (SKEW_BLOCKS + 2) * sizeof(*hits));
	for (unsigned i = 0; i < LENGTH; i++) {
		for (at = 0; at < depth && stack[at] != ref[i]; at++)
			;
		if (at == depth)
			depth++;
		else
			hits[at + 1]++;
		memmove(stack + 1, stack, at * sizeof(*stack));
		stack[0] = ref[i];
	}
	for (unsigned c = 1; c < SKEW_BLOCKS + 2; c++)
		hits[c] += hits[c - 1];
}

START_TEST(hits_at_every_size_equal_those_of_stack_distances)
{
	uint64_t expected[SKEW_BLOCKS + 2], seed = 5;
	block_t	 ref[LENGTH];

	make_skew(ref);
	for (unsigned round = 0; round < 4; round++) {
		stack_hits(ref, expected);
		for (frame_t c = 1; c <= SKEW_BLOCKS + 1; c++)
			ck_assert_uint_eq(replay("lru", c, ref), expected[c]);
		for (unsigned i = 0; i < LENGTH; i++)
			ref[i] = 1 + random_below(&seed, i % 50 < 10 ? SKEW_BLOCKS : 20);
	}
}
END_TEST

START_TEST(hits_on_skewed_references_are_known_at_every_small_size)
{
	static const uint64_t known[] = { 0, 55, 131, 186, 242, 296 };
	block_t		      ref[LENGTH];

	make_skew(ref);
	for (frame_t c = 1; c <= 5; c++)
		ck_assert_uint_eq(replay("lru", c, ref), known[c]);
	ck_assert_uint_eq(replay("lru", SKEW_BLOCKS, ref), LENGTH - SKEW_BLOCKS);
}
END_TEST

START_TEST(a_loop_larger_than_the_cache_never_hits)
{
	ck_assert_str_eq(hits_of_passes("lru", 7, 8, 5), "0 0 0 0 0");
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("lru", 4);
	check_passes_over();
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("lru");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, skewed_references_are_those_of_the_known_answers);
	tcase_add_test(tests, the_oldest_reference_goes_first);
	tcase_add_test(tests, a_prefetch_counts_as_a_reference);
	tcase_add_test(tests, the_first_reference_may_leave_a_prefetched_block_where_it_is);
	tcase_add_test(tests, an_unused_prefetched_block_may_return_once);
	tcase_add_test(tests, prefetched_blocks_enter_where_the_cache_says);
	tcase_add_test(tests, hits_at_every_size_equal_those_of_stack_distances);
	tcase_add_test(tests, hits_on_skewed_references_are_known_at_every_small_size);
	tcase_add_test(tests, a_loop_larger_than_the_cache_never_hits);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	return run_tests("lru", tests);
}
