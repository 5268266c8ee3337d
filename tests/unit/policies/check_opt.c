/* check_opt.c - the optimum: known answers, and every other choice of victims. */
#include "tests/unit/policies/player.h"

static const struct row row = { "opt", 5, 6, 12, 8, 1303, ".H.HHH..HHH", 0 };

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&row);
}
END_TEST

/* ---- exhaustive search ---- */

enum { SEARCHED_BLOCKS = 10, SEARCHED_REFERENCES = 32, UNKNOWN = UINT8_MAX };

/* most[i][s]: the most hits from reference i on, with set s of blocks in the cache. */
static uint8_t most[SEARCHED_REFERENCES + 1][1 << (SEARCHED_BLOCKS + 1)];

static unsigned
search(unsigned i, unsigned in, unsigned room)
{
	unsigned bit, best = 0;

	if (i == given.n)
		return 0;
	if (most[i][in] != UNKNOWN)
		return most[i][in];
	bit = 1u << given.ref[i];
	if (in & bit)
		best = 1 + search(i + 1, in, room);
	else if (room)
		best = search(i + 1, in | bit, room - 1);
	else
		for (unsigned out = 1; out <= in; out <<= 1) {
			unsigned hits = in & out ? search(i + 1, (in & ~out) | bit, 0) : 0;

			best = hits > best ? hits : best;
		}
	return most[i][in] = (uint8_t)best;
}

/* Of the trace given last. */
static void
check_best(frame_t frames)
{
	unsigned best;

	memset(most, UNKNOWN, sizeof(most));
	best = search(0, 0, frames);
	start("opt", frames);
	for (unsigned i = 0; i < given.n; i++)
		demand(given.ref[i]);
	ck_assert_uint_eq(player.hits, best);
	finish();
}

START_TEST(no_other_choice_of_victims_gives_more_hits)
{
	enum { STRINGS = 200, REFERENCES = 24, DIFFERENT = 7 };
	static const char *const known[] = { BELADY, LOOP, SCAN };
	block_t			 ref[REFERENCES];
	uint64_t		 seed = 1;

	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		for (frame_t frames = 1; frames <= 6; frames++) {
			give_string(known[i]);
			check_best(frames);
		}
	for (unsigned i = 0; i < STRINGS; i++) {
		for (unsigned k = 0; k < REFERENCES; k++)
			ref[k] = 1 + random_below(&seed, DIFFERENT);
		give(ref, REFERENCES);
		for (frame_t frames = 2; frames <= 5; frames++)
			check_best(frames);
	}
}
END_TEST

/* ---- loops, sizes, ties ---- */

START_TEST(of_a_loop_of_n_blocks_c_less_1_of_n_less_1_references_hit)
{
	static const struct {
		block_t n;
		frame_t c;
	} loop[] = { { 10, 6 }, { 10, 9 }, { 7, 2 }, { 100, 34 } };

	ck_assert_str_eq(hits_of_passes("opt", 6, 10, 6), "0 6 6 6 6 6");
	for (unsigned i = 0; i < sizeof(loop) / sizeof(*loop); i++) {
		block_t	 n = loop[i].n, ref[LENGTH];
		frame_t	 c = loop[i].c;
		uint64_t hits;

		for (unsigned k = 0; k < LENGTH; k++)
			ref[k] = 1 + k % n;
		hits = replay("opt", c, ref);
		/* But for the first pass, and for the end, where nothing is used again. */
		ck_assert_uint_ge(hits * (n - 1), (LENGTH - n) * (c - 1));
		ck_assert_uint_le(hits * (n - 1), (LENGTH + c) * (c - 1));
	}
}
END_TEST

START_TEST(a_larger_cache_never_hits_less)
{
	block_t	 ref[LENGTH];
	uint64_t last = 0;

	make_skew(ref);
	for (frame_t c = 1; c <= SKEW_BLOCKS; c++) {
		uint64_t hits = replay("opt", c, ref);

		ck_assert_uint_ge(hits, last);
		last = hits;
	}
	ck_assert_uint_eq(last, LENGTH - SKEW_BLOCKS);
}
END_TEST

START_TEST(of_blocks_without_a_future_the_one_touched_longest_ago_goes)
{
	give_string("1 2 3 4 2 1");
	start("opt", 4);
	play("1 2 3 4 2 1");
	ck_assert_str_eq(eviction_order(), "3 4 2 1");
	finish();
}
END_TEST

/* ---- prefetching ---- */

START_TEST(with_prefetching_lru_may_hit_more)
{
	static const char string[] = "1 2 4 +2 +1 1 4";

	ck_assert_uint_eq(hits_of("opt", string, 2), 1);
	ck_assert_uint_eq(hits_of("lru", string, 2), 2);
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("opt");
}
END_TEST

START_TEST(a_prefetched_block_ranks_by_its_next_demand_reference)
{
	give_string("1 2 3 4 2 1 3 5");
	start("opt", 3);
	play("1 2 +3 +6"); /* 3 is next, then 2, then 1 */
	ck_assert(!cache_find(&player.cache, 1));
	play("+5"); /* 6 is never referenced */
	ck_assert(!cache_find(&player.cache, 6));
	play("+7"); /* 5 is referenced last */
	ck_assert(!cache_find(&player.cache, 5));
	ck_assert(cache_find(&player.cache, 2) && cache_find(&player.cache, 3));
	finish();
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	give_string("1 2 3 4 5 6 7");
	start("opt", 4);
	check_passes_over();
	finish();
}
END_TEST

/* What leaves() tells without a change is what evict() then does. */
START_TEST(frames_leave_in_the_order_that_is_foretold)
{
	enum { FRAMES = 40 };
	frame_t	      told[FRAMES], f = NIL;
	unsigned      n = 0;
	struct cache *c = &player.cache;

	give_skew();
	start("opt", FRAMES);
	for (int i = 0; i < LENGTH - 200 * _i; i++)
		demand(given.ref[i]);
	for (frame_t pinned = 3; pinned <= FRAMES; pinned += 5)
		c->frame[pinned].flags |= FRAME_INFLIGHT;
	while ((f = player.policy->leaves(player.self, c, f)))
		told[n++] = f;
	ck_assert_uint_eq(n, FRAMES - FRAMES / 5);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(player.policy->evict(player.self, c, 0), told[i]);
	ck_assert_uint_eq(player.policy->leaves(player.self, c, NIL), NIL);
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("opt");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, no_other_choice_of_victims_gives_more_hits);
	tcase_add_test(tests, of_a_loop_of_n_blocks_c_less_1_of_n_less_1_references_hit);
	tcase_add_test(tests, a_larger_cache_never_hits_less);
	tcase_add_test(tests, of_blocks_without_a_future_the_one_touched_longest_ago_goes);
	tcase_add_test(tests, with_prefetching_lru_may_hit_more);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetched_block_ranks_by_its_next_demand_reference);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_loop_test(tests, frames_leave_in_the_order_that_is_foretold, 0, 5);
	return run_tests("opt", tests);
}
