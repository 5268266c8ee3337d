/* check_wtinylfu.c - W-TinyLFU: known answers, its lists, its counts, and a slow model of it. */
#include "tests/unit/policies/player.h"

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&(struct row){ "wtinylfu:window=1b", 4, 5, 9, 8, 880, ".H..HH.H...", 3 });
}
END_TEST

START_TEST(the_lists_after_a_scan_are_known)
{
	start("wtinylfu:window=1b", 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "10 3 1 2"); /* W 10, A 3, B 2 1 */
	finish();
}
END_TEST

START_TEST(a_window_of_the_whole_cache_is_lru)
{
	char lru[LENGTH];

	give_skew();
	for (frame_t c = 1; c <= SKEW_BLOCKS; c++) {
		start("lru", c);
		for (unsigned i = 0; i < LENGTH; i++)
			demand(given.ref[i]);
		memcpy(lru, player.marks, LENGTH);
		finish();
		start("wtinylfu:window=100%", c);
		for (unsigned i = 0; i < LENGTH; i++)
			demand(given.ref[i]);
		ck_assert(!memcmp(lru, player.marks, LENGTH));
		finish();
	}
}
END_TEST

/* After c blocks, one reference each, the oldest of the window goes first: a tie. */
START_TEST(a_window_that_is_not_given_holds_32_blocks_or_half_the_cache)
{
	static const struct {
		const char *setting;
		frame_t	    cache, window;
	} sizes[] = { { "wtinylfu", 2, 1 }, { "wtinylfu", 3, 1 }, { "wtinylfu", 40, 20 },
		{ "wtinylfu", 63, 31 }, { "wtinylfu", 64, 32 }, { "wtinylfu", 200, 32 },
		{ "wtinylfu:window=1%", 40, 1 }, { "wtinylfu:window=5b", 40, 5 },
		{ "wtinylfu:window=90%", 40, 36 } };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		start(sizes[i].setting, sizes[i].cache);
		for (block_t b = 1; b <= sizes[i].cache; b++)
			demand(b);
		demand(sizes[i].cache + 1);
		ck_assert(!cache_find(&player.cache, sizes[i].cache - sizes[i].window + 1));
		finish();
	}
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("wtinylfu");
	check_prefetch_counts_once("wtinylfu:window=1b");
	check_prefetch_counts_once("wtinylfu:window=1b,sketch=1");
}
END_TEST

START_TEST(prefetches_do_not_make_a_block_frequent)
{
	start("wtinylfu:window=1b", 2);
	play("1 1 2 3 4 3 4 3 5"); /* the third of 3 is more than 1 has */
	ck_assert(!cache_find(&player.cache, 1));
	finish();
	start("wtinylfu:window=1b", 2);
	play("1 1 2 +3 +4 +3 +4 +3 5");
	ck_assert(cache_find(&player.cache, 1));
	finish();
}
END_TEST

START_TEST(frames_in_flight_are_passed_over)
{
	start("wtinylfu:window=100%", 4);
	check_passes_over();
	finish();
	start("wtinylfu:window=1b", 4);
	play("1 2 3 4");
	fly(4, true); /* the window */
	demand(5);
	ck_assert(!cache_find(&player.cache, 1));
	fly(2, true);
	fly(3, true);
	demand(6);
	ck_assert(!cache_find(&player.cache, 5));
	finish();
}
END_TEST

/* ---- a model that searches arrays and halves all counts at once ---- */

struct ordered {
	block_t	 block[BLOCKS]; /* newest first */
	unsigned n;
};

static struct {
	struct ordered window, probation, protected;
	unsigned       window_most, protected_most, frames;
	unsigned       count[BLOCKS + 1], counted;
	bool	       unused[BLOCKS + 1];
} model;

static bool
take(struct ordered *l, block_t b)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->block[i] == b) {
			memmove(&l->block[i], &l->block[i + 1], (--l->n - i) * sizeof(block_t));
			return true;
		}
	return false;
}

static void
put(struct ordered *l, block_t b)
{
	memmove(&l->block[1], &l->block[0], l->n++ * sizeof(block_t));
	l->block[0] = b;
}

static block_t
last(const struct ordered *l)
{
	return l->n ? l->block[l->n - 1] : 0;
}

static void
model_count(block_t b)
{
	if (model.count[b] == 15)
		return;
	model.count[b]++;
	if (++model.counted < 10 * model.frames)
		return;
	model.counted /= 2;
	for (block_t i = 1; i <= BLOCKS; i++)
		model.count[i] /= 2;
}

static void
model_hit(block_t b)
{
	if (take(&model.probation, b)) {
		put(&model.protected, b);
		if (model.protected.n > model.protected_most) {
			block_t demoted = last(&model.protected);

			take(&model.protected, demoted);
			put(&model.probation, demoted);
		}
	} else if (take(&model.protected, b)) {
		put(&model.protected, b);
	} else if (take(&model.window, b)) {
		put(&model.window, b);
	}
}

static void
model_make_room(void)
{
	struct ordered *rest = model.probation.n ? &model.probation : &model.protected;
	block_t		candidate = last(&model.window), victim = last(rest);

	if (model.window.n + model.probation.n + model.protected.n < model.frames)
		return;
	if (model.window.n < model.window_most) {
		take(rest, victim);
	} else {
		take(&model.window, candidate);
		if (victim && model.count[candidate] > model.count[victim]) {
			take(rest, victim);
			put(&model.probation, candidate);
		}
	}
}

static bool
model_resident(block_t b)
{
	const struct ordered *all[] = { &model.window, &model.probation, &model.protected };

	for (unsigned l = 0; l < 3; l++)
		for (unsigned i = 0; i < all[l]->n; i++)
			if (all[l]->block[i] == b)
				return true;
	return false;
}

static bool
model_reference(block_t b, bool ahead)
{
	bool hit = model_resident(b);

	if (ahead && hit)
		return true;
	if (!ahead)
		model_count(b);
	if (hit && !model.unused[b])
		model_hit(b);
	model.unused[b] = ahead;
	if (hit)
		return true;
	model_make_room();
	put(&model.window, b);
	if (model.window.n > model.window_most) {
		block_t oldest = last(&model.window);

		take(&model.window, oldest);
		put(&model.probation, oldest);
	}
	return false;
}

static void
compare(const char *setting, frame_t c, unsigned window, unsigned protected)
{
	uint64_t seed = c;

	memset(&model, 0, sizeof(model));
	model.frames = c;
	model.window_most = window;
	model.protected_most = protected;
	start(setting, c);
	for (unsigned i = 0; i < 20000; i++) {
		block_t b =
		    1 + random_below(&seed, 1 + random_below(&seed, 3 * c + 9)) + i / 2000 * 3;
		bool ahead = random_below(&seed, 5) == 0, hit;

		hit = model_reference(b, ahead);
		REQUIRE(hit == (cache_find(&player.cache, b) != NIL), "%s, %u frames, step %u",
		    setting, c, i);
		if (ahead)
			prefetch(b);
		else
			demand(b);
	}
	finish();
}

START_TEST(a_slow_model_has_the_same_hits)
{
	for (frame_t c = 2; c < 70; c += 3) {
		unsigned main = c - 1;

		compare("wtinylfu:window=1b", c, 1, main * 8 / 10 ? main * 8 / 10 : 1);
		compare("wtinylfu:window=1b,protected=50%", c, 1, main / 2 ? main / 2 : 1);
		compare("wtinylfu:window=50%,protected=0", c, c / 2, 1);
		compare("wtinylfu:window=50%,protected=1", c, c / 2, c - c / 2);
	}
}
END_TEST

/* ---- the sketch ---- */

START_TEST(a_sketch_with_room_counts_as_exactly)
{
	block_t skew[LENGTH];

	make_skew(skew);
	for (frame_t c = 33; c < SKEW_BLOCKS; c++)
		ck_assert_uint_eq(replay("wtinylfu:window=1b,sketch=1", c, skew),
		    replay("wtinylfu:window=1b", c, skew));
}
END_TEST

START_TEST(a_crowded_sketch_is_nearly_as_good)
{
	block_t skew[LENGTH];

	make_skew(skew);
	for (frame_t c = 1; c < 32; c++)
		ck_assert_uint_ge(11 * replay("wtinylfu:window=1b,sketch=1", c, skew),
		    10 * replay("wtinylfu:window=1b", c, skew));
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("wtinylfu");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, the_lists_after_a_scan_are_known);
	tcase_add_test(tests, a_window_of_the_whole_cache_is_lru);
	tcase_add_test(tests, a_window_that_is_not_given_holds_32_blocks_or_half_the_cache);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, prefetches_do_not_make_a_block_frequent);
	tcase_add_test(tests, frames_in_flight_are_passed_over);
	tcase_add_test(tests, a_slow_model_has_the_same_hits);
	tcase_add_test(tests, a_sketch_with_room_counts_as_exactly);
	tcase_add_test(tests, a_crowded_sketch_is_nearly_as_good);
	return run_tests("wtinylfu", tests);
}
