/* check_segments.c - the pieces of memory of requests: what the device is told of them. */
#include <stdio.h>
#include <string.h>

#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "tests/unit/support.h"

static struct draft  draft;
static struct config cfg;
static struct error  error;

/* ---- a device that notes the blocks and the segments of each request ---- */

enum { SECTORS = DRAFT_BLOCK_BYTES / SECTOR_BYTES };

static char notes[1024];

static void
note(const char *format, uint32_t n)
{
	size_t used = strlen(notes);

	snprintf(notes + used, sizeof(notes) - used, format, n);
}

static uint64_t
noting_capacity(const void *self)
{
	return UINT64_C(1) << 40;
}

/* The blocks, and behind a colon the segments unless each block is one. */
static void
noting_service(void *self, const struct transfer *r, struct service *out)
{
	uint32_t blocks = r->sectors / SECTORS;

	REQUIRE(r->segments >= 1 && r->segments <= r->sectors, "%u segments", r->segments);
	note(r->write ? " w%u" : " %u", blocks);
	if (r->segments != blocks)
		note(":%u", r->segments);
	*out = (struct service){ .part[SERVICE_OVERHEAD] = 100 };
}

static const struct device noting = {
	.plugin = { .name = "noting", .summary = "test: takes notes" },
	.capacity = noting_capacity,
	.service = noting_service,
};

/* ---- running ---- */

static void
choose(const struct plugin_kind *kind, const char *text, struct choice *out)
{
	choice_release(out);
	ck_assert_msg(!registry_choose(kind, text, out, &error), "%s", error.text);
}

static void
setup(void)
{
	config_defaults(&cfg);
	cfg.cache_blocks = 1000;
	cfg.device.plugin = &noting.plugin;
	choose(PLUGIN_POLICY, "lru", &cfg.policy);
	choose(PLUGIN_PREFETCHER, "none", &cfg.prefetcher);
	choose(PLUGIN_SCHEDULER, "fifo", &cfg.scheduler);
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 400), 0);
}

static void
release(void)
{
	choice_release(&cfg.policy);
	choice_release(&cfg.prefetcher);
	choice_release(&cfg.scheduler);
}

static void
call(uint32_t first, uint32_t count, bool write)
{
	draft_blocks(&draft, 1000 * (usec_t)draft.trace.naccess, 0, first, count, write);
}

/* What the device is told. */
static const char *
told(const char *prefetcher)
{
	struct stats st;

	choose(PLUGIN_PREFETCHER, prefetcher, &cfg.prefetcher);
	*notes = '\0';
	ck_assert_msg(!simulate(&cfg, &draft.trace, &st, &error), "%s", error.text);
	return notes;
}

START_TEST(every_block_is_a_segment)
{
	call(0, 1, false);
	call(10, 8, false);
	call(9, 1, false);
	ck_assert_str_eq(told("none"), " 1 8 1");
	ck_assert_str_eq(told("linux24:max=7,min=3"), " 4 8 1");
	call(100, 4, true);
	cfg.writes = WRITES_THROUGH;
	ck_assert_str_eq(told("none"), " 1 8 1 w4");
}
END_TEST

/* The demanded block lies in the first of the folios. */
START_TEST(what_is_planned_for_large_folios_is_one_segment)
{
	call(0, 1, false);
	ck_assert_str_eq(told("ondemand:version=6.18,pages=32"), " 4");
	ck_assert_str_eq(told("ondemand:version=6.18,pages=32,large=1"), " 4:1");
	ck_assert_str_eq(told("iprp+ondemand:version=6.18,pages=32,large=1"), " 1");
	for (uint32_t i = 1; i < 40; i++)
		call(i, 1, false);
	ck_assert_str_eq(told("ondemand:version=6.18,pages=32,large=1"),
	    " 4:1 8:1 4:1 8:1 8:1 16:1 16:1");
}
END_TEST

START_TEST(a_controller_keeps_what_it_allows_in_large_folios)
{
	for (uint32_t i = 0; i < 40; i++)
		call(i, 1, false);
	ck_assert_str_eq(told("iprp:threshold=8+ondemand:version=6.18,pages=32,large=1"),
	    " 1 1 1 1 1 1 1 4:1 5:1 10:1 6:1 12:1 20:1");
	ck_assert_str_eq(told("ledger+ondemand:version=6.18,pages=32,large=1"),
	    " 1 1 1 4:1 5:1 4:1 8:1 8:1 16:1 16:1");
}
END_TEST

/* Random advice and single misses are read block by block, by a kernel with large folios too. */
START_TEST(what_such_a_kernel_reads_singly_is_not)
{
	call(100, 6, false);
	call(300, 1, false);
	ck_assert_str_eq(told("ondemand:version=6.18,pages=32,large=1"), " 6 1");
}
END_TEST

/* The second window begins with a folio of four blocks, and its next one would hold a cached block. */
START_TEST(behind_a_cached_block_there_are_single_ones)
{
	call(10, 1, false);
	call(0, 1, false);
	call(1, 3, false);
	ck_assert_str_eq(told("ondemand:version=6.18,pages=32,large=1"), " 1 4:1 6:3 1");
}
END_TEST

START_TEST(plans_in_one_request_are_a_segment_each)
{
	static const char *const two[] = { "noop", "linus" };

	for (int i = 0; i < 2; i++) {
		choose(PLUGIN_SCHEDULER, two[i], &cfg.scheduler);
		call(0, 8, false);
		ck_assert_str_eq(told("ondemand:version=6.18,pages=4,large=1"), " 12:3");
		draft_start(&draft);
		draft_open(&draft, draft_file(&draft, 1, 400), 0);
	}
}
END_TEST

START_TEST(a_scheduler_may_say_that_all_memory_is_contiguous)
{
	call(0, 8, false);
	choose(PLUGIN_SCHEDULER, "linus:contiguous=1", &cfg.scheduler);
	ck_assert_str_eq(told("none"), " 8:1");
}
END_TEST

START_TEST(without_a_cache_a_call_is_one_segment)
{
	call(0, 8, false);
	call(20, 2, true);
	cfg.cache_blocks = 0;
	ck_assert_str_eq(told("none"), " 8:1 w2:1");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("segments");

	tcase_add_checked_fixture(tc, setup, release);
	tcase_add_test(tc, every_block_is_a_segment);
	tcase_add_test(tc, what_is_planned_for_large_folios_is_one_segment);
	tcase_add_test(tc, a_controller_keeps_what_it_allows_in_large_folios);
	tcase_add_test(tc, what_such_a_kernel_reads_singly_is_not);
	tcase_add_test(tc, behind_a_cached_block_there_are_single_ones);
	tcase_add_test(tc, plans_in_one_request_are_a_segment_each);
	tcase_add_test(tc, a_scheduler_may_say_that_all_memory_is_contiguous);
	tcase_add_test(tc, without_a_cache_a_call_is_one_segment);
	return run_tests("segments", tc);
}
