/*
 * check_prices.c - prices computed by hand.
 *
 * There is no device behind: a test says when which request was queued,
 * started and done.
 */
#include "prefetch/prices.h"
#include "tests/unit/support.h"

struct holder {
	struct prices prices;
};

static const struct param  params[] = { PRICES_PARAMS(struct holder, prices), { 0 } };
static const struct plugin plugin = { .name = "holder", .params = params };

static struct holder	    holder;
static struct prices *const p = &holder.prices;

static void
start(const char *text)
{
	struct error e;

	holder = (struct holder){ 0 };
	ck_assert_msg(!params_set(&plugin, &holder, text, &e), "%s", e.text);
}

static void
is(double value, double expected)
{
	ck_assert_double_eq_tol(value, expected, 1e-9);
}

/* A read for which a process waits, of 10 us a block and so much more. */
static void
demand(block_t b, uint32_t count, usec_t positioning)
{
	prices_finished(p,
	    &(struct finished){ .block = b,
		.count = count,
		.demand = true,
		.done = positioning + 10 * count,
		.transfer = 10 * count });
}

/* One block of 10 us, at its moments. */
static void
serve(block_t b, bool waited_for, usec_t queued, usec_t started, usec_t done)
{
	prices_finished(p,
	    &(struct finished){ .block = b,
		.count = 1,
		.demand = waited_for,
		.queued = queued,
		.started = started,
		.done = done,
		.transfer = 10 });
}

static void
write_at(block_t b)
{
	prices_finished(p,
	    &(struct finished){ .block = b,
		.count = 8,
		.write = true,
		.done = 5000,
		.transfer = 80 });
}

static double
miss(enum miss what)
{
	return prices_of_miss(p, what);
}

/* ---- means ---- */

START_TEST(before_the_first_request_nothing_has_a_price)
{
	start(NULL);
	is(prices_of_transfer(p), 1);
	for (enum miss what = 0; what < MISSES; what++)
		is(miss(what), 0);
	is(prices_apart(p), 0);
	is(prices_share(p, 0), 1);
	is(prices_share(p, 1000), 0);
}
END_TEST

START_TEST(a_transfer_is_the_mean_of_all_blocks_read)
{
	start(NULL);
	serve(100, true, 0, 0, 500);
	prices_finished(p,
	    &(struct finished){ .block = 200, .count = 3, .done = 700, .transfer = 70 });
	is(prices_of_transfer(p), (10. + 70) / 4);
	write_at(300);
	is(prices_of_transfer(p), (10. + 70) / 4);
	is(p->busy, 500 + 700 + 5000);
}
END_TEST

START_TEST(a_miss_is_first_believed_to_cost_what_requests_cost)
{
	start("prior=4");
	demand(100, 4, 1000); /* far from everything */
	is(miss(MISS_FAR), 1000);
	is(miss(MISS_NEXT), 0); /* no request was near */
	demand(104, 1, 100);
	demand(105 + 15, 1, 300);
	is(miss(MISS_FAR), 1000);
	is(miss(MISS_NEXT), 200);
	is(miss(MISS_STRIDE), 200);
	is(prices_apart(p), 200);
}
END_TEST

START_TEST(a_miss_is_what_the_requests_of_noted_misses_have_cost)
{
	start("prior=4");
	demand(100, 4, 1000);
	demand(104, 1, 200);
	prices_miss(p, 105, MISS_NEXT);
	demand(105, 1, 700);
	is(miss(MISS_NEXT), (700 + 4 * 450.) / (1 + 4)); /* near: 200 and 700 */
	is(miss(MISS_STRIDE), miss(MISS_NEXT));
	is(miss(MISS_FAR), 1000);
	prices_miss(p, 500, MISS_STRIDE);
	demand(500, 1, 3000);
	is(miss(MISS_NEXT), (700 + 4 * 450.) / 5);
	is(miss(MISS_STRIDE), (3000 + 4 * (700 + 4 * 450.) / 5) / 5);
	ck_assert(miss(MISS_STRIDE) > (3000 + 4 * 450.) / 5); /* MISS_NEXT counts for it, too */
	is(miss(MISS_FAR), 2000);
}
END_TEST

START_TEST(a_mean_forgets_half_when_it_has_more_entries_than_memory)
{
	start("prior=1,memory=2");
	for (usec_t i = 1; i <= 3; i++) {
		prices_miss(p, (block_t)(1000 * i), MISS_FAR);
		demand((block_t)(1000 * i), 1, 100 * i);
	}
	is(p->miss[MISS_FAR].n, 1.5);
	is(p->miss[MISS_FAR].sum, 300);
	is(miss(MISS_FAR), (300 + 200) / 2.5);
	for (unsigned i = 0; i < 62; i++) /* 65 blocks are more than 32 * memory */
		demand(5000, 1, 0);
	is(p->transfer.n, 65 / 2.);
	is(prices_of_transfer(p), 10);
}
END_TEST

START_TEST(requests_are_remembered_eight_times_as_long_as_misses)
{
	start("memory=1");
	for (block_t i = 1; i <= 8; i++)
		demand(1000 * i, 1, 100);
	is(p->far.n, 8);
	demand(9000, 1, 1000);
	is(p->far.n, 4.5);
	is(miss(MISS_FAR), 1800. / 9);
}
END_TEST

/* ---- near ---- */

START_TEST(near_is_up_to_fifteen_blocks_behind_a_request)
{
	static const struct {
		block_t block;
		bool	near;
	} list[] = { { 1004, true }, { 1019, true }, { 1020, false }, { 1003, false },
		{ 1000, false }, { 5000, false } };

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		start(NULL);
		demand(1000, 4, 100);
		demand(list[i].block, 1, 100);
		is(p->near.n, list[i].near);
	}
}
END_TEST

START_TEST(the_ends_of_eight_streams_are_remembered)
{
	start(NULL);
	for (block_t i = 1; i <= PRICES_ENDS; i++)
		demand(1000 * i, 1, 100);
	for (unsigned round = 0; round < 3; round++)
		for (block_t i = 1; i <= PRICES_ENDS; i++)
			demand(1000 * i + 1 + round, 1, 100);
	is(p->near.n, 3 * PRICES_ENDS);
	demand(20000, 1, 100); /* forgets the oldest */
	demand(1004, 1, 100);  /* which is the first, and forgets the second */
	demand(3004, 1, 100);
	is(p->near.n, 3 * PRICES_ENDS + 1);
}
END_TEST

/* ---- which request prices which miss ---- */

START_TEST(a_request_prices_the_first_of_its_misses_and_no_other)
{
	start("prior=4");
	prices_miss(p, 101, MISS_NEXT);
	prices_miss(p, 103, MISS_FAR);
	prices_miss(p, 104, MISS_STRIDE);
	demand(100, 4, 600);
	is(p->miss[MISS_NEXT].n, 1);
	is(p->miss[MISS_NEXT].sum, 600);
	is(p->miss[MISS_FAR].n, 0);
	is(p->miss[MISS_STRIDE].n, 0);
	ck_assert_uint_eq(p->nmissed, 1);
	demand(105, 4, 10);
	ck_assert_uint_eq(p->nmissed, 1);
	demand(104, 1, 60);
	is(p->miss[MISS_STRIDE].sum, 60);
	ck_assert_uint_eq(p->nmissed, 0);
}
END_TEST

START_TEST(a_write_prices_nothing)
{
	start(NULL);
	prices_miss(p, 101, MISS_NEXT);
	write_at(100);
	ck_assert_uint_eq(p->nmissed, 1);
	is(p->near.n + p->far.n, 0);
}
END_TEST

START_TEST(eight_misses_are_noted_at_a_time)
{
	start(NULL);
	for (block_t i = 0; i <= PRICES_NOTED; i++)
		prices_miss(p, 1000 + 100 * i, MISS_FAR);
	for (block_t i = 0; i <= PRICES_NOTED; i++)
		demand(1000 + 100 * i, 1, 50);
	is(p->miss[MISS_FAR].n, PRICES_NOTED);
	ck_assert_uint_eq(p->nmissed, 0);
}
END_TEST

/* ---- the way back ---- */

/* A stream ends at 2001; at 7000 is a miss. */
static void
interrupt(void)
{
	start(NULL);
	demand(2000, 1, 100);
	prices_miss(p, 7000, MISS_FAR);
	demand(7000, 1, 500);
	is(p->miss[MISS_FAR].sum, 500);
}

START_TEST(a_miss_costs_the_stream_before_it_its_way_back)
{
	interrupt();
	demand(2001, 1, 300);
	is(p->miss[MISS_FAR].sum, 800);
	is(p->miss[MISS_FAR].n, 1);
	demand(2002, 1, 300); /* once */
	is(p->miss[MISS_FAR].sum, 800);
}
END_TEST

START_TEST(there_is_no_way_back_elsewhere)
{
	interrupt();
	demand(7001, 1, 300); /* the miss itself goes on */
	demand(2001, 1, 300);
	is(p->miss[MISS_FAR].sum, 500);
	interrupt();
	demand(9000, 1, 300);
	demand(2001, 1, 300);
	is(p->miss[MISS_FAR].sum, 500);
	start(NULL);
	demand(2000, 1, 100);
	prices_miss(p, 2001, MISS_NEXT);
	demand(2001, 1, 500); /* the miss was of the same stream */
	demand(2002, 1, 300);
	is(p->miss[MISS_NEXT].sum, 500);
}
END_TEST

START_TEST(what_is_only_read_ahead_costs_the_stream_before_it_its_way_back)
{
	start(NULL);
	demand(2000, 1, 100);
	serve(7000, false, 0, 0, 510);
	is(p->apart.sum, 500);
	demand(2001, 1, 300);
	is(p->apart.sum, 500 + 300);
	is(p->apart.n, 1);
	demand(2002, 1, 300); /* once */
	is(p->apart.sum, 500 + 300);
	serve(7001, false, 0, 0, 60);
	demand(7002, 1, 300); /* it goes on itself */
	is(p->apart.sum, 500 + 300 + 50);
}
END_TEST

START_TEST(a_write_ends_the_way_back)
{
	interrupt();
	write_at(9000);
	demand(2001, 1, 300);
	is(p->miss[MISS_FAR].sum, 500);
	start(NULL);
	demand(2000, 1, 100);
	serve(7000, false, 0, 0, 510);
	write_at(9000);
	demand(2001, 1, 300);
	is(p->apart.sum, 500);
}
END_TEST

/* ---- share ---- */

/* After requests of 10 us a block and no near one: as if 200 us at `busy` had come before. */
static void
share_is(usec_t now, double busy, double waited, double ahead)
{
	is(prices_share(p, now), (waited + busy * 200) / (ahead + 200));
}

START_TEST(a_share_begins_as_the_device_is_busy)
{
	start(NULL);
	serve(1000, true, 0, 0, 100);
	share_is(1000, .1, 0, 0);
	share_is(400, .25, 0, 0);
	share_is(100, 1, 0, 0);
	share_is(50, 1, 0, 0); /* several requests at a time */
}
END_TEST

START_TEST(a_late_hit_waits_from_its_start_until_the_request_is_done)
{
	start(NULL);
	prices_late(p, 1000, 40);
	serve(1000, false, 0, 0, 100);
	share_is(1000, .1, 60, 100);
	ck_assert_uint_eq(p->nlate, 0);
	prices_late(p, 2000, 150); /* before the request is started */
	serve(2000, false, 0, 200, 300);
	share_is(1000, .2, 60 + 100, 200);
	is(p->apart.n, 2);
	is(p->apart.sum, 90 + 90);
}
END_TEST

START_TEST(of_several_late_hits_the_longest_wait_counts)
{
	start(NULL);
	prices_late(p, 3001, 50);
	prices_late(p, 3000, 20);
	prices_late(p, 3002, 70);
	prices_late(p, 3003, 10); /* of another request */
	prices_finished(p,
	    &(struct finished){ .block = 3000, .count = 3, .done = 100, .transfer = 30 });
	is(p->waited, 80);
	ck_assert_uint_eq(p->nlate, 1);
}
END_TEST

START_TEST(a_late_hit_that_waits_for_demand_does_not_count)
{
	start(NULL);
	prices_late(p, 1000, 40);
	prices_late(p, 2000, 40);
	serve(1000, true, 0, 0, 100);
	is(p->waited, 0);
	ck_assert_uint_eq(p->nlate, 1);
	serve(1000, false, 0, 100, 200); /* again, and nobody waits */
	is(p->waited, 0);
	serve(2000, false, 0, 200, 300);
	is(p->waited, 100);
}
END_TEST

START_TEST(demand_waits_for_requests_read_ahead_that_are_served_before_it)
{
	start(NULL);
	serve(1000, false, 0, 0, 100);
	serve(2000, false, 0, 100, 250);
	serve(3000, true, 40, 250, 300);
	is(p->waited, 60 + 150);
	is(p->ahead, 250);
	serve(4000, true, 250, 300, 350); /* behind demand */
	is(p->waited, 60 + 150);
	for (unsigned i = 0; i < PRICES_AHEAD; i++)
		serve(5000, false, 0, 400, 401); /* the last four are known */
	serve(6000, true, 0, 500, 600);
	is(p->waited, 60 + 150 + PRICES_AHEAD);
	start(NULL);
	serve(1000, false, 0, 0, 100);
	serve(2000, true, 0, 60, 200); /* served at the same time from 60 on */
	is(p->waited, 60);
}
END_TEST

START_TEST(a_share_is_at_most_all)
{
	start(NULL);
	for (unsigned i = 0; i < PRICES_AHEAD; i++)
		serve(1000, false, 0, 0, 1000); /* four at a time */
	for (unsigned i = 0; i < 10; i++)
		serve(2000, true, 0, 1000, 1001);
	ck_assert(p->waited > p->ahead);
	is(prices_share(p, 1000000), 1);
}
END_TEST

START_TEST(a_share_remembers_fifty_seconds)
{
	start(NULL);
	prices_late(p, 1000, 0);
	serve(1000, false, 0, 0, 50 * 1000000);
	is(p->ahead, 50e6);
	serve(1000, false, 0, 0, 1000);
	is(p->ahead, 50.001e6 / 2);
	is(p->waited, 25e6);
}
END_TEST

/* ---- limits ---- */

START_TEST(a_device_that_takes_no_time_gives_finite_prices)
{
	start(NULL);
	prices_finished(p, &(struct finished){ .block = 100, .count = 1 });
	prices_finished(p, &(struct finished){ .block = 101, .count = 1, .demand = true });
	is(prices_of_transfer(p), 0);
	is(miss(MISS_NEXT), 0);
	is(prices_apart(p), 0);
	is(prices_share(p, 0), 1);
	is(prices_share(p, 10), 1);
}
END_TEST

START_TEST(parameters_at_their_ends_give_finite_prices)
{
	static const char *const text[] = { "memory=1,prior=1", "memory=1,prior=1073741824",
		"memory=1073741824,prior=1", "memory=1073741824,prior=1073741824" };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		start(text[i]);
		for (block_t n = 0; n < 1000; n++) {
			prices_miss(p, 1000 + n * 37 % 4000, n % MISSES);
			demand(1000 + n * 37 % 4000, 1, n % 7 * 100);
		}
		for (enum miss what = 0; what < MISSES; what++)
			ck_assert(miss(what) > 0 && miss(what) <= 1300);
		is(prices_of_transfer(p), 10);
	}
}
END_TEST

START_TEST(blocks_at_the_end_of_the_numbers_are_near_none_at_their_start)
{
	start(NULL);
	demand(UINT32_MAX - 3, 2, 100);
	demand(UINT32_MAX - 1, 1, 100);
	is(p->near.n, 1);
	demand(40, 1, 100);
	is(p->near.n, 1);
	prices_miss(p, UINT32_MAX - 1, MISS_FAR);
	demand(20, 4, 100);
	ck_assert_uint_eq(p->nmissed, 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("prices");

	tcase_add_test(tests, before_the_first_request_nothing_has_a_price);
	tcase_add_test(tests, a_transfer_is_the_mean_of_all_blocks_read);
	tcase_add_test(tests, a_miss_is_first_believed_to_cost_what_requests_cost);
	tcase_add_test(tests, a_miss_is_what_the_requests_of_noted_misses_have_cost);
	tcase_add_test(tests, a_mean_forgets_half_when_it_has_more_entries_than_memory);
	tcase_add_test(tests, requests_are_remembered_eight_times_as_long_as_misses);
	tcase_add_test(tests, near_is_up_to_fifteen_blocks_behind_a_request);
	tcase_add_test(tests, the_ends_of_eight_streams_are_remembered);
	tcase_add_test(tests, a_request_prices_the_first_of_its_misses_and_no_other);
	tcase_add_test(tests, a_write_prices_nothing);
	tcase_add_test(tests, eight_misses_are_noted_at_a_time);
	tcase_add_test(tests, a_miss_costs_the_stream_before_it_its_way_back);
	tcase_add_test(tests, there_is_no_way_back_elsewhere);
	tcase_add_test(tests, what_is_only_read_ahead_costs_the_stream_before_it_its_way_back);
	tcase_add_test(tests, a_write_ends_the_way_back);
	tcase_add_test(tests, a_share_begins_as_the_device_is_busy);
	tcase_add_test(tests, a_late_hit_waits_from_its_start_until_the_request_is_done);
	tcase_add_test(tests, of_several_late_hits_the_longest_wait_counts);
	tcase_add_test(tests, a_late_hit_that_waits_for_demand_does_not_count);
	tcase_add_test(tests, demand_waits_for_requests_read_ahead_that_are_served_before_it);
	tcase_add_test(tests, a_share_is_at_most_all);
	tcase_add_test(tests, a_share_remembers_fifty_seconds);
	tcase_add_test(tests, a_device_that_takes_no_time_gives_finite_prices);
	tcase_add_test(tests, parameters_at_their_ends_give_finite_prices);
	tcase_add_test(tests, blocks_at_the_end_of_the_numbers_are_near_none_at_their_start);
	return run_tests("prices", tests);
}
