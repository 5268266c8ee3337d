/* check_identity.c - settings are the same whatever their spelling, and differ by their value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/identity.h"
#include "tests/unit/loading.h"

enum { POLICY, PREFETCHER, SCHEDULER, DEVICE };

static struct identity
of(unsigned i, const char *text)
{
	struct identity id;

	error = (struct error){ 0 };
	ck_assert_msg(!identity_of_text(i, text, &id, &error), "%s: %s", text, error.text);
	return id;
}

static bool
alike(unsigned i, const char *a, const char *b)
{
	struct identity x = of(i, a), y = of(i, b);

	return x.settings == y.settings && x.files == y.files;
}

START_TEST(a_parameter_counts_by_its_value)
{
	ck_assert(alike(PREFETCHER, "linux24:max=31,min=7", "linux24:min=7,max=31"));
	ck_assert(alike(PREFETCHER, "ondemand", "ondemand:pages=32"));
	ck_assert(alike(DEVICE, "fixed:latency=8ms", "fixed:latency=8000us"));
	ck_assert(!alike(PREFETCHER, "linux24", "linux24:max=63"));
	ck_assert(!alike(PREFETCHER, "linux24:max=63", "linux24:min=2"));
	ck_assert(!alike(POLICY, "lru", "fifo"));
	ck_assert(!alike(DEVICE, "cheetah9lp", "atlas10k"));
	ck_assert(!alike(SCHEDULER, "linus:version=2.4.17", "linus:version=2.4.20"));
}
END_TEST

START_TEST(what_is_inside_counts_whether_named_or_not)
{
	ck_assert(alike(PREFETCHER, "iprp", "iprp+linux24"));
	ck_assert(!alike(PREFETCHER, "iprp", "iprp+ondemand"));
	ck_assert(!alike(PREFETCHER, "iprp", "linux24"));
	ck_assert(!alike(DEVICE, "raid0+cheetah9lp", "raid0+atlas10k"));
}
END_TEST

START_TEST(a_data_sheet_counts_by_its_contents)
{
	static const char toy[] = "tests/cli/data/toy.dev",
			  beside[] = "tests/cli/../cli/data/toy.dev",
			  other[] = "tests/cli/data/percentiles.dev";

	ck_assert(alike(DEVICE, toy, beside));
	ck_assert_uint_ne(of(DEVICE, toy).files, 0);
	ck_assert_uint_ne(of(DEVICE, toy).files, of(DEVICE, other).files);
	ck_assert_uint_eq(of(DEVICE, "cheetah9lp").files, 0);
	ck_assert_uint_ne(of(DEVICE, "raid0+tests/cli/data/toy.dev").files, 0);
}
END_TEST

START_TEST(every_setting_of_a_run_counts)
{
	const struct identity plugin[IDENTITY_PLUGINS] = { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 } };
	struct config	      c, changed;
	struct options	      o = { 0 }, touched = { .mmap = 1 };
	uint64_t	      seen[16];
	unsigned	      n = 0;

	config_defaults(&c);
	seen[n++] = identity_of_run(plugin, &c, 4096, &o).settings;
	seen[n++] = identity_of_run(plugin, &c, 8192, &o).settings;
	seen[n++] = identity_of_run(plugin, &c, 4096, &touched).settings;
#define CHANGE(field, value)                                                                       \
	changed = c;                                                                               \
	changed.field = value;                                                                     \
	seen[n++] = identity_of_run(plugin, &changed, 4096, &o).settings
	CHANGE(cache_blocks, 7);
	CHANGE(layout, (enum layout_kind)1);
	CHANGE(replay, REPLAY_OPEN);
	CHANGE(writes, WRITES_ACCUSIM);
	CHANGE(wait, WAIT_BLOCK);
	CHANGE(complete, COMPLETE_BUFFER);
	CHANGE(queue_requests, 7);
	CHANGE(request_blocks, 7);
	CHANGE(flush_interval_us, 7);
	CHANGE(flush_age_us, 7);
	CHANGE(think_scale, 0.5);
	CHANGE(warmup_calls, 7);
#undef CHANGE
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			ck_assert_uint_ne(seen[i], seen[j]);
}
END_TEST

static uint64_t
with_costs(const char *text, uint64_t file)
{
	const struct identity plugin[IDENTITY_PLUGINS] = { { 1, 0 }, { 2, 0 }, { 3, 0 },
		{ 4, file } };
	struct options	      o = { 0 };
	struct config	      c;
	struct error	      e;

	config_defaults(&c);
	ck_assert_msg(!cpu_option_parse(text, &o.cpu, &e), "%s", e.text);
	return identity_of_run(plugin, &c, 4096, &o).settings;
}

START_TEST(costs_count_by_their_value)
{
	ck_assert_uint_eq(with_costs("call=1,page=0.5", 0), with_costs("page=0.50,call=1.000", 0));
	ck_assert_uint_ne(with_costs("call=1", 0), with_costs("page=1", 0));
	ck_assert_uint_ne(with_costs("call=1", 0), with_costs("sheet", 0));
	ck_assert_uint_eq(with_costs("call=0", 0), with_costs("none", 0));
	/* only a data sheet that is a file may have costs */
	ck_assert_uint_eq(with_costs("none", 0), with_costs("sheet", 0));
	ck_assert_uint_ne(with_costs("none", 9), with_costs("sheet", 9));
}
END_TEST

START_TEST(a_fingerprint_is_no_number)
{
	char text[FINGERPRINT_TEXT], *end;

	ck_assert_str_eq(fingerprint_text(0, text), "");
	ck_assert_str_eq(fingerprint_text(0x1234567890123456, text), "12345678-90123456");
	strtod(text, &end);
	ck_assert(*end);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("identity");

	tcase_add_test(tc, a_parameter_counts_by_its_value);
	tcase_add_test(tc, what_is_inside_counts_whether_named_or_not);
	tcase_add_test(tc, a_data_sheet_counts_by_its_contents);
	tcase_add_test(tc, every_setting_of_a_run_counts);
	tcase_add_test(tc, costs_count_by_their_value);
	tcase_add_test(tc, a_fingerprint_is_no_number);
	return run_tests("identity", tc);
}
