/*
 * check_early.c - which blocks are evicted early, in which order.
 *
 * The cache is real, its policy is the test: block by block, it is said what
 * comes, is used and leaves.
 */
#include "prefetch/early.h"
#include "tests/unit/support.h"

enum { BLOCKS = 40000, FRAMES = 80, OLD = FRAMES / 4, SOON = 8 };

struct holder {
	struct early  early;
	struct probes probes;
	struct reuse  reuse;
	struct prices prices;
};

static struct holder	   holder;
static struct early *const q = &holder.early;
static struct cache	   cache;
static struct file	   files[2];
static struct trace	   trace;

static void
teardown(void)
{
	probes_release(&holder.probes);
	reuse_release(&holder.reuse);
	cache_release(&cache);
	holder = (struct holder){ 0 };
}

/* A cache that says it is full: of its frames, only those are in use that a test fills. */
static void
start(uint32_t frames)
{
	struct error e;

	teardown();
	for (file_t i = 0; i < 2; i++)
		files[i] = (struct file){ .base = 1 + i * BLOCKS, .nblocks = BLOCKS };
	trace = (struct trace){ .nblocks = 1 + 2 * BLOCKS, .nfiles = 2, .file = files };
	holder.reuse.near = holder.reuse.prior_weight = holder.probes.soon = SOON;
	q->probes = &holder.probes;
	ck_assert_int_eq(reuse_init(&holder.reuse, &trace, &e), 0);
	ck_assert_int_eq(probes_init(&holder.probes, &trace, &holder.reuse, &e), 0);
	ck_assert_int_eq(cache_init(&cache, frames, trace.nblocks, &e), 0);
}

/* So many other blocks have come. */
static void
come(uint32_t n)
{
	holder.reuse.evictions += n;
}

static struct frame *
frame(file_t file, uint32_t index)
{
	return &cache.frame[cache_find(&cache, files[file].base + index)];
}

/* The plan of blocks first .. last, n of which are absent, is carried out. */
static void
add(file_t file, uint32_t first, uint32_t last, uint32_t n)
{
	const struct demand  d = { .file = file, .cache = &cache, .base = files[file].base };
	const struct absence a = { .first = first, .end = last + 1, .n = n };

	early_add(q, &d, &a);
}

/* Blocks first .. last are read ahead. */
static void
read_ahead_in(file_t file, uint32_t first, uint32_t last)
{
	add(file, first, last, last - first + 1);
	for (uint32_t i = first; i <= last && cache.nused < cache.nframes; i++) {
		frame_t f = cache_take(&cache);

		cache_bind(&cache, f, files[file].base + i);
		cache.frame[f].flags = FRAME_PREFETCHED;
	}
}

static void
read_ahead(uint32_t first, uint32_t last)
{
	read_ahead_in(0, first, last);
}

/* The block evicted early: its index in file 0, or in file 1 + BLOCKS; or -1. */
static int64_t
take(void)
{
	block_t b = early_victim(q, &cache, &holder.prices);

	if (!b)
		return -1;
	ck_assert(cache_find(&cache, b));
	cache_vacate(&cache, cache_find(&cache, b));
	return b - 1;
}

static void
takes(int64_t block)
{
	ck_assert_int_eq(take(), block);
}

START_TEST(without_plans_nothing_is_evicted_early)
{
	start(FRAMES);
	takes(-1);
	come(1000);
	takes(-1);
}
END_TEST

START_TEST(blocks_are_evicted_early_in_their_order)
{
	start(FRAMES);
	read_ahead(10, 12);
	read_ahead_in(1, 5, 6);
	read_ahead(0, 1);
	come(OLD);
	takes(10);
	takes(11);
	takes(12);
	takes(BLOCKS + 5);
	takes(BLOCKS + 6);
	takes(0);
	takes(1);
	takes(-1);
}
END_TEST

START_TEST(none_is_evicted_early_before_a_quarter_of_the_cache_has_come)
{
	start(FRAMES);
	read_ahead(10, 11);
	come(OLD - 1);
	takes(-1);
	read_ahead(20, 20); /* which comes */
	takes(10);
	takes(11);
	takes(-1);
	come(OLD - 1);
	takes(-1);
	come(1);
	takes(20);
}
END_TEST

START_TEST(or_before_its_file_has_brought_in_more_than_is_soon)
{
	start(FRAMES);
	read_ahead(10, 11);
	read_ahead_in(1, 5, 6);
	holder.probes.file[0].brought += 2 + SOON - 1;
	takes(-1);
	holder.probes.file[0].brought++;
	takes(10);
	takes(11);
	takes(-1);
	come(OLD - 1); /* the cache has moved on for the other file, too */
	takes(-1);
	come(1);
	takes(BLOCKS + 5);
}
END_TEST

START_TEST(plans_whose_time_has_not_come_do_not_keep_those_behind_them)
{
	start(FRAMES);
	for (uint32_t i = 0; i < 10; i++)
		read_ahead(2 * i, 2 * i);
	read_ahead_in(1, 5, 5);
	holder.probes.file[1].brought += 1 + SOON;
	for (uint32_t i = 0; i < 5; i++)
		takes(-1); /* 2 at a time */
	takes(BLOCKS + 5);
	takes(-1);
}
END_TEST

START_TEST(the_blocks_of_a_plan_do_not_count_for_itself)
{
	start(FRAMES);
	read_ahead(0, 3 * OLD - 1);
	takes(-1);
	come(OLD - 1);
	takes(-1);
	come(1);
	takes(0);
}
END_TEST

START_TEST(nor_are_blocks_of_it_waited_for_that_were_in_the_cache)
{
	start(FRAMES);
	read_ahead(10, 15);
	q->oldest = q->newest;
	add(0, 10, 29, 4);
	come(4 + OLD - 1);
	takes(-1);
	come(1);
	takes(10);
}
END_TEST

START_TEST(used_and_evicted_blocks_are_not_evicted_early)
{
	start(FRAMES);
	read_ahead(10, 16);
	frame(0, 10)->flags = 0;
	cache_vacate(&cache, cache_find(&cache, files[0].base + 12));
	frame(0, 13)->flags = FRAME_DIRTY;
	frame(0, 14)->flags |= FRAME_MARKED;
	frame(0, 16)->flags = 0;
	come(OLD);
	takes(11);
	takes(14);
	takes(15);
	takes(-1);
	ck_assert_uint_eq(q->oldest, q->newest);
}
END_TEST

/* Its frames are the policy's from then on; those of a plan that did not pay are evicted early. */
START_TEST(a_plan_is_kept_whose_file_uses_blocks_later)
{
	start(FRAMES);
	holder.reuse.full = holder.reuse.renewed = true;
	holder.prices.memory = holder.prices.prior = 8;
	prices_finished(&holder.prices,
	    &(struct finished){ .block = 1000, .count = 1, .done = 10, .transfer = 10 });
	read_ahead(10, 11);
	read_ahead_in(1, 5, 6);
	read_ahead_in(1, 7, 7);
	come(OLD);
	holder.reuse.own[0].uses = 1;
	takes(BLOCKS + 5);
	holder.reuse.own[1].uses = 1;
	takes(BLOCKS + 6);
	takes(-1);
	ck_assert_uint_eq(q->oldest, q->newest);
	read_ahead(20, 20);
	come(OLD + 1); /* 20 came into a frame that was left */
	holder.reuse.recent = 8;
	holder.reuse.refaults = 8; /* a frame costs more */
	takes(20);
}
END_TEST

/* A frame costs 80 us, a fourth of that until a quarter of the cache has come; a block saves 10 us a use. */
START_TEST(unused_soon_a_plan_waits_if_later_uses_are_worth_its_frame_until_then)
{
	for (unsigned uses = 0; uses < 10; uses++) {
		start(FRAMES);
		holder.reuse.full = holder.reuse.renewed = true;
		holder.prices.memory = holder.prices.prior = 8;
		prices_finished(&holder.prices,
		    &(struct finished){ .block = 1000, .count = 1, .done = 10, .transfer = 10 });
		holder.reuse.recent = 7;
		holder.reuse.refaults = 8; /* x 10 us x near / (recent + 1) */
		holder.reuse.own[0].uses = uses;
		holder.reuse.own[0].n = 0; /* and a fourth of the prior weight: 2 */
		read_ahead(10, 10);
		holder.probes.file[0].brought += 1 + SOON;
		takes(uses <= 4 ? 10 : -1);
		come(OLD);
		takes(uses > 4 ? 10 : -1);
	}
}
END_TEST

START_TEST(a_block_in_flight_keeps_those_behind_it)
{
	start(FRAMES);
	read_ahead(10, 12);
	come(OLD);
	frame(0, 11)->flags |= FRAME_INFLIGHT;
	takes(10);
	takes(-1);
	takes(-1);
	frame(0, 11)->flags &= (uint8_t)~FRAME_INFLIGHT;
	takes(11);
	takes(12);
}
END_TEST

START_TEST(the_search_for_a_block_is_bounded_and_goes_on)
{
	start(600);
	read_ahead(0, 300);
	read_ahead(400, 400);
	for (uint32_t i = 0; i <= 300; i++)
		frame(0, i)->flags = 0;
	come(150);
	takes(-1);
	takes(-1); /* 128 at a time */
	takes(400);
}
END_TEST

START_TEST(plans_beyond_the_last_are_forgotten)
{
	start(2 * EARLY_PLANS);
	for (uint32_t i = 0; i < EARLY_PLANS + 3; i++)
		read_ahead(i, i);
	ck_assert_uint_eq(q->newest - q->oldest, EARLY_PLANS);
	come(EARLY_PLANS);
	for (uint32_t i = 3; i < EARLY_PLANS + 3; i++)
		REQUIRE(take() == i, "not block %u", i);
	takes(-1);
	ck_assert(frame(0, 0)->flags == FRAME_PREFETCHED);
}
END_TEST

START_TEST(in_a_tiny_cache_a_block_may_be_evicted_early_at_once)
{
	for (uint32_t frames = 1; frames <= 8; frames++) {
		start(frames);
		read_ahead(10, 10);
		if (frames >= 4) {
			takes(-1);
			come(frames / 4);
		}
		takes(10);
	}
}
END_TEST

START_TEST(numbers_and_clocks_may_wrap)
{
	start(FRAMES);
	q->oldest = q->newest = UINT32_MAX - 1;
	holder.reuse.evictions = UINT32_MAX - 5;
	for (uint32_t i = 0; i < 6; i++)
		read_ahead(10 * i, 10 * i + 1);
	come(OLD - 11); /* ten of these have come after the first two */
	for (uint32_t i = 0; i < 3; i++)
		takes(-1); /* each plan goes to the end once */
	come(OLD);
	for (uint32_t i = 0; i < 12; i++)
		takes(i / 2 * 10 + i % 2);
	takes(-1);
	ck_assert_uint_eq(q->oldest, q->newest);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("early");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, without_plans_nothing_is_evicted_early);
	tcase_add_test(tests, blocks_are_evicted_early_in_their_order);
	tcase_add_test(tests, none_is_evicted_early_before_a_quarter_of_the_cache_has_come);
	tcase_add_test(tests, or_before_its_file_has_brought_in_more_than_is_soon);
	tcase_add_test(tests, plans_whose_time_has_not_come_do_not_keep_those_behind_them);
	tcase_add_test(tests, the_blocks_of_a_plan_do_not_count_for_itself);
	tcase_add_test(tests, nor_are_blocks_of_it_waited_for_that_were_in_the_cache);
	tcase_add_test(tests, used_and_evicted_blocks_are_not_evicted_early);
	tcase_add_test(tests, a_plan_is_kept_whose_file_uses_blocks_later);
	tcase_add_test(tests,
	    unused_soon_a_plan_waits_if_later_uses_are_worth_its_frame_until_then);
	tcase_add_test(tests, a_block_in_flight_keeps_those_behind_it);
	tcase_add_test(tests, the_search_for_a_block_is_bounded_and_goes_on);
	tcase_add_test(tests, plans_beyond_the_last_are_forgotten);
	tcase_add_test(tests, in_a_tiny_cache_a_block_may_be_evicted_early_at_once);
	tcase_add_test(tests, numbers_and_clocks_may_wrap);
	return run_tests("early", tests);
}
