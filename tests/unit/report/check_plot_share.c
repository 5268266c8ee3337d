/* check_plot_share.c - rows of bufsim share become bars and lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/studies/share/report/plot_share.h"
#include "tests/unit/support.h"

#define NAMES                                                                                      \
	"trace,processors,protocol,allocator,page_bytes,from,cold,references,cold_faults,true_faults,false_faults,pages,elapsed_us,compute_us,fault_us,fetch_us,diff_us,lock_us,barrier_us\n"

/* Two processors that together computed 2 s and waited 1 s for faults, in 2 s. */
#define ROW(trace, allocator, page, faults)                                                        \
	trace ",2,invalidate," allocator "," page ",start,processor,100," faults                   \
	      ",7,2000000,2000000,1000000,0,0,0,0\n"

static struct panels plot;
static struct error  error;
static char	     path[64];

static int
read_rows(const char *rows)
{
	FILE	  *f;
	struct csv c;
	int	   failed;

	snprintf(path, sizeof(path), "/tmp/share-%d.csv", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(rows, f);
	fclose(f);
	ck_assert_int_eq(csv_open(&c, path, &error), 0);
	ck_assert(share_plot_recognises(&c));
	failed = share_plot_read(&plot, &c, &error);
	csv_close(&c);
	unlink(path);
	return failed;
}

static void
draw(const char *y, const char *x, const char *relative, const char *rows)
{
	share_plot_start(&plot, y, x);
	ck_assert_msg(!read_rows(rows), "%s", error.text);
	ck_assert_msg(!panels_arrange(&plot, relative, &error), "%s", error.text);
}

static void
heading_is(const char *expected)
{
	char *heading = panels_heading(&plot, &error);

	ck_assert_str_eq(heading, expected);
	free(heading);
}

/* The script must have each of these. */
static void
draws(const char *const *text)
{
	static char script[1 << 16];
	FILE	   *f = fmemopen(script, sizeof(script), "w");

	ck_assert_int_eq(panels_script(&plot, PLOT_SVG, f, &error), 0);
	fclose(f);
	for (; *text; text++)
		REQUIRE(strstr(script, *text), "no %s in %s", *text, script);
}

START_TEST(bars_are_stacked_by_class)
{
	draw(NULL, NULL, NULL,
	    NAMES ROW("radix", "sequential", "4096", "10,20,70")
		ROW("radix", "ff", "4096", "10,20,45"));
	ck_assert_uint_eq(plot.nbars, 2);
	ck_assert_uint_eq(plot.nparts, 3);
	ck_assert_double_eq_tol(plot.bar[1].part[2], 45, 1e-9);
	heading_is("radix: ff has 25.0 % fewer faults than sequential");
	draws((const char *const[]){ "\n0 10 30 100\n1 10 30 75\n", "\"sequential\" 0, \"ff\" 1",
	    "\"cold\"", "\"false\"", "\"2 processors\"", NULL });
	panels_free(&plot);
}
END_TEST

START_TEST(time_is_that_of_the_mean_processor)
{
	draw("time", NULL, NULL, NAMES ROW("radix", "ff", "4096", "10,20,45"));
	ck_assert_double_eq_tol(plot.bar[0].part[0], 1, 1e-9);
	ck_assert_double_eq_tol(plot.bar[0].part[1], 0.5, 1e-9);
	ck_assert_double_eq_tol(plot.bar[0].part[plot.nparts - 1], 0.5, 1e-9);
	ck_assert_double_eq_tol(plot.bar[0].sum, 2, 1e-9);
	draws((const char *const[]){ "\"not running\"", "time (s)", NULL });
	panels_free(&plot);
}
END_TEST

START_TEST(lines_are_in_the_order_of_x)
{
	draw("false-faults", "page", NULL,
	    NAMES ROW("radix", "ff", "65536", "1,2,30") ROW("radix", "ff", "64", "1,2,3")
		ROW("radix", "ss", "64", "1,2,4"));
	ck_assert_uint_eq(plot.nlines, 2);
	heading_is("false faults by page size");
	draws((const char *const[]){ "$line0_0 << END\n64 3\n65536 30\nEND\n", "'64K' 65536",
	    "set logscale x 2", NULL });
	panels_free(&plot);
}
END_TEST

START_TEST(relative_divides_by_the_bar_beside)
{
	draw(NULL, NULL, "sequential",
	    NAMES ROW("a", "sequential", "64", "0,0,50") ROW("a", "ff", "64", "0,0,25")
		ROW("a", "sequential", "4096", "10,10,180") ROW("a", "ff", "4096", "0,0,300"));
	ck_assert_double_eq_tol(plot.bar[1].sum, 50, 1e-9);
	ck_assert_double_eq_tol(plot.bar[3].sum, 150, 1e-9);
	panels_free(&plot);
}
END_TEST

START_TEST(programs_with_other_processors_have_other_panels)
{
	draw(NULL, NULL, NULL,
	    NAMES ROW("a", "ff", "64",
		"0,0,50") "a,4,invalidate,ff,64,start,processor,9,1,1,1,7,2,2,1,0,0,0,0\n");
	ck_assert_uint_eq(plot.panel.n, 2);
	draws((const char *const[]){ "\"a, 2 processors\"", "\"a, 4 processors\"", NULL });
	panels_free(&plot);
}
END_TEST

START_TEST(the_same_row_again_is_dropped_and_another_is_an_error)
{
	draw(NULL, NULL, NULL, NAMES ROW("a", "ff", "64", "0,0,50") ROW("a", "ff", "64", "0,0,50"));
	ck_assert_uint_eq(plot.nbars, 1);
	panels_free(&plot);
	share_plot_start(&plot, NULL, NULL);
	ck_assert_int_eq(read_rows(
			     NAMES ROW("a", "ff", "64", "0,0,50") ROW("a", "ff", "64", "0,0,51")),
	    0);
	ck_assert_int_eq(panels_arrange(&plot, NULL, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "given twice"));
	panels_free(&plot);
}
END_TEST

START_TEST(bad_fields_are_named)
{
	share_plot_start(&plot, NULL, NULL);
	ck_assert_int_eq(read_rows(NAMES ROW("a", "ff", "64", "0,x,50")), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "row 2: true_faults: 'x' is not a number"));
	panels_free(&plot);
}
END_TEST

START_TEST(characters_have_the_length_of_the_parts)
{
	char  text[4096];
	FILE *f = fmemopen(text, sizeof(text), "w");

	draw(NULL, NULL, NULL, NAMES ROW("a", "ff", "64", "10,0,10") ROW("a", "ss", "64", "5,0,0"));
	panels_text(&plot, 80, f);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, " ###################------------------- 20\n"));
	ck_assert_ptr_nonnull(strstr(text, " ########## 5\n"));
	panels_free(&plot);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("plot_share");

	tcase_add_test(tc, bars_are_stacked_by_class);
	tcase_add_test(tc, time_is_that_of_the_mean_processor);
	tcase_add_test(tc, lines_are_in_the_order_of_x);
	tcase_add_test(tc, relative_divides_by_the_bar_beside);
	tcase_add_test(tc, programs_with_other_processors_have_other_panels);
	tcase_add_test(tc, the_same_row_again_is_dropped_and_another_is_an_error);
	tcase_add_test(tc, bad_fields_are_named);
	tcase_add_test(tc, characters_have_the_length_of_the_parts);
	return run_tests("plot_share", tc);
}
