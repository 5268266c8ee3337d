/*
 * check_forecast.c - the prediction of the reads of calls, and that ondemand predicts
 * what Linux 6.18 was seen to do (ext4 with large folios, windows of 32).
 */
#include <string.h>

#include "sim/host/live/forecast.h"
#include "sim/registry.h"
#include "sim/setup/pattern.h"
#include "tests/unit/support.h"

#define RECENT "ondemand:version=6.18,pages=32,large=1"

#define FAULTS RECENT ",by=fault"

extern const struct prefetcher prefetcher_linux24;

static struct trace    trace;
static struct forecast forecast;

static void
predict(const char *pattern, const char *prefetcher)
{
	struct error		   e = { 0 };
	struct choice		   c;
	const struct trace_options how = { .block_bytes = 4096 };

	REQUIRE(!registry_choose(PLUGIN_PREFETCHER, prefetcher, &c, &e) &&
		!pattern_load(&trace, pattern, &how, PATTERN_SLOW_US, &e) &&
		!forecast_init(&forecast, &trace, prefetcher_of(&c), c.params, &e),
	    "%s", e.text);
}

static void
forget(void)
{
	forecast_release(&forecast);
	trace_release(&trace);
}

/* Call number i, counted from 1, reads exactly the pages from first to last. */
static void
expect(size_t i, uint32_t first, uint32_t last)
{
	size_t	       n;
	const block_t *b = forecast_of(&forecast, i - 1, &n);

	REQUIRE(n == last - first + 1, "call %zu reads %zu pages", i, n);
	for (size_t k = 0; k < n; k++)
		REQUIRE(b[k] - trace.file[0].base == first + k, "call %zu, page %zu is %u", i, k,
		    b[k] - trace.file[0].base);
}

static void
expect_nothing(size_t i)
{
	size_t n;

	forecast_of(&forecast, i - 1, &n);
	REQUIRE(!n, "call %zu reads %zu pages", i, n);
}

START_TEST(without_a_prefetcher_each_call_reads_what_it_asks_for)
{
	predict("sequential-4p", "none");
	expect(1, 0, 3);
	expect(2, 4, 7);
	expect(512, 2044, 2047);
	forget();
}
END_TEST

START_TEST(a_page_is_read_once)
{
	predict("same-4p", "none");
	expect(1, 8, 11);
	for (size_t i = 2; i <= 6; i++)
		expect_nothing(i);
	forget();
}
END_TEST

START_TEST(every_call_is_predicted_even_one_that_follows_at_once)
{
	struct draft d;
	struct error e = { 0 };
	size_t	     n, sum = 0;
	uint32_t     open;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 64), 0);
	for (uint32_t i = 0; i < 64; i++)
		draft_blocks(&d, 0, open, i, 1, false)->fresh = !i;
	REQUIRE(!forecast_init(&forecast, &d.trace, &prefetcher_linux24, NULL, &e), "%s", e.text);
	for (size_t i = 0; i < 64; i++, sum += n)
		forecast_of(&forecast, i, &n);
	ck_assert_uint_eq(sum, 64);
	ck_assert_uint_eq(forecast.n, 64);
	forecast_release(&forecast);
}
END_TEST

START_TEST(windows_end_where_large_folios_do)
{
	predict("sequential", RECENT);
	expect(1, 0, 3);
	expect(2, 4, 11);
	expect(5, 12, 15);
	expect(13, 16, 23);
	expect(17, 24, 31);
	expect(25, 32, 47);
	expect(33, 48, 63);
	expect(49, 64, 95);
	expect(65, 96, 127);
	forget();
}
END_TEST

START_TEST(a_window_is_marked_where_it_starts_even_within_a_smaller_folio)
{
	predict("start-1", RECENT);
	expect(1, 1, 1);
	expect(2, 2, 5);
	expect(3, 6, 11);
	expect(6, 12, 15); /* at page 6, though its folio is not aligned to the window's order */
	forget();
}
END_TEST

START_TEST(another_streams_mark_is_followed_one_page_too_far)
{
	predict("streams-2", RECENT);
	expect(1, 0, 3);
	expect(2, 2048, 2048);
	expect(3, 4, 11);
	expect(9, 13, 31); /* not from 12 */
	expect(12, 2057, 2063);
	expect(20, 2064, 2077);
	expect(25, 12, 12); /* the page left out */
	forget();
}
END_TEST

START_TEST(a_history_is_counted_from_within_a_folio)
{
	predict("stride-2-100b", RECENT);
	expect(15, 28, 53); /* 25 pages of 28 */
	expect(28, 54, 85);
	forget();
}
END_TEST

START_TEST(a_page_fault_reads_a_window_around_it)
{
	predict("stride-3", FAULTS);
	expect(1, 0, 31);
	expect(9, 32, 63);  /* at page 24, the mark of three quarters */
	expect_nothing(12); /* at page 33, in the marked folio, but too far from page 64 */
	expect(23, 64, 81); /* around page 66, what is missing */
	forget();
}
END_TEST

START_TEST(faults_keep_up_with_a_sequence)
{
	predict("sequential", FAULTS);
	expect(1, 0, 31);
	expect(25, 32, 63);
	expect(33, 64, 95);
	forget();
}
END_TEST

/* Page 8 is written: it comes, and a later read finds it; pages 0 to 3 are dropped and read again. */
START_TEST(written_pages_come_and_advice_is_a_step_of_its_own)
{
	struct draft	    d;
	struct error	    e = { 0 };
	struct choice	    c;
	static const size_t pages[] = { 1, 3, 1, 4, 0, 4 };
	uint32_t	    open;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 64), 0);
	draft_call(&d, 0, open, 8 * 4096, 100, true);
	draft_call(&d, 1000000, open, 0, 4 * 4096, false)->fresh = true;
	draft_advise(&d, ADVICE_WILLNEED, open, 0, 3 * 4096);
	draft_call(&d, 2000000, open, 8 * 4096, 4096, false);
	draft_advise(&d, ADVICE_DONTNEED, open, 0, 4 * 4096);
	draft_call(&d, 3000000, open, 0, 4 * 4096, false);
	d.advice[0].own = d.advice[0].fresh = true;
	REQUIRE(!registry_choose(PLUGIN_PREFETCHER, "ondemand:version=6.18,pages=0,io_pages=32", &c,
		    &e) &&
		!forecast_init(&forecast, &d.trace, prefetcher_of(&c), c.params, &e),
	    "%s", e.text);
	ck_assert_uint_eq(live_steps_of(&d.trace), 6);
	for (size_t i = 0; i < 6; i++) {
		size_t n;

		forecast_of(&forecast, i, &n);
		REQUIRE(n == pages[i], "step %zu has %zu pages, not %zu", i, n, pages[i]);
	}
	forecast_release(&forecast);
}
END_TEST

/* Folios 4-7 and 16-31: both are cut by the first advice, the second is dropped as a whole. */
START_TEST(dontneed_leaves_folios_that_it_cuts)
{
	struct draft  d;
	struct error  e = { 0 };
	struct choice c;
	size_t	      n;
	uint32_t      open;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 256), 0);
	for (uint32_t i = 0; i < 40; i++)
		draft_blocks(&d, i * 1000000, open, i, 1, false)->fresh = !i;
	draft_advise(&d, ADVICE_DONTNEED, open, 5 * 4096, 12 * 4096);
	draft_blocks(&d, 40 * 1000000, open, 0, 1, false);
	draft_advise(&d, ADVICE_DONTNEED, open, 0, 16 * 4096);
	REQUIRE(!registry_choose(PLUGIN_PREFETCHER, RECENT, &c, &e) &&
		!forecast_init(&forecast, &d.trace, prefetcher_of(&c), c.params, &e),
	    "%s", e.text);
	forecast_of(&forecast, 39, &n);
	ck_assert_uint_eq(n, 8); /* 8 to 15 */
	forecast_of(&forecast, 41, &n);
	ck_assert_uint_eq(n, 8); /* 0 to 7 */
	forecast_release(&forecast);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("forecast");

	tcase_add_test(tc, without_a_prefetcher_each_call_reads_what_it_asks_for);
	tcase_add_test(tc, a_page_is_read_once);
	tcase_add_test(tc, every_call_is_predicted_even_one_that_follows_at_once);
	tcase_add_test(tc, windows_end_where_large_folios_do);
	tcase_add_test(tc, a_window_is_marked_where_it_starts_even_within_a_smaller_folio);
	tcase_add_test(tc, another_streams_mark_is_followed_one_page_too_far);
	tcase_add_test(tc, a_history_is_counted_from_within_a_folio);
	tcase_add_test(tc, a_page_fault_reads_a_window_around_it);
	tcase_add_test(tc, faults_keep_up_with_a_sequence);
	tcase_add_test(tc, written_pages_come_and_advice_is_a_step_of_its_own);
	tcase_add_test(tc, dontneed_leaves_folios_that_it_cuts);
	return run_tests("forecast", tc);
}
