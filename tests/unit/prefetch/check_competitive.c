/* check_competitive.c - batches as deep as the device is slow to switch. */
#include "tests/unit/conformance.h"
#include "tests/unit/own.h"
#include "tests/unit/planning.h"

extern const struct prefetcher prefetcher_competitive;

static void
start(const char *params, uint32_t blocks)
{
	plan_with(&prefetcher_competitive, params, blocks);
}

/* ---- depth ---- */

static int64_t
depth_on(const char *device)
{
	start(NULL, 100);
	choose_setting(&cfg, PLUGIN_DEVICE, device);
	read_run(0, 0, 1);
	planned();
	return state[0];
}

START_TEST(the_depth_is_what_the_device_transfers_while_it_switches)
{
	ck_assert_int_eq(depth_on("cheetah9lp-disksim"), 10);
	ck_assert_int_eq(depth_on("cheetah9lp"), 11);
	ck_assert_int_eq(depth_on("ibm18es"), 14);
	ck_assert_int_eq(depth_on("fixed:latency=10ms,rate=4096000"), 10);
	ck_assert_int_eq(depth_on("fixed:latency=12400us,rate=150000000"), 454);
	ck_assert_int_eq(depth_on("fixed:latency=0us,rate=4096000"), 1);
	ck_assert_int_eq(depth_on("null"), 1);
}
END_TEST

/* S blocks in pieces of C, each with a switch of T, against one switch for all: twice at most. */
START_TEST(pieces_of_that_depth_take_twice_the_time_at_most)
{
	static const struct {
		uint32_t blocks;
		double	 ratio;
	} of[] = { { 1, 1.818 }, { 10, 1 }, { 11, 1.905 }, { 101, 1.982 }, { 1001, 1.998 } };
	double t = 10, rate = 1;
	double depth = (double)depth_on("fixed:latency=10ms,rate=4096000");

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		double pieces = (of[i].blocks + depth - 1 - (of[i].blocks - 1) % 10) / depth;
		double ratio = pieces * (t + depth / rate) / (t + of[i].blocks / rate);

		ck_assert(ratio <= 2 && ratio > of[i].ratio - 1e-3 && ratio < of[i].ratio + 1e-3);
	}
}
END_TEST

/* ---- streams ---- */

START_TEST(all_batches_have_that_many_blocks)
{
	start("depth=10", 100);
	read_run(0, 32, 1);
	ck_assert_str_eq(planned(), "0:1-10 | 1:11-20 | 11:21-30 | 21:31-40 | 31:41-50");
	ck_assert_str_eq(misses.text, "0");
	ck_assert_uint_eq(own_count(&stats, cfg.prefetcher.plugin, "batches"), 5);
}
END_TEST

START_TEST(a_call_of_many_blocks_reads_the_rest_of_it_in_batches)
{
	start("depth=4", 100);
	read_run(0, 9, 10);
	ck_assert_str_eq(planned(), "0:1-4 | 5:6-9");
	ck_assert_uint_eq(stats.prefetched_blocks, 0);
}
END_TEST

START_TEST(a_stream_is_found_at_its_second_call)
{
	static const char *const params[] = { "depth=10", "depth=10,detect=linux26" };

	for (unsigned i = 0; i < 2; i++) {
		start(params[i], 100);
		read_run(50, 53, 1);
		ck_assert_str_eq(planned(), "51:52-61 | 52:62-71");
		ck_assert_str_eq(misses.text, "50 51");
	}
}
END_TEST

START_TEST(random_reads_have_no_batch)
{
	start("depth=10", 1000);
	for (uint32_t i = 1; i < 90; i++)
		read_run(i * 611 % 1000, i * 611 % 1000, 1);
	equals_none();
}
END_TEST

START_TEST(random_reads_may_have_two_blocks_and_double)
{
	start("depth=10,random=double", 100);
	read_run(50, 66, 1);
	ck_assert_str_eq(planned(), "50:51-52 | 51:53-56 | 53:57-64 | 57:65-74 | 65:75-84");
	start("depth=10,random=double", 1000);
	read_run(500, 500, 1);
	read_run(300, 300, 1);
	ck_assert_str_eq(planned(), "500:501-502 | 300:301-302");
}
END_TEST

/* A jump from 1 to 5, inside the batches. */
START_TEST(the_detection_of_linux24_allows_for_gaps_and_that_of_linux26_does_not)
{
	start("depth=10", 100);
	read_run(0, 1, 1);
	read_run(5, 11, 1);
	ck_assert_str_eq(planned(), "0:1-10 | 1:11-20 | 11:21-30");
	start("depth=10,detect=linux26", 100);
	read_run(0, 1, 1);
	read_run(5, 7, 1);
	ck_assert_str_eq(planned(), "0:1-10 | 1:11-20 | 6:6-15 | 7:16-25");
}
END_TEST

START_TEST(open_files_have_streams_of_their_own)
{
	start("depth=10", 200);
	draft_open(&draft, 0, 0);
	for (uint32_t i = 0; i < 20; i++) {
		draft_blocks(&draft, 0, 0, i, 1, false);
		draft_blocks(&draft, 0, 1, 100 + i, 1, false);
	}
	ck_assert_str_eq(planned(),
	    "0:1-10 | 1:11-20 | 101:102-111 | 102:112-121 | 11:21-30 | 112:122-131");
	ck_assert_str_eq(misses.text, "0 100 101");
}
END_TEST

START_TEST(backwards_and_strided_runs_are_random)
{
	start("depth=10", 100);
	for (uint32_t i = 50; i > 40; i--)
		read_run(i, i, 1);
	for (uint32_t i = 60; i < 99; i += 3)
		read_run(i, i, 1);
	equals_none();
}
END_TEST

/* ---- limits ---- */

START_TEST(a_file_ends_where_it_ends)
{
	start("depth=10", 15);
	read_run(0, 14, 1);
	ck_assert_str_eq(planned(), "0:1-10 | 1:11-14");
	start("depth=10", 1);
	read_run(0, 0, 1);
	equals_none();
	start("depth=10", 10);
	read_run(0, 0, 1);
	draft.access[0].file_size = 0;
	equals_none();
}
END_TEST

START_TEST(without_depth_or_share_nothing_is_read_ahead)
{
	static const char *const params[] = { "depth=0", "share=0" };

	for (unsigned i = 0; i < 2; i++) {
		start(params[i], 100);
		read_run(0, 99, 1);
		equals_none();
	}
}
END_TEST

START_TEST(streams_share_half_of_the_cache)
{
	start("depth=64", 400);
	cfg.cache_blocks = 40;
	read_run(0, 0, 1);
	ck_assert_str_eq(planned(), "0:1-20");
	draft_open(&draft, draft_file(&draft, 2, 400), 0);
	draft_blocks(&draft, 0, 1, 0, 1, false);
	ck_assert_str_eq(planned(), "0:1-20 | 0:1-10");
	ck_assert_uint_eq(own_count(&stats, cfg.prefetcher.plugin, "shared_batches"), 2);
	ck_assert_int_eq(state[3], 2);
}
END_TEST

START_TEST(a_wasted_batch_halves_the_depth_until_one_is_used)
{
	start("depth=8,share=1", 400);
	cfg.cache_blocks = 20;
	read_run(0, 0, 1); /* 1-8 */
	for (uint32_t i = 0; i < 30; i++)
		read_run(399 - 2 * i, 399 - 2 * i, 1);
	planned();
	ck_assert_int_eq(state[0], 4);
	ck_assert_uint_eq(own_count(&stats, cfg.prefetcher.plugin, "halvings"), 1);
	read_run(100, 105, 1);
	planned();
	ck_assert_int_eq(state[0], 8);
}
END_TEST

START_TEST(four_frames_are_enough)
{
	plan_in_four_frames(&prefetcher_competitive, NULL, 5);
}
END_TEST

START_TEST(writes_do_not_read_ahead)
{
	start("depth=10", 100);
	draft_blocks(&draft, 0, 0, 0, 3, true);
	ck_assert_str_eq(planned(), "");
}
END_TEST

/* ---- the claim ---- */

enum { STREAMS = 4, APART = 400000, CALLS = DRAFT_CALLS / STREAMS };

static uint64_t
elapsed(const char *params, uint32_t streams, uint32_t blocks)
{
	start(params, APART);
	choose_setting(&cfg, PLUGIN_DEVICE, "cheetah9lp");
	for (uint32_t s = 1; s < streams; s++)
		draft_open(&draft, draft_file(&draft, 1 + s, APART), 0);
	for (uint32_t i = 0; i < CALLS; i++)
		for (uint32_t s = 0; s < streams; s++)
			draft_blocks(&draft, 0, s, i * blocks, blocks, false);
	planned();
	return stats.elapsed_us;
}

START_TEST(streams_take_at_most_twice_the_time_of_the_best_depth)
{
	for (uint32_t streams = 1; streams <= STREAMS; streams++)
		for (uint32_t blocks = 1; blocks <= 4; blocks *= 4) {
			uint64_t own = elapsed(NULL, streams, blocks), best = own;

			for (unsigned depth = 1; depth <= 256; depth *= 2) {
				char	 params[32];
				uint64_t us;

				snprintf(params, sizeof(params), "depth=%u", depth);
				us = elapsed(params, streams, blocks);
				best = us < best ? us : best;
			}
			REQUIRE(own <= 2 * best, "%u streams of %u: %llu us, not %llu", streams,
			    blocks, (unsigned long long)own, (unsigned long long)best);
		}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("competitive");

	tcase_add_test(tests, the_depth_is_what_the_device_transfers_while_it_switches);
	tcase_add_test(tests, pieces_of_that_depth_take_twice_the_time_at_most);
	tcase_add_test(tests, all_batches_have_that_many_blocks);
	tcase_add_test(tests, a_call_of_many_blocks_reads_the_rest_of_it_in_batches);
	tcase_add_test(tests, a_stream_is_found_at_its_second_call);
	tcase_add_test(tests, random_reads_have_no_batch);
	tcase_add_test(tests, random_reads_may_have_two_blocks_and_double);
	tcase_add_test(tests,
	    the_detection_of_linux24_allows_for_gaps_and_that_of_linux26_does_not);
	tcase_add_test(tests, open_files_have_streams_of_their_own);
	tcase_add_test(tests, backwards_and_strided_runs_are_random);
	tcase_add_test(tests, a_file_ends_where_it_ends);
	tcase_add_test(tests, without_depth_or_share_nothing_is_read_ahead);
	tcase_add_test(tests, streams_share_half_of_the_cache);
	tcase_add_test(tests, a_wasted_batch_halves_the_depth_until_one_is_used);
	tcase_add_test(tests, four_frames_are_enough);
	tcase_add_test(tests, writes_do_not_read_ahead);
	tcase_add_test(tests, streams_take_at_most_twice_the_time_of_the_best_depth);
	return run_tests("competitive", tests);
}
