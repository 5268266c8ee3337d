/* check_map.c - a map shows each reference and each prefetched block once, where it happened. */
#include <stdlib.h>
#include <string.h>

#include "sim/film/map_json.h"
#include "sim/report/json.h"
#include "tests/unit/report/observed.h"

enum {
	POINT = 8, /* pixels of a point, in width and height, of so few calls */
	COLUMNS = RUN_MAP_WIDTH / POINT,
};

static struct run_map map;

/* ---- runs ---- */

static void
setup(void)
{
	static char name[] = "draft";

	observed_start();
	cfg.prefetcher.plugin = &two.plugin;
	draft.trace.name = name;
}

static void
teardown(void)
{
	run_map_release(&map);
	observed_release();
}

static void
simulate_once(void)
{
	ck_assert_msg(!simulate(&cfg, &draft.trace, &stats, &error), "%s", error.text);
}

static void
make(void)
{
	cfg.observer = (struct observer){ 0 };
	simulate_once();
	run_map_release(&map);
	ck_assert(!run_map_init(&map, &draft.trace, stats.elapsed_us, cfg.warmup_calls, &error));
	cfg.observer = (struct observer){ .mask = run_map_mask, .see = run_map_see, .ctx = &map };
	simulate_once();
	run_map_finish(&map);
}

/* What is shown of block b at that time: a kind, or -1. */
static int
shown(usec_t when, block_t b)
{
	uint64_t column = (uint64_t)(when - map.begin) * COLUMNS / stats.elapsed_us;
	uint64_t row = (uint64_t)b * (RUN_MAP_HEIGHT / POINT) / (3 * FILE_BLOCKS);

	if (column == COLUMNS)
		column--;
	return map.raster.pixel[row * POINT * RUN_MAP_WIDTH + column * POINT] - 1;
}

/* ---- by hand ---- */

START_TEST(references_lie_at_their_times)
{
	ten_reads();
	make();
	ck_assert_int_eq(map.begin, 0);
	ck_assert_int_eq(map.end, 10 * 3000 + 4 * 10300);
	ck_assert_int_eq(shown(3000, 0), RUN_MAP_MISS);
	ck_assert_int_eq(shown(13000, 0), -1);
	ck_assert_int_eq(shown(16300, 1), RUN_MAP_USED);
	ck_assert_int_eq(shown(19300, 2), RUN_MAP_USED);
	ck_assert_int_eq(shown(22300, 3), RUN_MAP_MISS);
	ck_assert_int_eq(shown(16300, FILE_BLOCKS), -1);
	ck_assert_uint_eq(map.total[RUN_MAP_MISS], 4);
	ck_assert_uint_eq(map.total[RUN_MAP_USED], 6);
	ck_assert_uint_eq(run_map_references(&map), 10);
}
END_TEST

/* The last two of ten_reads() arrive when the run ends. */
START_TEST(what_is_left_at_the_end_is_wasted)
{
	ten_reads();
	make();
	ck_assert_int_eq(shown(map.end, 11), RUN_MAP_WASTED);
	ck_assert_uint_eq(map.total[RUN_MAP_WASTED], 2);
	ck_assert_uint_eq(run_map_prefetched(&map), 8);
}
END_TEST

START_TEST(a_column_has_the_call_under_way_or_the_next)
{
	ten_reads();
	make();
	ck_assert_uint_eq(map.call[0], 1);
	ck_assert_uint_eq(map.call[13200 * RUN_MAP_WIDTH / map.end],
	    1); /* it ends after 13,300 us */
	ck_assert_uint_eq(map.call[13400 * RUN_MAP_WIDTH / map.end], 2);
	ck_assert_uint_eq(map.call[16400 * RUN_MAP_WIDTH / map.end], 3);
	ck_assert_uint_eq(map.call[RUN_MAP_WIDTH - 1], 10);
}
END_TEST

/* Of the second file, 400 ms after its blocks were read, to make room. */
START_TEST(waste_lies_where_its_read_completed)
{
	draft_blocks(&draft, 0, 1, 0, 1, false);
	for (uint32_t i = 0; i < 4; i++)
		draft_blocks(&draft, 400000, 0, 40 * i, 1, false);
	make();
	ck_assert_int_eq(shown(0, FILE_BLOCKS), RUN_MAP_MISS);
	ck_assert_int_eq(shown(10300, FILE_BLOCKS + 1), RUN_MAP_WASTED);
	ck_assert_uint_eq(stats.prefetch_wasted_blocks + stats.prefetch_unused_blocks, 10);
	ck_assert_uint_eq(map.total[RUN_MAP_WASTED], 10);
}
END_TEST

/* Blocks 1 and 2 arrive when block 0 is used five times. */
START_TEST(hits_do_not_hide_waste)
{
	for (uint32_t i = 0; i < 6; i++)
		draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 400000, 0, 0, 1, false);
	make();
	ck_assert_int_eq(shown(10300, 0), RUN_MAP_WASTED);
	ck_assert_int_eq(shown(map.end, 0), RUN_MAP_HIT);
	ck_assert_uint_eq(map.total[RUN_MAP_HIT], 6);
}
END_TEST

/* The second process references what the first one's miss has read ahead, and what it reads. */
START_TEST(late_and_delayed_are_told_apart)
{
	draft_open(&draft, 0, 1);
	cfg.replay = REPLAY_PROCESS;
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 500, 3, 0, 2, false);
	draft.trace.nprocesses = 2;
	make();
	ck_assert_uint_eq(map.total[RUN_MAP_LATE], 1);
	ck_assert_uint_eq(map.total[RUN_MAP_DELAYED], 1);
}
END_TEST

START_TEST(the_warm_up_is_left_out)
{
	cfg.warmup_calls = 4;
	ten_reads();
	make();
	ck_assert_int_eq(map.begin, 4 * 3000 + 2 * 10300);
	ck_assert_uint_eq(map.call[0], 5);
	ck_assert_uint_eq(map.total[RUN_MAP_MISS], 2);
	ck_assert_int_eq(shown(map.begin + 3000, 4), RUN_MAP_HIT); /* read ahead before */
}
END_TEST

START_TEST(a_run_without_time_is_refused)
{
	ten_reads();
	ck_assert_int_eq(run_map_init(&map, &draft.trace, 0, 0, &error), -1);
	ck_assert_str_eq(error.text, "--map: the run takes no time: there is nothing to draw");
}
END_TEST

/* ---- laws ---- */

static void
random_calls(uint64_t seed)
{
	draft.trace.naccess = 0;
	for (uint32_t i = 0; i < 300; i++) {
		uint32_t p = random_call(i, &seed);

		if (i % 16 == 0)
			draft_advise(&draft, i % 32 ? ADVICE_DONTNEED : ADVICE_WILLNEED, p, 0, 0);
	}
}

static void
compare(uint32_t i)
{
	uint64_t wasted = stats.prefetch_wasted_blocks + stats.prefetch_unused_blocks +
	    stats.prefetch_inflight_blocks;
	uint64_t last = 0;

	ck_assert_uint_eq(map.total[RUN_MAP_HIT], stats.hits - stats.first_hits);
	ck_assert_uint_eq(map.total[RUN_MAP_USED], stats.first_hits);
	ck_assert_uint_eq(map.total[RUN_MAP_LATE], stats.late_hits);
	ck_assert_uint_eq(map.total[RUN_MAP_DELAYED], stats.delayed_hits);
	REQUIRE(map.total[RUN_MAP_MISS] == stats.misses, "run %u: %lu misses, not %lu", i,
	    (unsigned long)map.total[RUN_MAP_MISS], (unsigned long)stats.misses);
	REQUIRE(map.total[RUN_MAP_WASTED] == wasted, "run %u: %lu wasted, not %lu", i,
	    (unsigned long)map.total[RUN_MAP_WASTED], (unsigned long)wasted);
	ck_assert_uint_eq(run_map_references(&map), stats.references);
	ck_assert_uint_eq(run_map_prefetched(&map), stats.prefetched_blocks);
	for (unsigned k = 0; k < RUN_MAP_WIDTH; last = map.call[k++])
		REQUIRE(map.call[k] > 0 && map.call[k] >= last, "column %u: call %lu", k,
		    (unsigned long)map.call[k]);
	ck_assert_uint_le(last, draft.trace.naccess);
}

START_TEST(the_counts_are_those_of_the_statistics)
{
	static const char *const device[] = { "cheetah9lp", "nvme-960evo",
		"fixed:latency=1ms,rate=4M" };
	static const char *const prefetcher[] = { "none", "linux24", "ondemand", "obl" };
	static const enum replay replay[] = { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_OPEN };

	cfg.prefetcher = (struct choice){ 0 };
	for (uint32_t i = 0; i < 512; i++) {
		draft.trace.nadvice = 0;
		random_calls(i);
		choice_release(&cfg.device);
		choose(PLUGIN_DEVICE, device[i % 3], &cfg.device);
		choose(PLUGIN_PREFETCHER, prefetcher[i % 4], &cfg.prefetcher);
		cfg.replay = replay[i / 4 % 3];
		cfg.wait = i / 12 % 2 ? WAIT_BLOCK : WAIT_CALL;
		cfg.complete = i / 24 % 2 ? COMPLETE_BUFFER : COMPLETE_REQUEST;
		cfg.writes = i / 5 % 3;
		cfg.cache_blocks = i % 5 == 0 ? 64 : i % 5 == 1 ? 300 : 9 + i % 4;
		cfg.warmup_calls = i / 7 % 2 * (100 + i % 120);
		make();
		compare(i);
		choice_release(&cfg.prefetcher);
	}
}
END_TEST

/* ---- JSON ---- */

/* The kinds of a row by its text, in pixels: 1 + kind. */
static void
read_row(const char *text, uint8_t pixel[RUN_MAP_WIDTH])
{
	unsigned x = 0;

	memset(pixel, 0, RUN_MAP_WIDTH);
	while (*text) {
		char	*letter;
		unsigned n = (unsigned)strtoul(text, &letter, 10);

		for (n = n ? n : 1; n; n--)
			pixel[x++] = *letter == '.' ? 0 : (uint8_t)(1 + *letter - 'a');
		text = letter + 1;
	}
}

static void
compare_rows(const cJSON *object)
{
	const cJSON *rows = cJSON_GetObjectItem(object, "rows");
	uint8_t	     pixel[RUN_MAP_WIDTH];

	ck_assert_int_eq(cJSON_GetArraySize(rows), RUN_MAP_HEIGHT);
	for (int y = 0; y < RUN_MAP_HEIGHT; y++) {
		read_row(cJSON_GetArrayItem(rows, y)->valuestring, pixel);
		ck_assert_mem_eq(pixel, &map.raster.pixel[y * RUN_MAP_WIDTH], RUN_MAP_WIDTH);
	}
}

START_TEST(json_has_every_point)
{
	struct picture text = { 0 };
	cJSON	      *object;
	const cJSON   *file;

	cfg.cache_blocks = 64;
	random_calls(3);
	make();
	ck_assert(!map_json(&map, "as \"usual\"", &text, &error));
	object = cJSON_ParseWithLength(text.bytes, text.n);
	ck_assert_ptr_nonnull(object);
	compare_rows(object);
	file = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "files"), 1);
	ck_assert_str_eq(cJSON_GetObjectItem(file, "name")->valuestring, "inode 101");
	ck_assert_int_eq(cJSON_GetObjectItem(file, "first")->valueint, FILE_BLOCKS);
	ck_assert_str_eq(cJSON_GetObjectItem(object, "setting")->valuestring, "as \"usual\"");
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(object, "calls")), RUN_MAP_WIDTH);
	cJSON_Delete(object);
	free(text.bytes);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("map");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, references_lie_at_their_times);
	tcase_add_test(tc, what_is_left_at_the_end_is_wasted);
	tcase_add_test(tc, a_column_has_the_call_under_way_or_the_next);
	tcase_add_test(tc, waste_lies_where_its_read_completed);
	tcase_add_test(tc, hits_do_not_hide_waste);
	tcase_add_test(tc, late_and_delayed_are_told_apart);
	tcase_add_test(tc, the_warm_up_is_left_out);
	tcase_add_test(tc, a_run_without_time_is_refused);
	tcase_add_test(tc, the_counts_are_those_of_the_statistics);
	tcase_add_test(tc, json_has_every_point);
	return run_tests("map", tc);
}
