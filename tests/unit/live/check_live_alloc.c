/* check_live_alloc.c - memory that runs out while a trace is predicted, or made on scratch files. */
#define _GNU_SOURCE /* for machine_shows.h */
#include "sim/host/live/forecast.h"
#include "sim/host/live/performer.h"
#include "sim/registry.h"
#include "tests/machine_shows.h"
#include "tests/unit/allocator.h"

enum { ROUNDS = 20, PAGES = 8, PAGE = DRAFT_BLOCK_BYTES };

static struct draft draft;

/* All pages are read and dropped, again and again: more blocks come than the trace has. */
static void
write_trace(void)
{
	uint32_t open;

	draft_start(&draft);
	open = draft_open(&draft, draft_file(&draft, 1, PAGES), 0);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		draft_call(&draft, (usec_t)i * 1000000, open, 0, PAGES * PAGE, i == 0);
		draft_advise(&draft, ADVICE_DONTNEED, open, 0, 0);
	}
}

static int
predict(const void *trace, struct error *e)
{
	struct forecast f;
	struct choice	c;
	size_t		n;

	if (registry_choose(PLUGIN_PREFETCHER, "ondemand:version=6.18", &c, e) ||
	    forecast_init(&f, trace, prefetcher_of(&c), c.params, e))
		return -1;
	for (size_t i = 0; i < 2 * ROUNDS; i++) {
		forecast_of(&f, i, &n);
		REQUIRE(n == (i ? PAGES : 0), "step %zu has %zu pages", i, n);
	}
	forecast_release(&f);
	return 0;
}

static int
slow_down(const void *trace, struct error *e)
{
	struct trace slow;

	if (trace_slow(&slow, trace, e))
		return -1;
	trace_slow_release(&slow);
	return 0;
}

static int
make_all(const void *trace, struct error *e)
{
	struct host	  host = { .ra_pages = 4 };
	struct live_steps all = { .trace = trace };
	struct live_step  s;
	struct performer  made;
	int		  failed = 0;

	if (performer_init(&made, trace, &host, ".", e))
		return -1;
	while (!failed && live_steps_next(&all, &s))
		failed = performer_make(&made, &s, e);
	performer_release(&made);
	return failed;
}

START_TEST(a_prediction_needs_memory)
{
	write_trace();
	ck_assert_uint_gt(watch_refusals(predict, &draft.trace), 4);
}
END_TEST

START_TEST(a_slow_trace_needs_memory)
{
	write_trace();
	ck_assert_uint_eq(watch_refusals(slow_down, &draft.trace), 1);
}
END_TEST

START_TEST(scratch_files_need_memory)
{
	write_trace();
	if (machine_shows(".", 1, (bool (*const[])(struct shows *)){ shows_pages }))
		ck_assert_uint_gt(watch_refusals(make_all, &draft.trace), 9);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("live_alloc");

	tcase_add_test(tc, a_prediction_needs_memory);
	tcase_add_test(tc, a_slow_trace_needs_memory);
	tcase_add_test(tc, scratch_files_need_memory);
	return run_tests("live_alloc", tc);
}
