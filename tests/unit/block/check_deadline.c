/* check_deadline.c - sim/block/sched_deadline.c: batches, directions and late requests. */
#include <stdio.h>
#include <string.h>

#include "sim/block/scheduler.h"
#include "tests/unit/support.h"

extern const struct scheduler scheduler_deadline;

enum { LIMIT = 64 };

static struct queue  queue;
static void	    *deadline;
static struct moment moment;
static char	     served[1000]; /* "r100 w50 " */

static void
start(const char *params)
{
	struct error e;

	free(deadline);
	deadline = plugin_state(&scheduler_deadline.plugin, params, &e);
	ck_assert_ptr_nonnull(deadline);
	moment = (struct moment){ 0 };
	served[0] = '\0';
}

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(queue_init(&queue, LIMIT, 1, 8, &e), 0);
	start(NULL);
}

static void
teardown(void)
{
	queue_release(&queue);
	free(deadline);
}

static void
arrive(char direction, uint64_t sector)
{
	static block_t	     name = 1;
	const struct request r = { .block = name += 2,
		.count = 1,
		.sector = sector,
		.queued = moment.now,
		.write = direction == 'w' };

	ck_assert_int_eq(queue_add(&queue, &r), QUEUE_NEW);
}

/* n requests, each of which takes so long. */
static struct request
serve(uint32_t n, usec_t us)
{
	struct request r = { 0 };

	for (; n; n--) {
		uint32_t i = scheduler_deadline.pick(deadline, &queue, &moment);
		size_t	 used = strlen(served);

		ck_assert_uint_lt(i, queue.n);
		r = queue_remove(&queue, i);
		moment.head = r.sector + 8;
		moment.now += us;
		if (used < sizeof(served) - 30)
			snprintf(served + used, sizeof(served) - used, "%c%u ", r.write ? 'w' : 'r',
			    (unsigned)r.sector);
	}
	return r;
}

START_TEST(it_begins_with_the_oldest_and_goes_up_from_there)
{
	arrive('r', 500);
	arrive('r', 900);
	arrive('r', 100);
	arrive('r', 600);
	arrive('r', 608);
	serve(5, 10);
	/* nothing above 900: the oldest */
	ck_assert_str_eq(served, "r500 r600 r608 r900 r100 ");
}
END_TEST

START_TEST(a_request_exactly_where_the_head_is_comes_next)
{
	arrive('r', 500);
	arrive('r', 507);
	arrive('r', 516);
	arrive('r', 508);
	serve(4, 10);
	ck_assert_str_eq(served, "r500 r508 r516 r507 ");
}
END_TEST

START_TEST(reads_go_first_but_writes_after_two_batches)
{
	start("fifo_batch=2");
	for (unsigned i = 0; i < 3; i++)
		arrive('w', 1000 + 10 * i);
	for (unsigned i = 0; i < 9; i++)
		arrive('r', 10 * i);
	serve(12, 10);
	ck_assert_str_eq(served, "r0 r10 r20 r30 w1000 w1010 r40 r50 r60 r70 w1020 r80 ");
}
END_TEST

START_TEST(only_batches_while_writes_wait_count)
{
	start("fifo_batch=1");
	arrive('r', 10);
	arrive('r', 20);
	arrive('r', 30);
	arrive('r', 40);
	serve(1, 10);
	arrive('w', 5);
	serve(4, 10);
	ck_assert_str_eq(served, "r10 r20 r30 w5 r40 ");
}
END_TEST

START_TEST(without_reads_writes_need_not_wait)
{
	arrive('w', 50);
	arrive('w', 60);
	serve(1, 10);
	arrive('r', 10);
	serve(2, 10); /* but a batch is not broken off */
	ck_assert_str_eq(served, "w50 w60 r10 ");
}
END_TEST

START_TEST(a_batch_that_turns_to_the_other_direction_begins_with_its_oldest)
{
	start("fifo_batch=2,writes_starved=1");
	arrive('r', 100);
	arrive('r', 110);
	arrive('r', 120);
	arrive('w', 400);
	arrive('w', 130); /* nearer */
	arrive('r', 10);
	arrive('r', 500);
	serve(7, 10);
	ck_assert_str_eq(served, "r100 r110 w400 r120 r500 w130 r10 ");
}
END_TEST

/* Two a batch, going up; the low one becomes late while they do. */
START_TEST(a_late_request_starts_the_next_batch)
{
	start("fifo_batch=2,read_expire=1ms");
	arrive('r', 500);
	arrive('r', 100);
	for (unsigned i = 1; i < 6; i++)
		arrive('r', 500 + 10 * i);
	serve(7, 300); /* after 600 us not late, after 1200 us it is */
	ck_assert_str_eq(served, "r500 r510 r520 r530 r100 r540 r550 ");
	start("fifo_batch=2,read_expire=600us");
	arrive('r', 500);
	arrive('r', 100);
	for (unsigned i = 1; i < 4; i++)
		arrive('r', 500 + 10 * i);
	serve(5, 300); /* to the microsecond */
	ck_assert_str_eq(served, "r500 r510 r100 r520 r530 ");
}
END_TEST

START_TEST(writes_have_a_time_of_their_own)
{
	start("fifo_batch=1,write_expire=1ms");
	arrive('w', 500);
	arrive('w', 100);
	for (unsigned i = 1; i < 6; i++)
		arrive('w', 500 + 10 * i);
	serve(7, 300);
	ck_assert_str_eq(served, "w500 w510 w520 w530 w100 w540 w550 ");
}
END_TEST

/* What a request that is late and the oldest of its direction may still have to wait for. */
START_TEST(nobody_who_is_late_and_oldest_waits_for_more_than_the_batches_due)
{
	enum { BATCH = 4, STARVED = 2 };
	uint64_t seed = 1;
	uint32_t behind[2] = { 0, 0 }, most[2] = { 0, 0 };

	start("fifo_batch=4,read_expire=20ms,write_expire=50ms");
	for (uint32_t i = 0; i < 20000; i++) {
		struct request r;
		block_t	       late[2] = { 0, 0 };

		while (queue.n < LIMIT / 2 || (queue.n < LIMIT && random_below(&seed, 2)))
			arrive(random_below(&seed, 3) ? 'r' : 'w', random_below(&seed, 100000));
		for (uint32_t k = queue.n; k--;) {
			bool write = queue.request[k].write;

			late[write] =
			    moment.now - queue.request[k].queued >= (write ? 50000 : 20000)
			    ? queue.request[k].block
			    : 0;
		}
		r = serve(1, 1000);
		for (int d = 0; d < 2; d++) {
			behind[d] = late[d] && r.block != late[d] ? behind[d] + 1 : 0;
			most[d] = behind[d] > most[d] ? behind[d] : most[d];
		}
	}
	/* a read: the rest of a batch, and one of writes */
	ck_assert_uint_gt(most[0], 0);
	ck_assert_uint_le(most[0], BATCH - 1 + BATCH);
	/* a write: the rest of a batch, and as many of reads as may go before */
	ck_assert_uint_gt(most[1], 0);
	ck_assert_uint_le(most[1], BATCH - 1 + STARVED * BATCH);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("deadline");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, it_begins_with_the_oldest_and_goes_up_from_there);
	tcase_add_test(tests, a_request_exactly_where_the_head_is_comes_next);
	tcase_add_test(tests, reads_go_first_but_writes_after_two_batches);
	tcase_add_test(tests, only_batches_while_writes_wait_count);
	tcase_add_test(tests, without_reads_writes_need_not_wait);
	tcase_add_test(tests, a_batch_that_turns_to_the_other_direction_begins_with_its_oldest);
	tcase_add_test(tests, a_late_request_starts_the_next_batch);
	tcase_add_test(tests, writes_have_a_time_of_their_own);
	tcase_add_test(tests, nobody_who_is_late_and_oldest_waits_for_more_than_the_batches_due);
	return run_tests("deadline", tests);
}
