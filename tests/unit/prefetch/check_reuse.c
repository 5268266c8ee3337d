/*
 * check_reuse.c - later uses computed by hand.  A block takes 10 us, and a far
 * miss 90 us.
 */
#include "tests/unit/prefetch/counting.h"

enum { MISSED = 1, CACHED = 0 };

static struct prices *const p = &holder.prices;

static void
start(const char *text, uint32_t frames)
{
	start_with(text, frames);
	prices_finished(p,
	    &(struct finished){ .block = 1000,
		.count = 1,
		.demand = true,
		.done = 100,
		.transfer = 10 });
}

/* Block `index` of a call for blocks first .. last. */
static bool
use_in(uint32_t first, uint32_t last, uint32_t index, bool missed, bool next)
{
	const struct demand d = { .file = index / BLOCKS,
		.index = index,
		.first = first,
		.left = last - index + 1,
		.how = missed ? REF_MISS : REF_FIRST_HIT,
		.cache = &cache,
		.base = 1 };

	return reuse_demand(r, &d, next);
}

static bool
use(uint32_t index, bool missed)
{
	return use_in(index, index, index, missed, false);
}

static void
enter(uint32_t index, bool vetoed)
{
	reuse_enter(r, &cache, index / BLOCKS, 1 + index, reuse_clock(r, &cache), vetoed);
}

/* A demand finds the cache full for the first time. */
static void
fill(void)
{
	come(cache.nframes - cache.nused);
	use(LAST - 3, CACHED);
	ck_assert(r->full);
}

/* As many blocks have come since as it has frames. */
static void
renew(void)
{
	r->renewed = true;
}

static double
saves(double cost)
{
	return reuse_saves(r, &cache, 0, p, cost);
}

/* ---- entries and uses ---- */

START_TEST(an_entered_block_is_used_once)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start(NULL, 50);
		come(1);
		enter(7, vetoed);
		is(r->all.n, 1);
		ck_assert(!use(8, MISSED));
		ck_assert(use(7, vetoed));
		is(r->all.uses, 1);
		ck_assert(!use(7, vetoed));
		is(r->all.uses, 1);
	}
}
END_TEST

START_TEST(a_use_counts_while_the_block_would_be_in_the_cache)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start(NULL, 50);
		fill();
		enter(1, vetoed);
		come(50);
		ck_assert(!use(1, MISSED));
		enter(2, vetoed);
		come(49);
		ck_assert(use(2, MISSED));
	}
}
END_TEST

START_TEST(a_block_ages_from_its_plan)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++)
		for (uint32_t after = 49; after <= 50; after++) {
			uint32_t planned;

			start(NULL, 50);
			fill();
			planned = reuse_clock(r, &cache);
			come(30);
			reuse_enter(r, &cache, 0, 1 + 7, planned, vetoed);
			come(after - 30);
			ck_assert(use(7, MISSED) == (after < 50));
		}
}
END_TEST

START_TEST(vetoed_blocks_that_are_not_used_age_the_others)
{
	start(NULL, 50);
	fill();
	enter(1, READ);
	for (uint32_t i = 0; i < 50; i++)
		enter(100 + i, VETOED);
	ck_assert(!use(1, MISSED));
	ck_assert(use(101, MISSED));
	for (uint32_t i = 0; i < 50; i++)
		enter(200 + i, READ);
	ck_assert(use(149, MISSED));
}
END_TEST

START_TEST(a_block_is_entered_once_until_it_is_used_or_would_have_left)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start(NULL, 50);
		fill();
		enter(1, vetoed);
		for (unsigned i = 0; i < 49; i++) {
			come(1);
			enter(1, vetoed);
			enter(1, !vetoed);
			is(r->all.n, 1);
			ck_assert_uint_eq(r->vetoed, vetoed);
		}
		come(1);
		enter(1, vetoed);
		is(r->all.n, 2);
		use(1, MISSED);
		enter(1, vetoed);
		is(r->all.n, 3);
		ck_assert_uint_eq(r->vetoed, 3 * vetoed);
	}
}
END_TEST

START_TEST(entries_beyond_eight_prior_weights_count_half)
{
	start("stake=1", 50);
	fill();
	for (uint32_t i = 0; i < 8; i++)
		enter(i, READ);
	use(0, CACHED);
	use_in(1, 1, 1, CACHED, true);
	is(r->all.n, 8);
	enter(20, READ);
	is(r->all.n, 4.5);
	is(r->all.uses, 1);
	is(r->all.calls, .5);
	is(r->all.next_calls, .5);
}
END_TEST

/* ---- calls ---- */

START_TEST(a_use_saves_its_share_of_the_miss_of_its_call)
{
	for (unsigned next = 0; next < 2; next++) {
		start(NULL, 50);
		fill();
		enter(10, READ);
		enter(11, VETOED);
		for (uint32_t i = 9; i < 13; i++)
			use_in(9, 12, i, i == 11, next);
		is(r->all.uses, 2);
		is(r->all.calls, next ? 0 : 2 / 4.);
		is(r->all.next_calls, next ? 2 / 4. : 0);
	}
}
END_TEST

START_TEST(calls_of_used_blocks_are_saved_whole)
{
	start(NULL, 50);
	fill();
	for (uint32_t i = 10; i < 14; i++)
		enter(i, READ);
	use(10, CACHED);
	for (uint32_t i = 11; i < 14; i++)
		use_in(11, 13, i, CACHED, false);
	is(r->all.calls, 2);
	use(20, MISSED);
	is(r->all.calls, 2);
}
END_TEST

/* ---- a full cache ---- */

START_TEST(when_the_cache_is_full_counting_begins_anew)
{
	start("stake=8", 50);
	come(10);
	enter(1, READ);
	enter(2, READ);
	use(1, CACHED);
	is(r->all.n, 2);
	come(39);
	use(5, CACHED);
	ck_assert(!r->full);
	come(1);
	use(5, CACHED);
	ck_assert(r->full);
	is(r->all.n + r->all.uses + r->all.calls + r->all.next_calls, 0);
	ck_assert(use(2, CACHED)); /* it has not left */
	is(r->all.uses, 1);
	use(5, CACHED); /* only once */
	is(r->all.uses, 1);
}
END_TEST

/* It still has blocks of before; what they show is in the life table. */
START_TEST(until_it_is_replaced_uses_are_predicted)
{
	start("stake=8", 256);
	come(1);
	for (uint32_t i = 0; i < 8; i++)
		enter(i, READ);
	come(100);
	for (uint32_t i = 0; i < 4; i++)
		use(i, CACHED); /* at age 100, in the class of 64 to 191 */
	fill();
	is(r->all.n, 0);
	is(saves(0), 0); /* frames have no price yet */
	come(31);
	is(saves(0), 0);
	come(1);
	ck_assert_double_gt(saves(0), 0);
	is(reuse_seen(r, &cache, 0, p), 0); /* what stays is decided by counting */
	come(255 - 32);
	enter(20, READ);
	ck_assert(!r->renewed);
	come(1);
	enter(21, READ);
	ck_assert(r->renewed);
	is(saves(0), 0);
}
END_TEST

START_TEST(a_full_cache_has_priors_that_expect_nothing_new)
{
	start("stake=8", 1 << 10);
	come(1);
	enter(1, READ);
	ck_assert_double_gt(saves(100), 0);
	fill();
	is(saves(100), 0);
}
END_TEST

START_TEST(then_a_block_saves_the_transfers_and_misses_of_uses_by_entries)
{
	start("stake=8", 50);
	fill();
	renew();
	is(saves(1000), 0);
	enter(1, READ);
	enter(2, READ);
	is(saves(1000), 0);
	use(1, CACHED);
	is(saves(1000), (10 + 90.) / (2 + 2));
	use_in(2, 2, 2, CACHED, true); /* no request was near: MISS_NEXT is 0 */
	is(saves(1000), (2 * 10 + 90.) / (2 + 2));
	is(saves(0), (2 * 10 + 90.) / (2 + 2)); /* its cost says nothing */
}
END_TEST

START_TEST(a_file_is_first_believed_to_be_as_the_others)
{
	double others = 0;

	start("stake=8", 50);
	fill();
	renew();
	for (uint32_t i = 0; i < 4; i++)
		enter(BLOCKS + i, READ);
	for (uint32_t i = 0; i < 3; i++) {
		use(BLOCKS + i, CACHED);
		others = (i + 1) * 100. / (4 + 8);
		is(saves(0), others);
	}
	enter(1, READ);
	is(saves(0), others * 2 / (1 + 2));
	use(1, CACHED);
	is(saves(0), (100 + others * 2) / (1 + 2));
	is(reuse_saves(r, &cache, 1, p, 0), (300 + 100. / (1 + 8) * 2) / (4 + 2));
}
END_TEST

/* A file that entered nothing since has uses, but no entries to compare them with. */
START_TEST(uses_of_what_entered_before_the_cache_was_full_count_for_the_others)
{
	start("stake=8", 50);
	come(1);
	enter(1, READ);
	fill();
	use(1, CACHED);
	is(r->all.uses, 1);
	renew();
	is(saves(0), 100. / 8);
	enter(2, READ);
	use(2, CACHED);
	is(saves(0), (100 + 100. / 8 * 2) / (1 + 2));
}
END_TEST

START_TEST(what_was_planned_before_the_cache_was_full_enters_for_the_others)
{
	start("stake=8", 50);
	come(1);
	fill();
	reuse_enter(r, &cache, 0, 1 + 7, 1, READ);
	is(r->all.n, 1);
	is(r->own[0].n, 0);
	enter(8, READ);
	is(r->all.n, 2);
	is(r->own[0].n, 1);
}
END_TEST

/* ---- a cache that has room ---- */

START_TEST(before_a_use_is_seen_a_block_is_believed_to_be_worth_little_more_than_it_costs)
{
	start("stake=512", 1 << 10);
	come(1);
	is(saves(0), 0);
	enter(1, READ);
	is(saves(0), 0);
	/* Ages 64, 128, 256, 512, each twice as likely as the one before: 2 * cost / 4 first. */
	is(saves(1),
	    100 *
		(1 -
		    (1 - 2 / 101. / 4) * (1 - 4 / 101. / 4) * (1 - 8 / 101. / 4) *
			(1 - 16 / 101. / 4)));
	ck_assert(saves(1) > 1);
	is(saves(1e9), 100); /* a chance is at most 1 */
}
END_TEST

/* Of two ages, with a prior weight of 100 and a cost of 1.01, the first hazard is believed to be 0.01. */
static void
start_hazards(void)
{
	start("stake=100", 256);
	come(1);
	for (uint32_t i = 0; i < 100; i++)
		enter(i, READ);
}

START_TEST(a_hazard_is_what_was_used_of_what_reached_an_age)
{
	double young, old;

	start_hazards();
	for (uint32_t i = 0; i < 50; i++)
		use(i, CACHED);
	is(r->died[6], 50);
	come(59);
	is(saves(1.01), 100 * (1 - .99 * .98)); /* none has reached the first age */
	come(60);
	young = (50 + 100 * .01) / (100 + 100);
	is(saves(1.01), 100 * (1 - (1 - young) * (1 - 2 * young)));
	come(81);
	old = (0 + 100 * 2 * young) / (100 - 50 + 100);
	is(saves(1.01), 100 * (1 - (1 - young) * (1 - old)));
}
END_TEST

START_TEST(what_has_entered_a_moment_ago_has_not_reached_an_age)
{
	start_hazards();
	come(99);
	for (uint32_t i = 100; i < 200; i++)
		enter(i, READ);
	come(20);
	for (uint32_t i = 0; i < 30; i++)
		use(i, CACHED);
	is(r->died[7], 30);
	/* 100 of 200 have reached the first age, and none was used in it. */
	is(saves(1.01), 100 * (1 - (1 - 1. / 200) * (1 - 2. / 200)));
}
END_TEST

/* As the cache fills, an entry every so many blocks. */
START_TEST(entries_are_known_by_their_time)
{
	for (uint32_t frames = 200; frames < 3000; frames += 97) {
		uint32_t every = frames / 100, n = 0;

		start(NULL, frames);
		for (uint32_t clock = 1; clock < frames; clock++) {
			come(1);
			if (clock % every == 0)
				enter(clock, READ);
		}
		for (uint32_t clock = 0; clock < frames; clock += r->grain) {
			REQUIRE(clock / r->grain > r->at ||
				r->before[clock / r->grain] == (clock ? (clock - 1) / every : 0),
			    "%u of %u frames: %u", clock, frames, r->before[clock / r->grain]);
			n++;
		}
		ck_assert_uint_le(n, REUSE_GRAINS + 1);
		ck_assert_uint_eq(r->total, (frames - 1) / every);
	}
}
END_TEST

/* ---- what a frame costs ---- */

START_TEST(a_block_missed_soon_after_its_eviction_is_a_refault)
{
	static const struct {
		uint32_t others; /* evicted after it */
		bool	 missed;
		double	 refaults;
	} after[] = { { 0, MISSED, 1 }, { 9, MISSED, 1 }, { 10, MISSED, 0 }, { 30, MISSED, 0 },
		{ 5, CACHED, 0 } };

	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		start(NULL, 80); /* an eighth are 10 */
		fill();
		reuse_evicted(r, 1 + 7, false);
		come(after[i].others);
		use(7, after[i].missed);
		is(r->refaults, after[i].refaults);
		use(7, MISSED); /* once for each eviction, unless it was used in between */
		is(r->refaults, after[i].refaults + (after[i].missed ? 0 : 1));
	}
}
END_TEST

/* A plan has fetched it for the call, at an earlier block. */
/* The program does not need it: neither was it evicted early, nor would its frame have saved a miss. */
START_TEST(a_dropped_block_is_neither_a_refault_nor_a_use)
{
	for (unsigned dropped = 0; dropped < 2; dropped++) {
		start(NULL, 800);
		fill();
		enter(7, false);
		reuse_evicted(r, 1 + 8, true);
		if (dropped) {
			reuse_dropped(r, 1 + 7);
			reuse_dropped(r, 1 + 8);
		}
		ck_assert_int_eq(use(7, MISSED), !dropped);
		use(8, MISSED);
		is(r->refaults, !dropped);
		is(r->all.n, 1);
		is(r->all.uses, !dropped);
	}
}
END_TEST

START_TEST(a_miss_whose_read_was_submitted_before_is_a_refault)
{
	static const enum reference how[] = { REF_HIT, REF_FIRST_HIT, REF_LATE, REF_DELAYED,
		REF_MISS };

	for (size_t i = 0; i < sizeof(how) / sizeof(*how); i++) {
		const struct demand d = { .index = 7,
			.first = 6,
			.left = 1,
			.how = how[i],
			.absent = false,
			.cache = &cache,
			.base = 1 };

		start(NULL, 80);
		fill();
		reuse_evicted(r, 1 + 7, false);
		reuse_demand(r, &d, false);
		is(r->refaults, how[i] == REF_MISS ? 1 : 0);
	}
}
END_TEST

START_TEST(a_frame_costs_the_misses_that_one_less_would_cause)
{
	static const char *const near[] = { "near=1", "near=8", "near=80" };
	static const double	 part[] = { 1, 8, 80 };

	for (unsigned i = 0; i < 3; i++) {
		start(near[i], 80);
		fill();
		is(reuse_frame(r, &cache, p), 0);
		come(98);
		reuse_evicted(r, 1 + 7, false);
		use(7, MISSED);
		is(reuse_frame(r, &cache, p),
		    100 * part[i] / 100); /* of 99 evictions, and one more */
	}
}
END_TEST

/* Two of the four blocks of a call. */
START_TEST(a_refault_costs_a_transfer_and_its_share_of_the_miss_of_its_call)
{
	start(NULL, 80);
	fill();
	come(97);
	reuse_evicted(r, 1 + 11, false);
	reuse_evicted(r, 1 + 12, false);
	for (uint32_t i = 10; i < 14; i++)
		use_in(10, 13, i, MISSED, false);
	is(r->refaults, 2);
	is(reuse_frame(r, &cache, p), (2 * 10 + 2 / 4. * 90) * 8 / 100);
}
END_TEST

/* The n-th block of the sample, from 0. */
static block_t
sampled(uint32_t n)
{
	block_t b = 1;

	while (!reuse_samples(b) || n--)
		b++;
	ck_assert_uint_lt(b, LAST);
	return b;
}

static void
touch(block_t b)
{
	const struct demand d = { .index = b - 1, .cache = &cache, .base = 1 };

	reuse_touch(r, &d);
}

START_TEST(a_frame_is_charged_for_as_long_as_blocks_stay)
{
	for (uint32_t age = 20; age <= 100; age += 20) {
		start(NULL, 80);
		fill();
		come(120 - age);
		touch(sampled(0));
		come(age);
		reuse_evicted(r, sampled(0), true);
		reuse_evicted(r, 1 + 7, false);
		use(7, MISSED);
		is(reuse_frame(r, &cache, p), 100 * 8. / 123 * (age < 80 ? age / 80. : 1));
	}
}
END_TEST

/* 40 and 80 of 80 blocks; a block that was read ahead and not used has no last reference. */
START_TEST(they_stay_for_the_mean_age_of_the_sample_that_was_used)
{
	start(NULL, 80);
	come(40);
	touch(sampled(0));
	fill();
	touch(sampled(1));
	reuse_evicted(r, sampled(0), true);
	come(79);
	reuse_evicted(r, sampled(1), true);
	reuse_evicted(r, sampled(2), false);
	is(r->younger.n, 2);
	r->refaults = 82;
	is(reuse_frame(r, &cache, p), 82 * 10 * 8. / 83 * (40 + 80) / 2 / 80);
}
END_TEST

START_TEST(ages_of_long_ago_fade)
{
	start(NULL, 80);
	fill();
	for (unsigned i = 0; i < 2000; i++) {
		touch(sampled(0));
		come(i < 1000 ? 60 : 40);
		reuse_evicted(r, sampled(0), true);
	}
	ck_assert_double_le(r->younger.n, 128);
	r->refaults = 4096;
	ck_assert_double_eq_tol(reuse_frame(r, &cache, p), 10 * 8 * .5, 0.5);
}
END_TEST

START_TEST(one_block_in_32_is_sampled)
{
	uint32_t n = 0, even = 0;

	for (block_t b = 0; b < 1 << 20; b++)
		if (reuse_samples(b)) {
			n++;
			even += b % 2 == 0;
		}
	ck_assert_uint_eq(n / 1024, 32);
	ck_assert_uint_gt(even, n / 3);
	ck_assert_uint_lt(even, 2 * n / 3);
}
END_TEST

START_TEST(refaults_of_long_ago_fade)
{
	start(NULL, 80);
	fill();
	come(4000);
	reuse_evicted(r, 1 + 7, false);
	use(7, MISSED);
	come(4096 - 4001);
	is(r->refaults, 1);
	is(reuse_frame(r, &cache, p), 100 * 8. / 4096);
	come(1);
	is(r->refaults, 1 - 1. / 4096);
	is(r->refault_calls, 1 - 1. / 4096);
	come(3 * 4096);
	ck_assert_double_lt(r->refaults, 0.06);
	r->refaults = r->refault_calls = 2;
	is(reuse_frame(r, &cache, p), 100 * 8 * 2. / 4096); /* still of 4096 */
}
END_TEST

/* ---- limits ---- */

START_TEST(a_tiny_cache_has_no_refaults_and_expects_nothing)
{
	for (uint32_t frames = 1; frames <= 8; frames++) {
		start("near=9", frames);
		enter(0, READ);
		is(saves(1e6), 0);
		come(frames - 1);
		enter(1, VETOED);
		ck_assert(use(1, MISSED) && !r->full);
		fill();
		reuse_evicted(r, 1 + 7, false);
		use(7, MISSED);
		is(reuse_frame(r, &cache, p), 0);
		is(saves(1e6), 0);
		enter(2, READ);
		come(frames - 1);
		ck_assert(use(2, CACHED));
		enter(2, READ);
		come(frames);
		ck_assert(!use(2, CACHED));
		ck_assert(saves(0) > 0);
	}
}
END_TEST

/* The frames are not touched. */
START_TEST(the_largest_cache_has_ages)
{
	start(NULL, UINT32_MAX - 1);
	come(1);
	enter(1, READ);
	come(1000);
	ck_assert(use(1, CACHED));
	ck_assert(saves(10) > 0 && saves(10) <= 200);
}
END_TEST

START_TEST(parameters_at_their_ends_give_finite_values)
{
	static const char *const text[] = { "stake=1,near=1", "stake=1,near=1073741824",
		"stake=1073741824,near=1", "stake=1073741824,near=1073741824" };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		uint64_t seed = i + 1;
		uint32_t first, index;

		start(text[i], 300);
		for (unsigned n = 0; n < 20000; n++) {
			come(random_below(&seed, 2));
			reuse_evicted(r, 1 + random_below(&seed, 300), random_below(&seed, 2));
			enter(random_below(&seed, 300), random_below(&seed, 2));
			first = random_below(&seed, 300);
			index = first + random_below(&seed, 300 - first);
			use_in(first, index + random_below(&seed, 3), index, random_below(&seed, 2),
			    random_below(&seed, 2));
			REQUIRE(r->all.uses <= r->all.n + 300 && r->refaults >= 0,
			    "uses %g of %g, %g", r->all.uses, r->all.n, r->refaults);
			REQUIRE(saves(5) > -1000 && saves(5) <= 5000, "saves %g", saves(5));
			REQUIRE(reuse_frame(r, &cache, p) >= 0, "a frame is %g",
			    reuse_frame(r, &cache, p));
		}
	}
}
END_TEST

/* An entry at the clock's zero is lost: one in four thousand million. */
START_TEST(ages_are_right_while_the_clock_wraps)
{
	for (uint32_t before = 2; before < 60; before++) {
		start(NULL, 50);
		fill();
		r->evictions = -cache.nused - before;
		r->grain = 1;
		r->at = UINT32_MAX - before;
		enter(1, READ);
		enter(2, VETOED);
		reuse_evicted(r, 1 + 7, false);
		come(4);
		use(7, MISSED);
		is(r->refaults, 1);
		come(43);
		ck_assert(use(1, CACHED));
		ck_assert(use(2, MISSED));
		if (before == 49) /* the clock is 0 */
			come(1);
		enter(3, VETOED);
		come(50);
		ck_assert(!use(3, MISSED));
	}
}
END_TEST

START_TEST(a_frame_costs_as_much_when_evictions_wrap)
{
	double frame;

	start(NULL, 80);
	fill();
	come(5000);
	for (unsigned i = 0; i < 100; i++) {
		reuse_evicted(r, 1 + 7, false);
		use(7, MISSED);
	}
	frame = reuse_frame(r, &cache, p);
	r->evictions = UINT32_MAX;
	come(1);
	ck_assert_uint_eq(r->evictions, 0);
	ck_assert_double_eq_tol(reuse_frame(r, &cache, p), frame, frame / 1000);
	come(1);
	ck_assert_double_eq_tol(reuse_frame(r, &cache, p), frame, frame / 1000);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("reuse");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, an_entered_block_is_used_once);
	tcase_add_test(tests, a_use_counts_while_the_block_would_be_in_the_cache);
	tcase_add_test(tests, a_block_ages_from_its_plan);
	tcase_add_test(tests, vetoed_blocks_that_are_not_used_age_the_others);
	tcase_add_test(tests, a_block_is_entered_once_until_it_is_used_or_would_have_left);
	tcase_add_test(tests, entries_beyond_eight_prior_weights_count_half);
	tcase_add_test(tests, a_use_saves_its_share_of_the_miss_of_its_call);
	tcase_add_test(tests, calls_of_used_blocks_are_saved_whole);
	tcase_add_test(tests, when_the_cache_is_full_counting_begins_anew);
	tcase_add_test(tests, until_it_is_replaced_uses_are_predicted);
	tcase_add_test(tests, a_full_cache_has_priors_that_expect_nothing_new);
	tcase_add_test(tests, then_a_block_saves_the_transfers_and_misses_of_uses_by_entries);
	tcase_add_test(tests, a_file_is_first_believed_to_be_as_the_others);
	tcase_add_test(tests, uses_of_what_entered_before_the_cache_was_full_count_for_the_others);
	tcase_add_test(tests, what_was_planned_before_the_cache_was_full_enters_for_the_others);
	tcase_add_test(tests,
	    before_a_use_is_seen_a_block_is_believed_to_be_worth_little_more_than_it_costs);
	tcase_add_test(tests, a_hazard_is_what_was_used_of_what_reached_an_age);
	tcase_add_test(tests, what_has_entered_a_moment_ago_has_not_reached_an_age);
	tcase_add_test(tests, entries_are_known_by_their_time);
	tcase_add_test(tests, a_block_missed_soon_after_its_eviction_is_a_refault);
	tcase_add_test(tests, a_dropped_block_is_neither_a_refault_nor_a_use);
	tcase_add_test(tests, a_miss_whose_read_was_submitted_before_is_a_refault);
	tcase_add_test(tests, a_frame_costs_the_misses_that_one_less_would_cause);
	tcase_add_test(tests, a_refault_costs_a_transfer_and_its_share_of_the_miss_of_its_call);
	tcase_add_test(tests, a_frame_is_charged_for_as_long_as_blocks_stay);
	tcase_add_test(tests, they_stay_for_the_mean_age_of_the_sample_that_was_used);
	tcase_add_test(tests, ages_of_long_ago_fade);
	tcase_add_test(tests, one_block_in_32_is_sampled);
	tcase_add_test(tests, refaults_of_long_ago_fade);
	tcase_add_test(tests, a_tiny_cache_has_no_refaults_and_expects_nothing);
	tcase_add_test(tests, the_largest_cache_has_ages);
	tcase_add_test(tests, parameters_at_their_ends_give_finite_values);
	tcase_add_test(tests, ages_are_right_while_the_clock_wraps);
	tcase_add_test(tests, a_frame_costs_as_much_when_evictions_wrap);
	return run_tests("reuse", tests);
}
