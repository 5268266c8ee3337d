/* check_report.c - one set of counters in its three forms. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/registry.h"
#include "sim/report/run/run_data.h"
#include "tests/unit/support.h"

extern const struct prefetcher prefetcher_iprp;

static struct options o;
static struct config  config;
static struct trace   trace;
static struct stats   stats, without;
static struct report  r;
static struct error   e;
static char	     *text;
static char	      name[] = "tiny", odd_name[] = "a,\"b\"";

static void
setup(void)
{
	char *argv[] = { (char[]){ "run" }, (char[]){ "t" }, NULL };

	ck_assert_int_eq(options_parse(&o, COMMAND_RUN, 2, argv, &e), 0);
	config_defaults(&config);
	ck_assert_int_eq(registry_choose(PLUGIN_DEVICE, "cheetah9lp", &config.device, &e), 0);
	config.cache_blocks = 16384;
	trace = (struct trace){ .name = name,
		.block_bytes = 4096,
		.naccess = 9,
		.fingerprint = 0x123456789abcdef0,
		.nfiles = 2,
		.nprocesses = 1 };
	stats = (struct stats){ .references = 10,
		.hits = 7,
		.misses = 3,
		.elapsed_us = UINT64_MAX - 1,
		.think_us = 1 };
	r = (struct report){ .options = &o, .config = &config, .trace = &trace, .stats = &stats };
	text = NULL;
}

static void
teardown(void)
{
	free(text);
	choice_release(&config.device);
}

enum form { TEXT, JSON, CSV };

static void
print(enum form form)
{
	size_t n;
	FILE  *out;

	free(text);
	out = open_memstream(&text, &n);
	if (form == TEXT)
		report_text(&r, out);
	else if (form == CSV)
		ck_assert_int_eq(report_csv(&r, out, &e), 0);
	else
		ck_assert_int_eq(report_json(&r, out, &e), 0);
	fclose(out);
}

static size_t
lines(void)
{
	size_t n = 0;

	for (const char *c = text; *c; c++)
		n += *c == '\n';
	return n;
}

enum { FIELDS_MAX = 300 };

/* Cut a line at its commas; how many fields it has. */
static size_t
cut(char *line, char *field[FIELDS_MAX])
{
	size_t n = 0;

	for (char *comma = line; comma && n < FIELDS_MAX; line = comma + 1) {
		field[n++] = line;
		comma = strchr(line, ',');
		if (!comma)
			break;
		*comma = '\0';
	}
	return n;
}

/* Split the CSV's two lines; how many fields both have. */
static size_t
split(char *column[FIELDS_MAX], char *value[FIELDS_MAX])
{
	char  *row = strchr(text, '\n');
	size_t n;

	*row++ = '\0';
	row[strcspn(row, "\n")] = '\0';
	n = cut(text, column);
	ck_assert_uint_eq(cut(row, value), n);
	return n;
}

START_TEST(a_row_of_csv_has_what_its_header_says_in_the_order_of_the_tables)
{
	static const char *const first[] = { "trace", "policy", "prefetcher", "device",
		"cache_blocks", "cache_bytes", "block_bytes", "layout", "replay" };
	static const char *const is[] = { "tiny", "lru", "none", "cheetah9lp", "16384", "67108864",
		"4096", "packed", "serial" };
	char			*column[FIELDS_MAX], *value[FIELDS_MAX];
	size_t			 n, at;

	print(CSV);
	ck_assert_uint_eq(lines(), 2);
	n = split(column, value);
	for (at = 0; at < 9; at++) {
		ck_assert_str_eq(column[at], first[at]);
		ck_assert_str_eq(value[at], is[at]);
	}
	for (const struct counter *i = stat_info; i->name; i++)
		ck_assert_str_eq(column[at++], i->name);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);) {
		ck_assert_str_eq(value[at], "");
		ck_assert_str_eq(column[at++], i.name);
	}
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		ck_assert_str_eq(column[at++], i->name);
	ck_assert_str_eq(column[at], "scheduler"); /* the other options */
	ck_assert_str_eq(value[at], "fifo");
	ck_assert_str_eq(column[n - 5], "format");
	ck_assert_str_eq(value[n - 4], "");
	ck_assert_str_eq(column[n - 3], "settings_fingerprint");
	ck_assert_uint_eq(strlen(value[n - 3]), 17);
	ck_assert_str_eq(column[n - 2], "files_fingerprint");
	ck_assert_str_eq(value[n - 2], "");
	ck_assert_str_eq(column[n - 1], "fingerprint");
	ck_assert_str_eq(value[n - 1], "12345678-9abcdef0");
}
END_TEST

/* 'n': a number, 'w': words, 0: empty. */
static char
kind(const char *value)
{
	char *end;

	if (!*value)
		return 0;
	strtod(value, &end);
	return *end ? 'w' : 'n';
}

START_TEST(a_column_has_numbers_or_words_never_both)
{
	static char *const settings[][3] = {
		{ "--block", "512", "64K" },
		{ "--warmup", "0", "10%" },
		{ "--warmup", "3", "0.5" },
		{ "--queue", "64", "128" },
		{ "--think-scale", "1", "0.25" },
		{ "--flush-age", "1s", "250us" },
		{ "--request", "8b", "32K" },
	};
	char  *column[FIELDS_MAX], *value[FIELDS_MAX];
	char   expected[FIELDS_MAX] = { 0 };
	size_t n;

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		for (unsigned v = 1; v <= 2; v++) {
			char *argv[] = { (char[]){ "run" }, settings[i][0], settings[i][v],
				(char[]){ "t" }, NULL };

			ck_assert_int_eq(options_parse(&o, COMMAND_RUN, 4, argv, &e), 0);
			trace.block_bytes = (uint32_t)o.block;
			config.think_scale = o.think_scale;
			print(CSV);
			n = split(column, value);
			for (size_t f = 0; f < n; f++) {
				char is = kind(value[f]);

				ck_assert_msg(!is || !expected[f] || is == expected[f],
				    "%s: '%s' with %s %s", column[f], value[f], settings[i][0],
				    settings[i][v]);
				expected[f] = is ? is : expected[f];
			}
		}
}
END_TEST

START_TEST(counters_are_exact_and_ratios_have_nine_digits)
{
	print(CSV);
	ck_assert_ptr_nonnull(strstr(text, ",18446744073709551614,1,0,"));
	stats.hits = 1;
	stats.references = 3;
	print(CSV);
	ck_assert_ptr_nonnull(strstr(text, ",0.333333333,"));
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"elapsed_us\":18446744073709551614,"));
	ck_assert_ptr_nonnull(strstr(text, "\"hit_ratio\":0.333333333,"));
}
END_TEST

START_TEST(nothing_divided_by_nothing_is_empty_in_csv_and_null_in_json)
{
	char  *column[FIELDS_MAX], *value[FIELDS_MAX];
	size_t at = 0;

	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"accuracy\":null"));
	print(CSV);
	split(column, value);
	while (strcmp(column[at], "accuracy") != 0)
		at++;
	ck_assert_str_eq(value[at], "");
}
END_TEST

START_TEST(what_a_plug_in_has_counted_is_in_every_form)
{
	stats.own[0].plugin = &prefetcher_iprp.plugin;
	stats.own[0].value[3] = 12345;
	stats.own[0].value[5] = 7;
	print(TEXT);
	ck_assert_ptr_nonnull(strstr(text,
	    "counted by iprp\n"
	    "  vetoed blocks                   12,345 blocks\n"
	    "  loops                                7 runs\n"));
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"iprp_vetoed_blocks\":12345,"));
	ck_assert_ptr_nonnull(strstr(text, "\"iprp_other_references\":0,"));
	print(CSV);
	ck_assert_ptr_nonnull(strstr(text, ",0,0,0,12345,0,7,0,0,0,"));
}
END_TEST

START_TEST(odd_names_are_quoted)
{
	trace.name = odd_name;
	print(CSV);
	ck_assert_ptr_nonnull(strstr(text, "\n\"a,\"\"b\"\"\",lru,"));
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"trace\":\"a,\\\"b\\\"\""));
}
END_TEST

START_TEST(json_is_one_object_on_one_line_without_repeated_keys)
{
	cJSON *object;

	print(JSON);
	ck_assert_uint_eq(lines(), 1);
	object = cJSON_Parse(text);
	ck_assert_ptr_nonnull(object);
	for (const cJSON *a = object->child; a; a = a->next)
		for (const cJSON *b = a->next; b; b = b->next)
			ck_assert_str_ne(a->string, b->string);
	ck_assert_str_eq(cJSON_GetObjectItem(object, "trace")->valuestring, "tiny");
	ck_assert_double_eq(cJSON_GetObjectItem(object, "cache_blocks")->valuedouble, 16384);
	ck_assert_str_eq(cJSON_GetObjectItem(object, "flush_age")->valuestring, "30s");
	cJSON_Delete(object);
}
END_TEST

START_TEST(json_has_the_run_without_prefetching_if_there_was_one)
{
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"relative_time\":null,\"baseline\":null}"));
	without = stats;
	stats.elapsed_us = 150;
	without.elapsed_us = 100;
	without.hits = 5;
	without.read_requests = 4;
	r.without = &without;
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text,
	    "\"relative_time\":1.5,\"baseline\":{\"prefetcher\":\"none\",\"elapsed_us\":100,"
	    "\"hit_ratio\":0.5,\"read_requests\":4}}"));
	without.elapsed_us = 0;
	print(JSON);
	ck_assert_ptr_nonnull(strstr(text, "\"relative_time\":null,\"baseline\":{"));
}
END_TEST

START_TEST(the_report_for_a_person_fits_on_a_screen_whatever_happened)
{
	uint64_t *counter = (uint64_t *)&stats;

	for (size_t i = 0; i < offsetof(struct stats, own) / sizeof(*counter); i++)
		counter[i] = 1000000 + i;
	stats.own[0].plugin = &prefetcher_iprp.plugin;
	for (size_t i = 0; i < COUNTERS_MAX; i++)
		stats.own[0].value[i] = 1000000 + i;
	stats.response_calls = stats.pollution_misses = STAT_UNKNOWN; /* what options add */
	trace.mmaps = 5;
	config.warmup_calls = 3;
	without = stats;
	r.without = &without;
	print(TEXT);
	ck_assert_uint_le(lines(), 60);
}
END_TEST

START_TEST(only_causes_that_occurred_are_shown)
{
	stats.elapsed_us = 100;
	stats.think_us = 40;
	stats.stall_us = stats.stall_late_us = 60;
	print(TEXT);
	ck_assert_ptr_nonnull(strstr(text, "late prefetches"));
	ck_assert_ptr_null(strstr(text, "queued behind"));
	ck_assert_ptr_null(strstr(text, "prefetched "));
	ck_assert_ptr_null(strstr(text, "against none"));
}
END_TEST

START_TEST(the_processor_has_a_line_if_it_costs_anything)
{
	stats.elapsed_us = 200;
	stats.think_us = 40;
	stats.stall_us = stats.stall_late_us = 60;
	print(TEXT);
	ck_assert_ptr_null(strstr(text, "processor"));
	stats.cpu_us = 100;
	print(TEXT);
	ck_assert_ptr_nonnull(strstr(text, "40 us  20.0 %\n  processor "));
	ck_assert_ptr_nonnull(strstr(text, "100 us  50.0 %\n  stall "));
	ck_assert_ptr_null(strstr(text, "from the data sheet"));
	config.cpu = (struct cpu_costs){ .call_ps = 812000, .byte_ps = 90 };
	print(TEXT);
	ck_assert_ptr_nonnull(
	    strstr(text, "processor: call 812 ns, byte 0.09 ns, from the data sheet\n"));
}
END_TEST

START_TEST(the_comparison_says_more_or_less)
{
	without = stats;
	stats.elapsed_us = 150;
	without.elapsed_us = 100;
	without.hits = 5;
	stats.read_requests = 1;
	r.without = &without;
	print(TEXT);
	ck_assert_ptr_nonnull(strstr(text, "  elapsed         +50.0 % (100 us)"));
	ck_assert_ptr_nonnull(strstr(text, "  hits              +20.0 points (50.0 %)"));
	ck_assert_ptr_nonnull(strstr(text, "  reads            from 0 (0 requests)"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("report");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_row_of_csv_has_what_its_header_says_in_the_order_of_the_tables);
	tcase_add_test(tc, a_column_has_numbers_or_words_never_both);
	tcase_add_test(tc, counters_are_exact_and_ratios_have_nine_digits);
	tcase_add_test(tc, nothing_divided_by_nothing_is_empty_in_csv_and_null_in_json);
	tcase_add_test(tc, what_a_plug_in_has_counted_is_in_every_form);
	tcase_add_test(tc, odd_names_are_quoted);
	tcase_add_test(tc, json_is_one_object_on_one_line_without_repeated_keys);
	tcase_add_test(tc, json_has_the_run_without_prefetching_if_there_was_one);
	tcase_add_test(tc, the_report_for_a_person_fits_on_a_screen_whatever_happened);
	tcase_add_test(tc, only_causes_that_occurred_are_shown);
	tcase_add_test(tc, the_processor_has_a_line_if_it_costs_anything);
	tcase_add_test(tc, the_comparison_says_more_or_less);
	return run_tests("report", tc);
}
