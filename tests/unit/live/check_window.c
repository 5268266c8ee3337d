/*
 * check_window.c - sim/host/live/window.c and kernel_rule.c: the window that the
 * kernel is measured to have, and the one that was typed.
 */
#define _GNU_SOURCE /* for machine_shows.h */
#include <string.h>
#include <sys/resource.h>

#include "sim/host/live/kernel_rule.h"
#include "sim/host/live/window.h"
#include "tests/machine_shows.h"
#include "tests/unit/support.h"

static struct draft	  draft;
static struct kernel_rule rule;
static struct error	  problem;
static uint32_t		  pages;
static enum host_from	  from;

static void
start(const char *prefetcher)
{
	draft_start(&draft);
	draft_blocks(&draft, 0, draft_open(&draft, draft_file(&draft, 1, 4), 0), 0, 1, false);
	REQUIRE(!kernel_rule_init(&rule, ".", prefetcher, &draft.trace, &problem), "%s",
	    problem.text);
}

/* As if /sys did not tell. */
static void
forget(void)
{
	rule.host.ra_from = HOST_ASSUMED;
	rule.host.ra_pages = 77;
	strcpy(rule.host.why, "/sys is not mounted");
}

static void
measure(void)
{
	REQUIRE(!kernel_rule_measure(&rule, ".", &draft.trace, &problem), "%s", problem.text);
}

static bool
observable(void)
{
	return machine_shows(".", 3,
	    (bool (*const[])(struct shows *)){ shows_pages, shows_stay, shows_recorded });
}

START_TEST(a_page_fault_shows_the_window_that_sys_tells)
{
	struct host host;

	if (!observable())
		return;
	host_init(&host, ".");
	if (host.ra_from != HOST_SYSFS) {
		printf("skipped: the measured window has none to compare with: %s\n", host.why);
		return;
	}
	REQUIRE(!window_measure(".", &pages, &problem), "%s", problem.text);
	ck_assert_uint_eq(pages, host.ra_pages);
}
END_TEST

START_TEST(a_window_that_is_not_told_is_measured)
{
	char expected[32];

	if (!observable())
		return;
	start(NULL);
	forget();
	measure();
	ck_assert(kernel_rule_window(&rule, &pages, &from));
	ck_assert_int_eq(from, HOST_MEASURED);
	ck_assert_uint_ne(pages, 77);
	snprintf(expected, sizeof(expected), ",pages=%u,", pages);
	ck_assert_ptr_nonnull(strstr(rule.params, expected));
	ck_assert_ptr_null(strstr(rule.params, "pages=77"));
}
END_TEST

/* The file takes 32 MiB. */
START_TEST(a_window_that_cannot_be_measured_is_assumed_and_both_reasons_stay)
{
	if (!observable())
		return;
	start(NULL);
	forget();
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 3 << 20, 3 << 20 });
	measure();
	ck_assert(kernel_rule_window(&rule, &pages, &from));
	ck_assert_int_eq(from, HOST_ASSUMED);
	ck_assert_str_eq(rule.host.why,
	    "/sys is not mounted, and a scratch file takes 32.0 MiB, beyond the file size limit "
	    "of 3.0 MiB: raise it with ulimit -f");
}
END_TEST

START_TEST(a_window_that_is_typed_is_neither_doubled_nor_measured)
{
	static const struct {
		const char *prefetcher;
		uint32_t    pages;
	} typed[] = { { "ondemand:version=6.18,pages=2048", 2048 },
		{ "ondemand:version=6.18,kb=100", 25 }, { "linux26:kb=64", 16 } };

	for (unsigned i = 0; i < sizeof(typed) / sizeof(*typed); i++) {
		start(typed[i].prefetcher);
		ck_assert(kernel_rule_window(&rule, &pages, &from));
		ck_assert_uint_eq(pages, typed[i].pages);
		ck_assert_int_eq(from, HOST_TYPED);
		forget();
		if (i < 2 && observable()) {
			measure();
			ck_assert_int_eq(rule.host.ra_from, HOST_ASSUMED);
		}
	}
}
END_TEST

START_TEST(a_request_is_typed_or_that_of_the_device)
{
	start("ondemand:version=6.18,io_pages=99");
	ck_assert(kernel_rule_request(&rule, &pages, &from));
	ck_assert_uint_eq(pages, 99);
	ck_assert_int_eq(from, HOST_TYPED);
	start("ondemand:version=6.18");
	rule.host.io_from = HOST_ASSUMED;
	ck_assert(kernel_rule_request(&rule, &pages, &from));
	ck_assert_uint_eq(pages, rule.host.io_pages);
	ck_assert_int_eq(from, HOST_ASSUMED);
}
END_TEST

START_TEST(without_readahead_there_is_no_window)
{
	start("none");
	ck_assert(!kernel_rule_window(&rule, &pages, &from));
	ck_assert(!kernel_rule_request(&rule, &pages, &from));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("window");

	tcase_add_test(tc, a_page_fault_shows_the_window_that_sys_tells);
	tcase_add_test(tc, a_window_that_is_not_told_is_measured);
	tcase_add_test(tc, a_window_that_cannot_be_measured_is_assumed_and_both_reasons_stay);
	tcase_add_test(tc, a_window_that_is_typed_is_neither_doubled_nor_measured);
	tcase_add_test(tc, a_request_is_typed_or_that_of_the_device);
	tcase_add_test(tc, without_readahead_there_is_no_window);
	return run_tests("window", tc);
}
