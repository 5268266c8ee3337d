/* check_plot_responses.c - response times become pictures. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/core/responses.h"
#include "sim/draw/plot_responses.h"
#include "tests/unit/support.h"

static struct response_plot plot;
static struct error	    error;
static char		    path[64], script[1 << 20];

static void
write_rows(const char *name, const char *rows)
{
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/%s-%d.csv", name, (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(rows, f);
	fclose(f);
}

/* What response_plot_read() answers. */
static int
read_file(void)
{
	struct csv c;
	int	   failed;

	ck_assert_int_eq(csv_open(&c, path, &error), 0);
	failed = response_plot_read(&plot, &c, &error);
	csv_close(&c);
	unlink(path);
	return failed;
}

static void
add(const char *y, const char *name, const char *rows)
{
	if (!plot.nlines)
		ck_assert_int_eq(response_plot_start(&plot, y, &error), 0);
	write_rows(name, rows);
	ck_assert_msg(!read_file(), "%s", error.text);
}

/* The script must have each of these. */
static void
draws(enum plot_target target, const char *const *text)
{
	FILE *f = fmemopen(script, sizeof(script), "w");

	ck_assert_int_eq(response_plot_script(&plot, target, 80, 24, f, &error), 0);
	fclose(f);
	for (; *text; text++)
		REQUIRE(strstr(script, *text), "no %s in %s", *text, script);
}

static void
teardown(void)
{
	response_plot_free(&plot);
}

START_TEST(a_distribution_rises_at_each_time)
{
	add(NULL, "a", "call,arrival_us,response_us\n1,0,3000\n2,10,0\n3,20,500\n4,30,20000\n");
	add(NULL, "b", "arrival_us,response_us\n0,70\n");
	draws(PLOT_SVG,
	    (const char *const[]){ "$data0 << END\n0.01 0\n0.01 0.25\n0.5 0.5\n3 0.75\n20 1\nEND\n",
		"$data1 << END\n0.01 0\n0.07 1\nEND\n", "set logscale x", "title \"a-", NULL });
}
END_TEST

START_TEST(of_many_calls_some_ranks_are_drawn)
{
	static char rows[200000];
	size_t	    used = (size_t)sprintf(rows, "arrival_us,response_us\n");
	unsigned    lines = 0;

	for (unsigned i = 0; i < 10000; i++)
		used += (size_t)sprintf(rows + used, "%u,%u\n", i, 10000 - i);
	add(NULL, "many", rows);
	draws(PLOT_PNG,
	    (const char *const[]){ "\n0.005 0.0005\n", "\n5 0.5\n", "\n10 1\nEND", NULL });
	for (const char *c = script; *c; c++)
		lines += *c == '\n';
	ck_assert_uint_lt(lines, 2040);
}
END_TEST

/* Two at once from 1 to 2 s of 0 .. 4 s, one until 3, none from 3 to 3.5, and one. */
START_TEST(calls_under_way_are_drawn_over_time)
{
	add("outstanding", "a",
	    "arrival_us,response_us\n0,2000000\n1000000,2000000\n1500000,0\n3500000,500000\n");
	draws(PLOT_SVG,
	    (const char *const[]){ "\n0.005 1 1\n", "\n1.505 2 2\n", "\n2.505 1 1\n",
		"\n3.205 0 0\n", "\n3.995 1 1\nEND", "filledcurves", NULL });
	draws(PLOT_DUMB, (const char *const[]){ "set terminal dumb noenhanced size 80, 24", NULL });
	ck_assert_ptr_null(strstr(script, "filledcurves"));
}
END_TEST

START_TEST(what_never_waited_is_no_error)
{
	add("outstanding", "a", "arrival_us,response_us\n5,0\n6,0\n");
	draws(PLOT_SVG,
	    (const char *const[]){ "$data0 << END\n5e-06 0 0\n6e-06 0 0\nEND\n", NULL });
}
END_TEST

static void
refuses(const char *rows, const char *why)
{
	ck_assert_int_eq(response_plot_start(&plot, NULL, &error), 0);
	write_rows("bad", rows);
	ck_assert_int_eq(read_file(), -1);
	REQUIRE(strstr(error.text, why), "%s", error.text);
	response_plot_free(&plot);
}

START_TEST(what_is_wrong_with_a_file_is_said)
{
	refuses("arrival_us,response_us\n1,2\n3,-4\n",
	    "row 3: response_us: '-4' is not a time in us");
	refuses("arrival_us,response_us\n4611686018427387904,2\n",
	    "row 2: arrival_us: '4611686018427387904' is not a time in us");
	refuses("arrival_us,response_us\n1,2\n3,4", "row 3 is torn: its end is missing");
	refuses("arrival_us,response_us\n", "there are no rows to draw");
	refuses("arrival_us,hits\n1,2\n",
	    "no column response_us: all files must be of bufsim run --responses, or none");
	ck_assert_int_eq(response_plot_start(&plot, "hits", &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}
END_TEST

static void
write_responses(const struct response *r, const struct trace *t, size_t first, bool parts)
{
	struct output *to = output_open(path, &error);

	ck_assert_ptr_nonnull(to);
	ck_assert_int_eq(responses_write(r, t, first, parts, to, &error), 0);
	ck_assert_int_eq(output_commit(to, NULL, &error), 0);
}

START_TEST(files_are_known_by_their_columns)
{
	struct access	access[2] = { { .length = 7 }, { .length = 512, .write = 1 } };
	struct trace	t = { .access = access, .naccess = 2 };
	struct response r[2] = { { .us = 8 },
		{ .arrival = 5, .us = 9, .outstanding = 1, .part = { 3, 0, 1, 2, 0, 0, 3 } } };
	struct csv	c;

	write_rows("whole", "");
	write_responses(r, &t, 1, true);
	ck_assert_int_eq(csv_open(&c, path, &error), 0);
	ck_assert(response_plot_recognises(&c));
	ck_assert_int_eq(csv_next(&c, &error), 1);
	ck_assert_uint_eq(c.line_bytes, strlen("2,5,write,512,9,1,3,0,1,2,0,0,3\n"));
	ck_assert_mem_eq(c.line, "2,5,write,512,9,1,3,0,1,2,0,0,3\n", c.line_bytes);
	ck_assert_int_eq(csv_next(&c, &error), 0);
	csv_close(&c);
	write_responses(r, &t, 0, false);
	ck_assert_int_eq(csv_open(&c, path, &error), 0);
	ck_assert_int_eq(csv_next(&c, &error), 1);
	ck_assert_str_eq(c.field[2], "read");
	ck_assert_str_eq(c.field[6], "");
	ck_assert_str_eq(c.field[12], "");
	csv_close(&c);
	unlink(path);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("plot_responses");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, a_distribution_rises_at_each_time);
	tcase_add_test(tests, of_many_calls_some_ranks_are_drawn);
	tcase_add_test(tests, calls_under_way_are_drawn_over_time);
	tcase_add_test(tests, what_never_waited_is_no_error);
	tcase_add_test(tests, what_is_wrong_with_a_file_is_said);
	tcase_add_test(tests, files_are_known_by_their_columns);
	return run_tests("plot_responses", tests);
}
