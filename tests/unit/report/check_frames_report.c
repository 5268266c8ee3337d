/* check_frames_report.c - a result of bufsim frames as text, JSON and CSV, and read again. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/studies/frames/report/frames_rows.h"
#include "tests/unit/framed.h"
#include "tests/unit/support.h"

static struct error	  e;
static char		  text[1 << 14];
static struct frames_rows rows;

static void
start(void)
{
	e = (struct error){ 0 };
	memset(text, 0, sizeof(text));
}

static void
end(void)
{
	frames_rows_release(&rows);
}

static FILE *
open_text(void)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	return f;
}

static void
print(const struct frames_report *r)
{
	FILE *f = open_text();

	frames_text(r, f);
	fclose(f);
}

static void
says(const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s", part, text);
}

static void
never_says(const char *part)
{
	ck_assert_msg(!strstr(text, part), "'%s' in %s", part, text);
}

/* ---- for a person ---- */

START_TEST(the_answer_stands_first)
{
	struct frames_report r = framed("lazy:limit=186", "churn", 2);

	print(&r);
	ck_assert_ptr_eq(
	    strstr(text,
		"lazy:limit=186: 100 M operations/s, median of 5 (50.0 M to 125 M); 30 "
		"splits, 20 merges, 0.50 locks per operation\n\n"),
	    text);
	says("splits                      30  0.03 per operation\n");
	says("  contended                  5  1.0 % of them\n");
	says("failed requests              0\n");
	says("workload churn, 2 threads on real, 4 blocks of 8 pages (128.0 KiB)\n");
	never_says("latency");
	never_says("order");
	never_says("failed\n");
}
END_TEST

START_TEST(what_did_not_happen_is_said_in_words)
{
	struct frames_report r = framed("ondemand", "churn", 1);

	r.result.counts.splits = 0;
	r.result.counts.merges = 1;
	r.result.counts.failed = 7;
	r.repeat = 1;
	r.result.elapsed_min_ns = r.result.elapsed_max_ns = r.result.elapsed_ns;
	r.shape.checked = true;
	print(&r);
	says("operations/s; no split, 1 merge, 0.50 locks per operation; 7 requests failed\n");
	says("1 thread on real");
	says(", checked\n");
}
END_TEST

START_TEST(rates_and_times_have_three_digits)
{
	static const struct {
		double	    n;
		const char *rate, *time;
	} list[] = {
		{ 0, "0.00 k", "0 ns" },
		{ 999, "1.00 k", "999 ns" },
		{ 12345, "12.3 k", "12.3 us" },
		{ 9996, "10.0 k", "10.0 us" },
		{ 950000, "950 k", "950 us" },
		{ 41.2e6, "41.2 M", "41.2 ms" },
		{ 1.5e9, "1500 M", "1500 ms" },
	};
	char room[FRAMES_TEXT];

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		ck_assert_str_eq(frames_rate_text(room, list[i].n), list[i].rate);
		ck_assert_str_eq(frames_ns_text(room, list[i].n), list[i].time);
	}
}
END_TEST

START_TEST(latency_and_fragmentation_follow_if_measured)
{
	struct frames_report r = framed("buddy", "churn", 1);

	framed_latency(&r);
	framed_fragments(&r);
	print(&r);
	says("  median                 45 ns\n");
	says("  99.9 % within        1.45 us\n");
	says("  longest              1.20 ms\n");
	says("      3  ################\n      2  ################################\n");
	says("in 12 of 32 pages, and after the load\n");
	says("      1         2    75.0 %   100.0 %  ##############################\n");
}
END_TEST

START_TEST(a_run_that_grows_again_is_a_gap_in_the_row)
{
	struct frames_report r = framed("buddy", "churn", 1);

	framed_fragments(&r);
	r.result.fragments.largest[FRAGMENT_SAMPLES] = 2;
	print(&r);
	says("      2  ################################                                #\n");
	for (unsigned i = 0; i <= FRAGMENT_SAMPLES; i++)
		r.result.fragments.largest[i] = -1;
	print(&r);
	says("no page was ever free");
}
END_TEST

/* ---- for programs ---- */

static cJSON *
json_of(const struct frames_report *r)
{
	FILE  *f = open_text();
	cJSON *o;

	ck_assert_int_eq(frames_json(r, f, &e), 0);
	fclose(f);
	ck_assert_uint_eq(strcspn(text, "\n"), strlen(text) - 1);
	o = cJSON_Parse(text);
	ck_assert_ptr_nonnull(o);
	return o;
}

static double
number(const cJSON *o, const char *key)
{
	const cJSON *n = cJSON_GetObjectItem(o, key);

	ck_assert_msg(cJSON_IsNumber(n), "no number %s in %s", key, text);
	return n->valuedouble;
}

START_TEST(json_is_one_object_on_a_line)
{
	struct frames_report r = framed("buddy", "churn:n=1", 2);
	cJSON		    *o = json_of(&r);

	ck_assert_ptr_eq(
	    strstr(text,
		"{\"allocator\":\"buddy\",\"workload\":\"churn:n=1\",\"cores\":\"real\","
		"\"threads\":2,\"blocks\":4,\"block_pages\":8,\"repeat\":5,\"splits\":30,"
		"\"merges\":20,\"operations\":1000,\"operations_per_s\":100000000,"
		"\"lock_acquisitions\":500,\"lock_contended\":5,\"failed\":0,"),
	    text);
	ck_assert_double_eq_tol(number(o, "elapsed_us"), 10, 1e-9);
	ck_assert_double_eq_tol(number(o, "elapsed_min_us"), 8, 1e-9);
	ck_assert_double_eq_tol(number(o, "elapsed_max_us"), 20, 1e-9);
	ck_assert_ptr_null(cJSON_GetObjectItem(o, "latency_p50_ns"));
	ck_assert_ptr_null(cJSON_GetObjectItem(o, "fragments"));
	cJSON_Delete(o);
}
END_TEST

START_TEST(json_has_what_is_measured_too)
{
	struct frames_report r = framed("buddy", "churn", 1);
	cJSON		    *o, *f;

	framed_latency(&r);
	framed_fragments(&r);
	o = json_of(&r);
	f = cJSON_GetObjectItem(o, "fragments");
	ck_assert_double_eq_tol(number(o, "latency_p999_ns"), 1450, 1e-9);
	ck_assert_double_eq_tol(number(f, "free_pages"), 12, 1e-9);
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(f, "largest_order")),
	    FRAGMENT_SAMPLES + 1);
	ck_assert_double_eq_tol(cJSON_GetArrayItem(cJSON_GetObjectItem(f, "met"), 3)->valuedouble,
	    0.25, 1e-9);
	cJSON_Delete(o);
}
END_TEST

/* ---- written and read ---- */

static int
read_text(void)
{
	char	   path[64];
	struct csv c;
	FILE	  *f;
	int	   failed;

	snprintf(path, sizeof(path), "/tmp/frames-%d.csv", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(csv_open(&c, path, &e), 0);
	ck_assert(frames_rows_recognise(&c));
	failed = frames_rows_read(&rows, &c, &e);
	csv_close(&c);
	unlink(path);
	return failed;
}

static void
write_rows(const struct frames_report *r, size_t n)
{
	FILE *f = open_text();

	frames_csv(r, n, f);
	fclose(f);
}

START_TEST(rows_are_read_as_they_were_written)
{
	struct frames_report r[] = { framed("lazy:limit=1,batch=1", "churn", 1),
		framed("buddy", "churn", 32) };

	framed_latency(&r[1]);
	framed_fragments(&r[1]);
	write_rows(r, 2);
	ck_assert_msg(!read_text(), "%s", e.text);
	ck_assert_uint_eq(rows.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct frames_report *got = &rows.report[i];

		ck_assert_str_eq(got->allocator, r[i].allocator);
		ck_assert_str_eq(got->workload, "churn");
		ck_assert_str_eq(got->cores, "real");
		ck_assert_int_eq(memcmp(&got->shape, &r[i].shape, sizeof(r[i].shape)), 0);
		ck_assert_uint_eq(got->repeat, 5);
		ck_assert_int_eq(got->latency, r[i].latency);
		ck_assert_int_eq(got->fragments, r[i].fragments);
		ck_assert_int_eq(memcmp(&got->result, &r[i].result, sizeof(r[i].result)), 0);
	}
}
END_TEST

/* Put `to` in the place of the first `from` of a written row. */
static const char *
damaged(const char *from, const char *to)
{
	static char	     copy[sizeof(text)];
	struct frames_report r = framed("buddy", "churn", 1);
	char		    *at;

	framed_latency(&r);
	framed_fragments(&r);
	write_rows(&r, 1);
	strcpy(copy, text);
	at = strstr(copy, from);
	ck_assert_msg(at != NULL, "no '%s' in %s", from, copy);
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - copy), copy, to, at + strlen(from));
	ck_assert_int_eq(read_text(), -1);
	frames_rows_release(&rows);
	return e.text;
}

START_TEST(what_is_wrong_in_a_row_is_named)
{
	ck_assert_ptr_nonnull(
	    strstr(damaged(",30,20,", ",x,20,"), "row 2: splits: 'x' is not a number"));
	ck_assert_ptr_nonnull(strstr(damaged("repeat,splits", "repeat,cuts"), "no column splits"));
	ck_assert_ptr_nonnull(strstr(damaged(",1,4,8,5,", ",,4,8,5,"), "threads: ''"));
	ck_assert_ptr_nonnull(strstr(damaged(",3 3 ", ",3 "), "has 64 numbers, not 65"));
	ck_assert_ptr_nonnull(strstr(damaged(",3 3 ", ",3 3 3 "), "largest_order: '3 3"));
	ck_assert_ptr_nonnull(strstr(damaged(",3 3 ", ",3 19 "), "largest_order"));
	ck_assert_ptr_nonnull(strstr(damaged(",3 3 ", ",3 -2 "), "largest_order"));
	ck_assert_ptr_nonnull(strstr(damaged(",1 0.75", ",1 y"), "met: '1 y"));
	ck_assert_ptr_nonnull(strstr(damaged(",10,8,20,", ",-10,8,20,"), "elapsed_us"));
	ck_assert_ptr_nonnull(strstr(damaged(" 1 0\n", " 1 0"), "torn"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("frames_report");

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, the_answer_stands_first);
	tcase_add_test(tc, what_did_not_happen_is_said_in_words);
	tcase_add_test(tc, rates_and_times_have_three_digits);
	tcase_add_test(tc, latency_and_fragmentation_follow_if_measured);
	tcase_add_test(tc, a_run_that_grows_again_is_a_gap_in_the_row);
	tcase_add_test(tc, json_is_one_object_on_a_line);
	tcase_add_test(tc, json_has_what_is_measured_too);
	tcase_add_test(tc, rows_are_read_as_they_were_written);
	tcase_add_test(tc, what_is_wrong_in_a_row_is_named);
	return run_tests("frames_report", tc);
}
