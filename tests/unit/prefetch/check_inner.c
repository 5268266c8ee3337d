/* check_inner.c - what a controller removes from a plan, block by block. */
#include <stdio.h>
#include <string.h>

#include "prefetch/inner.h"
#include "tests/unit/support.h"

enum { BLOCKS = 100, ALL = INT32_MAX };

static struct cache  cache;
static struct access call;
static struct demand d;
static struct plan   plan;
static char	     text[256];

/* A call of blocks 10 to 12, at its first; blocks 20 to 22 are cached; the file ends at 90. */
static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(cache_init(&cache, BLOCKS, BLOCKS + 1, &e), 0);
	for (uint32_t i = 20; i <= 22; i++)
		cache_bind(&cache, cache_take(&cache), 1 + i);
	d = (struct demand){ .call = &call,
		.index = 10,
		.first = 10,
		.left = 3,
		.how = REF_MISS,
		.absent = true,
		.cache = &cache,
		.base = 1,
		.end = 90,
		.nblocks = BLOCKS };
	plan_start(&plan);
}

static void
teardown(void)
{
	cache_release(&cache);
}

/* "10-12 20": the plan. */
static const char *
told(void)
{
	size_t used = 0;

	*text = '\0';
	for (unsigned i = 0; i < plan.n; i++) {
		const struct extent *e = &plan.extent[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    e->count > 1 ? "%s%u-%u" : "%s%u", used ? " " : "", e->index,
		    e->index + e->count - 1);
	}
	return text;
}

START_TEST(blocks_ahead_are_absent_and_not_of_the_call)
{
	plan_add(&plan, 8, 8);	 /* 8 9 | 10 11 12 | 13 14 15 */
	plan_add(&plan, 20, 4);	 /* 23 */
	plan_add(&plan, 88, 10); /* 88 89 */
	ck_assert_uint_eq(plan_ahead(&plan, &d), 2 + 3 + 1 + 2);
	d.call = NULL; /* advice has no call */
	ck_assert_uint_eq(plan_ahead(&plan, &d), 2 + 3 + 3 + 1 + 2);
}
END_TEST

START_TEST(the_first_blocks_ahead_stay)
{
	static const struct {
		uint32_t    most, removed;
		const char *left;
	} list[] = {
		{ 0, 8, "10-12" },
		{ 1, 7, "8 10-12" },
		{ 3, 5, "8-13" },
		{ 5, 3, "8-15" },
		{ 6, 2, "8-15 20-23" },
		{ 7, 1, "8-15 20-23 88" },
		{ 8, 0, "8-15 20-23 88-89" },
		{ ALL, 0, "8-15 20-23 88-97" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		plan_start(&plan);
		plan_add(&plan, 8, 8);
		plan_add(&plan, 20, 4);
		plan_add(&plan, 88, 10);
		ck_assert_uint_eq(plan_cut(&plan, &d, ALL, list[i].most), list[i].removed);
		ck_assert_str_eq(told(), list[i].left);
	}
}
END_TEST

START_TEST(blocks_behind_a_limit_go)
{
	plan_add(&plan, 8, 8);
	plan_add(&plan, 20, 4);
	ck_assert_uint_eq(plan_cut(&plan, &d, 14, ALL), 2 + 1);
	ck_assert_str_eq(told(), "8-13");
	ck_assert_uint_eq(plan_cut(&plan, &d, 5, ALL), 2 + 1);
	ck_assert_str_eq(told(), "10-12");
}
END_TEST

START_TEST(what_is_read_into_folios_still_is)
{
	plan_add_as(&plan, 30, 8, true);
	plan_cut(&plan, &d, ALL, 4);
	ck_assert_str_eq(told(), "30-33");
	ck_assert(plan.extent[0].large);
}
END_TEST

START_TEST(a_full_plan_can_be_cut)
{
	for (uint32_t i = 0; i < PLAN_MAX; i++)
		plan_add(&plan, 30 + 2 * i, 1);
	ck_assert_uint_eq(plan_cut(&plan, &d, ALL, PLAN_MAX - 1), 1);
	ck_assert_uint_eq(plan.n, PLAN_MAX - 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("inner");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, blocks_ahead_are_absent_and_not_of_the_call);
	tcase_add_test(tests, the_first_blocks_ahead_stay);
	tcase_add_test(tests, blocks_behind_a_limit_go);
	tcase_add_test(tests, what_is_read_into_folios_still_is);
	tcase_add_test(tests, a_full_plan_can_be_cut);
	return run_tests("inner", tests);
}
