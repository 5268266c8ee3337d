/* check_calibrate.c - a calibration as text and as JSON. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/host/report/calibrate_report.h"
#include "tests/unit/calibrated.h"

static struct point	       point[POINTS_MAX];
static struct calibration      fit;
static struct calibrate_report report;
static char		      *text;
static struct error	       error;

static void
setup(void)
{
	report = (struct calibrate_report){
		.fit = &fit,
		.point = point,
		.npoints = known_points(point),
		.facts = { .bytes = UINT64_C(4) << 30,
		    .fifo = true,
		    .huge = true,
		    .elapsed_s = 20,
		    .host = { .system = "Linux",
			.release = "6.18.0",
			.device = "8:1",
			.type = "ext4" } },
		.sheet = "/tmp/my.dev",
	};
}

static void
teardown(void)
{
	free(text);
	text = NULL;
}

static void
print(void)
{
	struct memo m;

	free(text);
	calibration_fit(&fit, point, report.npoints, KNOWN_ROUNDS);
	ck_assert(!memo_open(&m, &error));
	calibrate_text(&report, m.out);
	ck_assert(!memo_close(&m, &error));
	text = m.text;
}

static bool
says(const char *part)
{
	return strstr(text, part) != NULL;
}

static bool
begins(const char *part)
{
	return !strncmp(text, part, strlen(part));
}

/* In every round. */
static void
slow(enum series series, double factor)
{
	for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
		known_slow(point, report.npoints, series, r, factor);
}

START_TEST(the_answer_comes_first_and_what_to_type_last)
{
	print();
	ck_assert_msg(begins("4 KB in 72.0 us, 2.00 GB/s, 50,000 reads a second at depth "), "%s",
	    text);
	ck_assert(says("; a cached page costs 0.305 us\next4 on device 8:1, Linux 6.18.0; 7 "
		       "rounds over 4.0 GiB in 20 s\n"));
	ck_assert(
	    says("\nwritten to /tmp/my.dev; next: bufsim replay TRACE --device /tmp/my.dev\n"));
	report.sheet = "my.dev";
	print();
	ck_assert(says("\nwritten to my.dev; next: bufsim replay TRACE --device ./my.dev\n"));
	report.is_here = true;
	print();
	ck_assert(says("; next: bufsim replay TRACE --device here\n"));
}
END_TEST

START_TEST(every_number_has_a_row)
{
	print();
	for (unsigned i = 0; i < QUANTITIES; i++)
		REQUIRE(says(quantity_info[i].meaning), "%s", quantity_info[i].name);
	ck_assert(says("several at once"));
	ck_assert(!says("too noisy") && !says("disk") && !says("huge") && !says("cache below"));
}
END_TEST

START_TEST(noise_is_in_the_first_line)
{
	report.facts.waited_s = 1.9;
	print();
	ck_assert(!says("too noisy"));
	report.facts.waited_s = 6;
	print();
	ck_assert(begins("too noisy to believe: this program waited for a processor for 30 % of "
			 "the time (limit 10 %)"));
	report.facts.waited_s = 0;
	for (unsigned r = 0; r < 3; r++)
		known_slow(point, report.npoints, SERIES_DIRECT, r, 1.5);
	print();
	ck_assert(begins("too noisy to believe: the middle half of the rounds spreads over 50 % "
			 "of read_us (limit 25 %)"));
}
END_TEST

START_TEST(a_disk_is_said_to_be_one)
{
	slow(SERIES_FAR, 100);
	print();
	ck_assert(
	    begins("warning: a read far from the last takes 7205 us, one close to it 72.0 us"));
	ck_assert(says("--calibrate --device SHEET"));
	ck_assert(says("\nwritten to "));
}
END_TEST

START_TEST(notes_say_what_was_not_to_be_had)
{
	report.facts.fifo = report.facts.huge = false;
	*report.facts.host.type = '\0';
	slow(SERIES_FIRST, 2);
	print();
	ck_assert(says("SCHED_FIFO needs root"));
	ck_assert(says("huge pages are off"));
	ck_assert(says("a second read takes 72.0 us, the first 144 us"));
	ck_assert(says("\na file system on device 8:1"));
	strcpy(report.facts.host.type, "overlay");
	print();
	ck_assert(says("\noverlay: the times include"));
}
END_TEST

START_TEST(json_has_every_number_and_point)
{
	struct memo  m;
	cJSON	    *j;
	const cJSON *p;

	calibration_fit(&fit, point, report.npoints, KNOWN_ROUNDS);
	ck_assert(!memo_open(&m, &error));
	ck_assert(!calibrate_json(&report, m.out, &error));
	ck_assert(!memo_close(&m, &error));
	text = m.text;
	j = cJSON_Parse(text);
	ck_assert(j != NULL);
	for (unsigned i = 0; i < QUANTITIES; i++) {
		const cJSON *q = cJSON_GetObjectItem(cJSON_GetObjectItem(j, "quantities"),
		    quantity_info[i].name);

		REQUIRE(q && cJSON_GetObjectItem(q, "median") && cJSON_GetObjectItem(q, "least") &&
			cJSON_GetObjectItem(q, "most"),
		    "%s", quantity_info[i].name);
	}
	ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(j, "points")), report.npoints);
	p = cJSON_GetArrayItem(cJSON_GetObjectItem(j, "points"), 0);
	ck_assert_str_eq(cJSON_GetObjectItem(p, "series")->valuestring, "cached_large");
	ck_assert_double_eq_tol(cJSON_GetObjectItem(p, "us")->valuedouble, 0.705, 1e-6);
	ck_assert_double_eq_tol(cJSON_GetObjectItem(p, "predicted_us")->valuedouble, 0.705, 1e-6);
	ck_assert(cJSON_IsFalse(cJSON_GetObjectItem(j, "too_noisy")));
	ck_assert_str_eq(cJSON_GetObjectItem(j, "sheet")->valuestring, "/tmp/my.dev");
	cJSON_Delete(j);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("calibrate");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_answer_comes_first_and_what_to_type_last);
	tcase_add_test(t, every_number_has_a_row);
	tcase_add_test(t, noise_is_in_the_first_line);
	tcase_add_test(t, a_disk_is_said_to_be_one);
	tcase_add_test(t, notes_say_what_was_not_to_be_had);
	tcase_add_test(t, json_has_every_number_and_point);
	return run_tests("calibrate", t);
}
