/*
 * check_linus.c - the elevators of Linux 2.4: what is sorted, merged, joined
 * and refused, which may go before which how often, and which requests are free.
 *
 * A sector is a block here; buffers are of any size.
 */
#include <stdio.h>

#include "sim/block/scheduler.h"
#include "tests/unit/support.h"

extern const struct scheduler scheduler_linus, scheduler_noop;

enum { PAGE = 8, IDE = 128, SCSI = 255 }; /* sectors */

static struct queue	       queue;
static const struct scheduler *scheduler;
static void		      *self;
static struct place	       at; /* of the last buffer */

/* ---- driving ---- */

static void
stop(void)
{
	queue_release(&queue);
	free(self);
	self = NULL;
}

static void
start(const struct scheduler *s, const char *params, uint32_t limit, uint32_t max_sectors)
{
	struct error e;

	stop();
	scheduler = s;
	self = plugin_state(&s->plugin, params, &e);
	ck_assert_msg(self != NULL, "%s", e.text);
	ck_assert_int_eq(queue_init(&queue, limit, max_sectors, 1, &e), 0);
	s->init(self, &queue);
}

static void
linus(const char *params)
{
	start(&scheduler_linus, params, 1024, SCSI);
}

static enum queued
put(const struct request *r)
{
	at = scheduler_place(scheduler, self, &queue, r);
	return queue_put(&queue, r, at);
}

static struct request
buffer(uint64_t sector, uint32_t n)
{
	return (struct request){ .block = (block_t)sector, .sector = sector, .count = n };
}

static enum queued
reading(uint64_t sector, uint32_t n)
{
	struct request r = buffer(sector, n);

	return put(&r);
}

static enum queued
writing(uint64_t sector, uint32_t n)
{
	struct request r = buffer(sector, n);

	r.write = true;
	return put(&r);
}

static uint64_t
serve(void)
{
	struct moment  m = { 0 };
	struct request r = queue_take(&queue, scheduler->pick(self, &queue, &m));

	queue_finish(&queue);
	return r.sector;
}

static void
expect_sectors(const uint64_t *sector, uint32_t n)
{
	ck_assert_uint_eq(queue.n, n);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_uint_eq(queue.request[i].sector, sector[i]);
}

#define EXPECT_SECTORS(...)                                                                        \
	expect_sectors((const uint64_t[]){ __VA_ARGS__ },                                          \
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* ---- order ---- */

START_TEST(the_queue_is_one_sweep_after_the_other)
{
	static const uint64_t arrival[] = { 7000, 9000, 1000, 3000, 6000, 8000, 500, 9500, 4000,
		100, 5500 };

	linus("active=1");
	reading(5000, PAGE);
	queue.plugged = false; /* 5000 is in service */
	for (unsigned i = 0; i < sizeof(arrival) / sizeof(*arrival); i++)
		ck_assert_int_eq(reading(arrival[i], PAGE), QUEUE_NEW);
	EXPECT_SECTORS(5000, 7000, 8000, 9000, 9500, 100, 500, 1000, 3000, 4000, 5500, 6000);
}
END_TEST

START_TEST(a_request_taken_off_the_queue_leaves_room_right_behind_itself)
{
	linus(NULL);
	reading(5000, PAGE);
	reading(7000, PAGE);
	queue.plugged = false;
	ck_assert_uint_eq(serve(), 5000);
	reading(9000, PAGE);
	reading(8000, PAGE);
	EXPECT_SECTORS(7000, 8000, 9000);
}
END_TEST

START_TEST(any_plugged_queue_turns_back_once_at_most)
{
	for (unsigned round = 0; round < 50; round++) {
		linus("version=2.4.27");
		for (unsigned i = 0; i < 100; i++) {
			unsigned falls = 0;

			reading(2 * ((i + 1) * (7919 + round) % 10007), 1); /* none twice */
			for (uint32_t k = 1; k < queue.n; k++)
				falls += queue.request[k].sector < queue.request[k - 1].sector;
			ck_assert_uint_le(falls, 1);
		}
	}
}
END_TEST

START_TEST(reads_and_writes_share_the_order_but_no_request)
{
	linus(NULL);
	reading(100, PAGE);
	ck_assert_int_eq(writing(108, PAGE), QUEUE_NEW);
	ck_assert_int_eq(writing(300, PAGE), QUEUE_NEW);
	ck_assert_int_eq(reading(200, PAGE), QUEUE_NEW);
	EXPECT_SECTORS(100, 108, 200, 300);
	ck_assert_uint_eq(queue.writes, 2);
}
END_TEST

START_TEST(noop_serves_in_order_of_arrival_and_knows_no_patience)
{
	start(&scheduler_noop, NULL, 1024, SCSI);
	reading(500, PAGE);
	reading(100, PAGE);
	reading(300, PAGE);
	ck_assert_int_eq(reading(108, PAGE), QUEUE_MERGED);
	ck_assert_int_eq(reading(492, PAGE), QUEUE_MERGED);
	EXPECT_SECTORS(492, 100, 300);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(queue.request[i].patience, 0);
}
END_TEST

/* ---- sizes ---- */

/* So many buffers of a run, from the first sector on, make requests of these sizes. */
static void
expect_run(uint32_t buffers, uint32_t n, uint32_t first, uint32_t second)
{
	for (uint32_t i = 0; i < buffers; i++)
		reading(1000 + (uint64_t)i * n, n);
	ck_assert_uint_eq(queue.n, 2);
	ck_assert_uint_eq(queue.request[0].count, first * n);
	ck_assert_uint_eq(queue.request[1].count, second * n);
}

START_TEST(a_batch_of_32_pages_is_31_and_1_or_16_and_16)
{
	start(&scheduler_linus, NULL, 128, SCSI);
	expect_run(32, PAGE, 31, 1);
	start(&scheduler_linus, NULL, 128, IDE);
	expect_run(32, PAGE, 16, 16);
	start(&scheduler_noop, NULL, 128, IDE);
	expect_run(32, PAGE, 16, 16);
}
END_TEST

START_TEST(scattered_single_sectors_fill_128_segments_contiguous_ones_255_sectors)
{
	linus(NULL);
	expect_run(200, 1, 128, 72);
	ck_assert_uint_eq(queue.request[0].segments, 128);
	linus("contiguous=1");
	expect_run(256, 1, 255, 1);
	ck_assert_uint_eq(queue.request[0].segments, 1);
}
END_TEST

/* [0..127] and [500] wait; what would be the 129th segment comes. */
static void
refuse(const char *version, uint64_t sector)
{
	linus(version);
	for (uint64_t i = 0; i < 128; i++)
		reading(1000 + i, 1);
	reading(5000, 1);
	ck_assert_int_eq(reading(sector, 1), QUEUE_NEW);
}

START_TEST(a_merge_refused_for_its_segments_makes_a_request_beside_or_in_2_4_17_at_the_end)
{
	refuse("version=2.4.20", 1128);
	ck_assert_int_eq(at.refused, PLACE_BACK);
	EXPECT_SECTORS(1000, 1128, 5000);
	refuse("version=2.4.20", 999);
	ck_assert_int_eq(at.refused, PLACE_FRONT);
	EXPECT_SECTORS(999, 1000, 5000);
	refuse("version=2.4.17", 1128);
	EXPECT_SECTORS(1000, 5000, 1128);
	refuse("version=2.4.17", 999);
	EXPECT_SECTORS(1000, 5000, 999);
}
END_TEST

START_TEST(a_refused_merge_in_2_4_17_costs_its_own_request_only)
{
	int32_t patience;

	refuse("version=2.4.17", 999);
	patience = queue.request[0].patience;
	ck_assert_int_eq(patience, 8192 - 127 - 2 - 1); /* looked at 129 times, and the merge */
	ck_assert_int_eq(queue.request[1].patience, 8192 - 1);
	refuse("version=2.4.27", 999);
	ck_assert_int_eq(queue.request[1].patience, 128 - 1);
	ck_assert_int_eq(queue.request[2].patience, 128 - 1);
}
END_TEST

START_TEST(a_request_that_fills_a_gap_takes_in_its_neighbour)
{
	linus(NULL);
	reading(100, PAGE);
	reading(116, PAGE);
	ck_assert_int_eq(reading(108, PAGE), QUEUE_JOINED); /* looked at first: 116 */
	ck_assert_int_eq(at.how, PLACE_FRONT);
	EXPECT_SECTORS(100);
	ck_assert_uint_eq(queue.request[0].count, 24);
	ck_assert_uint_eq(queue.request[0].segments, 3);
	ck_assert_int_eq(queue.request[0].patience, 2047); /* that of 116, merged in front */
	ck_assert_uint_eq(queue_free(&queue, false), 511);
}
END_TEST

START_TEST(a_joined_request_has_waited_as_long_as_either_and_is_waited_for_if_one_was)
{
	struct request late = buffer(100, PAGE);

	linus(NULL);
	reading(50, PAGE);
	reading(116, PAGE);
	late.queued = 10;
	put(&late);
	queue.request[2].promoted = true;
	reading(108, PAGE);
	EXPECT_SECTORS(50, 100);
	ck_assert_int_eq(queue.request[1].queued, 0);
	ck_assert(queue.request[1].promoted);
}
END_TEST

START_TEST(requests_of_more_than_128_segments_together_do_not_join)
{
	linus(NULL);
	for (unsigned i = 0; i < 160; i++)
		reading(1000 + i + (i >= 100), 1);
	ck_assert_int_eq(reading(1100, 1), QUEUE_MERGED);
	EXPECT_SECTORS(1000, 1100);
	ck_assert_uint_eq(queue.request[0].segments, 100);
	ck_assert_uint_eq(queue.request[1].segments, 61);
}
END_TEST

START_TEST(requests_join_backwards_too_and_not_beyond_their_limit)
{
	start(&scheduler_linus, NULL, 128, 32);
	writing(124, 4);
	reading(100, PAGE);
	reading(116, PAGE);
	ck_assert_int_eq(reading(92, PAGE), QUEUE_MERGED);
	EXPECT_SECTORS(124, 92, 116);
	ck_assert_int_eq(reading(108, PAGE), QUEUE_JOINED);
	ck_assert_uint_eq(queue.request[1].count, 32);
	ck_assert_int_eq(reading(124, PAGE), QUEUE_NEW);
}
END_TEST

START_TEST(the_request_a_driver_works_on_in_place_neither_grows_nor_joins)
{
	linus("active=1");
	reading(100, PAGE);
	queue.plugged = false;
	ck_assert_int_eq(reading(116, PAGE), QUEUE_NEW);
	ck_assert_int_eq(reading(108, PAGE), QUEUE_MERGED);
	EXPECT_SECTORS(100, 108);
	ck_assert_int_eq(reading(92, PAGE), QUEUE_NEW);
	linus("active=0");
	reading(100, PAGE);
	queue.plugged = false;
	ck_assert_int_eq(reading(108, PAGE), QUEUE_MERGED);
}
END_TEST

/* ---- patience ---- */

/* How many buffers, apart from each other, are sorted in before a lone request far away? */
static unsigned
insertions_before(const char *params, bool write)
{
	linus(params);
	reading(8, PAGE);
	if (write)
		writing(1000000, PAGE);
	else
		reading(1000000, PAGE);
	for (unsigned n = 0;; n++) {
		reading(16 * (n + 2), PAGE);
		if (at.i == queue.n - 1)
			return n;
		ck_assert_uint_lt(n, 2000);
		if (queue.n > 400)
			queue_remove(&queue, 1);
	}
}

START_TEST(insertions_starve_a_read_128_times_and_a_write_512_times)
{
	ck_assert_uint_eq(insertions_before("version=2.4.20", false), 128);
	ck_assert_uint_eq(insertions_before("version=2.4.20", true), 512);
	ck_assert_uint_eq(insertions_before("version=2.4.27", false), 128);
	ck_assert_uint_eq(insertions_before("version=2.4.27", true), 512);
}
END_TEST

/* The same for pages of one sequential stream. */
static unsigned
stream_before(const char *params)
{
	linus(params);
	reading(8, PAGE);
	reading(1000000, PAGE);
	for (unsigned n = 0;; n++) {
		reading(1000 + (uint64_t)n * PAGE, PAGE);
		if (queue.request[queue.n - 1].sector < 1000000)
			return n;
	}
}

/*
 * 31 pages cost an insertion and 30 merges: 46 of 2048 in 2.4.20.  In 2.4.17 a
 * look and 30 times a look and 8 sectors, 271 of 8192; the last 7 are too few.
 */
START_TEST(a_stream_of_pages_starves_a_read_until_its_patience_is_gone)
{
	ck_assert_uint_eq(stream_before("version=2.4.20"), 44 * 31 + 1 + 8);
	ck_assert_uint_eq(stream_before("version=2.4.17"), 30 * 31 + 7);
	ck_assert_uint_eq(stream_before("version=2.4.27"), 128);
}
END_TEST

START_TEST(in_2_4_17_every_look_costs_one_and_a_merge_its_sectors)
{
	linus("version=2.4.17");
	reading(100, PAGE);
	writing(1000, PAGE);
	ck_assert_int_eq(queue.request[0].patience, 8191); /* looked at */
	ck_assert_int_eq(queue.request[1].patience, 16384);
	reading(108, PAGE);
	ck_assert_int_eq(queue.request[0].patience, 8190);
	ck_assert_int_eq(queue.request[1].patience, 16384 - 1 - PAGE);
	reading(92, PAGE);
	ck_assert_int_eq(queue.request[0].patience, 8189 - PAGE);
	reading(500, PAGE); /* an insertion costs no more */
	ck_assert_int_eq(queue.request[2].patience, 16384 - 3 - 2 * PAGE);
}
END_TEST

START_TEST(in_2_4_17_a_request_with_less_patience_than_the_buffer_has_sectors_ends_the_search)
{
	linus("version=2.4.17");
	reading(100, PAGE);
	reading(200, PAGE);
	queue.request[1].patience = PAGE; /* less once it is looked at */
	ck_assert_int_eq(reading(108, PAGE), QUEUE_NEW);
	EXPECT_SECTORS(100, 200, 108);
	linus("version=2.4.17");
	reading(100, PAGE);
	writing(200, PAGE);
	queue.request[1].patience = PAGE; /* not consulted: a read cannot merge with it */
	ck_assert_int_eq(reading(108, PAGE), QUEUE_MERGED);
}
END_TEST

START_TEST(in_2_4_20_merges_cost_one_and_insertions_16)
{
	linus("version=2.4.20");
	reading(100, PAGE);
	reading(1000, PAGE);
	reading(500, PAGE);
	ck_assert_int_eq(queue.request[2].patience, 2048 - 16);
	reading(108, PAGE);
	ck_assert_int_eq(queue.request[0].patience, 2048);
	ck_assert_int_eq(queue.request[1].patience, 2047);
	ck_assert_int_eq(queue.request[2].patience, 2048 - 17);
	reading(92, PAGE);
	ck_assert_int_eq(queue.request[0].patience, 2047);
}
END_TEST

START_TEST(nothing_passes_a_barrier_which_from_2_4_22_on_grows_at_its_end)
{
	static const char *const version[] = { "version=2.4.17", "version=2.4.20",
		"version=2.4.27" };

	for (unsigned i = 0; i < 3; i++) {
		linus(version[i]);
		reading(100, PAGE);
		reading(1000, PAGE);
		queue.request[1].patience = 0;
		ck_assert_int_eq(reading(108, PAGE), QUEUE_NEW);
		EXPECT_SECTORS(100, 1000, 108);
		ck_assert_int_eq(reading(992, PAGE), QUEUE_NEW);
		ck_assert_int_eq(reading(1008, PAGE), i == 2 ? QUEUE_MERGED : QUEUE_NEW);

		linus(version[i]);
		reading(100, PAGE);
		reading(1000, PAGE);
		reading(2000, PAGE);
		queue.request[1].patience = 0;
		reading(1500, PAGE);
		EXPECT_SECTORS(100, 1000, 2000, 1500);
	}
}
END_TEST

START_TEST(in_2_4_27_a_descending_stream_merges_128_times_and_then_goes_to_the_end)
{
	linus("version=2.4.27,contiguous=1");
	writing(5000, 1);
	for (unsigned i = 0; i <= 128; i++)
		ck_assert_int_eq(reading(9000 - i, 1), i ? QUEUE_MERGED : QUEUE_NEW);
	ck_assert_int_eq(queue.request[1].patience, 0);
	ck_assert_int_eq(reading(9000 - 129, 1), QUEUE_NEW);
	EXPECT_SECTORS(5000, 9000 - 128, 9000 - 129);
}
END_TEST

/* ---- plugging ---- */

START_TEST(an_empty_queue_is_plugged_by_what_enters_it_a_busy_one_is_not)
{
	linus("active=1");
	ck_assert(!queue.plugged);
	reading(100, PAGE);
	ck_assert(queue.plugged);
	queue.plugged = false;
	reading(200, PAGE);
	ck_assert(!queue.plugged);
	serve();
	reading(300, PAGE);
	ck_assert(!queue.plugged);
	serve();
	serve();
	ck_assert(!queue.plugged);
	reading(400, PAGE);
	ck_assert(queue.plugged);
	reading(392, PAGE); /* all of a plugged queue may change */
	EXPECT_SECTORS(392);
}
END_TEST

/* ---- free requests ---- */

/* Reads until there is no request. */
static unsigned
exhaust(void)
{
	for (unsigned n = 0;; n++)
		if (reading(1000 * (n + 1), PAGE) == QUEUE_FULL)
			return n;
}

START_TEST(until_2_4_20_half_of_the_requests_are_for_reads)
{
	start(&scheduler_linus, "version=2.4.20", 128, SCSI);
	ck_assert_uint_eq(exhaust(), 64);
	ck_assert_uint_eq(queue_free(&queue, true), 64);
	ck_assert_int_eq(writing(5, PAGE), QUEUE_NEW);
	ck_assert_int_eq(reading(1008, PAGE), QUEUE_MERGED); /* needs none */
	start(&scheduler_linus, "version=2.4.27", 128, SCSI);
	ck_assert_uint_eq(exhaust(), 128);
	ck_assert_int_eq(writing(5, PAGE), QUEUE_FULL);
}
END_TEST

START_TEST(who_finds_none_waits_for_a_batch)
{
	static const char *const version[] = { "version=2.4.17", "version=2.4.20",
		"version=2.4.27" };

	for (unsigned i = 0; i < 3; i++) {
		start(&scheduler_linus, version[i], 128, SCSI);
		exhaust();
		queue_lack(&queue);
		for (unsigned n = 0; n < 32; n++) {
			ck_assert(!queue_recovered(&queue));
			serve();
		}
		ck_assert(queue_recovered(&queue));
	}
}
END_TEST

START_TEST(a_batch_is_a_quarter_of_the_requests_and_from_2_4_20_on_32_at_most)
{
	start(&scheduler_linus, "version=2.4.17", 1024, SCSI);
	ck_assert_uint_eq(queue.rules.batch, 256);
	start(&scheduler_linus, "version=2.4.20", 1024, SCSI);
	ck_assert_uint_eq(queue.rules.batch, 32);
	start(&scheduler_linus, "version=2.4.27", 16, SCSI);
	ck_assert_uint_eq(queue.rules.batch, 4);
	start(&scheduler_noop, "version=2.4.20", 3, SCSI);
	ck_assert_uint_eq(queue.rules.batch, 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("linus");

	tcase_add_checked_fixture(tests, NULL, stop);
	tcase_add_test(tests, the_queue_is_one_sweep_after_the_other);
	tcase_add_test(tests, a_request_taken_off_the_queue_leaves_room_right_behind_itself);
	tcase_add_test(tests, any_plugged_queue_turns_back_once_at_most);
	tcase_add_test(tests, reads_and_writes_share_the_order_but_no_request);
	tcase_add_test(tests, noop_serves_in_order_of_arrival_and_knows_no_patience);
	tcase_add_test(tests, a_batch_of_32_pages_is_31_and_1_or_16_and_16);
	tcase_add_test(tests,
	    scattered_single_sectors_fill_128_segments_contiguous_ones_255_sectors);
	tcase_add_test(tests,
	    a_merge_refused_for_its_segments_makes_a_request_beside_or_in_2_4_17_at_the_end);
	tcase_add_test(tests, a_refused_merge_in_2_4_17_costs_its_own_request_only);
	tcase_add_test(tests, a_request_that_fills_a_gap_takes_in_its_neighbour);
	tcase_add_test(tests,
	    a_joined_request_has_waited_as_long_as_either_and_is_waited_for_if_one_was);
	tcase_add_test(tests, requests_of_more_than_128_segments_together_do_not_join);
	tcase_add_test(tests, requests_join_backwards_too_and_not_beyond_their_limit);
	tcase_add_test(tests, the_request_a_driver_works_on_in_place_neither_grows_nor_joins);
	tcase_add_test(tests, insertions_starve_a_read_128_times_and_a_write_512_times);
	tcase_add_test(tests, a_stream_of_pages_starves_a_read_until_its_patience_is_gone);
	tcase_add_test(tests, in_2_4_17_every_look_costs_one_and_a_merge_its_sectors);
	tcase_add_test(tests,
	    in_2_4_17_a_request_with_less_patience_than_the_buffer_has_sectors_ends_the_search);
	tcase_add_test(tests, in_2_4_20_merges_cost_one_and_insertions_16);
	tcase_add_test(tests, nothing_passes_a_barrier_which_from_2_4_22_on_grows_at_its_end);
	tcase_add_test(tests,
	    in_2_4_27_a_descending_stream_merges_128_times_and_then_goes_to_the_end);
	tcase_add_test(tests, an_empty_queue_is_plugged_by_what_enters_it_a_busy_one_is_not);
	tcase_add_test(tests, until_2_4_20_half_of_the_requests_are_for_reads);
	tcase_add_test(tests, who_finds_none_waits_for_a_batch);
	tcase_add_test(tests, a_batch_is_a_quarter_of_the_requests_and_from_2_4_20_on_32_at_most);
	return run_tests("linus", tests);
}
