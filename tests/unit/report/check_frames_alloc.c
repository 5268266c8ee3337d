/* check_frames_alloc.c - memory that runs out for results of bufsim frames is an error, and nothing leaks. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/studies/frames/report/frames_rows.h"
#include "sim/studies/frames/report/plot_frames.h"
#include "tests/unit/allocator.h"
#include "tests/unit/framed.h"
#include "tests/unit/support.h"

static struct frames_report report[20];
static char		    path[64];

static void
setup(void)
{
	FILE *f;

	cJSON_InitHooks(&(cJSON_Hooks){ malloc, free }); /* its own are out of reach */
	snprintf(path, sizeof(path), "/tmp/frames-alloc-%d.csv", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (size_t i = 0; i < 20; i++) {
		report[i] = framed(i % 2 ? "lazy" : "buddy", "churn", i / 2 + 1);
		framed_fragments(&report[i]);
	}
	frames_csv(report, 20, f);
	fclose(f);
}

static void
teardown(void)
{
	unlink(path);
}

static int
rows(const void *from, struct error *e)
{
	struct frames_rows r = { 0 };
	struct csv	   c;
	int		   failed = csv_open(&c, path, e);

	if (failed)
		return -1;
	failed = frames_rows_read(&r, &c, e);
	csv_close(&c);
	frames_rows_release(&r);
	return failed;
}

static int
plots(const void *from, struct error *e)
{
	const struct panels_view v = { .y = "largest_order" };
	struct panels		 p;
	FILE			*null = fopen("/dev/null", "w");
	int failed = frames_plot_make(&p, framed_compared(report, 20), 20, &v, e);

	if (!failed)
		failed = panels_script(&p, PLOT_SVG, null, e);
	frames_plot_free(&p);
	fclose(null);
	return failed;
}

static int
lines(const void *from, struct error *e)
{
	FILE *null = fopen("/dev/null", "w");
	int   failed = frames_json(&report[0], null, e);

	fclose(null);
	return failed;
}

START_TEST(each_refusal_is_an_error_without_a_leak)
{
	ck_assert_uint_ge(watch_refusals(rows, NULL), 8);
	ck_assert_uint_ge(watch_refusals(plots, NULL), 8);
	ck_assert_uint_ge(watch_refusals(lines, NULL), 100);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("frames_alloc");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, each_refusal_is_an_error_without_a_leak);
	return run_tests("frames_alloc", tests);
}
