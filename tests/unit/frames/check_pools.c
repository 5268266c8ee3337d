/* check_pools.c - every allocator of page frames: known counts, alignment, merging, and wrong frees. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/frames/pools.h"

static struct drawn d;

/* ---- counts that are known ---- */

static const struct known {
	const char *pool;
	unsigned    n, rounds;
	uint64_t    splits, merges;
} known[] = {
	{ "buddy", 1, 100, 1000, 1000 },
	{ "buddy", 100, 100, 10500, 10500 },
	{ "buddy", 186, 100, 19000, 19000 },
	{ "buddy", 600, 100, 60300, 60300 },
	{ "lazy", 1, 100, 10, 0 },
	{ "lazy", 100, 100, 105, 0 },
	{ "lazy", 186, 100, 190, 0 },
	{ "lazy:limit=186,batch=31", 600, 100, 41490, 41300 },
	{ "lazy:limit=600", 600, 100, 603, 0 },
	{ "lazy:limit=0", 600, 100, 60300, 60300 },
	{ "lazy:release=batch", 186, 100, 190, 0 },
	{ "lazy:release=batch", 600, 100, 41523, 41333 },
	{ "ondemand", 1, 100, 0, 0 },
	{ "ondemand", 100, 100, 0, 0 },
	{ "ondemand", 186, 100, 0, 0 },
	{ "ondemand", 600, 100, 0, 0 },
	{ "pcp", 1, 100, 67, 0 }, /* 63 pages out of a fresh block */
	{ "buddy", 4096, 1, 4092, 4092 },
	{ "ondemand", 4096, 1, 0, 0 },
};

START_TEST(single_pages_by_turns_cost_what_is_known)
{
	const struct known  *k = &known[_i];
	struct frames_counts n;

	draw_open(&d, k->pool, (struct frames_shape){ 4, 1024, 1, false });
	for (unsigned round = 0; round < k->rounds; round++) {
		for (unsigned i = 0; i < k->n; i++)
			ck_assert(draw_page(&d, 0, 0));
		for (unsigned i = 0; i < k->n; i++)
			frames_free(frames_thread(d.frames, 0), d.page[i], 0);
		d.n = 0;
	}
	n = frames_counts(d.frames);
	draw_close(&d);
	REQUIRE(n.splits == k->splits && n.merges == k->merges, "%s, %u: %u splits, %u merges",
	    k->pool, k->n, (unsigned)n.splits, (unsigned)n.merges);
	ck_assert_uint_eq(n.operations, UINT64_C(2) * k->n * k->rounds);
}
END_TEST

START_TEST(pages_of_a_fresh_block_cost_their_splits)
{
	static const unsigned splits[][2] = { { 1, 10 }, { 2, 10 }, { 3, 11 }, { 4, 11 }, { 8, 14 },
		{ 512, 512 }, { 1024, 1023 } };

	for (size_t i = 0; i < sizeof(splits) / sizeof(*splits); i++) {
		draw_open(&d, "buddy", (struct frames_shape){ 1, 1024, 1, true });
		while (d.n < splits[i][0])
			ck_assert(draw_page(&d, 0, 0));
		ck_assert_uint_eq(frames_counts(d.frames).splits, splits[i][1]);
		draw_close(&d);
	}
}
END_TEST

START_TEST(on_demand_a_request_of_several_pages_is_one_merge)
{
	draw_open(&d, "ondemand", (struct frames_shape){ 2, 64, 1, true });
	ck_assert(draw_page(&d, 0, 0));
	ck_assert(draw_page(&d, 0, 6));
	ck_assert(draw_page(&d, 0, 3));
	ck_assert_uint_eq(frames_counts(d.frames).merges, 2);
	ck_assert_uint_eq(frames_counts(d.frames).splits, 0);
	ck_assert(!draw_page(&d, 0, 6));
	ck_assert_uint_eq(frames_counts(d.frames).failed, 1);
	ck_assert_uint_eq(frames_counts(d.frames).merges, 2);
	draw_close(&d);
}
END_TEST

START_TEST(on_demand_whole_free_blocks_are_taken_first)
{
	const struct arena *a;

	draw_open(&d, "ondemand", (struct frames_shape){ 4, 128, 1, true });
	a = frames_arena(d.frames);
	draw_page(&d, 0, 0);
	draw_page(&d, 0, 2);
	draw_page(&d, 0, 2);
	draw_page(&d, 0, 7);
	draw_page(&d, 0, 2);
	ck_assert_uint_eq(arena_page(a, d.page[0]), 0);
	ck_assert_uint_eq(arena_page(a, d.page[1]), 128);
	ck_assert_uint_eq(arena_page(a, d.page[2]), 256);
	ck_assert_uint_eq(arena_page(a, d.page[3]), 384);
	ck_assert_uint_eq(arena_page(a, d.page[4]), 4); /* none is whole */
	return_page(&d, 0, 1);
	draw_page(&d, 0, 6);
	ck_assert_uint_eq(arena_page(a, d.page[4]), 128);
	draw_close(&d);
}
END_TEST

START_TEST(what_was_freed_last_is_taken_first)
{
	const char *pool = pool_name(_i);
	void	   *page;

	draw_open(&d, pool, (struct frames_shape){ 2, 64, 1, true });
	for (int i = 0; i < 5; i++)
		draw_page(&d, 0, 0);
	page = d.page[2];
	if (strcmp(pool, "buddy") != 0)
		for (unsigned i = 1; i < 4; i++) /* neighbours, and a page that stays */
			ck_assert_ptr_eq(arena_address(frames_arena(d.frames), i), d.page[i]);
	return_page(&d, 0, 2);
	draw_page(&d, 0, 0);
	ck_assert_ptr_eq(d.page[d.n - 1], page);
	draw_close(&d);
}
END_TEST

/* ---- what every allocator promises, with any shape ---- */

static const struct frames_shape shapes[] = {
	{ 1, 1, 1, true },
	{ 5, 1, 2, true },
	{ 3, 2, 1, true },
	{ 7, 32, 3, true },
	{ 130, 8, 2, true },
	{ 16, 64, 4, true },
	{ 3, 512, 2, true },
	{ 4, 1024, 8, true },
	{ 2, 4096, 1, true },
};

enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

static void
open_nth(int i)
{
	draw_open(&d, pool_name(i / SHAPES), shapes[i % SHAPES]);
}

/* All pages are free; once the threads keep none, all have merged. */
static void
require_all_free(const char *pool, unsigned threads)
{
	const struct arena *a = frames_arena(d.frames);

	ck_assert_uint_eq(frames_free_pages(d.frames), a->pages);
	for (unsigned i = 0; i < threads; i++)
		frames_drain(frames_thread(d.frames, i));
	REQUIRE(frames_free_pages(d.frames) == a->pages &&
		frames_largest_order(d.frames) == (int)a->max_order,
	    "%s, %u x %u: %u pages, order %d", pool, a->blocks, a->block_pages,
	    (unsigned)frames_free_pages(d.frames), frames_largest_order(d.frames));
}

START_TEST(every_order_is_aligned_and_all_of_the_arena_is_given)
{
	const struct arena *a;

	open_nth(_i);
	a = frames_arena(d.frames);
	for (unsigned order = 0; order <= a->max_order; order++) {
		while (draw_page(&d, 0, order))
			ck_assert_uint_eq(arena_page(a, d.page[d.n - 1]) & ((1u << order) - 1), 0);
		ck_assert_uint_eq(d.n, a->pages >> order);
		ck_assert_uint_eq(frames_free_pages(d.frames), 0);
		ck_assert_int_eq(frames_largest_order(d.frames), -1);
		while (d.n)
			return_page(&d, 0, d.n / 2);
		require_all_free(pool_name(_i / SHAPES), 1);
	}
	ck_assert(!draw_page(&d, 0, a->max_order + 1));
	ck_assert_uint_eq(frames_counts(d.frames).failed, a->max_order + 2);
	draw_close(&d);
}
END_TEST

START_TEST(pages_freed_in_random_order_by_any_thread_merge_again)
{
	uint64_t	    random = (uint64_t)_i;
	unsigned	    threads = (unsigned)shapes[_i % SHAPES].threads;
	const struct arena *a;

	open_nth(_i);
	a = frames_arena(d.frames);
	for (unsigned round = 0; round < 6; round++) {
		unsigned misses = 0;

		while (misses < 20)
			misses += !draw_page(&d, random_below(&random, threads),
			    random_below(&random, a->max_order + 1) / (1u + round % 3));
		while (d.n > round % 2)
			return_page(&d, random_below(&random, threads), random_below(&random, d.n));
	}
	while (d.n)
		return_page(&d, 0, 0);
	require_all_free(pool_name(_i / SHAPES), threads);
	draw_close(&d);
}
END_TEST

START_TEST(a_run_is_found_wherever_all_of_its_pages_are_free)
{
	const struct arena *a;
	unsigned	    order, free_order;

	open_nth(_i);
	a = frames_arena(d.frames);
	order = a->max_order ? a->max_order - 1 : 0;
	while (draw_page(&d, 0, 0))
		;
	for (uint32_t i = d.n; i-- > 0;) /* the upper half of the last block */
		if (arena_page(a, d.page[i]) >= a->pages - (1u << order))
			return_page(&d, 0, i);
	frames_drain(frames_thread(d.frames, 0));
	free_order = (unsigned)frames_largest_order(d.frames);
	ck_assert_uint_eq(free_order, order);
	ck_assert_uint_eq(frames_free_pages(d.frames), 1u << order);
	ck_assert(draw_page(&d, 0, order));
	ck_assert_uint_eq(arena_page(a, d.page[d.n - 1]), a->pages - (1u << order));
	draw_close(&d);
}
END_TEST

START_TEST(pages_that_another_thread_keeps_come_back_when_it_drains)
{
	const char *pool = pool_name(_i);

	draw_open(&d, pool, (struct frames_shape){ 1, 64, 2, true });
	while (draw_page(&d, 0, 0))
		;
	while (d.n)
		return_page(&d, 1, 0);
	ck_assert_uint_eq(frames_free_pages(d.frames), 64);
	frames_drain(frames_thread(d.frames, 1));
	ck_assert_int_eq(frames_largest_order(d.frames), 6);
	ck_assert(draw_page(&d, 0, 6));
	draw_close(&d);
}
END_TEST

/* ---- parameters ---- */

START_TEST(any_parameters_keep_the_promises)
{
	static const char *const text[] = { "lazy:limit=0", "lazy:limit=1,release=batch",
		"lazy:limit=8,batch=3,release=batch", "lazy:limit=16777216", "pcp:batch=1",
		"pcp:high=1", "pcp:high=1,high_max=1", "pcp:batch=1048576", "pcp:high=16777216",
		"pcp:batch=4,high=8,high_max=64" };
	uint64_t		 random = 7;

	draw_open(&d, text[_i], (struct frames_shape){ 4, 1024, 1, true });
	for (unsigned i = 0; i < 30000; i++)
		if (d.n < 2000 && random_below(&random, 2000) >= d.n)
			draw_page(&d, 0, random_below(&random, 4) ? 0 : random_below(&random, 11));
		else
			return_page(&d, 0, random_below(&random, d.n));
	while (d.n)
		return_page(&d, 0, d.n - 1);
	require_all_free(text[_i], 1);
	draw_close(&d);
}
END_TEST

START_TEST(lists_of_a_processor_hold_no_more_than_they_may)
{
	draw_open(&d, "pcp:batch=16,high=64,high_max=64",
	    (struct frames_shape){ 4, 1024, 1, true });
	while (d.n < 1000)
		draw_page(&d, 0, 0);
	while (d.n)
		return_page(&d, 0, 0);
	for (unsigned i = 0; i < 3; i++) /* the rest has merged */
		REQUIRE(draw_page(&d, 0, 10), "block %u", i);
	ck_assert(!draw_page(&d, 0, 10));
	ck_assert_uint_eq(frames_free_pages(d.frames), 1024);
	draw_close(&d);
}
END_TEST

/* ---- wrong use ---- */

static void
free_twice(struct frames_thread *t, char *page)
{
	frames_free(t, page, 2);
	frames_free(t, page, 2);
}

static void
free_other_arena(struct frames_thread *t, char *page)
{
	static char other[FRAME_BYTES];

	frames_free(t, other, 0);
}

static void
free_within_page(struct frames_thread *t, char *page)
{
	frames_free(t, page + 8, 2);
}

static void
free_inner_page(struct frames_thread *t, char *page)
{
	frames_free(t, page + FRAME_BYTES, 0);
}

static void
free_smaller(struct frames_thread *t, char *page)
{
	frames_free(t, page, 1);
}

static void
free_larger(struct frames_thread *t, char *page)
{
	frames_free(t, page, 200);
}

static void
free_never_taken(struct frames_thread *t, char *page)
{
	frames_free(t, page + 8 * FRAME_BYTES, 2);
}

static const struct wrong {
	void (*free)(struct frames_thread *t, char *page);
	const char *message;
} wrong[] = {
	{ free_twice, "a free of a page that is free already, or was never allocated" },
	{ free_other_arena, "a free of what is not a page of this arena" },
	{ free_within_page, "a free of what is not a page of this arena" },
	{ free_inner_page, "a free of a page that is not the first of what was allocated" },
	{ free_smaller, "a free with an order that is not that of the allocation" },
	{ free_larger, "a free with an order that is not that of the allocation" },
	{ free_never_taken, "a free of a page that is free already, or was never allocated" },
};

enum { WRONG = sizeof(wrong) / sizeof(*wrong) };

START_TEST(a_wrong_free_is_left_out_and_named)
{
	const struct wrong *w = &wrong[_i % WRONG];
	struct error	    e;

	draw_open(&d, pool_name(_i / WRONG), (struct frames_shape){ 2, 64, 1, true });
	ck_assert(draw_page(&d, 0, 2));
	ck_assert(!frames_check(d.frames, &e));
	w->free(frames_thread(d.frames, 0), d.page[0]);
	ck_assert(frames_check(d.frames, &e));
	REQUIRE(strstr(e.text, w->message) != NULL, "%s", e.text);
	ck_assert_uint_eq(frames_free_pages(d.frames), w->free == free_twice ? 128 : 124);
	draw_close(&d);
}
END_TEST

START_TEST(a_wrong_shape_is_refused)
{
	static const struct {
		struct frames_shape shape;
		const char	   *message;
	} bad[] = {
		{ { 4, 1024, 0, false }, "1 to 256 threads use an allocator, not 0" },
		{ { 4, 1024, 257, false }, "1 to 256 threads use an allocator, not 257" },
		{ { 4, 1000, 1, false }, "a block has a power of two of pages" },
		{ { 4, 0, 1, false }, "a block has a power of two of pages" },
		{ { 4, 1 << 19, 1, false }, "a block has a power of two of pages" },
		{ { 0, 64, 1, false }, "an arena has 1 to" },
		{ { 1 << 20, 1 << 18, 1, false }, "less than 2^32 pages" },
	};
	struct error  e = { 0 };
	struct choice c;

	ck_assert(!registry_choose(PLUGIN_POOL, "buddy", &c, &e));
	ck_assert(!frames_open(&c, &bad[_i].shape, &e));
	REQUIRE(strstr(e.text, bad[_i].message) != NULL, "%s", e.text);
	choice_release(&c);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("pools");
	int    pools = pool_number();

	tcase_add_loop_test(tc, single_pages_by_turns_cost_what_is_known, 0,
	    sizeof(known) / sizeof(*known));
	tcase_add_test(tc, pages_of_a_fresh_block_cost_their_splits);
	tcase_add_test(tc, on_demand_a_request_of_several_pages_is_one_merge);
	tcase_add_test(tc, on_demand_whole_free_blocks_are_taken_first);
	tcase_add_loop_test(tc, what_was_freed_last_is_taken_first, 0, pools);
	tcase_add_loop_test(tc, every_order_is_aligned_and_all_of_the_arena_is_given, 0,
	    pools * SHAPES);
	tcase_add_loop_test(tc, pages_freed_in_random_order_by_any_thread_merge_again, 0,
	    pools * SHAPES);
	tcase_add_loop_test(tc, a_run_is_found_wherever_all_of_its_pages_are_free, 0,
	    pools * SHAPES);
	tcase_add_loop_test(tc, pages_that_another_thread_keeps_come_back_when_it_drains, 0, pools);
	tcase_add_loop_test(tc, any_parameters_keep_the_promises, 0, 10);
	tcase_add_test(tc, lists_of_a_processor_hold_no_more_than_they_may);
	tcase_add_loop_test(tc, a_wrong_free_is_left_out_and_named, 0, pools * WRONG);
	tcase_add_loop_test(tc, a_wrong_shape_is_refused, 0, 7);
	return run_tests("pools", tc);
}
