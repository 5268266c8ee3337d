/* check_film.c - a film has the times of the statistics, and what becomes of each block; as data, too. */
#include "sim/film/film_json.h"
#include "sim/report/json.h"
#include "tests/unit/report/observed.h"

static struct film film;

/* ---- runs ---- */

static void
setup(void)
{
	observed_start();
	choose(PLUGIN_PREFETCHER, "none", &cfg.prefetcher);
}

static void
teardown(void)
{
	film_release(&film);
	observed_release();
}

static int
shoot(uint64_t first, uint64_t last)
{
	film_release(&film);
	ck_assert(!film_init(&film, &draft.trace, cfg.replay, first, last, &error));
	cfg.observer = (struct observer){ .mask = film_mask, .see = film_see, .ctx = &film };
	ck_assert_msg(!simulate(&cfg, &draft.trace, &stats, &error), "%s", error.text);
	return film_finish(&film, &error);
}

static uint64_t
waits(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < WAITS; i++)
		sum += film.act_us[i];
	return sum;
}

/* ---- by hand ---- */

START_TEST(a_span_begins_with_its_first_call_and_ends_with_the_next)
{
	ten_reads();
	ck_assert(!shoot(2, 3));
	ck_assert_int_eq(film.begin, 3000 + 10300 + 3000);
	ck_assert_int_eq(film.end, film.begin + 3000);
	ck_assert_uint_eq(film.ncall, 2);
	ck_assert_uint_eq(film.call[0].number, 2);
	ck_assert_uint_eq(film.act_us[FILM_THINK], 3000);
	ck_assert_uint_eq(waits(), 0);
	ck_assert_uint_eq(film.blocks[FILM_FIRST_HIT], 2);
	ck_assert_uint_eq(film.nrequests, 0);
}
END_TEST

START_TEST(a_request_has_its_parts_and_its_first_demanded_blocks)
{
	ten_reads();
	ck_assert(!shoot(1, 1));
	ck_assert_uint_eq(film.nrequests, 1);
	ck_assert_uint_eq(film.request[0].count, 3);
	ck_assert_uint_eq(film.request[0].demanded, 1);
	ck_assert_uint_eq(film.request[0].use, FILM_DEMAND);
	ck_assert_int_eq(film.request[0].done - film.request[0].started, 10300);
	ck_assert_uint_eq(film.used[FILM_DEMAND], 1);
	ck_assert_uint_eq(film.blocks[FILM_MISS], 1);
	ck_assert_uint_eq(waits(), 10300);
}
END_TEST

START_TEST(a_block_stays_unused_from_its_arrival_to_its_use)
{
	ten_reads();
	ck_assert(!shoot(1, 3));
	ck_assert_uint_eq(film.nstays, 2);
	ck_assert_uint_eq(film.stay[0].block, draft.file[0].base + 1);
	ck_assert_int_eq(film.stay[0].from, film.request[0].done);
	ck_assert_int_eq(film.stay[0].to, film.call[1].begin);
	ck_assert_int_eq(film.stay[1].to, film.call[2].begin);
}
END_TEST

START_TEST(what_came_before_the_span_is_used_in_it)
{
	ten_reads();
	ck_assert(!shoot(3, 4));
	ck_assert_uint_eq(film.stay[0].block, draft.file[0].base + 2);
	ck_assert_int_eq(film.stay[0].to, film.call[0].begin);
	ck_assert_uint_eq(film.blocks[FILM_FIRST_HIT], 1);
}
END_TEST

START_TEST(a_prefetched_block_may_be_evicted_unused)
{
	cfg.prefetcher.plugin = &two.plugin;
	for (uint32_t i = 0; i < 6; i++)
		draft_blocks(&draft, 100 * i, 0, 10 * i, 1, false);
	ck_assert(!shoot(1, 6));
	ck_assert_uint_eq(film.blocks[FILM_UNUSED], stats.prefetch_wasted_blocks);
	ck_assert_uint_gt(film.blocks[FILM_UNUSED], 0);
	ck_assert_uint_eq(film.blocks[FILM_UNUSED] + film.blocks[FILM_EVICTED], stats.evictions);
}
END_TEST

/* The second process references what the first one's miss has read ahead. */
START_TEST(a_late_reference_points_to_its_request)
{
	draft_open(&draft, 0, 1);
	cfg.prefetcher.plugin = &two.plugin;
	cfg.replay = REPLAY_PROCESS;
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 500, 3, 1, 1, false);
	draft.trace.nprocesses = 2;
	ck_assert(!shoot(1, 2));
	ck_assert_uint_eq(film.nlate, 1);
	ck_assert_int_eq(film.late[0].when, 500);
	ck_assert_uint_eq(film.late[0].process, 1);
	ck_assert_uint_eq(film.late[0].request, 0);
	ck_assert(film.process[0].acts && film.process[1].acts);
	ck_assert_uint_eq(film.blocks[FILM_LATE], 1);
}
END_TEST

START_TEST(calls_without_time_are_refused)
{
	draft_blocks(&draft, 0, 0, 0, 1, false);
	draft_blocks(&draft, 0, 0, 0, 1, false);
	ck_assert_int_eq(shoot(2, 2), -1);
}
END_TEST

/* ---- laws ---- */

static void
random_calls(uint64_t seed)
{
	draft.trace.naccess = 0;
	for (uint32_t i = 0; i < 300; i++)
		random_call(i, &seed);
}

/* The whole run is as long in the film as in the statistics. */
static void
compare(const char *device)
{
	for (unsigned i = 0; i < WAITS; i++)
		REQUIRE(film.act_us[i] == wait_us(&stats, i), "%s: %s: %lu us, not %lu", device,
		    wait_info[i].what, (unsigned long)film.act_us[i],
		    (unsigned long)wait_us(&stats, i));
	ck_assert_uint_eq(film.blocks[FILM_FIRST_HIT], stats.first_hits);
	ck_assert_uint_eq(film.blocks[FILM_LATE], stats.late_hits);
	ck_assert_uint_eq(film.blocks[FILM_DELAYED], stats.delayed_hits);
	ck_assert_uint_eq(film.blocks[FILM_UNUSED] + film.blocks[FILM_EVICTED], stats.evictions);
}

START_TEST(the_times_of_all_waits_are_those_of_the_statistics)
{
	static const char *const device[] = { "cheetah9lp", "nvme-960evo",
		"fixed:latency=1ms,rate=4M" };
	static const char *const prefetcher[] = { "none", "linux24", "ondemand" };

	cfg.cache_blocks = 64;
	cfg.prefetcher = (struct choice){ 0 };
	for (uint32_t i = 0; i < 36; i++) {
		random_calls(i);
		choice_release(&cfg.device);
		choose(PLUGIN_DEVICE, device[i % 3], &cfg.device);
		choose(PLUGIN_PREFETCHER, prefetcher[i / 3 % 3], &cfg.prefetcher);
		cfg.replay = i % 2 ? REPLAY_PROCESS : REPLAY_SERIAL;
		cfg.wait = i / 2 % 2 ? WAIT_BLOCK : WAIT_CALL;
		cfg.complete = i / 9 % 2 ? COMPLETE_BUFFER : COMPLETE_REQUEST;
		cfg.writes = i / 4 % 2 ? WRITES_THROUGH : WRITES_BACK;
		ck_assert(!shoot(1, draft.trace.naccess));
		compare(device[i % 3]);
		choice_release(&cfg.prefetcher);
	}
}
END_TEST

/* Some of it below a microsecond, and while requests are served. */
static void
cost_something(void)
{
	cfg.cpu = (struct cpu_costs){ .call_ps = 300300000,
		.page_ps = 7777777,
		.byte_ps = 12345,
		.read_page_ps = 40000000 };
}

START_TEST(the_processor_is_in_the_film)
{
	cfg.cache_blocks = 64;
	for (uint32_t i = 0; i < 8; i++) {
		uint64_t think = 0;

		random_calls(i);
		cost_something();
		cfg.replay = i % 2 ? REPLAY_PROCESS : REPLAY_SERIAL;
		cfg.wait = i / 2 % 2 ? WAIT_BLOCK : WAIT_CALL;
		cfg.prefetcher.plugin = i / 4 % 2 ? &two.plugin : cfg.prefetcher.plugin;
		ck_assert(!shoot(1, draft.trace.naccess));
		compare("with costs");
		ck_assert_uint_gt(film.act_us[FILM_CPU], 0);
		ck_assert_uint_eq(film.act_us[FILM_CPU], stats.cpu_us);
		think = film.act_us[FILM_THINK];
		ck_assert_uint_le(think, stats.think_us);
		if (!(i % 2))
			ck_assert_uint_eq(think + waits() + stats.cpu_us,
			    (uint64_t)(film.end - film.begin));
	}
}
END_TEST

/* Spans of a process do not overlap, and lie within the picture. */
START_TEST(a_process_does_one_thing_at_a_time)
{
	usec_t end[3] = { 0 };

	random_calls(7);
	cfg.replay = REPLAY_PROCESS;
	if (_i)
		cost_something();
	ck_assert(!shoot(40, 120));
	for (size_t i = 0; i < film.nspans; i++) {
		const struct film_span *s = &film.span[i];

		if (s->to <= s->from)
			continue;
		ck_assert_int_ge(s->from, end[s->process]);
		ck_assert_int_ge(s->from, film.begin);
		ck_assert_int_le(s->to, film.end);
		end[s->process] = s->to;
	}
	ck_assert_uint_eq(film.ncall, 81);
}
END_TEST

/* ---- as data ---- */

static cJSON *
data(void)
{
	struct picture text;
	cJSON	      *all;

	ck_assert(!film_json(&film, "ten", "prefetch two", &text, &error));
	all = cJSON_ParseWithLength(text.bytes, text.n);
	ck_assert_ptr_nonnull(all);
	free(text.bytes);
	return all;
}

static void
expect(const cJSON *all, const char *name, const char *expected)
{
	char *text = cJSON_PrintUnformatted(cJSON_GetObjectItem(all, name));

	ck_assert_str_eq(text, expected);
	cJSON_free(text);
}

/* A column of row i of a list; -1: there is none. */
static double
cell(const cJSON *all, const char *list, int i, int column)
{
	const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(all, list), i);
	const cJSON *item = cJSON_GetArrayItem(row, column);

	return item ? item->valuedouble : -1;
}

/* The first call waits 10 ms and the time of three blocks, one for it. */
START_TEST(data_are_rows_of_numbers)
{
	cJSON *all;

	ten_reads();
	ck_assert(!shoot(1, 3));
	all = data();
	expect(all, "trace", "\"ten\"");
	expect(all, "setting", "\"prefetch two\"");
	expect(all, "first", "1");
	expect(all, "last", "3");
	expect(all, "begin", "3000");
	expect(all, "end", "19300");
	expect(all, "processes", "[{\"number\":0,\"name\":\"process 100\",\"pid\":100}]");
	expect(all, "files", "[{\"inode\":100,\"first\":1,\"blocks\":400}]");
	expect(all, "spans",
	    "[[0,0,3000,13100],[0,1,13100,13300],[0,10,13300,16300],[0,10,16300,19300]]");
	expect(all, "calls",
	    "[[1,0,3000,13300,0,1,1],[2,0,16300,16300,0,2,1],[3,0,19300,19300,0,3,1]]");
	expect(all, "requests", "[[1,1,3,1,0,3000,3000,13300,0,10000,0,0,300,0]]");
	expect(all, "late", "[]");
	expect(all, "events", "[[3000,1,1,4],[16300,2,1,1],[19300,3,1,1]]");
	expect(all, "stays", "[[2,1,13300,16300],[3,1,13300,19300]]");
	cJSON_Delete(all);
}
END_TEST

START_TEST(neighbours_that_stay_alike_are_one_row)
{
	cJSON *all;

	ten_reads();
	ck_assert(!shoot(1, 2));
	all = data();
	expect(all, "stays", "[[2,2,13300,16300]]");
	cJSON_Delete(all);
}
END_TEST

static void
sums_are_those_of_the_rows(const cJSON *all)
{
	uint64_t act[FILM_ACTS] = { 0 }, fate[FILM_FATES] = { 0 };

	for (int i = 0; cell(all, "spans", i, 0) >= 0; i++)
		act[(int)cell(all, "spans", i, 1)] +=
		    (uint64_t)(cell(all, "spans", i, 3) - cell(all, "spans", i, 2));
	for (int i = 0; cell(all, "events", i, 0) >= 0; i++)
		fate[(int)cell(all, "events", i, 3)] += (uint64_t)cell(all, "events", i, 2);
	for (unsigned i = 0; i < FILM_ACTS; i++)
		ck_assert_uint_eq(act[i], film.act_us[i]);
	for (unsigned i = 0; i < FILM_FATES; i++)
		ck_assert_uint_eq(fate[i], film.blocks[i]);
}

static bool
has_block(const cJSON *files, double block)
{
	const cJSON *file;

	cJSON_ArrayForEach(file, files)
	{
		double first = cJSON_GetObjectItem(file, "first")->valuedouble;

		if (block >= first &&
		    block < first + cJSON_GetObjectItem(file, "blocks")->valuedouble)
			return true;
	}
	return false;
}

/* A late reference waits for a request under way, and each block is in a file. */
static void
rows_agree(const cJSON *all)
{
	int requests = cJSON_GetArraySize(cJSON_GetObjectItem(all, "requests"));

	for (int i = 0; cell(all, "late", i, 0) >= 0; i++) {
		int request = (int)cell(all, "late", i, 2);

		ck_assert_int_lt(request, requests);
		REQUIRE(cell(all, "late", i, 0) >= cell(all, "requests", request, 5) &&
			cell(all, "late", i, 0) <= cell(all, "requests", request, 7),
		    "late reference %d is not during request %d", i, request);
	}
	for (int i = 0; i < requests; i++)
		REQUIRE(has_block(cJSON_GetObjectItem(all, "files"), cell(all, "requests", i, 1)),
		    "request %d is of no file", i);
}

START_TEST(data_agree_with_their_sums)
{
	cJSON *all;

	cfg.cache_blocks = 64;
	cfg.replay = REPLAY_PROCESS;
	choose(PLUGIN_PREFETCHER, "linux24", &cfg.prefetcher);
	random_calls(11);
	ck_assert(!shoot(20, 250));
	all = data();
	ck_assert_uint_gt(film.nlate, 0);
	sums_are_those_of_the_rows(all);
	rows_agree(all);
	cJSON_Delete(all);
	choice_release(&cfg.prefetcher);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("film");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_span_begins_with_its_first_call_and_ends_with_the_next);
	tcase_add_test(tc, a_request_has_its_parts_and_its_first_demanded_blocks);
	tcase_add_test(tc, a_block_stays_unused_from_its_arrival_to_its_use);
	tcase_add_test(tc, what_came_before_the_span_is_used_in_it);
	tcase_add_test(tc, a_prefetched_block_may_be_evicted_unused);
	tcase_add_test(tc, a_late_reference_points_to_its_request);
	tcase_add_test(tc, calls_without_time_are_refused);
	tcase_add_test(tc, the_times_of_all_waits_are_those_of_the_statistics);
	tcase_add_test(tc, the_processor_is_in_the_film);
	tcase_add_loop_test(tc, a_process_does_one_thing_at_a_time, 0, 2);
	tcase_add_test(tc, data_are_rows_of_numbers);
	tcase_add_test(tc, neighbours_that_stay_alike_are_one_row);
	tcase_add_test(tc, data_agree_with_their_sums);
	return run_tests("film", tc);
}
