/* check_plot.c - results as lines and panels, and as pictures where gnuplot is installed. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cmd.h"
#include "sim/report/plot.h"
#include "tests/unit/support.h"

static const char header[] = "trace,policy,prefetcher,cache_blocks,elapsed_us,hit_ratio,block\n";

static struct plot  plot;
static struct error error;
static char	    path[64], text[PLOT_TEXT];

static void
write_csv(const char *first, const char *rows)
{
	FILE *f;
	int   fd;

	strcpy(path, "/tmp/bufsim-check-plot-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	f = fdopen(fd, "w");
	fprintf(f, "%s%s", first, rows);
	fclose(f);
}

static int
read_csv(void)
{
	struct csv csv;
	int	   failed;

	ck_assert_int_eq(csv_open(&csv, path, &error), 0);
	failed = plot_read(&plot, &csv, &error);
	csv_close(&csv);
	return failed;
}

static void
read_rows(const char *y, const char *rows)
{
	int failed;

	write_csv(header, rows);
	plot_start(&plot, y);
	failed = read_csv();
	unlink(path);
	ck_assert_msg(!failed, "%s", error.text);
}

static void
arrange(const char *base, const char *rows)
{
	read_rows(NULL, rows);
	ck_assert_msg(!plot_arrange(&plot, base, &error), "%s", error.text);
}

/* The name of the line that series i belongs to. */
static const char *
line_of(size_t i)
{
	return plot_line_name(&plot, &plot.row[plot.series[i].first], text);
}

/* All of the script for a target. */
static char *
script_for(enum plot_target target)
{
	static char script[1 << 20];
	FILE	   *f = tmpfile();
	size_t	    n;

	ck_assert_int_eq(plot_script(&plot, target, 80, 24, f, &error), 0);
	rewind(f);
	n = fread(script, 1, sizeof(script) - 1, f);
	script[n] = '\0';
	fclose(f);
	return script;
}

START_TEST(every_trace_is_a_panel_and_every_combination_of_settings_a_line)
{
	arrange(NULL,
	    "b,lru,none,2,20,0.5,4K\na,lru,none,4,40,0.5,4K\n"
	    "b,lru,linux24,1,30,0.5,4K\nb,lru,none,1,10,0.5,4K\n");
	ck_assert_uint_eq(plot.trace.n, 2);
	ck_assert_str_eq(plot.trace.name[0 + 1], "b");
	ck_assert_uint_eq(plot.nlines, 2);
	ck_assert_uint_eq(plot.nseries, 3);
	ck_assert_str_eq(line_of(0), "none");
	ck_assert_uint_eq(plot.series[0].n, 2);
	ck_assert_double_eq(plot.row[0].x, 4096);
	ck_assert_double_eq(plot.row[0].y, 10);
	ck_assert_double_eq(plot.row[1].y, 20);
	ck_assert_uint_eq(plot.series[1].panel, 1);
	ck_assert_str_eq(line_of(2), "linux24");
	plot_free(&plot);
}
END_TEST

START_TEST(a_line_is_called_by_the_settings_in_which_rows_differ)
{
	arrange(NULL, "a,lru,none,1,10,0.5,4K\na,fifo,none,1,10,0.5,4K\na,fifo,none,1,10,0.5,8K\n");
	ck_assert_str_eq(plot_legend_title(&plot, text), "policy, block");
	ck_assert_str_eq(line_of(0), "lru, 4K");
	ck_assert_str_eq(line_of(2), "fifo, 8K");
	ck_assert_str_eq(plot_shared(&plot, text), "prefetcher none");
	plot_free(&plot);
}
END_TEST

START_TEST(time_is_drawn_if_there_is_any_and_else_misses)
{
	read_rows(NULL, "a,lru,none,1,10,0.5,4K\n");
	ck_assert_str_eq(plot.column, "elapsed_us");
	plot_free(&plot);
	write_csv("trace,cache_blocks,block,elapsed_us,miss_ratio\n", "a,1,4K,0,0.5\n");
	plot_start(&plot, NULL);
	ck_assert_int_eq(read_csv(), 0);
	unlink(path);
	ck_assert_str_eq(plot.column, "miss_ratio");
	plot_free(&plot);
	read_rows("hit-ratio", "a,lru,none,1,10,0.25,4K\n");
	ck_assert_double_eq(plot.row[0].y, 0.25);
	plot_free(&plot);
}
END_TEST

START_TEST(points_are_divided_by_those_that_differ_in_the_named_setting_only)
{
	arrange("none",
	    "a,lru,none,1,10,0.5,4K\na,fifo,none,1,20,0.5,4K\n"
	    "a,lru,linux24,1,30,0.5,4K\na,fifo,linux24,1,10,0.5,4K\n");
	ck_assert_uint_eq(plot.nrows, 2);
	ck_assert_double_eq(plot.row[0].y, 3);
	ck_assert_double_eq(plot.row[1].y, 0.5);
	ck_assert_str_eq(line_of(1), "fifo, linux24");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "'execution time relative to none'"));
	plot_free(&plot);
}
END_TEST

START_TEST(what_is_undefined_leaves_a_gap)
{
	read_rows("hit_ratio", "a,lru,none,1,10,0.5,4K\na,lru,none,2,10,-,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert(isnan(plot.row[1].y));
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_PNG), "\n8192 NaN NaN NaN\n"));
	plot_free(&plot);
}
END_TEST

START_TEST(values_far_apart_get_a_logarithmic_axis_but_ratios_never)
{
	arrange(NULL, "a,lru,none,1,1000000,0.01,4K\na,lru,none,2,21000000,0.9,4K\n");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "set logscale y\n"));
	ck_assert_ptr_nonnull(
	    strstr(script_for(PLOT_SVG), "'1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50"));
	plot_free(&plot);
	arrange(NULL, "a,lru,none,1,1000000,0.01,4K\na,lru,none,2,19000000,0.9,4K\n");
	ck_assert_ptr_null(strstr(script_for(PLOT_SVG), "set logscale y\n"));
	plot_free(&plot);
	arrange(NULL, "a,lru,none,1,1000,0.01,4K\na,lru,none,2,1900000000,0.9,4K\n");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "'0.1' 0.1, '' 0.2 1, '' 0.5 1, '1' 1"));
	plot_free(&plot);
	read_rows("hit-ratio", "a,lru,none,1,1,0.01,4K\na,lru,none,2,2,0.9,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_ptr_null(strstr(script_for(PLOT_SVG), "set logscale y\n"));
	plot_free(&plot);
}
END_TEST

/* The range of y in the script, from the first panel on. */
static unsigned
y_ranges(const char *script, double range[][2], unsigned most)
{
	unsigned n = 0;

	for (; (script = strstr(script, "set yrange")) && n < most; script++, n++)
		ck_assert_int_eq(sscanf(script, "set yrange [%lf : %lf]", &range[n][0],
				     &range[n][1]),
		    2);
	return n;
}

START_TEST(no_point_is_cut_off)
{
	static const double pairs[][2] = { { 1, 1 }, { 1, 1.01 }, { 0, 3 }, { 5, 99 }, { 5, 101 },
		{ 1e-3, 1e6 }, { 0.99, 1.01 }, { 7, 3000 }, { 0, 0 } };
	char		    rows[256];
	double		    range[1][2];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		snprintf(rows, sizeof(rows), "a,lru,none,3,%.0f,0.5,4K\na,lru,none,5,%.0f,0.5,4K\n",
		    pairs[i][0] * 1e6, pairs[i][1] * 1e6);
		read_rows("time", rows);
		ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
		ck_assert_uint_eq(y_ranges(script_for(PLOT_PDF), range, 1), 1);
		REQUIRE(range[0][0] <= pairs[i][0] && range[0][1] >= pairs[i][1],
		    "pair %zu: %g to %g", i, range[0][0], range[0][1]);
		REQUIRE(range[0][0] < range[0][1], "pair %zu: %g to %g", i, range[0][0],
		    range[0][1]);
		plot_free(&plot);
	}
}
END_TEST

START_TEST(ratios_have_the_same_scale_in_all_panels_and_times_their_own)
{
	static const char rows[] = "a,lru,none,1,1000000,0.9,4K\na,lru,none,2,900000,0.95,4K\n"
				   "b,lru,none,1,5000000,0.1,4K\nb,lru,none,2,9000000,0.2,4K\n";
	double		  range[3][2];

	read_rows("hit-ratio", rows);
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_uint_eq(y_ranges(script_for(PLOT_SVG), range, 3), 2);
	ck_assert_double_eq(range[0][1], range[1][1]);
	plot_free(&plot);
	arrange(NULL, rows);
	ck_assert_uint_eq(y_ranges(script_for(PLOT_SVG), range, 3), 2);
	ck_assert_double_gt(range[1][1], 5 * range[0][1]);
	plot_free(&plot);
}
END_TEST

START_TEST(an_error_reaches_neither_below_0_nor_above_1)
{
	write_csv("trace,cache_blocks,block,miss_ratio,miss_ratio_error\n",
	    "a,1,4K,0.95,0.1\na,2,4K,0.05,0.1\na,4,4K,0.5,0.1\n");
	plot_start(&plot, NULL);
	ck_assert_int_eq(read_csv(), 0);
	unlink(path);
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG),
	    "\n4096 0.95 0.85 1\n8192 0.05 0 0.15\n16384 0.5 0.4 0.6\n"));
	plot_free(&plot);
}
END_TEST

START_TEST(large_counts_are_told_in_thousands_or_millions)
{
	write_csv("trace,cache_blocks,block,misses,read_requests,stall_us\n",
	    "a,1,2M,2500000,150000,3000000\n");
	for (unsigned i = 0; i < 3; i++) {
		static const char *const y[] = { "misses", "read-requests", "stall-us" };
		static const char *const label[] = { "'misses (million blocks)'",
			"'read requests (thousand)'", "'stall (s)'" };
		static const char *const point[] = { "\n2097152 2.5 ", "\n2097152 150 ",
			"\n2097152 3 " };
		const char		*script;

		plot_start(&plot, y[i]);
		ck_assert_int_eq(read_csv(), 0);
		ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
		script = script_for(PLOT_SVG);
		REQUIRE(strstr(script, label[i]), "no %s in %s", label[i], script);
		REQUIRE(strstr(script, point[i]), "no %s in %s", point[i], script);
		REQUIRE(strstr(script, "(1 block: 2 MiB)"), "no size in %s", script);
		plot_free(&plot);
	}
	unlink(path);
}
END_TEST

START_TEST(the_hundredth_line_has_a_style_and_a_name)
{
	static char rows[8192];
	size_t	    n = 0;
	const char *script;

	for (unsigned i = 0; i < 100; i++)
		n += (size_t)sprintf(rows + n, "t%u,p%u,none,%u,5,0.5,4K\n", i % 12, i, 1 + i);
	arrange(NULL, rows);
	ck_assert_uint_eq(plot.nlines, 100);
	script = script_for(PLOT_SVG);
	ck_assert_ptr_nonnull(strstr(script, "set style line 100 "));
	ck_assert_ptr_nonnull(strstr(script, "set label 'p99' at screen"));
	ck_assert_ptr_nonnull(
	    strstr(script_for(PLOT_DUMB), "set label 'V p99' at character 8, 0\n"));
	plot_free(&plot);
}
END_TEST

/* ---- with gnuplot ---- */

static size_t
slurp(const char *name, char *buf, size_t room)
{
	FILE  *f = fopen(name, "rb");
	size_t n;

	ck_assert_msg(f != NULL, "%s was not written", name);
	n = fread(buf, 1, room, f);
	fclose(f);
	ck_assert_uint_lt(n, room);
	return n;
}

START_TEST(gnuplot_draws_the_same_bytes_twice)
{
	static const char *const ending[] = { ".svg", ".png", ".pdf" };
	static const char *const start[] = { "<?xml", "\x89PNG", "%PDF-" };
	static char		 once[1 << 20], twice[1 << 20];
	char			 picture[80];
	size_t			 n;

	if (system("gnuplot --version >/dev/null 2>&1")) {
		fputs("skipped: gnuplot is not installed\n", stderr);
		return;
	}
	write_csv(header,
	    "it's,lru,none,1,1000000,0.9,4K\nit's,lru,none,2,900000,0.95,4K\n"
	    "b_\\`,lru,x,1,5000000,0.1,4K\nb_\\`,lru,none,2,90000000,0.2,4K\n");
	for (unsigned i = 0; i < 3; i++) {
		char *argv[] = { "bufsim", "plot", path, "-o", picture, NULL };

		snprintf(picture, sizeof(picture), "%s%s", path, ending[i]);
		ck_assert_msg(!command_line(5, argv, stdout, &error), "%s", error.text);
		n = slurp(picture, once, sizeof(once));
		REQUIRE(!memcmp(once, start[i], strlen(start[i])), "%s", picture);
		if (!strcmp(ending[i], ".pdf"))
			sleep(1); /* which notes the time */
		ck_assert_int_eq(command_line(5, argv, stdout, &error), 0);
		REQUIRE(slurp(picture, twice, sizeof(twice)) == n && !memcmp(once, twice, n),
		    "%s differs", picture);
		unlink(picture);
	}
	unlink(path);
}
END_TEST

START_TEST(gnuplot_draws_in_characters)
{
	static char drawn[1 << 16];
	char	   *argv[] = { "bufsim", "plot", path, NULL };
	FILE	   *out = tmpfile();

	if (system("gnuplot --version >/dev/null 2>&1")) {
		fputs("skipped: gnuplot is not installed\n", stderr);
		return;
	}
	write_csv(header, "csq,lru,none,1,1000000,0.9,4K\ncsq,lru,linux24,1,900000,0.95,4K\n");
	ck_assert_msg(!command_line(3, argv, out, &error), "%s", error.text);
	unlink(path);
	rewind(out);
	ck_assert_uint_gt(fread(drawn, 1, sizeof(drawn) - 1, out), 0);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(drawn, "csq: execution time (s)"));
	ck_assert_ptr_nonnull(strstr(drawn, "linux24"));
	ck_assert_ptr_null(strchr(drawn, '\f'));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("plot");

	tcase_add_test(tc, every_trace_is_a_panel_and_every_combination_of_settings_a_line);
	tcase_add_test(tc, a_line_is_called_by_the_settings_in_which_rows_differ);
	tcase_add_test(tc, time_is_drawn_if_there_is_any_and_else_misses);
	tcase_add_test(tc, points_are_divided_by_those_that_differ_in_the_named_setting_only);
	tcase_add_test(tc, what_is_undefined_leaves_a_gap);
	tcase_add_test(tc, values_far_apart_get_a_logarithmic_axis_but_ratios_never);
	tcase_add_test(tc, no_point_is_cut_off);
	tcase_add_test(tc, ratios_have_the_same_scale_in_all_panels_and_times_their_own);
	tcase_add_test(tc, an_error_reaches_neither_below_0_nor_above_1);
	tcase_add_test(tc, large_counts_are_told_in_thousands_or_millions);
	tcase_add_test(tc, the_hundredth_line_has_a_style_and_a_name);
	tcase_add_test(tc, gnuplot_draws_the_same_bytes_twice);
	tcase_add_test(tc, gnuplot_draws_in_characters);
	return run_tests("plot", tc);
}
