/*
 * check_account.c - balances computed by hand.
 *
 * There is no simulation behind: blocks come, and leave, because a test says
 * so.  A request of 300 us and a block of 99 us make w 4.
 */
#include "prefetch/account.h"
#include "tests/unit/support.h"

enum { NBLOCKS = 3000, ABSENT = 1, CACHED = 0 };

struct holder {
	struct account account;
};

static const struct param  params[] = { ACCOUNT_PARAMS(struct holder, account), { 0 } };
static const struct plugin plugin = { .name = "holder", .params = params };

static struct holder	     holder;
static struct account *const a = &holder.account;
static struct cache	     cache;
static usec_t		     now;

static void
teardown(void)
{
	account_release(a);
	holder = (struct holder){ 0 };
}

/* An empty cache of so many frames. */
static void
start(const char *text, uint32_t frames)
{
	const struct trace t = { .nblocks = NBLOCKS };
	struct error	   e;

	teardown();
	ck_assert_msg(!params_set(&plugin, &holder, text, &e), "%s", e.text);
	ck_assert_int_eq(account_init(a, &t, &e), 0);
	cache = (struct cache){ .nframes = frames };
	now = 0;
}

/* So many blocks have been read, and others have left once the cache was full. */
static void
come(uint32_t n)
{
	for (; n; n--)
		if (cache.nused < cache.nframes)
			cache.nused++;
		else
			account_evicted(a, NBLOCKS - 1);
}

static struct demand
demand(uint32_t index, bool absent)
{
	return (struct demand){
		.index = index,
		.absent = absent,
		.now = now,
		.cache = &cache,
		.base = 1,
		.end = NBLOCKS - 1,
		.nblocks = NBLOCKS - 1,
	};
}

/* A process waits for the request that contains the block. */
static bool
plan(uint32_t index, bool vetoed)
{
	const struct demand d = demand(0, ABSENT);

	return account_plan(a, &d, index, vetoed);
}

static bool
use(uint32_t index, bool absent)
{
	const struct demand d = demand(index, absent);

	return account_demand(a, &d);
}

static void
balance_is(double expected)
{
	ck_assert_double_eq_tol(a->balance, expected, 1e-9);
}

/* A demand finds the cache full for the first time. */
static void
fill(void)
{
	come(cache.nframes - cache.nused);
	use(NBLOCKS - 3, CACHED);
}

static void
w_is_4(void)
{
	account_served(a, 300, 99, 1);
	ck_assert_double_eq(a->w, 4);
}

/* ---- what a request costs ---- */

START_TEST(w_is_what_requests_have_taken_in_blocks)
{
	start(NULL, 10);
	ck_assert_double_eq(a->w, 1);
	w_is_4();
	account_served(a, 100, 100, 3); /* 2 of 400 us, 4 blocks of 199 */
	ck_assert_double_eq(a->w, 5);
	start(NULL, 10);
	account_served(a, 0, 0, 7);
	ck_assert_double_eq(a->w, 1);
	account_served(a, 100, 0, 1); /* no time at all: as of a microsecond */
	ck_assert_double_eq(a->w, 401);
}
END_TEST

START_TEST(a_planned_block_costs_its_transfer_or_the_share_the_device_is_busy)
{
	static const struct {
		usec_t now;
		bool   waits;
		double cost;
	} when[] = {
		{ 1596, false, 0.25 },
		{ 798, false, 0.5 },
		{ 399, false, 1 },
		{ 100, false, 1 },
		{ 0, false, 1 },
		{ 1596, true, 1 },
		{ 0, true, 1 },
	};

	for (size_t i = 0; i < sizeof(when) / sizeof(*when); i++) {
		struct demand d;

		start("stake=10", 100);
		come(1);
		account_served(a, 300, 99, 1);
		now = when[i].now;
		d = demand(0, when[i].waits);
		ck_assert(account_plan(a, &d, 5, false));
		balance_is(10 - when[i].cost);
	}
}
END_TEST

/* ---- the cache has never been full ---- */

START_TEST(a_stake_is_spent_and_then_lost_for_good)
{
	start("stake=3,soon=5", 100);
	w_is_4();
	come(1);
	ck_assert(account_allows(a));
	plan(1, false);
	plan(2, false);
	balance_is(1);
	ck_assert(account_allows(a));
	plan(3, false);
	balance_is(0);
	ck_assert(!account_allows(a));
	use(1, CACHED);
	balance_is(4);
	ck_assert(!account_allows(a));
}
END_TEST

START_TEST(a_stake_lasts_while_what_it_is_spent_on_is_used)
{
	start("stake=3,soon=5", 100);
	w_is_4();
	come(1);
	for (uint32_t i = 1; i < 50; i++) {
		plan(i, false);
		ck_assert(account_allows(a));
		use(i, CACHED);
	}
	balance_is(6);
}
END_TEST

START_TEST(a_use_pays_a_request_and_later_as_much_more_as_the_cache_has_room)
{
	static const struct {
		uint32_t come;
		double	 pays;
	} later[] = {
		{ 0, 4 },
		{ 4, 4 },
		{ 5, 4 * 100. / 25 },
		{ 20, 4 * 100. / 40 },
		{ 60, 4 * 100. / 80 },
		{ 79, 4 * 100. / 99 },
	};

	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++) {
		for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
			start("stake=100,soon=5", 100);
			w_is_4();
			come(20);
			plan(7, vetoed);
			balance_is(99);
			come(later[i].come);
			ck_assert(use(7, ABSENT) == vetoed);
			balance_is(99 + later[i].pays);
			ck_assert(!use(7, ABSENT)); /* once */
			balance_is(99 + later[i].pays);
		}
	}
}
END_TEST

START_TEST(what_was_not_planned_neither_costs_nor_pays)
{
	start("stake=8", 100);
	w_is_4();
	come(1);
	for (uint32_t i = 0; i < 20; i++)
		ck_assert(!use(i, i % 2));
	balance_is(8);
}
END_TEST

/* ---- the cache is full ---- */

START_TEST(when_the_cache_fills_the_balance_starts_in_the_red)
{
	start("stake=3,soon=5", 100);
	w_is_4();
	come(99);
	use(9, CACHED);
	balance_is(3);
	plan(1, false);
	plan(2, false);
	plan(3, false); /* the stake is lost, but not for ever */
	come(1);
	use(9, CACHED);
	balance_is(-6);
	ck_assert(!account_allows(a));
	use(1, CACHED);
	use(2, CACHED);
	come(6);
	use(3, CACHED);
	balance_is(0);
	ck_assert(!account_allows(a));
	plan(4, true);
	come(9);
	use(4, ABSENT);
	balance_is(3);
	ck_assert(account_allows(a));
	use(9, CACHED); /* only once */
	balance_is(3);
	plan(5, false);
	plan(6, false);
	plan(7, false);
	ck_assert(!account_allows(a));
	come(5);
	use(5, CACHED);
	ck_assert(account_allows(a)); /* nothing is lost for good now */
}
END_TEST

START_TEST(in_a_full_cache_a_use_that_is_soon_pays_one)
{
	start("stake=100,soon=5", 100);
	w_is_4();
	fill();
	a->balance = 0;
	plan(1, false);
	come(4);
	use(1, CACHED);
	balance_is(-1 + 1);
	plan(2, false);
	come(5);
	use(2, CACHED);
	balance_is(-1 + 4);
}
END_TEST

/* ---- what a frame is worth ---- */

START_TEST(a_block_missed_soon_after_its_eviction_is_a_refault)
{
	static const struct {
		uint32_t others; /* evicted after it */
		bool	 absent;
		double	 refaults;
	} after[] = { { 0, ABSENT, 1 }, { 9, ABSENT, 1 }, { 10, ABSENT, 0 }, { 30, ABSENT, 0 },
		{ 5, CACHED, 0 } };

	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		start(NULL, 80); /* an eighth are 10 */
		fill();
		account_evicted(a, 1 + 7);
		come(after[i].others);
		use(7, after[i].absent);
		ck_assert_double_eq(a->refaults, after[i].refaults);
		use(7, ABSENT); /* once for each eviction */
		ck_assert_double_eq(a->refaults, !after[i].absent + after[i].refaults);
	}
}
END_TEST

START_TEST(a_frame_costs_the_refaults_that_one_less_would_cause)
{
	static const struct {
		const char *text;
		double	    margin;
	} margins[] = { { "margin=0,stake=100", 0 }, { "margin=1,stake=100", 1 },
		{ "margin=7,stake=100", 7 } };

	for (size_t i = 0; i < sizeof(margins) / sizeof(*margins); i++) {
		start(margins[i].text, 80);
		w_is_4();
		fill();
		a->balance = 50;
		come(98);
		account_evicted(a, 1 + 7);
		use(7, ABSENT);
		plan(8, true); /* of 99 evictions, 100 to be safe, one was regretted */
		balance_is(50 - 1 - margins[i].margin * 4 * 8 / 100);
	}
}
END_TEST

START_TEST(refaults_of_long_ago_fade)
{
	start("stake=100,margin=1", 80);
	fill();
	a->balance = 50;
	come(4000);
	account_evicted(a, 1 + 7);
	use(7, ABSENT);
	come(4096 - 4001);
	ck_assert_double_eq(a->refaults, 1);
	plan(8, false);
	balance_is(50 - 1 - 8. / 4096);
	come(1);
	ck_assert_double_eq(a->refaults, 1 - 1. / 4096);
	come(3 * 4096);
	ck_assert_double_lt(a->refaults, 0.06);
	a->balance = 50;
	a->refaults = 2;
	plan(9, false); /* still of 4096 */
	balance_is(50 - 1 - 2 * 8. / 4096);
}
END_TEST

/* ---- what would still be in the cache ---- */

START_TEST(a_use_after_the_block_would_have_left_pays_nothing_and_is_no_regret)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start("stake=100,soon=1", 50);
		w_is_4();
		fill();
		a->balance = 0;
		plan(1, vetoed);
		come(50);
		ck_assert(!use(1, ABSENT));
		balance_is(-1);
		plan(2, vetoed);
		come(49);
		ck_assert(use(2, ABSENT) == vetoed);
		balance_is(-1 - 1 + 4);
	}
}
END_TEST

START_TEST(what_is_vetoed_counts_as_having_come)
{
	start("stake=100", 50);
	fill();
	a->balance = 0;
	plan(1, true);
	for (uint32_t i = 0; i < 50; i++)
		plan(100 + i, true);
	ck_assert(!use(1, ABSENT));
	ck_assert(use(101, ABSENT));
	for (uint32_t i = 0; i < 50; i++)
		plan(200 + i, false);
	ck_assert(use(149, ABSENT));
}
END_TEST

START_TEST(a_planned_block_is_news_once_until_it_is_used_or_would_have_left)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start("stake=100", 50);
		fill();
		a->balance = 0;
		ck_assert(plan(1, vetoed));
		for (unsigned i = 0; i < 49; i++) {
			ck_assert(!plan(1, vetoed));
			ck_assert(!plan(1, !vetoed));
			balance_is(-1);
			ck_assert_uint_eq(a->vetoed, vetoed);
			come(1);
		}
		come(1);
		ck_assert(plan(1, vetoed));
		balance_is(-2);
		use(1, ABSENT);
		ck_assert(plan(1, vetoed));
		ck_assert_uint_eq(a->vetoed, 3 * vetoed);
	}
}
END_TEST

START_TEST(a_veto_is_regretted_if_the_block_is_missed)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++)
		for (unsigned absent = 0; absent < 2; absent++) {
			start(NULL, 50);
			come(3);
			plan(1, vetoed);
			come(2);
			ck_assert(use(1, absent) == (vetoed && absent));
			ck_assert(!use(1, absent));
		}
}
END_TEST

/* ---- limits ---- */

START_TEST(the_balance_stays_within_twice_the_stake)
{
	start("stake=20,soon=1", 1000);
	w_is_4();
	come(1);
	for (uint32_t i = 0; i < 30; i++) {
		plan(i, false);
		use(i, CACHED);
	}
	balance_is(40);
	for (uint32_t i = 0; i < 200; i++)
		plan(100 + i, false);
	balance_is(-40);
	use(100, CACHED);
	balance_is(-36);
}
END_TEST

START_TEST(without_a_stake_nothing_is_ever_allowed)
{
	uint64_t seed = 1;

	start("stake=0,soon=3", 200);
	w_is_4();
	ck_assert(!account_allows(a));
	for (unsigned i = 0; i < 20000; i++) {
		come(random_below(&seed, 2));
		plan(random_below(&seed, 300), random_below(&seed, 2));
		use(random_below(&seed, 300), random_below(&seed, 2));
		REQUIRE(!account_allows(a), "allowed");
	}
	balance_is(0);
}
END_TEST

/* A plan that falls on the clock's zero is lost: one in four thousand million. */
START_TEST(ages_are_right_while_the_clock_wraps)
{
	for (uint32_t before = 2; before < 60; before++) {
		start("stake=100,soon=1", 50);
		w_is_4();
		fill();
		a->balance = 0;
		a->evictions = (UINT32_C(1) << 31) - cache.nused - before;
		plan(1, false);
		plan(2, true);
		come(48);
		use(1, CACHED);
		ck_assert(use(2, ABSENT));
		balance_is(6);
		plan(3, true);
		come(50);
		ck_assert(!use(3, ABSENT));
		balance_is(5);
	}
}
END_TEST

START_TEST(nothing_breaks_when_a_counter_wraps)
{
	uint64_t seed = 3;

	start("stake=100", 50);
	fill();
	a->evictions = UINT32_MAX - 1000;
	for (unsigned i = 0; i < 20000; i++) {
		account_evicted(a, 1 + random_below(&seed, 300));
		plan(random_below(&seed, 300), random_below(&seed, 2));
		use(random_below(&seed, 300), random_below(&seed, 2));
		REQUIRE(a->balance >= -200 && a->balance <= 200 && a->refaults >= 0,
		    "balance %g, refaults %g", a->balance, a->refaults);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("account");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, w_is_what_requests_have_taken_in_blocks);
	tcase_add_test(tests, a_planned_block_costs_its_transfer_or_the_share_the_device_is_busy);
	tcase_add_test(tests, a_stake_is_spent_and_then_lost_for_good);
	tcase_add_test(tests, a_stake_lasts_while_what_it_is_spent_on_is_used);
	tcase_add_test(tests, a_use_pays_a_request_and_later_as_much_more_as_the_cache_has_room);
	tcase_add_test(tests, what_was_not_planned_neither_costs_nor_pays);
	tcase_add_test(tests, when_the_cache_fills_the_balance_starts_in_the_red);
	tcase_add_test(tests, in_a_full_cache_a_use_that_is_soon_pays_one);
	tcase_add_test(tests, a_block_missed_soon_after_its_eviction_is_a_refault);
	tcase_add_test(tests, a_frame_costs_the_refaults_that_one_less_would_cause);
	tcase_add_test(tests, refaults_of_long_ago_fade);
	tcase_add_test(tests, a_use_after_the_block_would_have_left_pays_nothing_and_is_no_regret);
	tcase_add_test(tests, what_is_vetoed_counts_as_having_come);
	tcase_add_test(tests, a_planned_block_is_news_once_until_it_is_used_or_would_have_left);
	tcase_add_test(tests, a_veto_is_regretted_if_the_block_is_missed);
	tcase_add_test(tests, the_balance_stays_within_twice_the_stake);
	tcase_add_test(tests, without_a_stake_nothing_is_ever_allowed);
	tcase_add_test(tests, ages_are_right_while_the_clock_wraps);
	tcase_add_test(tests, nothing_breaks_when_a_counter_wraps);
	return run_tests("account", tests);
}
