/* check_replay_report.c - a replay as text, JSON, CSV, times of calls and a picture. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/replayed.h"

static struct replayed it;
static struct error    e;
static char	       text[1 << 14];

static void
setup(void)
{
	e = (struct error){ 0 };
	replayed_make(&it);
}

static void
print(void (*how)(const struct replay_report *, FILE *))
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	how(&it.report, f);
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

static void
begins(const char *line)
{
	print(replay_text);
	ck_assert_msg(strstr(text, line) == text, "no '%s' at the start of %s", line, text);
}

/* ---- for a person ---- */

START_TEST(the_answer_stands_first)
{
	begins("100 us; the prediction is 20 % lower (80 us); 8 pages read, 1 fewer than "
	       "predicted\n\n");
	it.predicted.stats.elapsed_us = 126;
	it.predicted.pages_read = 8;
	begins("100 us; the prediction is 26 % higher (126 us); 8 pages read, as predicted\n");
	it.predicted.stats.elapsed_us = 100;
	it.predicted.pages_read = 3;
	begins("100 us; as predicted; 8 pages read, 5 more than predicted\n");
	it.predicted.timed = false;
	begins("100 us; 8 pages read, 5 more than predicted\n");
	it.report.colour = true;
	begins("\033[1m100 us\033[m; 8 pages");
}
END_TEST

START_TEST(measured_stands_beside_predicted)
{
	print(replay_text);
	says("\ntime                          100 us           80 us         -20.0 %\n");
	says("\npages read                         8               9              +1\n");
	says("\nresident pages                     8               9              +1\n");
	says("\nmedians of 3 runs, which took 90 us to 140 us\n");
	says("\n<= 20 us (hits)                    1               2\n");
	says("\n<= 200 us                          1               1\n");
	says("\n<= 1 ms                            1               1\n");
	says("\nlonger                             1               0\n");
	says("\nprocessor                      20 us          25.0 %\n");
	says("\nwaiting                        60 us          75.0 %\n");
	says("\nfour: 4 reads of 1 file, no advice\nLinux 6.1, ext4 on device 8:1\n"
	     "predicted by none, device here\n");
	never_says("note");
	never_says("think");
}
END_TEST

START_TEST(a_prediction_without_time_has_none)
{
	it.predicted.timed = false;
	it.predicted.resident_pages = PREDICT_UNKNOWN;
	it.report.device = NULL;
	print(replay_text);
	says("\ntime                          100 us               -               -\n");
	says("\nresident pages                     8               -               -\n");
	says("\n<= 200 us                          1               -\n");
	says("predicted by none\n");
	says("note: no time is predicted: type --device here, behind bufsim calibrate\n");
	never_says("where the predicted time goes");
	it.how.warm = true;
	print(replay_text);
	says("note: no time is predicted: type --device here, behind bufsim calibrate, or --cpu\n");
	says("no advice, all in memory before\n");
}
END_TEST

START_TEST(what_limits_the_figures_is_noted)
{
	it.rounds.rejected = 2;
	it.rounds.lost_pages = 1234;
	it.how.real_time = true;
	it.report.left_out = 5678;
	it.round[1].times.waited_us = 25; /* of 125 */
	it.predicted.stats.cpu_us = 0;
	it.predicted.stats.think_us = 20;
	print(replay_text);
	says("note: 2 runs lost up to 1,234 pages that the system reclaimed: rejected\n");
	says("note: --real-time is not permitted here: it needs root or CAP_SYS_NICE\n");
	says("note: the machine is busy: 20 % of the time without a processor; this time is not "
	     "counted\n");
	says("note: writes are left out: 5,678; --with-writes makes them\n");
	says("note: the processor costs nothing in this prediction");
	says("\nthink                          20 us          25.0 %\n");
	it.rounds.rejected = 1;
	it.how.real_time = false;
	print(replay_text);
	says("note: 1 run lost");
	says("this time is not counted; try --real-time as root\n");
	never_says("not permitted");
	it.round[2].times.lost_pages = 1234;
	print(replay_text);
	says("note: the system reclaimed up to 1,234 pages of a run that counts\n");
}
END_TEST

START_TEST(waits_up_to_a_twentieth_are_not_noted)
{
	it.round[1].times.waited_us = 5; /* of 105 */
	print(replay_text);
	never_says("busy");
}
END_TEST

START_TEST(waits_of_threads_are_a_share_of_their_calls)
{
	it.how.by_process = true;
	it.round[1].times.waited_us = 100;
	it.round[1].times.calls_us = 400;
	print(replay_text);
	says("busy: 25 % of the time without a processor; try --real-time as root\n");
	says("no advice, a thread for each process\n");
	says("where the predicted time goes, of all processes\n");
	never_says("not predicted");
	it.how.writes = true;
	print(replay_text);
	says("four: 4 calls of 1 file");
	says("note: the kernel reads a page before it writes a part of it: not predicted\n");
}
END_TEST

START_TEST(own_eviction_and_spread_are_told)
{
	it.report.policy = "clock";
	it.report.cache_pages = 2048;
	it.how.random = true;
	it.round[0].times.pages_read = 7;
	print(replay_text);
	says("four: 4 reads of 1 file, advice random\n2,048 pages in memory, kept by clock\n");
	says("which took 90 us to 140 us and read 7 to 8 pages\n");
	it.rounds.n = 1;
	print(replay_text);
	says("\none run counts\n");
}
END_TEST

START_TEST(a_kernel_that_does_not_count_pages_is_told)
{
	for (unsigned i = 0; i < REPLAYED_RUNS; i++)
		it.round[i].times.pages_read = 0;
	print(replay_text);
	says("; the kernel does not count the pages read\n");
	says("\npages read                         -               9               -\n");
	it.predicted.pages_read = 0; /* as of writes alone */
	print(replay_text);
	says("; 0 pages read, as predicted\n");
}
END_TEST

START_TEST(one_call_is_no_calls)
{
	it.draft.trace.naccess = 1;
	print(replay_text);
	says("\nfour: 1 read of 1 file, no advice\n");
	it.how.writes = true;
	print(replay_text);
	says("\nfour: 1 call of 1 file, no advice\n");
}
END_TEST

static struct kernel_rule
rule_of(enum host_from window, enum host_from request)
{
	static const struct prefetcher ondemand = { .plugin = { .name = "ondemand" } };

	return (struct kernel_rule){
		.host = { .ra_from = window, .io_from = request, .why = "/sys is not mounted" },
		.prefetcher = &ondemand,
		.params = "version=6.18,pages=2048,io_pages=32",
		.typed = strlen("version=6.18"),
	};
}

START_TEST(a_measured_window_is_told)
{
	struct kernel_rule rule = rule_of(HOST_MEASURED, HOST_ASSUMED);

	it.report.rule = &rule;
	it.report.host = &rule.host;
	print(replay_text);
	says("predicted by ondemand:version=6.18,pages=2048,io_pages=32, device here\n"
	     "the window of 2,048 pages was measured by page faults: /sys is not mounted\n");
	rule.host.ra_from = HOST_SYSFS;
	print(replay_text);
	never_says("measured by");
}
END_TEST

/* ---- for programs ---- */

static cJSON *
json(void)
{
	FILE  *f = fmemopen(text, sizeof(text), "w");
	cJSON *o;

	ck_assert_int_eq(replay_json(&it.report, f, &e), 0);
	fclose(f);
	o = cJSON_Parse(text);
	ck_assert_ptr_nonnull(o);
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	return o;
}

static double
number(const cJSON *o, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);

	ck_assert_msg(cJSON_IsNumber(item), "%s is no number in %s", key, text);
	return item->valuedouble;
}

START_TEST(json_has_every_figure)
{
	static const struct {
		const char *key;
		double	    value;
	} expected[] = { { "pages_read", 8 }, { "predicted_pages_read", 9 },
		{ "resident_pages", 8 }, { "predicted_resident_pages", 9 }, { "elapsed_us", 100 },
		{ "elapsed_min_us", 90 }, { "elapsed_max_us", 140 }, { "predicted_elapsed_us", 80 },
		{ "predicted_cpu_us", 20 }, { "predicted_stall_us", 60 }, { "runs", 3 },
		{ "rejected_runs", 0 }, { "lost_pages", 0 }, { "waited_us", 0 }, { "cpu_us", 7 },
		{ "calls", 4 }, { "calls_20us", 1 }, { "predicted_calls_20us", 2 },
		{ "calls_longer", 1 } };
	cJSON *o = json();

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		ck_assert_msg(number(o, expected[i].key) == expected[i].value, "%s in %s",
		    expected[i].key, text);
	ck_assert_str_eq(cJSON_GetObjectItem(o, "trace")->valuestring, "four");
	ck_assert_str_eq(cJSON_GetObjectItem(o, "advice")->valuestring, "normal");
	ck_assert(cJSON_IsNull(cJSON_GetObjectItem(o, "policy")));
	cJSON_Delete(o);
}
END_TEST

START_TEST(json_has_null_for_what_is_unknown)
{
	static const char *const unknown[] = { "predicted_elapsed_us", "predicted_cpu_us",
		"predicted_calls_1ms", "predicted_resident_pages", "device", "window_pages",
		"window_from", "why_not_sysfs" };
	cJSON			*o;

	it.predicted.timed = false;
	it.predicted.resident_pages = PREDICT_UNKNOWN;
	it.report.device = NULL;
	o = json();
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		ck_assert_msg(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(o, unknown[i])),
		    "%s in %s", unknown[i], text);
	cJSON_Delete(o);
}
END_TEST

static const char *
word(const cJSON *o, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);

	ck_assert_msg(cJSON_IsString(item), "%s is no text in %s", key, text);
	return item->valuestring;
}

START_TEST(json_says_where_the_settings_of_the_device_are_from)
{
	struct kernel_rule rule = rule_of(HOST_MEASURED, HOST_ASSUMED);
	cJSON		  *o;

	it.report.rule = &rule;
	it.report.host = &rule.host;
	o = json();
	ck_assert_double_eq(number(o, "window_pages"), 2048);
	ck_assert_str_eq(word(o, "window_from"), "measured");
	ck_assert_double_eq(number(o, "request_pages"), 32);
	ck_assert_str_eq(word(o, "request_from"), "assumed");
	ck_assert_str_eq(word(o, "why_not_sysfs"), "/sys is not mounted");
	cJSON_Delete(o);
	rule.typed = strlen(rule.params);
	o = json();
	ck_assert_str_eq(word(o, "window_from"), "typed");
	ck_assert_str_eq(word(o, "request_from"), "typed");
	cJSON_Delete(o);
}
END_TEST

static unsigned
count(const char *from, const char *to)
{
	unsigned n = 0;

	for (; from < to; from++)
		n += *from == ',';
	return n;
}

START_TEST(csv_has_a_name_for_each_value)
{
	const char *end;

	print(replay_csv);
	end = strchr(text, '\n');
	ck_assert_ptr_nonnull(end);
	ck_assert_uint_eq(count(text, end), count(end, text + strlen(text)));
	says(
	    "\nfour,normal,cold,serial,0,,,here,none,,,0,sysfs,,6.1,ext4,4,8,8,8,9,8,9,100,90,140,80,"
	    "0,20,60,3,0,0,0,7,0,1,1,1,1,2,1,1,0\n");
}
END_TEST

static void
write_times(void)
{
	char	       path[64];
	struct output *to;
	FILE	      *f;
	size_t	       n;

	snprintf(path, sizeof(path), "/tmp/check-replay-%d.csv", (int)getpid());
	to = output_open(path, &e);
	ck_assert_ptr_nonnull(to);
	ck_assert_int_eq(replay_responses(&it.report, to, &e), 0);
	ck_assert_int_eq(output_commit(to, NULL, &e), 0);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	unlink(path);
}

START_TEST(each_call_has_both_times)
{
	write_times();
	ck_assert_str_eq(text,
	    "call,bytes,measured_us,predicted_us\n1,8192,5.00,1\n2,8192,90.00,20\n"
	    "3,8192,900.00,201\n4,8192,2000.00,78\n");
	it.predicted.timed = false;
	write_times();
	says("\n4,8192,2000.00,\n");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("replay_report");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, the_answer_stands_first);
	tcase_add_test(tests, measured_stands_beside_predicted);
	tcase_add_test(tests, a_prediction_without_time_has_none);
	tcase_add_test(tests, what_limits_the_figures_is_noted);
	tcase_add_test(tests, waits_up_to_a_twentieth_are_not_noted);
	tcase_add_test(tests, waits_of_threads_are_a_share_of_their_calls);
	tcase_add_test(tests, own_eviction_and_spread_are_told);
	tcase_add_test(tests, a_kernel_that_does_not_count_pages_is_told);
	tcase_add_test(tests, one_call_is_no_calls);
	tcase_add_test(tests, a_measured_window_is_told);
	tcase_add_test(tests, json_has_every_figure);
	tcase_add_test(tests, json_says_where_the_settings_of_the_device_are_from);
	tcase_add_test(tests, json_has_null_for_what_is_unknown);
	tcase_add_test(tests, csv_has_a_name_for_each_value);
	tcase_add_test(tests, each_call_has_both_times);
	return run_tests("replay_report", tests);
}
