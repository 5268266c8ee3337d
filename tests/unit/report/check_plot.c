/* check_plot.c - results as lines and panels, and as pictures where gnuplot is installed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/draw/legend.h"
#include "sim/draw/plot.h"
#include "sim/registry.h"
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
	plot_start(&plot, y, "cache");
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
	plot_start(&plot, NULL, NULL);
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
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "\"execution time relative to none\""));
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
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "\nset logscale y\n"));
	ck_assert_ptr_nonnull(
	    strstr(script_for(PLOT_SVG), "'1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50"));
	plot_free(&plot);
	arrange(NULL, "a,lru,none,1,1000000,0.01,4K\na,lru,none,2,19000000,0.9,4K\n");
	ck_assert_ptr_null(strstr(script_for(PLOT_SVG), "\nset logscale y\n"));
	plot_free(&plot);
	arrange(NULL, "a,lru,none,1,1000,0.01,4K\na,lru,none,2,1900000000,0.9,4K\n");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "'0.1' 0.1, '' 0.2 1, '' 0.5 1, '1' 1"));
	plot_free(&plot);
	read_rows("hit-ratio", "a,lru,none,1,1,0.01,4K\na,lru,none,2,2,0.9,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_ptr_null(strstr(script_for(PLOT_SVG), "\nset logscale y\n"));
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
	plot_start(&plot, NULL, NULL);
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
		static const char *const label[] = { "\"misses (million blocks)\"",
			"\"read requests (thousand)\"", "\"stall (s)\"" };
		static const char *const point[] = { "\n2097152 2.5 ", "\n2097152 150 ",
			"\n2097152 3 " };
		const char		*script;

		plot_start(&plot, y[i], NULL);
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
	ck_assert_ptr_nonnull(strstr(script, "set label \"p99\" at screen"));
	ck_assert_ptr_nonnull(
	    strstr(script_for(PLOT_DUMB), "set label \"V p99\" at character 8, 0\n"));
	plot_free(&plot);
}
END_TEST

/* ---- the horizontal axis ---- */

static void
arrange_by(const char *x, const char *rows)
{
	write_csv(header, rows);
	plot_start(&plot, NULL, x);
	ck_assert_msg(!read_csv(), "%s", error.text);
	unlink(path);
	ck_assert_msg(!plot_arrange(&plot, NULL, &error), "%s", error.text);
}

START_TEST(a_parameter_of_a_plug_in_can_be_the_axis)
{
	arrange_by("pages",
	    "a,lru,none,1,5,0.5,4K\na,lru,ondemand:pages=8,1,7,0.5,4K\n"
	    "a,lru,\"ondemand:pages=64,large=0\",1,9,0.5,4K\na,lru,ondemand,1,8,0.5,4K\n");
	ck_assert_uint_eq(plot.nlines, 3);
	ck_assert_str_eq(line_of(0), "none");
	ck_assert_uint_eq(plot.series[0].n, 3); /* a level line: it has no pages */
	ck_assert_double_eq(plot.row[0].y, 5);
	ck_assert_double_eq(plot.row[2].y, 5);
	ck_assert_str_eq(line_of(1), "ondemand");
	ck_assert_double_eq(plot.row[3].x, 8);
	ck_assert_double_eq(plot.row[4].x, 32); /* its default */
	ck_assert_str_eq(line_of(2), "ondemand:large=0");
	ck_assert_double_eq(plot.row[5].x, 64);
	plot_free(&plot);
}
END_TEST

START_TEST(with_another_axis_the_cache_size_is_a_setting)
{
	arrange_by("hit-ratio", "a,lru,none,1,5,0.5,4K\na,lru,none,2,7,0.4,4K\n");
	ck_assert_uint_eq(plot.nlines, 1); /* a result is drawn in the order of cache sizes */
	ck_assert_double_eq(plot.row[0].x, 0.5);
	ck_assert_double_eq(plot.row[1].x, 0.4);
	plot_free(&plot);
	arrange_by("block",
	    "a,lru,none,2,5,0.5,4K\na,lru,none,1,7,0.4,8K\na,lru,none,2,7,0.4,8K\n");
	ck_assert_uint_eq(plot.nlines, 2);
	ck_assert_str_eq(line_of(0), "8 KiB");
	ck_assert_str_eq(line_of(1), "16 KiB");
	ck_assert_double_eq(plot.row[1].x, 8192);
	plot_free(&plot);
}
END_TEST

START_TEST(sizes_times_and_shares_on_the_axis_are_numbers)
{
	static const char *const texts[][3] = { { "16b", "132K", "2M" }, { "500ms", "1s", "30s" },
		{ "10%", "25%", "50%" }, { "0", "4K", "8K" } };
	static const double	 x[][3] = { { 16 * 4096, 132 * 1024, 2 << 20 },
		     { 500000, 1000000, 30000000 }, { 0.1, 0.25, 0.5 }, { 0, 4096, 8192 } };
	char			 rows[256];

	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++) {
		snprintf(rows, sizeof(rows), "a,%s,1,10,4K\na,%s,1,20,4K\na,%s,1,30,4K\n",
		    texts[i][0], texts[i][1], texts[i][2]);
		write_csv("trace,request,cache_blocks,elapsed_us,block\n", rows);
		plot_start(&plot, NULL, "request");
		ck_assert_msg(!read_csv(), "%s", error.text);
		unlink(path);
		ck_assert_msg(!plot_arrange(&plot, NULL, &error), "%s", error.text);
		ck_assert(!plot_has_bars(&plot));
		ck_assert_uint_eq(plot.nlines, 1);
		for (unsigned k = 0; k < 3; k++)
			ck_assert_double_eq(plot.row[k].x, x[i][k]);
		plot_free(&plot);
	}
}
END_TEST

START_TEST(the_number_of_a_setting_is_that_setting)
{
	write_csv("trace,request,request_blocks,cache_blocks,elapsed_us,block\n",
	    "a,33b,33,1,10,4K\na,64K,16,1,20,4K\n");
	plot_start(&plot, NULL, "request_blocks");
	ck_assert_msg(!read_csv(), "%s", error.text);
	unlink(path);
	ck_assert_msg(!plot_arrange(&plot, NULL, &error), "%s", error.text);
	ck_assert_uint_eq(plot.nlines, 1);
	ck_assert_double_eq(plot.row[0].x, 16);
	ck_assert_uint_eq(plot_setting_of("cpu_us"), SETTINGS); /* a counter */
	plot_free(&plot);
}
END_TEST

/* The words on the axis, in their order. */
static void
ck_words(const char *words)
{
	char all[PLOT_TEXT];

	ck_assert(plot_has_bars(&plot));
	plot_list(all, plot.value[SETTING_X].name + 1, plot.value[SETTING_X].n);
	ck_assert_str_eq(all, words);
}

START_TEST(a_column_of_words_has_bars_in_groups)
{
	const char *script;

	arrange_by("policy",
	    "a,lru,none,1,1000000,0.5,4K\na,lru,linux24,1,3000000,0.5,4K\n"
	    "a,arc,none,1,2000000,0.5,4K\na,arc,linux24,1,4000000,0.5,4K\n");
	ck_words("lru, arc");
	ck_assert_uint_eq(plot.nlines, 2);
	ck_assert_str_eq(line_of(0), "none");
	ck_assert_str_eq(line_of(1), "linux24");
	ck_assert_double_eq(plot.row[1].x, 2);
	ck_assert_double_eq(plot.row[1].y, 2e6);
	script = script_for(PLOT_SVG);
	ck_assert_ptr_nonnull(strstr(script, "$data0 << END\n0.8 1 1 1 29362\n1.8 2 2 2 29362\n"));
	ck_assert_ptr_nonnull(strstr(script, "norotate scale 0 (\"lru\" 1, \"arc\" 2)"));
	ck_assert_ptr_nonnull(strstr(script, "set yrange [0 : "));
	plot_free(&plot);
	arrange_by("trace",
	    "b,lru,none,1,5,0.5,4K\na,lru,none,1,6,0.5,4K\nb,arc,none,1,7,0.5,4K\n");
	ck_words("b, a");
	ck_assert_uint_eq(plot.nseries, 2);
	plot_free(&plot);
}
END_TEST

START_TEST(bars_of_prefetchers_have_the_colours_of_their_lines)
{
	arrange_by("prefetcher", "a,lru,linux24,1,5,0.5,4K\na,lru,none,1,6,0.5,4K\n");
	ck_assert_uint_eq(plot.nlines, 1);
	ck_assert_uint_eq(plot_style_of(&plot, &plot.row[0])->rgb, 0xd55e00);
	ck_assert_uint_eq(plot_style_of(&plot, &plot.row[1])->rgb, 0x0072b2);
	plot_free(&plot);
}
END_TEST

START_TEST(bars_can_be_divided_by_a_line_or_by_a_bar)
{
	static const char rows[] = "a,lru,none,1,10,0.5,4K\na,lru,linux24,1,30,0.5,4K\n"
				   "a,arc,none,1,20,0.5,4K\na,arc,linux24,1,40,0.5,4K\n";

	for (unsigned i = 0; i < 2; i++) {
		write_csv(header, rows);
		plot_start(&plot, NULL, i ? "prefetcher" : "policy");
		ck_assert_msg(!read_csv(), "%s", error.text);
		unlink(path);
		ck_assert_msg(!plot_arrange(&plot, "none", &error), "%s", error.text);
		ck_assert_uint_eq(plot.nrows, i ? 4 : 2);
		ck_assert_double_eq(plot.row[0].y, i ? 1 : 3);
		ck_assert_double_eq(plot.row[1].y, i ? 3 : 2);
		plot_free(&plot);
	}
}
END_TEST

/* Without --x: the axis of these rows, and its words or the number of lines. */
static void
chooses(const char *x, const char *words, const char *rows)
{
	write_csv("trace,policy,prefetcher,device,queue,cache_blocks,elapsed_us,block\n", rows);
	plot_start(&plot, NULL, NULL);
	ck_assert_msg(!read_csv(), "%s", error.text);
	unlink(path);
	ck_assert_msg(!plot_arrange(&plot, NULL, &error), "%s", error.text);
	ck_assert_str_eq(plot.x, x);
	if (words)
		ck_words(words);
	else
		ck_assert(!plot_has_bars(&plot));
	plot_free(&plot);
}

START_TEST(without_x_the_axis_is_what_varies)
{
	chooses("", NULL, "a,lru,none,d,1,4,10,4K\na,lru,amp,d,1,8,10,4K\n"); /* cache sizes */
	chooses("queue", NULL, "a,lru,none,d,1,4,10,4K\na,lru,none,d,2,4,10,4K\n");
	chooses("queue", NULL, "a,lru,none,d,1,4,10,4K\na,lru,amp,d,2,4,10,4K\n");
	chooses("prefetcher", "none, amp", "a,lru,none,d,1,4,10,4K\na,lru,amp,d,1,4,10,4K\n");
	chooses("device", "d, c", "a,lru,none,d,1,4,10,4K\na,lru,amp,c,1,4,10,4K\n");
	chooses("policy", "lru, arc", "a,lru,none,d,1,4,10,4K\na,arc,amp,d,1,4,10,4K\n");
	chooses("trace", "a, b", "a,lru,none,d,1,4,10,4K\nb,lru,none,d,1,4,10,4K\n");
	chooses("prefetcher", "none, amp", "a,lru,none,d,1,4,10,4K\nb,lru,amp,d,1,4,10,4K\n");
	chooses("max", NULL,
	    "a,lru,none,d,1,4,9,4K\na,lru,linux24:max=8,d,1,4,10,4K\n"
	    "a,lru,linux24:max=16,d,1,4,10,4K\n");
	chooses("mode", "always, miss",
	    "a,lru,obl:mode=always,d,1,4,10,4K\na,lru,obl:mode=miss,d,1,4,10,4K\n");
	chooses("prefetcher", "linux24:max=8, linux26:pages=8",
	    "a,lru,linux24:max=8,d,1,4,10,4K\na,lru,linux26:pages=8,d,1,4,10,4K\n");
	chooses("", NULL, "a,lru,none,d,1,4,10,4K\n");
}
END_TEST

/* A share of the footprint is another size for each trace. */
START_TEST(a_size_of_each_trace_makes_no_lines)
{
	static const char rows[] = "a,lru,none,1,10,0.5,4K\na,lru,amp,1,20,0.5,4K\n"
				   "b,lru,none,2,30,0.5,4K\nb,lru,amp,2,40,0.5,4K\n";

	arrange_by("trace", rows);
	ck_words("a, b");
	ck_assert_uint_eq(plot.nlines, 2);
	plot_free(&plot);
	arrange_by(NULL, rows);
	ck_words("none, amp");
	ck_assert_uint_eq(plot.trace.n, 2);
	ck_assert_uint_eq(plot.nlines, 1);
	plot_free(&plot);
}
END_TEST

START_TEST(numbers_that_are_no_powers_of_two_have_round_ticks)
{
	write_csv("trace,think_scale,cache_blocks,elapsed_us,block\n",
	    "a,0.01,1,10,4K\na,0.1,1,20,4K\na,1,1,30,4K\n");
	plot_start(&plot, NULL, "think-scale");
	ck_assert_int_eq(read_csv(), 0);
	unlink(path);
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG),
	    "'0.01' 0.01 0, '0.02' 0.02 0, '0.05' 0.05 0, '0.1' 0.1 0"));
	plot_free(&plot);
	arrange_by("max", "a,lru,linux24:max=8,1,5,0.5,4K\na,lru,linux24:max=128,1,5,0.5,4K\n");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "'8' 8 0, '16' 16 0, '32' 32 0"));
	plot_free(&plot);
}
END_TEST

START_TEST(a_run_without_a_cache_is_a_level_line)
{
	arrange(NULL,
	    "a,arc,none,0,7,,4K\na,lru,none,1,10,0.5,4K\na,lru,none,2,9,0.5,4K\n"
	    "a,lru,linux24,1,8,0.5,4K\na,lru,linux24,2,7,0.5,4K\n");
	ck_assert_uint_eq(plot.nlines, 3);
	ck_assert_str_eq(line_of(0), "none");
	ck_assert_str_eq(line_of(2), "no cache");
	ck_assert_uint_eq(plot.series[2].n, 2);
	ck_assert_double_eq(plot.row[plot.series[2].first + 1].y, 7);
	ck_assert_str_eq(plot_legend_title(&plot, text), "prefetcher");
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "rgb '#808080'"));
	plot_free(&plot);
	arrange("none", "a,arc,none,0,5,,4K\na,lru,none,1,10,0.5,4K\na,lru,amp,1,20,0.5,4K\n");
	ck_assert_uint_eq(plot.nlines, 2);
	ck_assert_double_eq(plot.row[1].y, 0.5);
	plot_free(&plot);
	read_rows(NULL, "a,arc,none,0,5,,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "no row has a cache"));
	plot_free(&plot);
}
END_TEST

START_TEST(the_load_is_the_calls_of_a_second)
{
	write_csv(
	    "trace,device,think_scale,cache_blocks,elapsed_us,response_calls,response_p99_us,block\n",
	    "a,d,1,0,2000000,100,5,4K\na,d,0.5,0,1000000,100,7,4K\na,d,0.1,0,1250000,100,70,4K\n");
	plot_start(&plot, "response-p99-us", "load");
	ck_assert_msg(!read_csv(), "%s", error.text);
	unlink(path);
	ck_assert_msg(!plot_arrange(&plot, NULL, &error), "%s", error.text);
	ck_assert_uint_eq(plot.nlines, 1);
	ck_assert_double_eq(plot.row[0].x, 50);
	ck_assert_double_eq(plot.row[1].x, 100);
	ck_assert_double_eq(plot.row[2].x, 80); /* more is not served */
	ck_assert_ptr_nonnull(strstr(script_for(PLOT_SVG), "\"load (calls/s)\""));
	plot_free(&plot);
}
END_TEST

START_TEST(an_unknown_column_is_answered_by_those_that_are)
{
	write_csv(header, "a,lru,none,1,5,0.5,4K\n");
	plot_start(&plot, NULL, "nothing");
	ck_assert_int_eq(read_csv(), 0);
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "--x nothing"));
	ck_assert_ptr_nonnull(strstr(error.text, "trace, policy, prefetcher, cache_blocks"));
	plot_free(&plot);
	plot_start(&plot, "nothing", NULL);
	ck_assert_int_eq(read_csv(), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "trace, policy, prefetcher, cache_blocks"));
	plot_free(&plot);
	unlink(path);
}
END_TEST

START_TEST(unknown_is_an_empty_field_or_a_dash)
{
	read_rows("hit-ratio", "a,lru,,1,10,0.5,4K\na,lru,-,2,10,,4K\na,lru,-,3,10,-,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	ck_assert_uint_eq(plot.nlines, 1);
	ck_assert(isnan(plot.row[1].y) && isnan(plot.row[2].y));
	plot_free(&plot);
}
END_TEST

/* ---- the heading ---- */

/* The heading of these rows. */
static void
says(const char *heading, const char *y, const char *base, const char *rows)
{
	char *got;

	read_rows(y, rows);
	ck_assert_msg(!plot_arrange(&plot, base, &error), "%s", error.text);
	got = plot_heading(&plot, &error);
	ck_assert_str_eq(got, heading);
	free(got);
	plot_free(&plot);
}

START_TEST(the_heading_tells_the_largest_loss_and_gain)
{
	static const char slower[] = "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,144,0.6,4K\n";
	static const char both[] = "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,144,0.6,4K\n"
				   "c,lru,none,512,100,0.5,4K\nc,lru,linux24,512,90,0.4,4K\n";

	says("c: linux24 is 44 % slower than none at 1 MiB", NULL, NULL, slower);
	says("c: linux24 is 44 % slower than none at 1 MiB", NULL, "none", slower);
	says("c: none is 31 % faster than linux24 at 1 MiB", NULL, "linux24", slower);
	says("c: linux24 is 44 % slower than none at 1 MiB; 10 % faster at 2 MiB", NULL, NULL,
	    both);
	says("c: linux24 is 10 points above none in hit ratio at 1 MiB; 10 points below at 2 MiB",
	    "hit-ratio", NULL, both);
	says("x is 25 % slower than none on d at 1 MiB; linux24 50 % faster on c at 1 MiB", NULL,
	    NULL,
	    "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,50,0.6,4K\n"
	    "d,lru,none,256,80,0.5,4K\nd,lru,x,256,100,0.6,4K\n");
	says("c: linux24 (fifo) is 20 % slower than none at 1 MiB", NULL, NULL,
	    "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,110,0.6,4K\n"
	    "c,fifo,none,256,1000,0.5,4K\nc,fifo,linux24,256,1200,0.6,4K\n");
	says("c: fifo is 3.0 % slower than lru at 1 MiB", NULL, NULL,
	    "c,lru,none,256,100,0.5,4K\nc,fifo,none,256,103,0.5,4K\n");
}
END_TEST

START_TEST(what_is_within_two_per_cent_is_no_finding)
{
	says("c: execution time", NULL, NULL,
	    "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,102,0.6,4K\n");
	says("c: execution time", NULL, NULL, "c,lru,none,256,100,0.5,4K\n");
	says("c: execution time", NULL, NULL, /* nothing to compare it with */
	    "c,lru,none,256,100,0.5,4K\nc,lru,linux24,512,900,0.6,4K\n");
	read_rows(NULL, "c,lru,none,256,100,0.5,4K\nc,lru,linux24,256,150,0.5,4K\n");
	ck_assert_int_eq(plot_arrange(&plot, NULL, &error), 0);
	plot.row[1].error = 60;
	ck_assert_ptr_null(strstr(script_for(PLOT_SVG), "slower"));
	plot_free(&plot);
}
END_TEST

/* ---- colours ---- */

/* The style of a line of that name. */
static struct plot_style
style_of(const char *name)
{
	for (size_t i = 0; i < plot.nseries; i++)
		if (!strcmp(line_of(i), name))
			return plot.style[plot.series[i].line];
	ck_abort_msg("no line %s", name);
	return (struct plot_style){ 0 };
}

static void
ck_same_colour(unsigned colour, const char *name, const char *base, const char *rows)
{
	arrange(base, rows);
	REQUIRE(style_of(name).colour == colour, "%s has colour %u", name, style_of(name).colour);
	plot_free(&plot);
}

#define ROW(policy, prefetcher) "c," policy "," prefetcher ",1,10,0.5,4K\n"

START_TEST(a_prefetcher_has_one_colour_whatever_is_drawn_beside_it)
{
	unsigned colour;

	arrange(NULL, ROW("lru", "none") ROW("lru", "linux24"));
	colour = style_of("linux24").colour;
	ck_assert_str_eq(picture_colour(colour), "#d55e00");
	ck_assert_uint_ne(style_of("none").colour, colour);
	plot_free(&plot);
	ck_same_colour(colour, "linux24", NULL, ROW("lru", "linux24") ROW("lru", "obl"));
	ck_same_colour(colour, "linux24", NULL, ROW("lru", "other") ROW("lru", "linux24"));
	ck_same_colour(colour, "linux24", NULL, ROW("lru", "linux24:max=8") ROW("lru", "linux24"));
	ck_same_colour(colour, "linux24", "none", ROW("lru", "none") ROW("lru", "linux24"));
	ck_same_colour(colour, "fifo, linux24", NULL,
	    ROW("lru", "none") ROW("fifo", "none") ROW("fifo", "linux24"));
	ck_same_colour(colour, "", NULL, ROW("lru", "linux24"));
}
END_TEST

/* The colour of the plug-in, and not of what else is drawn. */
START_TEST(variants_have_shades_of_one_colour)
{
	unsigned colour;

	arrange(NULL, ROW("lru", "ondemand:pages=8"));
	colour = plot.style[0].colour;
	plot_free(&plot);
	ck_same_colour(colour, "ondemand", NULL, ROW("lru", "obl") ROW("lru", "ondemand"));
	arrange(NULL,
	    ROW("lru", "linux24") ROW("lru", "ondemand:pages=4") ROW("lru", "ondemand:pages=8")
		ROW("lru", "ondemand"));
	ck_assert_uint_eq(style_of("ondemand:pages=8").colour, colour);
	ck_assert_uint_eq(style_of("ondemand:pages=4").colour, colour);
	ck_assert_uint_ne(style_of("ondemand:pages=8").rgb, style_of("ondemand:pages=4").rgb);
	ck_assert_uint_ne(style_of("ondemand:pages=8").rgb, style_of("ondemand").rgb);
	ck_assert_str_eq(picture_colour(colour), "#009e73"); /* plain has the colour itself */
	ck_assert_uint_eq(style_of("ondemand").rgb, 0x009e73);
	plot_free(&plot);
}
END_TEST

START_TEST(an_unknown_plug_in_has_a_colour_by_its_name)
{
	unsigned colour;

	arrange(NULL, ROW("lru", "none") ROW("lru", "mine"));
	colour = style_of("mine").colour;
	plot_free(&plot);
	ck_same_colour(colour, "mine", NULL, ROW("lru", "obl") ROW("lru", "mine"));
	ck_same_colour(colour, "mine:a=1", NULL, ROW("lru", "mine:a=1") ROW("lru", "amp"));
}
END_TEST

START_TEST(lines_of_one_colour_differ_in_marker_and_dash)
{
	static const char *const names[] = { "lru, none", "fifo, none", "clock, none", "lru, a",
		"fifo, a", "clock, a", "lru, iprp", "lru, iprp:runs=2" };
	enum { NAMES = sizeof(names) / sizeof(*names) };
	struct plot_style style[NAMES];

	arrange(NULL,
	    ROW("lru", "none") ROW("fifo", "none") ROW("clock", "none") ROW("lru", "a")
		ROW("fifo", "a") ROW("clock", "a") ROW("lru", "iprp") ROW("lru", "iprp:runs=2"));
	for (size_t i = 0; i < NAMES; i++) {
		style[i] = style_of(names[i]);
		for (size_t k = 0; k < i; k++)
			REQUIRE(style[i].colour != style[k].colour ||
				(style[i].marker != style[k].marker &&
				    style[i].dash != style[k].dash),
			    "%s looks as %s", names[i], names[k]);
	}
	ck_assert_uint_eq(style[0].colour, style[2].colour);
	plot_free(&plot);
}
END_TEST

/* More prefetchers than colours. */
START_TEST(every_prefetcher_differs_in_colour_or_in_marker_and_dash)
{
	const struct plugin *const *all = PLUGIN_PREFETCHER->list;
	static char		    rows[4096];
	size_t			    used = 0;

	for (size_t i = 0; all[i]; i++)
		used += (size_t)snprintf(rows + used, sizeof(rows) - used, "c,lru,%s,1,10,0.5,4K\n",
		    all[i]->name);
	ck_assert_uint_lt(used, sizeof(rows));
	arrange(NULL, rows);
	for (size_t i = 0; all[i]; i++)
		for (size_t k = 0; k < i; k++) {
			struct plot_style a = style_of(all[i]->name), b = style_of(all[k]->name);

			REQUIRE(a.colour != b.colour || (a.marker != b.marker && a.dash != b.dash),
			    "%s looks as %s", all[i]->name, all[k]->name);
		}
	plot_free(&plot);
}
END_TEST

START_TEST(the_figures_have_the_same_colours)
{
	static const char *const names[] = { "none", "linux24", "iprp", "ledger" };
	static char		 gp[8192], line[64];
	FILE			*f = fopen("scripts/plot/style.gp", "r");

	if (!f) {
		fputs("skipped: not run from the top folder\n", stderr);
		return;
	}
	gp[fread(gp, 1, sizeof(gp) - 1, f)] = '\0';
	fclose(f);
	arrange(NULL,
	    ROW("lru", "none") ROW("lru", "linux24") ROW("lru", "iprp") ROW("lru", "ledger"));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(line, sizeof(line), "%s = '%s'\n", names[i],
		    picture_colour(style_of(names[i]).colour));
		REQUIRE(strstr(gp, line), "no %s", line);
	}
	plot_free(&plot);
}
END_TEST

/* ---- texts ---- */

START_TEST(a_text_is_broken_where_it_no_longer_fits)
{
	static const char *const texts[] = { "iprp:window=reset,threshold=48+ondemand:pages=64",
		"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "a few words in a line", "",
		"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97" };
	char			 piece[PLOT_TEXT];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (unsigned width = 0; width < 400; width += 7) {
			const char *at = texts[i];

			for (size_t n; *at; at += n) {
				n = picture_fit(at, width);
				ck_assert_uint_gt(n, 0);
				snprintf(piece, sizeof(piece), "%.*s", (int)n, at);
				REQUIRE(picture_width(piece) <= width || n <= 3, "%s in %u", piece,
				    width);
				ck_assert_int_ne(at[n] & 0xc0, 0x80);
			}
			REQUIRE(width < 60 ||
				picture_width(picture_shorten(piece, texts[i], width)) <= width + 1,
			    "%s in %u", piece, width);
		}
}
END_TEST

START_TEST(a_legend_never_leaves_its_place)
{
	static char	   names[60][100];
	const char	  *name[60];
	unsigned	   style[60] = { 0 };
	struct legend	   l = { .title = "policy, prefetcher", .name = name, .style = style };
	static const char *fill =
	    "iprp:window=reset,threshold=48+ondemand:pages=64,large=1+WWWWWWWW";

	for (unsigned length = 1; length < 66; length += 8)
		for (l.n = 1; l.n < 60; l.n += 7) {
			for (size_t i = 0; i < l.n; i++) {
				snprintf(names[i], sizeof(names[i]), "%.*s", (int)length, fill);
				name[i] = names[i];
			}
			legend_measure(&l, 500, 340);
			if (!l.below) {
				ck_assert_uint_le(l.height, 340);
				ck_assert_uint_ge(l.width, picture_width(names[0]));
				continue;
			}
			ck_assert_uint_le(l.columns * l.column_width, 500);
			ck_assert_uint_le(l.text_width, l.column_width);
			ck_assert_uint_ge((unsigned)(l.height / PICTURE_LINE) * l.columns,
			    l.n * picture_lines(names[0], l.text_width));
		}
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

/* Stop at what is no well-formed element or character data; *depth counts open elements. */
static const char *
xml_step(const char *at, int *depth)
{
	const char *end = at;

	if (*at == '&')
		return strspn(at + 1, "abcdefghijklmnopqrstuvwxyz") && strchr(at, ';') ? at + 1
										       : NULL;
	if (*at != '<')
		return !strncmp(at, "]]>", 3) || ((unsigned char)*at < ' ' && !strchr("\t\n", *at))
		    ? NULL
		    : at + 1;
	for (char quote = 0; *end && (quote || *end != '>'); end++)
		quote = quote ? (*end == quote ? 0 : quote) : strchr("'\"", *end) ? *end : 0;
	if (!*end)
		return NULL;
	if (at[1] == '/')
		--*depth;
	else if (end[-1] != '/' && at[1] != '?' && at[1] != '!')
		++*depth;
	return *depth < 0 ? NULL : end + 1;
}

static void
ck_well_formed(const char *svg)
{
	int	    depth = 0;
	const char *at = svg, *next = svg;
	char	   *clean = malloc(strlen(svg) + 1);

	while (*at && (next = xml_step(at, &depth)))
		at = next;
	REQUIRE(next && !depth, "not well-formed: %.200s", next ? "an element is open" : at);
	text_clean(clean, strlen(svg) + 1, svg);
	for (size_t i = 0; svg[i]; i++)
		REQUIRE(svg[i] == clean[i] || strchr("\t\n", svg[i]), "not UTF-8: %.40s", svg + i);
	free(clean);
}

/* Any name is drawn, and leaves the picture well-formed and gnuplot uninterested. */
START_TEST(every_name_can_be_drawn)
{
	static const char *const odd[] = { "'tis", "''", "a]]>b", "\xff\xfe", "\xe6\xbc", "a\\nb\\",
		"{/:Bold x}", "x^2_i@b", "100%d%s%%", "`touch /tmp/bufsim-check-oops`", "$0",
		"<b>&amp;", "\"\"", "#", "-", "\xc2\23331m", "\xef\xbf\xbf", "\x1b[31m", "a\tb",
		"@x", "" };
	static char		 rows[1 << 16], svg[1 << 22];
	char			 picture[80], letters[24];
	char			*argv[] = { "bufsim", "plot", path, "-o", picture, NULL };
	uint32_t		 seed = 1;
	size_t			 n = 0;

	if (system("gnuplot --version >/dev/null 2>&1")) {
		fputs("skipped: gnuplot is not installed\n", stderr);
		return;
	}
	for (unsigned i = 0; i < 120; i++) {
		const char *name = odd[i % (sizeof(odd) / sizeof(*odd))];

		for (size_t k = 0; i >= sizeof(odd) / sizeof(*odd) && k < sizeof(letters); k++) {
			letters[k] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
			letters[k] = strchr("\r\n,\"", letters[k]) ? '\'' : letters[k];
			letters[sizeof(letters) - 1] = '\0';
			name = letters;
		}
		name = strcmp(name, "\"\"") != 0 ? name : "\"\"\"\""; /* as CSV has it */
		if (i % 2)
			n += (size_t)sprintf(rows + n, "t%u,lru,\"%s\",1,%u,0.5,4K\n", i / 16, name,
			    1000 + i);
		else
			n += (size_t)sprintf(rows + n, "\"%s\",lru,none,1,%u,0.5,4K\n", name,
			    1000 + i);
	}
	write_csv(header, rows);
	snprintf(picture, sizeof(picture), "%s.svg", path);
	unlink("/tmp/bufsim-check-oops");
	ck_assert_msg(!command_line(5, argv, stdout, &error), "%s", error.text);
	svg[slurp(picture, svg, sizeof(svg))] = '\0';
	ck_well_formed(svg);
	ck_assert_ptr_nonnull(strstr(svg, "<text>'tis"));
	ck_assert_ptr_nonnull(strstr(svg, "a]]&gt;b"));
	ck_assert_ptr_nonnull(strstr(svg, "{/:Bold x}"));
	ck_assert_ptr_null(strstr(svg, "\xef\xbf\xbf")); /* no character of XML */
	ck_assert_ptr_null(strstr(svg, "gnuplot_plot_1</title>"));
	ck_assert_int_ne(access("/tmp/bufsim-check-oops", F_OK), 0);
	snprintf(picture, sizeof(picture), "%s.png", path);
	ck_assert_msg(!command_line(5, argv, stdout, &error), "%s", error.text);
	unlink(picture);
	snprintf(picture, sizeof(picture), "%s.svg", path);
	unlink(picture);
	unlink(path);
}
END_TEST

/* The elements over the picture of these rows. */
static const char *
hover_over(const char *rows)
{
	static char hover[1 << 16];
	FILE	   *f = tmpfile();

	arrange(NULL, rows);
	ck_assert_int_eq(plot_hover(&plot, f, &error), 0);
	rewind(f);
	hover[fread(hover, 1, sizeof(hover) - 1, f)] = '\0';
	fclose(f);
	plot_free(&plot);
	ck_well_formed(hover);
	return hover;
}

START_TEST(lines_and_points_have_names_to_hover_over)
{
	const char *hover =
	    hover_over("c,lru,none,256,100000000,0.5,4K\nc,lru,linux24,256,144000000,0.6,4K\n"
		       "c,lru,none,1024,100000000,0.5,4K\n");

	ck_assert_ptr_nonnull(
	    strstr(hover, "<circle cx=\"151.3\" ")); /* log 1.25 / log 6.25 of 520 */
	ck_assert_ptr_nonnull(strstr(hover, "<circle cx=\"544.7\" "));
	ck_assert_ptr_nonnull(strstr(hover,
	    "<title>linux24 at 1 MiB: execution time (s) 144, 44 % slower than none</title>"));
	hover = hover_over("c,lru,<]]>&,256,100,0.5,4K\nc,lru,<b>,256,144,0.6,4K\n");
	ck_assert_ptr_nonnull(strstr(hover, "slower than &lt;]]&gt;&amp;</title>"));
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
	tcase_add_test(tc, a_parameter_of_a_plug_in_can_be_the_axis);
	tcase_add_test(tc, with_another_axis_the_cache_size_is_a_setting);
	tcase_add_test(tc, sizes_times_and_shares_on_the_axis_are_numbers);
	tcase_add_test(tc, the_number_of_a_setting_is_that_setting);
	tcase_add_test(tc, a_column_of_words_has_bars_in_groups);
	tcase_add_test(tc, bars_of_prefetchers_have_the_colours_of_their_lines);
	tcase_add_test(tc, bars_can_be_divided_by_a_line_or_by_a_bar);
	tcase_add_test(tc, without_x_the_axis_is_what_varies);
	tcase_add_test(tc, a_size_of_each_trace_makes_no_lines);
	tcase_add_test(tc, numbers_that_are_no_powers_of_two_have_round_ticks);
	tcase_add_test(tc, a_run_without_a_cache_is_a_level_line);
	tcase_add_test(tc, the_load_is_the_calls_of_a_second);
	tcase_add_test(tc, an_unknown_column_is_answered_by_those_that_are);
	tcase_add_test(tc, variants_have_shades_of_one_colour);
	tcase_add_test(tc, an_unknown_plug_in_has_a_colour_by_its_name);
	tcase_add_test(tc, unknown_is_an_empty_field_or_a_dash);
	tcase_add_test(tc, the_heading_tells_the_largest_loss_and_gain);
	tcase_add_test(tc, what_is_within_two_per_cent_is_no_finding);
	tcase_add_test(tc, a_prefetcher_has_one_colour_whatever_is_drawn_beside_it);
	tcase_add_test(tc, lines_of_one_colour_differ_in_marker_and_dash);
	tcase_add_test(tc, every_prefetcher_differs_in_colour_or_in_marker_and_dash);
	tcase_add_test(tc, the_figures_have_the_same_colours);
	tcase_add_test(tc, a_text_is_broken_where_it_no_longer_fits);
	tcase_add_test(tc, a_legend_never_leaves_its_place);
	tcase_add_test(tc, every_name_can_be_drawn);
	tcase_add_test(tc, lines_and_points_have_names_to_hover_over);
	return run_tests("plot", tc);
}
