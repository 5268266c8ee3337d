/* check_plot_frames.c - results of bufsim frames become bars and lines. */
#include <stdio.h>
#include <string.h>

#include "sim/studies/frames/report/plot_frames.h"
#include "tests/unit/framed.h"
#include "tests/unit/support.h"

static struct panels plot;
static struct error  e;

static void
start(void)
{
	e = (struct error){ 0 };
}

static void
end(void)
{
	frames_plot_free(&plot);
}

static void
make(const struct frames_report *r, size_t n, struct panels_view v)
{
	frames_plot_free(&plot);
	ck_assert_msg(!frames_plot_make(&plot, framed_compared(r, n), n, &v, &e), "%s", e.text);
}

static void
refuses(const struct frames_report *r, size_t n, struct panels_view v, const char *why)
{
	frames_plot_free(&plot);
	ck_assert_int_eq(frames_plot_make(&plot, framed_compared(r, n), n, &v, &e), -1);
	ck_assert_msg(strstr(e.text, why) != NULL, "'%s'", e.text);
}

static void
heading_is(const char *expected)
{
	char *heading = panels_heading(&plot, &e);

	ck_assert_str_eq(heading, expected);
	free(heading);
}

/* The script must have each of these. */
static void
draws(const char *const *part)
{
	static char script[1 << 16];
	FILE	   *f = fmemopen(script, sizeof(script), "w");

	ck_assert_int_eq(panels_script(&plot, PLOT_SVG, f, &e), 0);
	fclose(f);
	for (; *part; part++)
		REQUIRE(strstr(script, *part), "no %s in %s", *part, script);
}

START_TEST(one_number_of_threads_gives_bars)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 2, 10),
		framed_rate("lazy", "churn", 2, 40) };

	make(r, 2, (struct panels_view){ 0 });
	heading_is("lazy is 4 times as fast as buddy");
	draws((const char *const[]){ "\n0 10\n1 40\n", "\"buddy\" 0, \"lazy\" 1",
	    "\"churn, 2 threads on real\"", "\"operations/s (millions)\"", NULL });
}
END_TEST

START_TEST(several_numbers_of_threads_give_lines)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 8, 20),
		framed_rate("lazy", "churn", 8, 60), framed_rate("buddy", "churn", 1, 10),
		framed_rate("lazy", "churn", 1, 10) };

	make(r, 4, (struct panels_view){ 0 });
	heading_is("lazy is 3 times as fast as buddy (threads 8)");
	ck_assert_uint_eq(plot.nlines, 2);
	draws((const char *const[]){ "$line0_0 << END\n1 10\n8 20\nEND\n",
	    "$line0_1 << END\n1 10\n8 60\nEND\n", "set xlabel \"threads\"", "set logscale x 2",
	    "\"churn on real\"", NULL });
}
END_TEST

START_TEST(workloads_and_arenas_have_panels_of_their_own)
{
	struct frames_report r[] = { framed("buddy", "churn:n=1", 1),
		framed("buddy", "churn:n=9", 1), framed("buddy", "churn:n=9", 1),
		framed("buddy", "churn:n=9", 1) };

	r[2].shape.blocks = 64;
	r[3].shape.block_pages = 16;
	make(r, 4, (struct panels_view){ 0 });
	ck_assert_uint_eq(plot.panel.n, 4);
	draws(
	    (const char *const[]){ "\"churn:n=9, 1 thread on real, 64 blocks, blocks of 8 pages\"",
		"\"churn:n=9, 1 thread on real, 4 blocks, blocks of 16 pages\"", NULL });
}
END_TEST

START_TEST(kinds_of_cores_are_beside_each_other)
{
	struct frames_report r[] = { framed("buddy", "churn", 1), framed("buddy", "churn", 1) };

	r[1].cores = "model";
	make(r, 2, (struct panels_view){ 0 });
	draws(
	    (const char *const[]){ "\"real\" 0, \"model\" 1", "\"churn, 1 thread, buddy\"", NULL });
}
END_TEST

START_TEST(a_parameter_may_be_the_axis)
{
	const struct frames_report r[] = { framed("buddy", "churn:n=600,rounds=9", 1),
		framed("buddy", "churn:n=20,rounds=9", 1),
		framed("lazy:limit=5", "churn:rounds=9,n=20", 1) };

	make(r, 3, (struct panels_view){ .x = "n", .y = "splits" });
	heading_is("splits by n");
	draws((const char *const[]){ "$line0_0 << END\n20 30\n600 30\nEND\n",
	    "\"churn:rounds=9, 1 thread on real\"", NULL });
	ck_assert_uint_eq(plot.panel.n, 1);
	make(r + 2, 1, (struct panels_view){ .x = "limit" });
	draws((const char *const[]){ "$line0_0 << END\n5 100\nEND\n", "\"lazy\"", NULL });
	refuses(r, 3, (struct panels_view){ .x = "limit" },
	    "buddy with churn:n=600,rounds=9 has no");
	refuses(r, 3, (struct panels_view){ .x = "ounds" }, "has no such number");
}
END_TEST

START_TEST(other_axes_are_settings)
{
	struct frames_report r[] = { framed("buddy", "churn", 1), framed("buddy", "churn", 1) };

	r[1].shape.blocks = 16;
	make(r, 2, (struct panels_view){ .x = "blocks" });
	draws((const char *const[]){ "\n4 100\n16 100\n", "\"churn, 1 thread on real\"", NULL });
	make(r, 1, (struct panels_view){ .x = "block-pages", .linear = true });
	draws((const char *const[]){ "\n8 100\n", "set xlabel \"block-pages\"", NULL });
}
END_TEST

START_TEST(any_figure_is_drawn)
{
	struct frames_report r = framed("buddy", "churn", 1);

	framed_latency(&r);
	make(&r, 1, (struct panels_view){ .y = "latency-p99" });
	heading_is("latency p99 (ns) by allocator");
	draws((const char *const[]){ "\n0 120\n", "\"latency p99 (ns)\"", NULL });
	make(&r, 1, (struct panels_view){ .y = "elapsed_us", .title = "mine" });
	heading_is("mine");
	draws((const char *const[]){ "\n0 10\n", NULL });
	refuses(&r, 1, (struct panels_view){ .y = "split" },
	    "--y: unknown column 'split'; did you mean 'splits'?");
	refuses(&r, 1, (struct panels_view){ .y = "met" }, "--fragmentation");
	r.latency = false;
	refuses(&r, 1, (struct panels_view){ .y = "latency_mean_ns" }, "--latency");
}
END_TEST

START_TEST(fragmentation_is_drawn_over_the_load_and_by_order)
{
	struct frames_report r = framed("buddy", "churn", 1);

	framed_fragments(&r);
	make(&r, 1, (struct panels_view){ .y = "largest-order" });
	ck_assert_uint_eq(plot.nbars, FRAGMENT_SAMPLES + 1);
	draws((const char *const[]){ "$line0_0 << END\n0 3\n1.5625 3\n", "\n100 0\nEND",
	    "set xrange [0 : 100]", NULL }); /* none free is 0 */
	make(&r, 1, (struct panels_view){ .y = "met" });
	draws((const char *const[]){ "$line0_0 << END\n0 100\n1 75\n2 50\n3 25\nEND\n", NULL });
	make(&r, 1, (struct panels_view){ .y = "met-after" });
	draws((const char *const[]){ "$line0_0 << END\n0 100\n1 100\n2 100\n3 0\nEND\n", NULL });
	refuses(&r, 1, (struct panels_view){ .y = "met", .x = "threads" }, "axis of its own");
}
END_TEST

START_TEST(relative_is_in_per_cent_of_an_allocator)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 1, 10),
		framed_rate("lazy", "churn", 1, 5) };

	make(r, 2, (struct panels_view){ .relative = "buddy" });
	ck_assert_double_eq_tol(plot.bar[1].sum, 50, 1e-9);
	refuses(r, 2, (struct panels_view){ .relative = "pcp" }, "no bar or line has that name");
}
END_TEST

START_TEST(a_second_measurement_is_drawn_as_well)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 1, 10),
		framed_rate("buddy", "churn", 1, 11) };

	make(r, 2, (struct panels_view){ 0 });
	ck_assert_uint_eq(plot.nbars, 2);
	refuses(r, 0, (struct panels_view){ 0 }, "no rows");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("plot_frames");

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, one_number_of_threads_gives_bars);
	tcase_add_test(tc, several_numbers_of_threads_give_lines);
	tcase_add_test(tc, workloads_and_arenas_have_panels_of_their_own);
	tcase_add_test(tc, kinds_of_cores_are_beside_each_other);
	tcase_add_test(tc, a_parameter_may_be_the_axis);
	tcase_add_test(tc, other_axes_are_settings);
	tcase_add_test(tc, any_figure_is_drawn);
	tcase_add_test(tc, fragmentation_is_drawn_over_the_load_and_by_order);
	tcase_add_test(tc, relative_is_in_per_cent_of_an_allocator);
	tcase_add_test(tc, a_second_measurement_is_drawn_as_well);
	return run_tests("plot_frames", tc);
}
