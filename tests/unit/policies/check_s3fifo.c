/* check_s3fifo.c - S3-FIFO: known answers, its queues, what it remembers. */
#include "tests/unit/policies/player.h"

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&(struct row){ "s3fifo", 2, 2, 6, 8, 871, ".H.HH....H.", 1 });
}
END_TEST

START_TEST(a_loop_hits_what_is_in_the_main_queue)
{
	start("s3fifo", 4);
	play(LOOP);
	ck_assert_str_eq(player.marks, "............HHH..HHH");
	finish();
}
END_TEST

START_TEST(the_queues_after_a_scan_are_known)
{
	start("s3fifo", 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2"); /* S 10 9, M 2 1 */
	finish();
}
END_TEST

/* G after SCAN, with room for three: 8 7 6. */
START_TEST(what_is_remembered_after_a_scan_is_known)
{
	for (block_t b = 3; b <= 8; b++) {
		start("s3fifo", 4);
		play(SCAN);
		demand(b);
		ck_assert_uint_eq(player.ghosts, b >= 6);
		finish();
	}
}
END_TEST

START_TEST(references_in_the_main_queue_are_rounds)
{
	start("s3fifo", 4);
	play("1 2 3 4 5 1 1 1 1 1 1 2 2 2 3 3"); /* M 3 2 1 with 1 2 3, as 1 2 3 were remembered */
	ck_assert_str_eq(eviction_order(), "5 3 2 1");
	finish();
}
END_TEST

START_TEST(promotion_takes_the_given_number_of_references)
{
	static const char *const setting[] = { "s3fifo:promote=1", "s3fifo:promote=2",
		"s3fifo:promote=3" };

	for (unsigned i = 0; i < 3; i++)
		for (unsigned hits = 0; hits <= 4; hits++) {
			start(setting[i], 4);
			demand(1);
			for (unsigned n = 0; n < hits; n++)
				demand(1);
			play("2 3 4 5");
			ck_assert_uint_eq(cache_find(&player.cache, 1) != NIL, hits > i);
			finish();
		}
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("s3fifo");
}
END_TEST

START_TEST(a_prefetched_block_that_was_remembered_goes_to_the_main_queue)
{
	ck_assert_uint_eq(hits_of("s3fifo", "1 2 3 4 5 +1 1 6 7 8 1 +2 2 9 2 1", 4), 5);
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("s3fifo", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(frames_in_flight_are_passed_over)
{
	start("s3fifo", 4);
	check_passes_over();
	finish();
}
END_TEST

/* How many of the first n blocks, none of which is resident, are ghosts. */
static uint64_t
remembered(block_t n)
{
	uint64_t ghosts = 0;

	for (block_t b = 1; b <= n; b++)
		ghosts += player.policy->miss(player.self, &player.cache, b, false, NULL);
	return ghosts;
}

/* However blocks come and go, the last c - small that left S are remembered, and no other. */
START_TEST(no_more_is_remembered_than_there_is_room_for)
{
	static const struct {
		const char *setting;
		uint64_t    remembered;
	} sizes[] = { { "s3fifo", 36 }, { "s3fifo:small=1b", 39 }, { "s3fifo:small=39b", 1 },
		{ "s3fifo:small=100%", 1 } };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		start(sizes[i].setting, 40);
		for (block_t b = 1; b <= 140; b++) {
			demand(b);
			if (b % 3 == 0)
				drop(b - 1);
		}
		eviction_order();
		ck_assert_uint_eq(remembered(140), sizes[i].remembered);
		finish();
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("s3fifo");

	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, a_loop_hits_what_is_in_the_main_queue);
	tcase_add_test(tests, the_queues_after_a_scan_are_known);
	tcase_add_test(tests, what_is_remembered_after_a_scan_is_known);
	tcase_add_test(tests, references_in_the_main_queue_are_rounds);
	tcase_add_test(tests, promotion_takes_the_given_number_of_references);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, a_prefetched_block_that_was_remembered_goes_to_the_main_queue);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, frames_in_flight_are_passed_over);
	tcase_add_test(tests, no_more_is_remembered_than_there_is_room_for);
	return run_tests("s3fifo", tests);
}
