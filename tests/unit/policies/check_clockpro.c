/* check_clockpro.c - CLOCK-Pro: known answers, its circle, a slow model, its parameters. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "clockpro:cold=1b", 4, 5, 9, 8, 840, ".H.H.H.....", 3 },
	{ "clockpro", 4, 5, 9, 8, 835, ".H.H.H.....", 3 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(a_loop_hits_as_often_as_there_are_hot_blocks)
{
	ck_assert_str_eq(hits_of_passes("clockpro:cold=1b", 6, 10, 4), "0 5 5 5");
	ck_assert_str_eq(hits_of_passes("clockpro:cold=1b", 9, 10, 4), "0 8 8 8");
	ck_assert_str_eq(hits_of_passes("clockpro:cold=1b", 20, 25, 4), "0 19 19 19");
	ck_assert_str_eq(hits_of_passes("clockpro:cold=1b", 100, 199, 4), "0 99 99 99");
	ck_assert_str_eq(hits_of_passes("clockpro", 100, 250, 4), "0 75 75 75");
}
END_TEST

/* ---- the circle ---- */

/* The blocks of which a string leaves ghosts in four frames, as "4 5 9". */
static const char *
ghosts_after(const char *string)
{
	static char text[8 * BLOCKS];
	size_t	    n = 0;

	text[0] = '\0';
	for (block_t b = 1; b <= BLOCKS; b++) {
		start("clockpro:cold=1b", 4);
		play(string);
		if (!cache_find(&player.cache, b) &&
		    player.policy->miss(player.self, &player.cache, b, true, NULL))
			n += (size_t)snprintf(text + n, sizeof(text) - n, n ? " %u" : "%u", b);
		finish();
	}
	return text;
}

/* The order in which the blocks that a string leaves in four frames go. */
static const char *
order(const char *string)
{
	return order_of("clockpro:cold=1b", 4, string);
}

START_TEST(the_circle_after_a_scan_is_known)
{
	/* From the hot hand: 1 and 2 hot with bits, 3 hot, ghosts 6 7 8 9, 10 cold. */
	ck_assert_str_eq(ghosts_after(SCAN), "6 7 8 9");
	ck_assert_str_eq(order(SCAN), "10 3 1 2");
}
END_TEST

START_TEST(a_ghost_that_comes_back_is_hot)
{
	ck_assert_str_eq(order("1 2 3 4 5"), "5 1 2 3");
	ck_assert_str_eq(order("1 2 3 4 5 4"), "1 2 3 4");
}
END_TEST

START_TEST(a_block_that_is_thrown_out_leaves_no_ghost)
{
	start("clockpro:cold=1b", 4);
	play("1 2 3 4");
	drop(4);
	drop(2);
	play("5 6 4 2");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once_in_a_full_cache)
{
	static const char *const pair[][2] = {
		{ "1 2 3 4 5", "1 2 3 4 +5 5" },
		{ "1 2 3 4 2 3 5", "1 2 3 4 2 3 +5 5" },
		{ "1 2 3 4 5 5 6", "1 2 3 4 +5 5 5 6" },
		{ "1 1 2 3 2 4 4 5 6", "1 1 2 3 2 4 4 +5 5 +6 6" },
	};
	char plain[8 * BLOCKS];

	for (unsigned i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		snprintf(plain, sizeof(plain), "%s", order(pair[i][0]));
		ck_assert_str_eq(plain, order(pair[i][1]));
		snprintf(plain, sizeof(plain), "%s", ghosts_after(pair[i][0]));
		ck_assert_str_eq(plain, ghosts_after(pair[i][1]));
	}
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	ck_assert_str_eq(ghosts_after("+1 2 3 4 5"), "");
	ck_assert_str_eq(ghosts_after("+1 1 2 3 4 5"), "1");
}
END_TEST

START_TEST(a_prefetched_block_that_was_a_ghost_stays_once_it_is_used)
{
	ck_assert_str_eq(order("1 2 3 4 5 +4 4 6"), "6 2 3 4");
	ck_assert_str_eq(order("1 2 3 4 5 +7 7 6"), "6 1 2 3");
	ck_assert_str_eq(order("1 2 3 4 5 +4 6"), "6 1 2 3");
}
END_TEST

/* ---- blocks in flight ---- */

START_TEST(cold_blocks_in_flight_are_passed_over)
{
	start("clockpro:cold=4b", 5);
	play("1 +2 +3 +4 +5");
	fly(2, true);
	fly(4, true);
	demand(6);
	ck_assert_uint_eq(cache_find(&player.cache, 3), NIL);
	fly(2, false);
	demand(7);
	ck_assert_uint_eq(cache_find(&player.cache, 5), NIL);
	finish();
}
END_TEST

START_TEST(a_hot_block_goes_if_all_cold_ones_are_in_flight)
{
	start("clockpro:cold=2b", 5);
	play("1 2 3 4 5 1 2 3");
	fly(4, true);
	fly(5, true);
	fly(1, true);
	demand(6);
	ck_assert_uint_eq(cache_find(&player.cache, 2), NIL);
	fly(6, true);
	demand(7);
	ck_assert_uint_eq(cache_find(&player.cache, 3), NIL);
	finish();
}
END_TEST

START_TEST(too_many_hot_blocks_in_flight_stay_hot)
{
	start("clockpro:cold=1b", 4);
	play("1 2 3 4 5");
	for (block_t b = 1; b <= 3; b++)
		fly(b, true);
	demand(4); /* had a ghost, but is the only hot block that can become cold */
	ck_assert_uint_eq(cache_find(&player.cache, 5), NIL);
	demand(6);
	ck_assert_uint_eq(cache_find(&player.cache, 4), NIL);
	demand(7);
	ck_assert_uint_eq(cache_find(&player.cache, 6), NIL);
	finish();
}
END_TEST

/* ---- a slow CLOCK-Pro: the circle is an array, the hot hand points to its beginning ---- */

enum kind { GHOST, HOT, COLD };

struct entry {
	block_t	  block;
	enum kind kind;
	bool	  bit, test, ahead, was_ghost;
};

static struct {
	struct entry entry[3 * BLOCKS];
	unsigned     n, cold, test; /* hands */
	unsigned     count[3], target, least, nframes;
	bool	     filled;
} slow;

static struct entry *
slow_find(block_t b)
{
	for (unsigned i = 0; i < slow.n; i++)
		if (slow.entry[i].block == b)
			return &slow.entry[i];
	return NULL;
}

static struct entry
slow_take(struct entry *e)
{
	struct entry taken = *e;
	unsigned     i = (unsigned)(e - slow.entry);

	slow.n--;
	memmove(e, e + 1, (slow.n - i) * sizeof(*e));
	slow.cold -= slow.cold > i;
	slow.test -= slow.test > i;
	slow.count[taken.kind]--;
	return taken;
}

static void
slow_push(struct entry e)
{
	slow.cold = slow.cold ? slow.cold : slow.n;
	slow.test = slow.test ? slow.test : slow.n;
	slow.entry[slow.n++] = e;
	slow.count[e.kind]++;
}

static void
slow_lower(void)
{
	slow.target -= slow.target > slow.least;
}

static void
slow_raise(void)
{
	slow.target += slow.target + 1 < slow.nframes;
}

/* True: it was a ghost, and is gone. */
static bool
slow_end_test(struct entry *e)
{
	if (e->kind == GHOST) {
		slow_take(e);
		slow_lower();
		return true;
	}
	if (e->kind == COLD && e->test && !e->bit)
		slow_lower();
	e->test = false;
	return false;
}

static void
slow_cool(void)
{
	struct entry *e = slow.entry;

	while (e->kind != HOT || e->bit) {
		struct entry first;

		if (e->kind == HOT)
			e->bit = false;
		else if (slow_end_test(e))
			continue;
		first = *e;
		memmove(e, e + 1, (slow.n - 1) * sizeof(*e));
		slow.entry[slow.n - 1] = first;
		slow.cold = slow.cold ? slow.cold - 1 : slow.n - 1;
		slow.test = slow.test ? slow.test - 1 : slow.n - 1;
	}
	e->kind = COLD;
	e->test = false;
	slow.count[HOT]--;
	slow.count[COLD]++;
}

static void
slow_balance(void)
{
	while (slow.count[HOT] > slow.nframes - slow.target)
		slow_cool();
}

static void
slow_evict(void)
{
	slow.filled = true;
	for (;;) {
		struct entry *e, spared;

		if (!slow.count[COLD])
			slow_cool();
		slow.cold %= slow.n;
		e = &slow.entry[slow.cold];
		if (e->kind != COLD) {
			slow.cold++;
		} else if (e->bit) {
			spared = slow_take(e);
			spared.bit = false;
			if (spared.test) {
				slow_raise();
				spared.kind = HOT;
				spared.test = false;
				slow_push(spared);
				slow_balance();
			} else {
				spared.test = true;
				slow_push(spared);
			}
		} else if (!e->test || e->ahead) {
			slow_take(e);
			return;
		} else {
			e->kind = GHOST;
			slow.count[COLD]--;
			slow.count[GHOST]++;
			return;
		}
	}
}

/* Block b comes; kind: if not COLD, it had a ghost. */
static void
slow_come(block_t b, bool ahead)
{
	struct entry *e = slow_find(b), new = { .block = b, .kind = COLD, .ahead = ahead };

	if (e) {
		slow_take(e);
		if (!ahead)
			slow_raise();
	}
	if (slow.count[HOT] + slow.count[COLD] == slow.nframes)
		slow_evict();
	if (!ahead && (e || (!slow.filled && slow.count[HOT] < slow.nframes - slow.target)))
		new.kind = HOT;
	new.test = new.kind == COLD;
	new.was_ghost = e != NULL;
	slow_push(new);
	slow_balance();
	while (slow.count[GHOST] > slow.nframes) {
		slow.test %= slow.n;
		if (!slow_end_test(&slow.entry[slow.test]))
			slow.test++;
	}
}

/* True: a hit. */
static bool
slow_reference(block_t b, bool ahead)
{
	struct entry *e = slow_find(b);

	if (!e || e->kind == GHOST) {
		slow_come(b, ahead);
		return false;
	}
	if (!ahead) {
		e->bit = !e->ahead || e->was_ghost;
		e->ahead = false;
	}
	return true;
}

static void
slow_drop(block_t b)
{
	struct entry *e = slow_find(b);

	if (e && e->kind != GHOST)
		slow_take(e);
}

/* Random references, one of so many blocks ahead or thrown out. */
static void
compare_with_model(frame_t frames, unsigned cold, block_t blocks)
{
	uint64_t seed = frames + 1000 * cold + blocks;
	char	 setting[64];

	memset(&slow, 0, sizeof(slow));
	slow.nframes = frames;
	slow.target = slow.least = cold;
	snprintf(setting, sizeof(setting), "clockpro:cold=%ub", cold);
	start(setting, frames);
	for (unsigned i = 0; i < 5000; i++) {
		block_t	 b = 1 + random_below(&seed, blocks) * random_below(&seed, blocks) / blocks;
		unsigned kind = random_below(&seed, 30);

		if (kind == 0) {
			drop(b);
			slow_drop(b);
		} else if (kind < 4) {
			prefetch(b);
			slow_reference(b, true);
		} else {
			bool	 had_ghost = slow_find(b) && slow_find(b)->kind == GHOST;
			uint64_t ghosts = player.ghosts;

			REQUIRE(demand(b) == slow_reference(b, false),
			    "%s: reference %u to %u in %u frames", setting, i, b, frames);
			REQUIRE(player.ghosts - ghosts == had_ghost, "%s: ghost of %u", setting, b);
		}
		REQUIRE(slow.count[GHOST] <= frames, "%u ghosts", slow.count[GHOST]);
	}
	finish();
}

START_TEST(hits_and_ghosts_are_those_of_a_slow_model)
{
	static const unsigned sizes[][2] = { { 2, 1 }, { 3, 1 }, { 3, 2 }, { 10, 1 }, { 10, 3 },
		{ 10, 9 }, { 40, 10 }, { 100, 1 }, { 100, 25 }, { 100, 90 } };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (block_t blocks = 5; blocks <= BLOCKS; blocks *= 3)
			compare_with_model(sizes[i][0], sizes[i][1], blocks);
}
END_TEST

/* ---- parameters ---- */

START_TEST(impossible_sizes_are_refused)
{
	ck_assert_str_eq(refusal("clockpro:cold=4b", 4),
	    "cold of clockpro is at most 3 blocks in a cache of 4, not 4: "
	    "type less, a share such as 10%, or a larger cache");
	ck_assert_ptr_nonnull(
	    strstr(refusal("clockpro", UINT32_C(1) << 31), "choose a smaller cache"));
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, a_loop_hits_as_often_as_there_are_hot_blocks);
	tcase_add_test(tests, the_circle_after_a_scan_is_known);
	tcase_add_test(tests, a_ghost_that_comes_back_is_hot);
	tcase_add_test(tests, a_block_that_is_thrown_out_leaves_no_ghost);
	tcase_add_test(tests, a_prefetch_counts_once_in_a_full_cache);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, a_prefetched_block_that_was_a_ghost_stays_once_it_is_used);
	tcase_add_test(tests, cold_blocks_in_flight_are_passed_over);
	tcase_add_test(tests, a_hot_block_goes_if_all_cold_ones_are_in_flight);
	tcase_add_test(tests, too_many_hot_blocks_in_flight_stay_hot);
	tcase_add_test(tests, hits_and_ghosts_are_those_of_a_slow_model);
	tcase_add_test(tests, impossible_sizes_are_refused);
}

int
main(void)
{
	TCase *tests = tcase_create("clockpro");

	add_tests(tests);
	return run_tests("clockpro", tests);
}
