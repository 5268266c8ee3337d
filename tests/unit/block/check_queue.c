/* check_queue.c - waiting requests: what merges, with whom, and what is then known of it. */
#include <string.h>

#include "sim/block/queue.h"
#include "tests/unit/support.h"

enum { LIMIT = 6, MAX_BLOCKS = 4, BLOCK_SECTORS = 8 };

static struct queue queue;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(queue_init(&queue, LIMIT, MAX_BLOCKS, BLOCK_SECTORS, &e), 0);
}

static void
teardown(void)
{
	queue_release(&queue);
}

/* A read ahead of need of block b, which lies where the packed layout puts it. */
static struct request
ahead(block_t b)
{
	return (struct request){
		.block = b,
		.count = 1,
		.sector = (uint64_t)b * BLOCK_SECTORS,
		.nprefetched = 1,
		.fills = true,
	};
}

static struct request
demand(block_t b)
{
	struct request r = ahead(b);

	r.nprefetched = 0;
	r.demand_end = 1;
	return r;
}

static struct request
writing(block_t b)
{
	struct request r = ahead(b);

	r.nprefetched = 0;
	r.write = true;
	r.fills = false;
	return r;
}

static enum queued
add(struct request r)
{
	return queue_add(&queue, &r);
}

static void
expect(uint32_t i, block_t block, uint32_t count)
{
	ck_assert_uint_lt(i, queue.n);
	ck_assert_uint_eq(queue.request[i].block, block);
	ck_assert_uint_eq(queue.request[i].count, count);
	ck_assert_uint_eq(queue.request[i].sector, (uint64_t)block * BLOCK_SECTORS);
}

/* So many segments has the request at that index. */
static uint32_t
segments(uint32_t i)
{
	return queue_segments(&queue, &queue.request[i]);
}

static struct request
continuing(block_t b)
{
	struct request r = ahead(b);

	r.continued = 1;
	return r;
}

START_TEST(a_block_that_continues_one_in_memory_is_no_segment_of_its_own)
{
	queue.max_blocks = 8;
	add(ahead(10));
	add(ahead(11));
	ck_assert_uint_eq(segments(0), 2);
	add(continuing(12));
	add(continuing(13));
	ck_assert_uint_eq(segments(0), 2);
	add(ahead(14));
	ck_assert_uint_eq(segments(0), 3);
	add(ahead(9));
	ck_assert_uint_eq(segments(0), 4);
	add(continuing(30)); /* the first of a request */
	ck_assert_uint_eq(segments(1), 1);
	add(continuing(29)); /* in front: what it continues is not here */
	ck_assert_uint_eq(queue.n, 2);
	queue.rules.contiguous = true;
	ck_assert_uint_eq(segments(0), 1);
}
END_TEST

START_TEST(requests_that_join_keep_their_segments)
{
	queue.rules.joins = true;
	queue.max_blocks = 8;
	add(ahead(10));
	add(continuing(11));
	add(ahead(13));
	add(continuing(14));
	add(continuing(15));
	ck_assert_int_eq(add(ahead(12)), QUEUE_JOINED);
	expect(0, 10, 6);
	ck_assert_uint_eq(segments(0), 3);
}
END_TEST

START_TEST(a_block_that_follows_a_request_joins_it_behind)
{
	ck_assert_int_eq(add(ahead(10)), QUEUE_NEW);
	ck_assert_int_eq(add(ahead(11)), QUEUE_MERGED);
	ck_assert_int_eq(add(ahead(12)), QUEUE_MERGED);
	ck_assert_uint_eq(queue.n, 1);
	expect(0, 10, 3);
}
END_TEST

START_TEST(a_block_that_precedes_a_request_joins_it_in_front)
{
	add(ahead(10));
	ck_assert_int_eq(add(ahead(9)), QUEUE_MERGED);
	ck_assert_int_eq(add(ahead(8)), QUEUE_MERGED);
	ck_assert_uint_eq(queue.n, 1);
	expect(0, 8, 3);
}
END_TEST

START_TEST(a_block_that_does_not_touch_a_request_starts_its_own)
{
	add(ahead(10));
	ck_assert_int_eq(add(ahead(12)), QUEUE_NEW);
	ck_assert_int_eq(add(ahead(8)), QUEUE_NEW);
	ck_assert_int_eq(add(ahead(10)), QUEUE_NEW);
	ck_assert_uint_eq(queue.n, 4);
}
END_TEST

START_TEST(a_request_grows_to_its_limit_and_no_further)
{
	for (block_t b = 10; b < 10 + MAX_BLOCKS; b++)
		add(ahead(b));
	ck_assert_uint_eq(queue.n, 1);
	ck_assert_int_eq(add(ahead(10 + MAX_BLOCKS)), QUEUE_NEW);
	ck_assert_int_eq(add(ahead(9)), QUEUE_NEW);
	expect(0, 10, MAX_BLOCKS);
	expect(1, 10 + MAX_BLOCKS, 1);
	expect(2, 9, 1);
}
END_TEST

START_TEST(requests_that_come_to_touch_are_not_joined_to_each_other)
{
	add(ahead(10));
	add(ahead(12));
	ck_assert_int_eq(add(ahead(11)), QUEUE_MERGED);
	ck_assert_uint_eq(queue.n, 2);
	expect(0, 10, 1);
	expect(1, 11, 2);
}
END_TEST

START_TEST(reads_and_writes_do_not_merge)
{
	add(ahead(10));
	ck_assert_int_eq(add(writing(11)), QUEUE_NEW);
	ck_assert_int_eq(add(ahead(12)), QUEUE_NEW);
	ck_assert_int_eq(add(writing(12)), QUEUE_MERGED);
	ck_assert_int_eq(add(ahead(9)), QUEUE_MERGED);
	expect(0, 9, 2);
	expect(1, 11, 2);
	expect(2, 12, 1);
}
END_TEST

START_TEST(reads_and_plain_writes_merge_across_calls)
{
	struct request r = ahead(10), w = writing(20);

	r.call = w.call = 5;
	add(r);
	add(w);
	ck_assert_int_eq(add(ahead(11)), QUEUE_MERGED);
	ck_assert_int_eq(add(writing(21)), QUEUE_MERGED);
}
END_TEST

START_TEST(writes_that_fill_their_blocks_merge_within_one_call_only)
{
	struct request fill = writing(10);

	fill.fills = true;
	fill.call = 5;
	add(fill);
	ck_assert_int_eq(add(writing(11)), QUEUE_NEW);
	fill.block = 11;
	fill.sector += BLOCK_SECTORS;
	ck_assert_int_eq(add(fill), QUEUE_MERGED);
	fill.block = 12;
	fill.sector += BLOCK_SECTORS;
	fill.call = 6;
	ck_assert_int_eq(add(fill), QUEUE_NEW);
	expect(0, 10, 2);
	expect(1, 11, 1);
	expect(2, 12, 1);
}
END_TEST

START_TEST(neighbours_in_number_with_a_gap_on_disk_do_not_merge)
{
	struct request behind = ahead(11), front = ahead(9);

	behind.sector += BLOCK_SECTORS;
	front.sector -= 1;
	add(ahead(10));
	ck_assert_int_eq(add(behind), QUEUE_NEW);
	ck_assert_int_eq(add(front), QUEUE_NEW);
}
END_TEST

START_TEST(neighbours_on_disk_that_are_not_neighbours_in_number_do_not_merge)
{
	struct request r = ahead(11);

	add(ahead(10));
	r.block = 40;
	ck_assert_int_eq(add(r), QUEUE_NEW);
	r.block = 30;
	r.sector = 9 * BLOCK_SECTORS;
	ck_assert_int_eq(add(r), QUEUE_NEW);
}
END_TEST

START_TEST(of_two_requests_the_newest_takes_the_block)
{
	add(ahead(10));
	add(ahead(12));
	add(ahead(11));
	expect(1, 11, 2);

	/* Now the one that would grow in front is the older. */
	add(ahead(32));
	add(ahead(30));
	add(ahead(31));
	expect(3, 30, 2);
	expect(2, 32, 1);
}
END_TEST

START_TEST(the_end_of_demand_is_one_past_the_last_block_somebody_waits_for)
{
	struct request *r = &queue.request[0];

	add(ahead(10));
	ck_assert_uint_eq(r->demand_end, 0);
	add(demand(11));
	ck_assert_uint_eq(r->demand_end, 2); /* - D */
	add(ahead(12));
	ck_assert_uint_eq(r->demand_end, 2); /* - D - */
	add(ahead(9));
	ck_assert_uint_eq(r->demand_end, 3); /* - - D - */
	ck_assert_uint_eq(r->nprefetched, 3);
}
END_TEST

START_TEST(demand_in_front_of_a_prefetch_ends_at_the_first_block)
{
	add(ahead(10));
	add(ahead(11));
	add(demand(9));
	ck_assert_uint_eq(queue.request[0].demand_end, 1);
	add(demand(8));
	ck_assert_uint_eq(queue.request[0].demand_end, 2);
	ck_assert_uint_eq(queue.request[0].nprefetched, 2);
}
END_TEST

START_TEST(demand_behind_demand_moves_the_end)
{
	add(demand(10));
	add(demand(11));
	ck_assert_uint_eq(queue.request[0].demand_end, 2);
	add(ahead(12));
	add(demand(13));
	ck_assert_uint_eq(queue.request[0].demand_end, 4);
}
END_TEST

START_TEST(a_merged_request_has_waited_since_its_first_block_came)
{
	struct request first = ahead(10), second = ahead(11), third = ahead(9);

	first.queued = 100;
	second.queued = 200;
	third.queued = 300;
	add(first);
	add(second);
	add(third);
	ck_assert_int_eq(queue.request[0].queued, 100);
}
END_TEST

START_TEST(a_waiting_block_is_found_anywhere_in_its_request)
{
	add(ahead(50));
	for (block_t b = 10; b < 13; b++)
		add(ahead(b));
	for (block_t b = 10; b < 13; b++)
		ck_assert_ptr_eq(queue_find(&queue, b), &queue.request[1]);
	ck_assert_ptr_eq(queue_find(&queue, 50), &queue.request[0]);
	ck_assert_ptr_null(queue_find(&queue, 9));
	ck_assert_ptr_null(queue_find(&queue, 13));
}
END_TEST

START_TEST(a_write_of_a_block_is_not_what_makes_it_readable)
{
	add(writing(10));
	ck_assert_ptr_null(queue_find(&queue, 10));
	add(ahead(10));
	ck_assert_ptr_eq(queue_find(&queue, 10), &queue.request[1]);
}
END_TEST

START_TEST(a_removed_request_leaves_the_others_in_order)
{
	static const block_t left[] = { 10, 40 };
	struct request	     r;

	add(ahead(10));
	add(ahead(20));
	add(demand(30));
	add(ahead(40));
	r = queue_remove(&queue, 1);
	ck_assert_uint_eq(r.block, 20);
	r = queue_remove(&queue, 1);
	ck_assert_uint_eq(r.block, 30);
	ck_assert_uint_eq(r.demand_end, 1);
	ck_assert_uint_eq(queue.n, 2);
	for (uint32_t i = 0; i < 2; i++)
		ck_assert_uint_eq(queue.request[i].block, left[i]);
	r = queue_remove(&queue, 1);
	ck_assert_uint_eq(r.block, 40);
	r = queue_remove(&queue, 0);
	ck_assert_uint_eq(r.block, 10);
	ck_assert_uint_eq(queue.n, 0);
}
END_TEST

START_TEST(there_is_room_for_exactly_as_many_requests_as_the_limit)
{
	for (block_t b = 1; b <= LIMIT - 2; b++)
		add(ahead(10 * b));
	ck_assert(queue_has_room(&queue, 1, 1));
	ck_assert(!queue_has_room(&queue, 1, 2));
	add(ahead(100));
	ck_assert(queue_has_room(&queue, 1, 0));
	add(ahead(200));
	ck_assert(!queue_has_room(&queue, 1, 0));
	ck_assert_int_eq(add(ahead(201)), QUEUE_MERGED); /* a merge needs no room */
}
END_TEST

/* ---- long queues ---- */

enum { LONG = 60, BLOCKS = 200, STEPS = 200000 };

/* The place by the definition: the newest request that touches r and may grow by it. */
static struct place
place_of(const struct queue *q, const struct request *r)
{
	for (uint32_t i = q->n; i-- > 0;) {
		const struct request *w = &q->request[i];

		if (w->write != r->write || w->count == q->max_blocks)
			continue;
		if (w->block + w->count == r->block)
			return (struct place){ .how = PLACE_BACK, .i = i };
		if (r->block + 1 == w->block)
			return (struct place){ .how = PLACE_FRONT, .i = i };
	}
	return (struct place){ .how = PLACE_NEW, .i = q->n };
}

/* Blocks come in any order and requests leave from any place, more often from the front. */
START_TEST(a_long_queue_stays_in_order_and_finds_every_merge)
{
	struct request kept[LONG];
	struct queue   q;
	struct error   e;
	uint64_t       state = 1;

	ck_assert_int_eq(queue_init(&q, LONG, MAX_BLOCKS, BLOCK_SECTORS, &e), 0);
	for (unsigned step = 0; step < STEPS; step++) {
		block_t	       b = 1 + random_below(&state, BLOCKS);
		struct request r = random_below(&state, 3) ? ahead(b) : writing(b);
		struct place   expected = place_of(&q, &r), at = queue_place(&q, &r);

		REQUIRE(at.how == expected.how && at.i == expected.i, "step %u", step);
		if (at.how != PLACE_NEW || q.n < LONG)
			queue_put(&q, &r, at);
		if (q.n < LONG && random_below(&state, 3))
			continue;
		b = random_below(&state, 2) ? 0 : random_below(&state, q.n);
		memcpy(kept, q.request, q.n * sizeof(*kept));
		r = queue_remove(&q, b);
		REQUIRE(r.block == kept[b].block && r.count == kept[b].count &&
			r.write == kept[b].write,
		    "step %u", step); /* padding may differ */
		REQUIRE(!memcmp(q.request, kept, b * sizeof(r)) &&
			!memcmp(&q.request[b], &kept[b + 1], (q.n - b) * sizeof(r)),
		    "step %u", step);
	}
	queue_release(&q);
}
END_TEST

/* With a search for each block, or a move of all for each request, this takes hours. */
START_TEST(a_queue_of_a_million_requests_is_filled_and_emptied_at_once)
{
	enum { MILLION = 1000000 };
	struct error e;
	struct queue q;

	ck_assert_int_eq(queue_init(&q, MILLION, 1, BLOCK_SECTORS, &e), 0);
	for (block_t b = 1; b <= MILLION; b++) {
		struct request r = demand(b);

		ck_assert_int_eq(queue_add(&q, &r), QUEUE_NEW);
	}
	for (block_t b = 1; b <= MILLION; b++)
		REQUIRE(queue_remove(&q, 0).block == b, "block %u", b);
	queue_release(&q);

	ck_assert_int_eq(queue_init(&q, MILLION, 2, BLOCK_SECTORS, &e), 0);
	for (block_t b = 1; b <= MILLION; b++) {
		struct request r = demand(b * 7919 % MILLION * 3 + 1);

		ck_assert_int_eq(queue_add(&q, &r), QUEUE_NEW);
	}
	queue_release(&q);
}
END_TEST

/* ---- queue_check() ---- */

/* A read of two blocks, the second one demanded, and a write. */
static void
fill(void)
{
	add(ahead(20));
	add(demand(21));
	add(writing(40));
	ck_assert_uint_eq(queue.n, 2);
	ck_assert_ptr_eq(queue_check(&queue), NULL);
}

START_TEST(a_check_finds_nothing_wrong_at_any_moment)
{
	uint64_t seed = 1;

	ck_assert_ptr_eq(queue_check(&queue), NULL);
	for (unsigned n = 0; n < 4000; n++) {
		block_t b = 1 + random_below(&seed, 20);

		queue.rules.joins = n >= 2000;
		if (queue.n == LIMIT || (queue.n && random_below(&seed, 2)))
			queue_remove(&queue, random_below(&seed, queue.n));
		else
			add(random_below(&seed, 3) ? demand(b) : writing(b));
		ck_assert_ptr_eq(queue_check(&queue), NULL);
	}
}
END_TEST

START_TEST(a_check_finds_a_request_that_cannot_be)
{
	struct request *r = queue.request;

	fill();
	r->count = MAX_BLOCKS + 1;
	ck_assert_str_eq(queue_check(&queue), "a request has no block, or too many");
	r->count = 0;
	ck_assert_str_eq(queue_check(&queue), "a request has no block, or too many");
	r->count = 2;
	r->demand_end = 3;
	ck_assert_str_eq(queue_check(&queue),
	    "more blocks of a request are demanded or prefetched than it has");
	r->demand_end = 2;
	r->segments = 3;
	ck_assert_str_eq(queue_check(&queue), "a request has a wrong number of segments");
	r->segments = 2;
	queue.rules.max_segments = 1;
	ck_assert_str_eq(queue_check(&queue), "a request has too many segments");
	queue.rules.max_segments = 0;
	r[1].promoted = true;
	ck_assert_str_eq(queue_check(&queue), "a write is a prefetch");
}
END_TEST

START_TEST(a_check_finds_counts_rules_and_marks_that_are_broken)
{
	fill();
	queue.writes = 2;
	ck_assert_str_eq(queue_check(&queue), "the count of writes is wrong");
	queue.writes = 1;
	queue.plugged = true;
	ck_assert_str_eq(queue_check(&queue), "a queue is plugged without that rule");
	queue.plugged = false;
	queue.serving = true;
	ck_assert_str_eq(queue_check(&queue), "the driver works on a request that is not there");
	queue.serving = false;
	queue.limit = 1;
	ck_assert_str_eq(queue_check(&queue), "more requests wait than there are");
	queue.limit = 2;
	queue.rules.halves = true;
	ck_assert_ptr_eq(queue_check(&queue), NULL);
	queue.request[0].write = true;
	queue.request[0].nprefetched = 0;
	queue.writes = 2;
	ck_assert_str_eq(queue_check(&queue), "one half of the requests is overdrawn");
	memset(queue.mark, 0, queue.last_mark + 1);
	ck_assert_str_eq(queue_check(&queue), "the edges of a request are not marked");
	queue.request--;
	ck_assert_str_eq(queue_check(&queue), "the requests are not in their room");
	queue.request++;
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("queue");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_block_that_continues_one_in_memory_is_no_segment_of_its_own);
	tcase_add_test(tests, requests_that_join_keep_their_segments);
	tcase_add_test(tests, a_block_that_follows_a_request_joins_it_behind);
	tcase_add_test(tests, a_block_that_precedes_a_request_joins_it_in_front);
	tcase_add_test(tests, a_block_that_does_not_touch_a_request_starts_its_own);
	tcase_add_test(tests, a_request_grows_to_its_limit_and_no_further);
	tcase_add_test(tests, requests_that_come_to_touch_are_not_joined_to_each_other);
	tcase_add_test(tests, reads_and_writes_do_not_merge);
	tcase_add_test(tests, reads_and_plain_writes_merge_across_calls);
	tcase_add_test(tests, writes_that_fill_their_blocks_merge_within_one_call_only);
	tcase_add_test(tests, neighbours_in_number_with_a_gap_on_disk_do_not_merge);
	tcase_add_test(tests, neighbours_on_disk_that_are_not_neighbours_in_number_do_not_merge);
	tcase_add_test(tests, of_two_requests_the_newest_takes_the_block);
	tcase_add_test(tests, the_end_of_demand_is_one_past_the_last_block_somebody_waits_for);
	tcase_add_test(tests, demand_in_front_of_a_prefetch_ends_at_the_first_block);
	tcase_add_test(tests, demand_behind_demand_moves_the_end);
	tcase_add_test(tests, a_merged_request_has_waited_since_its_first_block_came);
	tcase_add_test(tests, a_waiting_block_is_found_anywhere_in_its_request);
	tcase_add_test(tests, a_write_of_a_block_is_not_what_makes_it_readable);
	tcase_add_test(tests, a_removed_request_leaves_the_others_in_order);
	tcase_add_test(tests, there_is_room_for_exactly_as_many_requests_as_the_limit);
	tcase_add_test(tests, a_long_queue_stays_in_order_and_finds_every_merge);
	tcase_add_test(tests, a_queue_of_a_million_requests_is_filled_and_emptied_at_once);
	tcase_add_test(tests, a_check_finds_nothing_wrong_at_any_moment);
	tcase_add_test(tests, a_check_finds_a_request_that_cannot_be);
	tcase_add_test(tests, a_check_finds_counts_rules_and_marks_that_are_broken);
	return run_tests("queue", tests);
}
