/*
 * check_policies.c - what policy.h promises of every replacement policy that
 * is registered, with every parameter at its ends.
 */
#include "tests/unit/policies/player.h"

/* Everything that is registered. */
static struct settings all;

START_TEST(with_all_frames_but_one_in_flight_that_one_goes)
{
	enum { FRAMES = 9 };

	for (unsigned p = 0; p < all.n; p++) {
		for (block_t free_block = 1; free_block <= FRAMES; free_block++) {
			start(all.text[p], FRAMES);
			play("1 2 +3 4 +5 6 7 8 9 2 4 4 6 3 8 9");
			for (block_t b = 1; b <= FRAMES; b++)
				fly(b, b != free_block);
			demand(FRAMES + 1);
			ck_assert_uint_eq(cache_find(&player.cache, free_block), NIL);
			ck_assert_uint_ne(cache_find(&player.cache, FRAMES + 1), NIL);
			finish();
		}
	}
}
END_TEST

/* ---- conformance of every policy ---- */

/* The map and the frames agree, and no frame is used that was not asked for. */
static void
check_cache(const char *name)
{
	const struct cache *c = &player.cache;
	frame_t		    resident = 0;

	REQUIRE(c->nused <= c->nframes, "%s uses %u frames of %u", name, c->nused, c->nframes);
	for (block_t b = 1; b <= BLOCKS; b++) {
		frame_t f = cache_find(c, b);

		REQUIRE(!f || c->frame[f].block == b, "%s confuses block %u", name, b);
		resident += f != NIL;
	}
	for (frame_t f = c->vacant; f; f = c->frame[f].next)
		resident++;
	REQUIRE(resident == c->nused, "%s lost a frame", name);
}

/* How the next block is chosen. */
enum draft_kind { RANDOM, SKEWED, LOOPING, SAWTOOTH, JUST_EVICTED, ONE, SHAPES };

static block_t
next_block(enum draft_kind shape, unsigned i, frame_t frames, uint64_t *seed)
{
	uint32_t u = random_below(seed, 1000), v = random_below(seed, 1000);

	switch (shape) {
	case SKEWED:
		return 1 + u * v / 1000 * BLOCKS / 1000;
	case LOOPING:
		return 1 + i % (frames + 1);
	case SAWTOOTH:
		return 1 + (i / frames % 2 ? i % frames : frames - i % frames) % BLOCKS;
	case JUST_EVICTED:
		for (block_t b = 1; b <= frames + 1; b++)
			if (!cache_find(&player.cache, b))
				return b;
		return 1;
	case ONE:
		return 1 + i / 100 % 2;
	default:
		return 1 + u % (frames + frames / 2 + 2);
	}
}

/* Keep one frame free of I/O; start or complete that of another block. */
static void
toggle_flight(block_t b, frame_t *flying)
{
	frame_t	      f = cache_find(&player.cache, b);
	struct frame *fr = &player.cache.frame[f];

	if (f && fr->flags & FRAME_INFLIGHT) {
		fr->flags &= (uint8_t)~FRAME_INFLIGHT;
		--*flying;
	} else if (f && *flying + 1 < player.cache.nframes) {
		fr->flags |= FRAME_INFLIGHT;
		++*flying;
	}
}

static uint64_t
conform(unsigned setting, enum draft_kind shape, frame_t frames, enum insert_at ahead)
{
	uint64_t seed = 100 * frames + shape, hits;
	frame_t	 flying = 0;

	start_with(all.text[setting], frames, ahead);
	for (unsigned i = 0; i < 1000; i++) {
		block_t b = next_block(shape, i, frames, &seed);

		if (random_below(&seed, 4) == 0)
			prefetch(1 + (b + random_below(&seed, 3)) % BLOCKS);
		if (random_below(&seed, 3) == 0)
			toggle_flight(1 + random_below(&seed, frames + 2), &flying);
		if (random_below(&seed, 8) == 0)
			drop(1 + random_below(&seed, frames + 2));
		demand(b);
		REQUIRE(cache_find(&player.cache, b), "%s did not let %u in", all.text[setting], b);
		if (i % 8 == 0 || i == 999)
			check_cache(all.text[setting]);
	}
	hits = player.hits;
	finish();
	return hits;
}

START_TEST(every_policy_keeps_to_its_frames_on_random_and_adversarial_strings)
{
	static const frame_t size[] = { 1, 2, 3, 4, 8, 16, 50, 100 };

	for (unsigned p = 0; p < all.n; p++)
		for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++)
			for (enum draft_kind shape = 0; shape < SHAPES; shape++)
				conform(p, shape, size[i], INSERT_HEAD);
}
END_TEST

START_TEST(every_policy_gives_the_same_hits_twice)
{
	for (unsigned p = 0; p < all.n; p++)
		for (enum draft_kind shape = 0; shape < SHAPES; shape++)
			ck_assert_uint_eq(conform(p, shape, 10, INSERT_HEAD),
			    conform(p, shape, 10, INSERT_HEAD));
}
END_TEST

/* Does --insert have that place for the policy? */
static bool
has_place(const char *setting, enum insert_at ahead)
{
	struct error	     e;
	const char	    *params;
	const struct policy *p = (const void *)registry_find(PLUGIN_POLICY, setting, &params, &e);

	return policy_has_place(p, ahead);
}

START_TEST(every_place_where_prefetched_blocks_may_enter_keeps_to_the_frames)
{
	static const frame_t size[] = { 1, 2, 5, 16, 50 };

	for (unsigned p = 0; p < all.n; p++)
		for (enum insert_at ahead = INSERT_MIDDLE; ahead <= INSERT_TAIL; ahead++)
			for (unsigned i = 0; has_place(all.text[p], ahead) && i < 5 * SHAPES; i++)
				conform(p, i % SHAPES, size[i / SHAPES], ahead);
}
END_TEST

/* In a full cache and in one that is not; after that all goes on as without it. */
START_TEST(a_prefetched_block_that_enters_at_the_tail_is_the_next_victim)
{
	unsigned found = 0;

	for (const struct plugin *const *p = PLUGIN_POLICY->list; *p; p++) {
		if (!has_place((*p)->name, INSERT_TAIL))
			continue;
		start_with((*p)->name, 8, INSERT_TAIL);
		play("1 2 3 +4 5 6 7 8 9");
		REQUIRE(!cache_find(&player.cache, 4), "%s keeps 4", (*p)->name);
		for (block_t b = 10; b < 20; b++) {
			prefetch(b);
			REQUIRE(b == 10 || !cache_find(&player.cache, b - 1), "%s keeps %u",
			    (*p)->name, b - 1);
		}
		ck_assert_uint_eq(player.wasted, 10);
		finish();
		found++;
	}
	ck_assert_uint_gt(found, 1);
}
END_TEST

START_TEST(every_policy_hits_everything_once_the_cache_holds_it_all)
{
	give_skew();
	for (unsigned p = 0; p < all.n; p++) {
		start(all.text[p], SKEW_BLOCKS);
		ck_assert_uint_eq(replay_all(), LENGTH - SKEW_BLOCKS);
	}
}
END_TEST

START_TEST(every_policy_replays_as_it_steps)
{
	give_skew();
	for (unsigned p = 0; p < all.n; p++) {
		for (frame_t c = 1; c < SKEW_BLOCKS; c += 3) {
			uint64_t stepped;

			start(all.text[p], c);
			for (unsigned i = 0; i < LENGTH; i++)
				demand(given.ref[i]);
			stepped = player.hits;
			finish();
			start(all.text[p], c);
			ck_assert_uint_eq(replay_all(), stepped);
		}
	}
}
END_TEST

/* ---- strings of all kinds ---- */

/* Skewed, random, in runs and loops, in this order. */
static void
make_references(block_t ref[LENGTH], unsigned kind)
{
	uint64_t seed = kind;

	make_skew(ref);
	for (unsigned i = 0; kind && i < LENGTH; i++) {
		if (kind == 1 || i % 100 == 0)
			ref[i] = 1 + random_below(&seed, SKEW_BLOCKS);
		else if (kind == 2)
			ref[i] = 1 + ref[i - 1] % SKEW_BLOCKS;
		else
			ref[i] = 1 + i % (10 + i / 100);
	}
}

/* ---- samples of the blocks ---- */

/* Blocks that lay beside each other no longer do. */
static void
renumber(block_t ref[LENGTH])
{
	for (unsigned i = 0; i < LENGTH; i++)
		ref[i] = 1 + ref[i] * 101u % BLOCKS;
}

START_TEST(a_policy_that_a_sample_shows_does_not_look_at_the_numbers_of_blocks)
{
	static const frame_t size[] = { 1, 5, 20, 50 };
	block_t		     ref[LENGTH];

	for (unsigned p = 0; p < all.n; p++)
		for (unsigned i = 0; i < 4 * sizeof(size) / sizeof(*size); i++) {
			uint64_t hits;

			make_references(ref, i % 4);
			hits = replay(all.text[p], size[i / 4], ref);
			renumber(ref);
			REQUIRE(player.policy->unsampled ||
				replay(all.text[p], size[i / 4], ref) == hits,
			    "%s looks at the numbers of blocks, and its .unsampled does not say so",
			    all.text[p]);
		}
}
END_TEST

/* ---- the optimum ---- */

START_TEST(no_policy_hits_more_than_opt_without_prefetching)
{
	static const frame_t size[] = { 1, 2, 3, 5, 8, 13, 21, 34, 55 };
	block_t		     ref[LENGTH];

	for (unsigned kind = 0; kind < 4; kind++) {
		make_references(ref, kind);
		for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++) {
			uint64_t optimum = replay("opt", size[i], ref);

			for (unsigned p = 0; p < all.n; p++) {
				uint64_t hits = replay(all.text[p], size[i], ref);

				REQUIRE(hits <= optimum, "%s hits more than opt with %u frames",
				    all.text[p], size[i]);
			}
		}
	}
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_test(tests, with_all_frames_but_one_in_flight_that_one_goes);
	tcase_add_test(tests, every_policy_keeps_to_its_frames_on_random_and_adversarial_strings);
	tcase_add_test(tests, every_policy_gives_the_same_hits_twice);
	tcase_add_test(tests, every_place_where_prefetched_blocks_may_enter_keeps_to_the_frames);
	tcase_add_test(tests, a_prefetched_block_that_enters_at_the_tail_is_the_next_victim);
	tcase_add_test(tests, every_policy_hits_everything_once_the_cache_holds_it_all);
	tcase_add_test(tests, every_policy_replays_as_it_steps);
	tcase_add_test(tests, a_policy_that_a_sample_shows_does_not_look_at_the_numbers_of_blocks);
	tcase_add_test(tests, no_policy_hits_more_than_opt_without_prefetching);
}

int
main(void)
{
	TCase *tests = tcase_create("policies");

	give_skew();
	settings_all(&all, PLUGIN_POLICY);
	add_tests(tests);
	return run_tests("policies", tests);
}
