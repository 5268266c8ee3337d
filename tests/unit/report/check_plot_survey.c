/* check_plot_survey.c - where calls are in the picture of a trace, and the footprint so far. */
#include "sim/draw/plot_survey.h"
#include "tests/unit/support.h"

static struct draft	  draft;
static struct survey	  survey;
static struct survey_plot plot;
static struct error	  error;
static char		  name[] = "draft";

static void
setup(void)
{
	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
	draft_file(&draft, 1, 4);
	draft_file(&draft, 2, 100);
	draft_open(&draft, 0, 0);
	draft_open(&draft, 1, 0);
}

static void
teardown(void)
{
	survey_release(&survey);
	survey_plot_release(&plot);
}

static void
find(void)
{
	const struct survey_observer observer = { &plot, survey_plot_call };

	ck_assert_msg(!survey_plot_init(&plot, &draft.trace, &error), "%s", error.text);
	ck_assert_msg(!survey_find(&survey, &draft.trace, &observer, &error), "%s", error.text);
	raster_finish(&plot.raster);
}

/* What is drawn at a share of the width and of the height: 0 nothing, 1 read, 2 written. */
static uint8_t
at(double x, double y)
{
	const struct raster *r = &plot.raster;

	return r->pixel[(unsigned)(y * r->height) * r->width + (unsigned)(x * r->width)];
}

START_TEST(calls_are_drawn_at_their_time_and_block)
{
	draft_blocks(&draft, 0, 1, 10, 5, false);
	draft_blocks(&draft, 50, 1, 15, 5, true);
	draft_blocks(&draft, 99, 1, 10, 10, false);
	find();
	ck_assert_uint_eq(plot.span, 100);
	ck_assert_uint_eq(plot.first, draft.file[1].base + 10);
	ck_assert_uint_eq(plot.end, draft.file[1].base + 20);
	ck_assert_uint_eq(plot.raster.columns, 100);
	ck_assert_uint_eq(plot.raster.rows, 10);
	ck_assert_uint_eq(at(0.005, 0.05), 1);
	ck_assert_uint_eq(at(0.005, 0.45), 1);
	ck_assert_uint_eq(at(0.005, 0.55), 0);
	ck_assert_uint_eq(at(0.505, 0.55), 2);
	ck_assert_uint_eq(at(0.505, 0.45), 0);
	ck_assert_uint_eq(at(0.3, 0.5), 0);
	ck_assert_uint_eq(at(0.995, 0.95), 1);
	ck_assert_uint_eq(plot.footprint[0], 5);
	ck_assert_uint_eq(plot.footprint[1], 0); /* as before */
	ck_assert_uint_eq(plot.footprint[50], 10);
	ck_assert_uint_eq(plot.footprint[99], 10);
}
END_TEST

START_TEST(calls_at_one_time_are_drawn_in_their_order)
{
	for (uint32_t i = 0; i < 10; i++)
		draft_blocks(&draft, 0, 0, i % 4, 1, i % 2);
	find();
	ck_assert(plot.by_call);
	ck_assert_uint_eq(plot.span, 10);
	for (uint32_t i = 0; i < 10; i++)
		ck_assert_uint_eq(at((i + 0.5) / 10, (i % 4 + 0.5) / 4), 1 + i % 2);
	ck_assert_uint_eq(plot.footprint[3], 4);
}
END_TEST

START_TEST(one_call_to_one_block_fills_the_picture)
{
	draft_blocks(&draft, 0, 0, 2, 1, false);
	find();
	for (unsigned i = 0; i < 100; i++)
		ck_assert_uint_eq(at(i / 100., i / 100.), 1);
}
END_TEST

/* Points are larger where calls are few. */
START_TEST(a_long_trace_has_no_more_points_than_pixels)
{
	for (uint32_t i = 0; i < 510; i++)
		draft_blocks(&draft, i * 1000000, 1, i % 90, 1, false);
	find();
	ck_assert_uint_eq(plot.raster.columns, plot.raster.width / 4);
	ck_assert_uint_eq(plot.raster.rows, 90);
	draft.trace.naccess = 100;
	survey_release(&survey);
	survey_plot_release(&plot);
	find();
	ck_assert_uint_eq(plot.raster.columns, plot.raster.width / 8);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("plot_survey");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, calls_are_drawn_at_their_time_and_block);
	tcase_add_test(tests, calls_at_one_time_are_drawn_in_their_order);
	tcase_add_test(tests, one_call_to_one_block_fills_the_picture);
	tcase_add_test(tests, a_long_trace_has_no_more_points_than_pixels);
	return run_tests("plot_survey", tests);
}
