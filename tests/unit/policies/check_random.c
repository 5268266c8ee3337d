/* check_random.c - random replacement: every frame alike, the same on every machine. */
#include <math.h>

#include "tests/unit/policies/player.h"

/* Of one frame each, how often it was evicted. */
static uint64_t victims[BLOCKS + 1];

static void
count_victims(const char *setting, frame_t frames, unsigned evictions)
{
	memset(victims, 0, sizeof(victims));
	start(setting, frames);
	for (block_t b = 1; b <= frames; b++)
		demand(b);
	for (unsigned i = 0; i < evictions; i++) {
		frame_t f = evict(NIL);

		victims[f]++;
		player.policy->insert(player.self, &player.cache, f, NULL);
	}
	finish();
}

START_TEST(every_frame_goes_equally_often)
{
	enum { FRAMES = 100, TIMES = 1000 };
	double square = 0;

	count_victims("random", FRAMES, FRAMES * TIMES);
	for (frame_t f = 1; f <= FRAMES; f++)
		square += pow((double)victims[f] - TIMES, 2) / TIMES;
	ck_assert_double_gt(square, 60); /* chi-squared of 99 degrees: 99 on average */
	ck_assert_double_lt(square, 150);
}
END_TEST

START_TEST(every_frame_follows_every_other_equally_often)
{
	enum { FRAMES = 8, TIMES = 1000 };
	uint64_t pair[FRAMES + 1][FRAMES + 1] = { { 0 } };
	frame_t	 last = 1;
	double	 square = 0;

	start("random:seed=3", FRAMES);
	play("1 2 3 4 5 6 7 8");
	for (unsigned i = 0; i < FRAMES * FRAMES * TIMES; i++) {
		frame_t f = evict(NIL);

		pair[last][f]++;
		last = f;
		player.policy->insert(player.self, &player.cache, f, NULL);
	}
	finish();
	for (frame_t f = 1; f <= FRAMES; f++)
		for (frame_t g = 1; g <= FRAMES; g++)
			square += pow((double)pair[f][g] - TIMES, 2) / TIMES;
	ck_assert_double_gt(square, 30); /* 63 on average */
	ck_assert_double_lt(square, 110);
}
END_TEST

/*
 * In a loop of n blocks, with h of the references hits, a block survives the
 * n (1 - h) misses until its next reference with h = (1 - 1/c)^(n (1 - h)).
 */
static double
expected_share(double n, double c)
{
	double h = 0.5;

	for (unsigned i = 0; i < 1000; i++)
		h = pow(1 - 1 / c, n * (1 - h));
	return h;
}

START_TEST(a_loop_hits_as_often_as_computed)
{
	enum { BLOCKS_OF_LOOP = 200, FRAMES = 100, PASSES = 500 };
	uint64_t hits;

	start("random", FRAMES);
	for (unsigned i = 0; i < BLOCKS_OF_LOOP * PASSES; i++)
		demand(1 + i % BLOCKS_OF_LOOP);
	hits = player.hits;
	finish();
	ck_assert_double_eq_tol((double)hits / (BLOCKS_OF_LOOP * PASSES),
	    expected_share(BLOCKS_OF_LOOP, FRAMES), 0.005);
}
END_TEST

static void
victims_in_order(char *text, size_t size, const char *setting)
{
	order_after(text, size, setting, "1 2 3 4 5 6 7 8 9");
}

START_TEST(a_seed_gives_its_victims)
{
	static const char *const known = "6 9 8 3";
	char			 text[64], other[64];
	unsigned		 equal = 0;

	victims_in_order(text, sizeof(text), "random");
	ck_assert_str_eq(text, known);
	for (unsigned seed = 0; seed < 100; seed++) {
		char setting[64];

		snprintf(setting, sizeof(setting), "random:seed=%u", seed);
		victims_in_order(text, sizeof(text), setting);
		victims_in_order(other, sizeof(other), setting);
		ck_assert_str_eq(text, other);
		equal += !strcmp(text, known);
	}
	ck_assert_uint_lt(equal, 10);
}
END_TEST

START_TEST(a_frame_without_a_block_or_in_flight_never_goes)
{
	start("random", 8);
	for (unsigned i = 0; i < 200; i++) {
		play("1 2 3 4 5 6 7 8");
		drop(3);
		fly(5, true);
		for (block_t left = 6; left; left--) {
			frame_t f = evict(NIL);

			ck_assert_uint_ne(player.cache.frame[f].block, 5);
			cache_vacate(&player.cache, f);
		}
		fly(5, false);
	}
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("random");

	tcase_add_test(tests, every_frame_goes_equally_often);
	tcase_add_test(tests, every_frame_follows_every_other_equally_often);
	tcase_add_test(tests, a_loop_hits_as_often_as_computed);
	tcase_add_test(tests, a_seed_gives_its_victims);
	tcase_add_test(tests, a_frame_without_a_block_or_in_flight_never_goes);
	return run_tests("random", tests);
}
