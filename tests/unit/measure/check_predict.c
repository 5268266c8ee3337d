/* check_predict.c - the pages and times that are predicted of a replay. */
#include <string.h>

#include "sim/host/measure/predict.h"
#include "sim/registry.h"
#include "sim/setup/pattern.h"
#include "tests/unit/support.h"

static struct error	  e;
static struct draft	  draft;
static struct kernel_rule rule;
static struct choice	  device, policy;
static struct predict_how how;
static struct prediction  p;

/* Ten calls of two pages of a file of 64, the last two again the first. */
static void
setup(void)
{
	struct choice c;
	uint32_t      fd;

	e = (struct error){ 0 };
	draft_start(&draft);
	fd = draft_open(&draft, draft_file(&draft, 1, 64), 0);
	for (uint32_t i = 0; i < 10; i++)
		draft_blocks(&draft, 1000 * i, fd, 2 * (i % 8), 2, false);
	how = (struct predict_how){ .request_pages = 1024 };
	REQUIRE(!registry_choose(PLUGIN_PREFETCHER, "ondemand", &c, &e), "%s", e.text);
	rule = (struct kernel_rule){ .prefetcher = prefetcher_of(&c) };
	strcpy(rule.params, "version=6.1x,pages=8");
	REQUIRE(!registry_choose(PLUGIN_DEVICE, "fixed:latency=1ms,rate=1024T", &device, &e), "%s",
	    e.text);
	REQUIRE(!registry_choose(PLUGIN_POLICY, "lru", &policy, &e), "%s", e.text);
}

static void
run(void)
{
	REQUIRE(!predict(&p, &draft.trace, &how, &e), "%s", e.text);
}

START_TEST(without_readahead_the_pages_of_the_calls_are_read_once)
{
	run();
	ck_assert_uint_eq(p.pages_read, 16);
	ck_assert_uint_eq(p.resident_pages, 16);
	ck_assert(!p.timed);
	ck_assert_ptr_null(p.response);
	prediction_release(&p);
}
END_TEST

START_TEST(readahead_reads_more)
{
	how.rule = &rule;
	run();
	ck_assert_uint_gt(p.pages_read, 16);
	ck_assert_uint_eq(p.pages_read % 2, 0);
	ck_assert_uint_eq(p.resident_pages, p.pages_read);
	prediction_release(&p);
}
END_TEST

START_TEST(a_device_gives_times)
{
	how.device = &device;
	run();
	ck_assert(p.timed);
	ck_assert_uint_eq(p.stats.elapsed_us, 8000); /* a request each */
	ck_assert_int_eq(p.response[0].us, 1000);
	ck_assert_int_eq(p.response[9].us, 0);
	ck_assert_uint_eq(p.stats.think_us, 0);
	prediction_release(&p);
	how.think_scale = 1;
	run();
	ck_assert_uint_eq(p.stats.think_us, 9000);
	ck_assert_uint_eq(p.stats.elapsed_us, 17000);
	prediction_release(&p);
	how.cpu.call_ps = 50 * 1000 * 1000;
	run();
	ck_assert_uint_eq(p.stats.elapsed_us, 17500);
	ck_assert_uint_eq(p.stats.cpu_us, 500);
	prediction_release(&p);
}
END_TEST

START_TEST(the_size_of_requests_is_that_of_the_device)
{
	how.device = &device;
	how.request_pages = 1;
	run();
	ck_assert_uint_eq(p.stats.read_requests, 16);
	prediction_release(&p);
}
END_TEST

START_TEST(a_warm_replay_takes_the_processor_only)
{
	how.device = &device;
	how.warm = true;
	how.cpu = (struct cpu_costs){ .page_ps = 3000 * 1000, .read_page_ps = 7000 * 1000 };
	run();
	ck_assert(p.timed);
	ck_assert_uint_eq(p.pages_read, 0);
	ck_assert_uint_eq(p.resident_pages, 16);
	ck_assert_uint_eq(p.stats.elapsed_us, 20 * 3);
	prediction_release(&p);
	how.device = NULL;
	run();
	ck_assert(p.timed);
	prediction_release(&p);
	how.cpu = (struct cpu_costs){ 0 };
	run();
	ck_assert(!p.timed);
	prediction_release(&p);
}
END_TEST

START_TEST(warm_pages_are_those_that_readahead_brings_in_order)
{
	uint64_t cold;

	how.rule = &rule;
	run();
	cold = p.pages_read;
	prediction_release(&p);
	how.warm = true;
	run();
	ck_assert_uint_eq(p.resident_pages, cold);
	prediction_release(&p);
	how.replay = REPLAY_PROCESS;
	run();
	ck_assert(p.resident_pages == PREDICT_UNKNOWN);
	prediction_release(&p);
}
END_TEST

START_TEST(a_cache_keeps_its_size)
{
	size_t n;

	how.policy = &policy;
	how.cache_pages = 4;
	run();
	ck_assert_uint_eq(p.pages_read, 20);
	ck_assert_uint_eq(p.resident_pages, 4);
	ck_assert_uint_eq(p.evict.n, 16);
	evictions_of(&p.evict, 1, &n);
	ck_assert_uint_eq(n, 0);
	evictions_of(&p.evict, 2, &n);
	ck_assert_uint_eq(n, 2);
	prediction_release(&p);
}
END_TEST

START_TEST(bad_parameters_are_an_error_that_leaves_nothing)
{
	how.rule = &rule;
	how.device = &device;
	strcpy(rule.params, "version=4.19,large=1");
	ck_assert_int_ne(predict(&p, &draft.trace, &how, &e), 0);
	ck_assert_ptr_null(p.response);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("predict");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, without_readahead_the_pages_of_the_calls_are_read_once);
	tcase_add_test(tests, readahead_reads_more);
	tcase_add_test(tests, a_device_gives_times);
	tcase_add_test(tests, the_size_of_requests_is_that_of_the_device);
	tcase_add_test(tests, a_warm_replay_takes_the_processor_only);
	tcase_add_test(tests, warm_pages_are_those_that_readahead_brings_in_order);
	tcase_add_test(tests, a_cache_keeps_its_size);
	tcase_add_test(tests, bad_parameters_are_an_error_that_leaves_nothing);
	return run_tests("predict", tests);
}
