/* check_schedulers.c - which waiting request goes next. */
#include "sim/block/scheduler.h"
#include "tests/unit/support.h"

extern const struct scheduler scheduler_fifo, scheduler_scan;

enum { LIMIT = 16 };

static struct queue queue;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(queue_init(&queue, LIMIT, 1, 8, &e), 0);
}

static void
teardown(void)
{
	queue_release(&queue);
}

static void
wait_at(block_t name, uint64_t sector)
{
	struct request r = { .block = name, .count = 1, .sector = sector };

	ck_assert_int_eq(queue_add(&queue, &r), QUEUE_NEW);
}

/* Serve one; the head is then `length` sectors past where it started. */
static struct request
serve(const struct scheduler *s, uint64_t *head, uint64_t length)
{
	uint32_t       i = s->pick(NULL, &queue, &(struct moment){ .head = *head });
	struct request r;

	ck_assert_uint_lt(i, queue.n);
	r = queue_remove(&queue, i);
	*head = r.sector + length;
	return r;
}

static void
expect_sectors(const struct scheduler *s, uint64_t head, const uint64_t *sector, uint32_t n)
{
	ck_assert_uint_eq(queue.n, n);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_uint_eq(serve(s, &head, 0).sector, sector[i]);
}

START_TEST(fifo_serves_in_order_of_arrival)
{
	static const uint64_t order[] = { 500, 100, 900, 100, 300 };

	for (uint32_t i = 0; i < 5; i++)
		wait_at(1 + 10 * i, order[i]);
	expect_sectors(&scheduler_fifo, 400, order, 5);
}
END_TEST

START_TEST(scan_goes_up_from_the_head_and_then_back_to_the_lowest)
{
	static const uint64_t order[] = { 500, 600, 900, 100, 300 };

	wait_at(10, 900);
	wait_at(20, 100);
	wait_at(30, 600);
	wait_at(40, 300);
	wait_at(50, 500);
	expect_sectors(&scheduler_scan, 400, order, 5);
}
END_TEST

START_TEST(scan_takes_a_request_exactly_at_the_head)
{
	static const uint64_t order[] = { 400, 401, 399 };

	wait_at(10, 399);
	wait_at(20, 401);
	wait_at(30, 400);
	expect_sectors(&scheduler_scan, 400, order, 3);
}
END_TEST

START_TEST(scan_never_turns_round_for_a_request_just_behind_the_head)
{
	uint64_t head = 400;

	wait_at(10, 1000);
	wait_at(20, 399);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 1000);
	wait_at(30, 1007); /* the head is at 1008 */
	wait_at(40, 50000);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 50000);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 399);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 1007);
}
END_TEST

START_TEST(scan_serves_equal_sectors_in_order_of_arrival)
{
	uint64_t head = 200;

	wait_at(10, 100);
	wait_at(20, 300);
	wait_at(30, 300);
	wait_at(40, 100);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 20);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 30);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 10);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 40);
}
END_TEST

/* A random queue served without arrivals: ascending, with at most one step down. */
START_TEST(scan_sweeps_any_queue_with_one_step_down_at_most)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		uint64_t head = random_below(&seed, 1000), start = head, last = head;
		unsigned falls = 0;

		for (uint32_t i = 0; i < LIMIT; i++)
			wait_at(1 + 10 * i, random_below(&seed, 1000));
		while (queue.n) {
			uint64_t sector = serve(&scheduler_scan, &head, 0).sector;

			falls += sector < last;
			last = sector;
			ck_assert(falls <= 1 && (!falls || sector < start));
		}
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("schedulers");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, fifo_serves_in_order_of_arrival);
	tcase_add_test(tests, scan_goes_up_from_the_head_and_then_back_to_the_lowest);
	tcase_add_test(tests, scan_takes_a_request_exactly_at_the_head);
	tcase_add_test(tests, scan_never_turns_round_for_a_request_just_behind_the_head);
	tcase_add_test(tests, scan_serves_equal_sectors_in_order_of_arrival);
	tcase_add_test(tests, scan_sweeps_any_queue_with_one_step_down_at_most);
	return run_tests("schedulers", tests);
}
