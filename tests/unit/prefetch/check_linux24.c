/*
 * check_linux24.c - the readahead window of Linux 2.4, batch by batch.
 *
 * The prefetcher runs against a small page cache.  What a call did is written
 * as a line: D blocks read by demand, S and A blocks of synchronous and
 * asynchronous batches (those that were cached already in brackets), runs
 * as first-last.
 */
#include <stdio.h>
#include <string.h>

#include "sim/core/simulate.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_linux24;
extern const struct scheduler  scheduler_linus;
extern const struct device     device_fixed;

enum { PAGE = 4096, PAGES = 8192 };
enum page { ABSENT, IN_FLIGHT, READY };

/* Which reads are complete when the next block is looked at. */
enum mode { EVERYTHING, ONLY_THE_AWAITED };

static void	    *self;
static struct draft  draft;
static uint8_t	     page[PAGES];
static enum mode     mode;
static struct access call;
static struct plan   plan; /* the last one */
static char	     line[8192];
static size_t	     used;
static uint32_t	     n_demand, n_ahead;

static void
finish(void)
{
	if (self)
		prefetcher_linux24.release(self);
	free(self);
	self = NULL;
}

/* A file of that many bytes, nothing cached, just opened; "max=32" or NULL. */
static void
start(uint64_t file_size, const char *params)
{
	struct error e;

	finish();
	self = calloc(1, prefetcher_linux24.plugin.state_size);
	ck_assert_int_eq(params_set(&prefetcher_linux24.plugin, self, params, &e), 0);
	ck_assert_int_eq(prefetcher_linux24.init(self, NULL, &draft.trace, &e), 0);
	memset(page, ABSENT, sizeof(page));
	mode = EVERYTHING;
	call = (struct access){ .file_size = file_size, .fresh = true };
	n_demand = n_ahead = 0;
}

static void
setup(void)
{
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, PAGES), 0);
	start((uint64_t)PAGES * PAGE, NULL);
}

static void
note(char kind, uint32_t first, uint32_t count, bool cached)
{
	const char *form = cached ? "%s(%c%u" : "%s%c%u";

	used +=
	    (size_t)snprintf(line + used, sizeof(line) - used, form, used ? " " : "", kind, first);
	if (count > 1)
		used +=
		    (size_t)snprintf(line + used, sizeof(line) - used, "-%u", first + count - 1);
	if (cached)
		used += (size_t)snprintf(line + used, sizeof(line) - used, ")");
}

/* Submit what the prefetcher planned, run by run of absent or cached blocks. */
static void
carry_out(const struct extent *e, char kind)
{
	uint32_t run;

	for (uint32_t k = 0; k < e->count; k += run) {
		uint8_t *p = &page[e->index + k];
		bool	 cached = *p != ABSENT;

		ck_assert_uint_le(e->index + e->count, PAGES);
		for (run = 0; k + run < e->count && (p[run] != ABSENT) == cached; run++)
			;
		note(kind, e->index + k, run, cached);
		if (cached)
			continue;
		memset(p, IN_FLIGHT, run);
		n_ahead += run;
	}
}

static void
complete_all(void)
{
	for (uint32_t i = 0; i < PAGES; i++)
		if (page[i] == IN_FLIGHT)
			page[i] = READY;
}

static void
look_at(uint32_t index, uint32_t first)
{
	struct demand d = { .call = &call, .index = index, .first = first, .left = 1 };

	if (mode == EVERYTHING)
		complete_all();
	if (page[index] == ABSENT) {
		note('D', index, 1, false);
		n_demand++;
		page[index] = IN_FLIGHT;
	}
	d.locked = page[index] == IN_FLIGHT;
	plan_start(&plan);
	prefetcher_linux24.access(self, &d, &plan);
	for (unsigned i = 0; i < plan.n; i++)
		carry_out(&plan.extent[i], d.locked ? 'S' : 'A');
	page[index] = READY; /* a read that finds it in flight sleeps until it is there */
}

/* What a read of those bytes does. */
static const char *
read_bytes(uint64_t offset, uint32_t length)
{
	uint32_t first = (uint32_t)(offset / PAGE);

	call.offset = offset;
	call.length = length & INT32_MAX;
	line[0] = '\0';
	used = 0;
	for (uint32_t i = first; i <= (offset + length - 1) / PAGE; i++)
		look_at(i, first);
	call.fresh = false;
	return line;
}

static const char *
read_pages(uint32_t first, uint32_t count)
{
	return read_bytes((uint64_t)first * PAGE, count * PAGE);
}

struct turn {
	uint32_t    index;
	const char *line;
};

/* Read one page after the other up to `end`: each does what the table says, the others nothing. */
static void
expect_sequential(uint32_t first, uint32_t end, const struct turn *step)
{
	for (uint32_t i = first; i < end; i++) {
		const char *did = read_pages(i, 1);

		if (step->line && step->index == i)
			ck_assert_msg(!strcmp(did, step++->line), "page %u: %s", i, did);
		else
			ck_assert_msg(!*did, "page %u: %s", i, did);
	}
	ck_assert_ptr_null(step->line);
}

/* ---- sequential ---- */

START_TEST(sequential_pages_are_read_ahead_in_doubling_batches)
{
	static const struct turn step[] = {
		{ 0, "D0 S1-3" },
		{ 1, "A4-10" },
		{ 4, "A11-23" },
		{ 11, "A24-48" },
		{ 24, "A49-80" },
		{ 49, "A81-112" },
		{ 81, "A113-144" },
		{ 113, "A145-176" },
		{ 0, NULL },
	};

	expect_sequential(0, 145, step);
}
END_TEST

START_TEST(a_larger_maximum_lets_batches_grow_further)
{
	static const struct turn step[] = {
		{ 0, "D0 S1-3" },
		{ 1, "A4-10" },
		{ 4, "A11-23" },
		{ 11, "A24-48" },
		{ 24, "A49-81" },
		{ 49, "A82-114" },
		{ 82, "A115-147" },
		{ 0, NULL },
	};

	start((uint64_t)PAGES * PAGE, "max=32");
	expect_sequential(0, 115, step);
}
END_TEST

START_TEST(who_must_wait_for_every_page_never_gets_an_asynchronous_batch)
{
	static const struct turn step[] = {
		{ 0, "D0 S1-3" },
		{ 4, "D4 S5-10" },
		{ 11, "D11 S12-23" },
		{ 24, "D24 S25-48" },
		{ 49, "D49 S50-80" },
		{ 81, "D81 S82-112" },
		{ 113, "D113 S114-144" },
		{ 0, NULL },
	};

	mode = ONLY_THE_AWAITED;
	expect_sequential(0, 145, step);
}
END_TEST

START_TEST(the_window_moves_within_a_call_of_four_pages)
{
	static const struct turn step[] = {
		{ 0, "D0 S1-5 A6-16" },
		{ 4, "A17-37" },
		{ 16, "A38-69" },
		{ 36, "A70-101" },
		{ 68, "A102-133" },
		{ 0, NULL },
	};
	const struct turn *next = step;

	for (uint32_t i = 0; i < 100; i += 4) {
		const char *did = read_pages(i, 4);

		ck_assert_str_eq(did, next->line && next->index == i ? next++->line : "");
	}
	ck_assert_ptr_null(next->line);
}
END_TEST

START_TEST(calls_of_64_pages_get_two_asynchronous_batches_each)
{
	ck_assert_str_eq(read_pages(0, 64), "D0 S1-31 A32-63 A64-95");
	ck_assert_str_eq(read_pages(64, 64), "A96-127 A128-159");
	ck_assert_str_eq(read_pages(128, 64), "A160-191 A192-223");
}
END_TEST

START_TEST(a_first_read_inside_the_file_starts_with_a_smaller_budget)
{
	static const struct turn step[] = {
		{ 50, "D50 S51-52" },
		{ 51, "A53-57" },
		{ 53, "A58-66" },
		{ 58, "A67-83" },
		{ 67, "A84-115" },
		{ 0, NULL },
	};

	expect_sequential(50, 80, step);
}
END_TEST

/* ---- other shapes ---- */

START_TEST(random_single_pages_cost_two_more_each)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 200; i++)
		read_pages(40 * random_below(&seed, 200) + 5, 1);
	ck_assert_uint_gt(n_demand, 100);
	ck_assert_uint_eq(n_ahead, 2 * n_demand);
}
END_TEST

START_TEST(a_call_is_read_ahead_by_its_own_length_and_one_page)
{
	ck_assert_str_eq(read_pages(1000, 4), "D1000 S1001-1005");
	mode = ONLY_THE_AWAITED;
	ck_assert_str_eq(read_pages(3000, 4), "D3000 S3001-3005");
	ck_assert_str_eq(read_bytes(5000 * PAGE + 7, 100), "D5000 S5001");
}
END_TEST

START_TEST(strides_of_two_and_three_count_as_sequential)
{
	static const char *const two[] = { "D0 S1-3", "A4-10", "A11-23", "", "", "", "A24-48" };
	static const char *const three[] = { "D0 S1-3", "A4-10", "", "", "A11-23" };

	for (uint32_t i = 0; i < 7; i++)
		ck_assert_str_eq(read_pages(2 * i, 1), two[i]);
	start((uint64_t)PAGES * PAGE, NULL);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_str_eq(read_pages(3 * i, 1), i == 2 ? "A11-23" : three[i]);
}
END_TEST

START_TEST(strides_of_eight_are_outside_the_window_each_time)
{
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
	for (uint32_t i = 1; i < 50; i++)
		read_pages(8 * i, 1);
	ck_assert_uint_eq(n_demand, 50);
	ck_assert_uint_eq(n_ahead, 3 + 2 * 49);
}
END_TEST

START_TEST(a_small_read_of_the_first_page_reads_nothing_ahead)
{
	ck_assert_str_eq(read_bytes(0, 100), "D0");
	ck_assert_str_eq(read_bytes(0, 100), "");
	ck_assert_str_eq(read_bytes(100, PAGE), "A1-4 A5-11");
	start((uint64_t)PAGES * PAGE, NULL);
	ck_assert_str_eq(read_bytes(0, 2048), "D0");
	start((uint64_t)PAGES * PAGE, NULL);
	ck_assert_str_eq(read_bytes(0, 2049), "D0 S1-3");
	start((uint64_t)PAGES * PAGE, NULL);
	ck_assert_str_eq(read_bytes(1948, 101), "D0 S1-3"); /* it ends beyond 2,048 */
}
END_TEST

START_TEST(small_sequential_reads_start_when_they_have_left_the_header)
{
	static const struct turn step[] = {
		{ 0, "D0" },
		{ 20, "A1-4" },
		{ 40, "A5-11" },
		{ 204, "A12-24" },
		{ 0, NULL },
	};
	const struct turn *next = step;

	for (uint32_t i = 0; i < 210; i++) {
		const char *did = read_bytes(100 * i, 100);

		ck_assert_msg(!strcmp(did, next->line && next->index == i ? next++->line : ""),
		    "read %u: %s", i, did);
	}
	ck_assert_ptr_null(next->line);
}
END_TEST

START_TEST(reading_backwards_reads_nothing_useless)
{
	ck_assert_str_eq(read_pages(100, 1), "D100 S101-102");
	ck_assert_str_eq(read_pages(99, 1), "D99 (S100-101)");
	for (uint32_t i = 98; i > 0; i--)
		read_pages(i, 1);
	ck_assert_uint_eq(n_demand, 100);
	ck_assert_uint_eq(n_ahead, 2);
}
END_TEST

START_TEST(two_streams_on_one_descriptor_reset_each_other)
{
	for (uint32_t i = 0; i < 50; i++) {
		read_pages(1000 + i, 1);
		read_pages(3000 + i, 1);
	}
	ck_assert_uint_eq(n_demand, 34);
	ck_assert_uint_eq(n_ahead, 68); /* three pages a switch, never asynchronously */
}
END_TEST

START_TEST(cached_pages_neither_cost_nor_teach_anything)
{
	memset(page, READY, 20);
	for (uint32_t i = 0; i < 20; i++)
		ck_assert_str_eq(read_pages(i, 1), "");
	ck_assert_str_eq(read_pages(20, 1), "D20 S21-22");
}
END_TEST

START_TEST(going_back_to_the_start_after_a_long_run_starts_over)
{
	for (uint32_t i = 0; i < 200; i++)
		read_pages(i, 1);
	memset(page, ABSENT, sizeof(page));
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-2"); /* not 3: it was outside */
	ck_assert_str_eq(read_pages(1, 1), "A3-7");
}
END_TEST

START_TEST(a_file_just_opened_knows_nothing_of_the_last_time)
{
	read_pages(0, 1);
	read_pages(1, 1);
	memset(page, ABSENT, sizeof(page));
	call.fresh = true;
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
	call.fresh = true;
	memset(page, ABSENT, sizeof(page));
	ck_assert_str_eq(read_pages(4, 1), "D4 S5-6");
}
END_TEST

START_TEST(each_open_file_has_a_window_of_its_own)
{
	draft_open(&draft, draft_file(&draft, 2, PAGES), 0);
	start((uint64_t)PAGES * PAGE, NULL);
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
	call.open = 1;
	ck_assert_str_eq(read_pages(1000, 1), "D1000 S1001-1002");
	call.open = 0;
	ck_assert_str_eq(read_pages(1, 1), "A4-10");
	call.open = 1;
	ck_assert_str_eq(read_pages(1001, 1), "A1003-1007");
}
END_TEST

/* ---- the end of the file ---- */

START_TEST(a_partial_last_page_is_never_read_ahead)
{
	start(10 * PAGE + 1, NULL); /* pages 0 to 9, and a byte of page 10 */
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
	ck_assert_str_eq(read_pages(1, 1), "A4-9");
	for (uint32_t i = 2; i < 10; i++)
		ck_assert_str_eq(read_pages(i, 1), "");
	ck_assert_str_eq(read_bytes(10 * PAGE, 1), "D10");
}
END_TEST

START_TEST(a_batch_cut_by_the_end_counts_a_page_that_does_not_exist)
{
	start(6 * PAGE, NULL);
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
	ck_assert_str_eq(read_pages(1, 1), "A4-5"); /* END is 7 now, LEN 3 */

	/* The file grows: the next batch starts behind the page that did not exist. */
	call.file_size = (uint64_t)PAGES * PAGE;
	ck_assert_str_eq(read_pages(4, 1), "A7-19");
	ck_assert_str_eq(read_pages(5, 1), "");
	ck_assert_str_eq(read_pages(6, 1), "D6");
	ck_assert_str_eq(read_pages(7, 1), "A20-44");
}
END_TEST

START_TEST(nothing_is_read_ahead_at_the_end_of_the_file)
{
	start(3 * PAGE, NULL);
	ck_assert_str_eq(read_pages(2, 1), "D2");
	start(1, NULL);
	ck_assert_str_eq(read_bytes(0, 1), "D0");
	start(3 * PAGE, NULL);
	ck_assert_str_eq(read_pages(0, 3), "D0 S1-2");
}
END_TEST

/* ---- versions ---- */

static const char *const version[] = { "version=2.4.0", "version=2.4.20", "version=2.4.25",
	"version=2.4.27" };
enum { V2_4_0, V2_4_20, V2_4_25, V2_4_27, VERSIONS };

static void
expect_state(int64_t max, int64_t end, int64_t length, int64_t window)
{
	const int64_t expected[] = { max, end, length, window };
	int64_t	      value[STATE_MAX];

	prefetcher_linux24.state(self, call.open, value);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_msg(value[i] == expected[i], "%s is %d, not %d",
		    prefetcher_linux24.state_names[i], (int)value[i], (int)expected[i]);
}

START_TEST(versions_do_not_differ_far_from_the_end)
{
	static const struct turn step[] = {
		{ 0, "D0 S1-3" },
		{ 1, "A4-10" },
		{ 4, "A11-23" },
		{ 11, "A24-48" },
		{ 0, NULL },
	};

	for (unsigned v = 0; v < VERSIONS; v++) {
		start((uint64_t)PAGES * PAGE, version[v]);
		expect_sequential(0, 20, step);
		expect_state(31, 49, 25, 38);
	}
}
END_TEST

START_TEST(only_2_4_25_reads_a_partial_last_page_ahead)
{
	for (unsigned v = 0; v < VERSIONS; v++) {
		start(10 * PAGE + 1, version[v]);
		ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
		ck_assert_str_eq(read_pages(1, 1), v == V2_4_25 ? "A4-10" : "A4-9");
		if (v == V2_4_27)
			expect_state(12, 10, 6, 10);
		else
			expect_state(12, 11, 7, 11);
		for (uint32_t i = 2; i < 10; i++)
			ck_assert_str_eq(read_pages(i, 1), "");
		ck_assert_str_eq(read_bytes(10 * PAGE, 1), v == V2_4_25 ? "" : "D10");
		if (v == V2_4_27)
			expect_state(12, 11, 1, 1); /* it was not requested: a batch of nothing */
		else
			expect_state(12, 11, 7, 11);
	}
}
END_TEST

START_TEST(only_2_4_25_asks_for_a_page_behind_a_full_last_one)
{
	for (unsigned v = 0; v < VERSIONS; v++) {
		start(6 * PAGE, version[v]);
		ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
		ck_assert_str_eq(read_pages(1, 1), v == V2_4_25 ? "A4-6" : "A4-5");
		if (v == V2_4_27)
			expect_state(12, 6, 2, 6);
		else
			expect_state(12, 7, 3, 7);
	}
}
END_TEST

START_TEST(a_batch_of_nothing_but_the_page_that_does_not_exist)
{
	for (unsigned v = 0; v < VERSIONS; v++) {
		start(4 * PAGE, version[v]);
		ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
		ck_assert_str_eq(read_pages(1, 1), v == V2_4_25 ? "A4" : "");
		if (v == V2_4_27)
			expect_state(6, 4, 0, 4); /* nothing was counted, but it was tried */
		else
			expect_state(12, 5, 1, 5);
	}
}
END_TEST

START_TEST(only_2_4_0_has_the_device_begin_with_an_asynchronous_batch)
{
	for (unsigned v = 0; v < VERSIONS; v++) {
		start((uint64_t)PAGES * PAGE, version[v]);
		ck_assert_str_eq(read_pages(0, 1), "D0 S1-3");
		ck_assert(!plan.unplug);
		ck_assert_str_eq(read_pages(1, 1), "A4-10");
		ck_assert_int_eq(plan.unplug, v == V2_4_0);
		ck_assert_str_eq(read_pages(2, 1), "");
		ck_assert(!plan.unplug);
	}
}
END_TEST

/* A process that reads pages 0, 1 and 4 and thinks for a second each time: how often it comes too
 * early. */
static uint64_t
late_hits(const char *params)
{
	struct config cfg;
	struct stats  stats;
	struct error  e;

	config_defaults(&cfg);
	cfg.cache_blocks = 64;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_linux24.plugin;
	cfg.prefetcher.params = params;
	cfg.scheduler.plugin = &scheduler_linus.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	ck_assert_msg(!simulate(&cfg, &draft.trace, &stats, &e), "%s", e.text);
	return stats.late_hits;
}

START_TEST(in_2_4_0_a_batch_is_read_while_its_reader_thinks)
{
	draft_blocks(&draft, 0, 0, 0, 1, false)->fresh = true;
	draft_blocks(&draft, 1000000, 0, 1, 1, false);
	draft_blocks(&draft, 2000000, 0, 4, 1, false);
	ck_assert_uint_eq(late_hits("version=2.4.20"), 1); /* plugged, until the process sleeps */
	ck_assert_uint_eq(late_hits("version=2.4.0"), 0);
}
END_TEST

/* ---- the rules once more, page by page ---- */

static struct model {
	int64_t	 max, end, len, win;
	bool	 ok;
	unsigned version;
	char	 asked[2048]; /* pages submitted or counted in the last touch */
} model;

static void
model_call(int64_t idx, int64_t within, int64_t count)
{
	struct model *m = &model;

	m->ok = idx <= m->end && idx + m->win >= m->end;
	if (!m->ok)
		m->max = m->end = m->len = m->win = 0;
	if (idx == 0 && within + count <= 2048) {
		m->max = 0;
		return;
	}
	if (m->max < (within + count) / PAGE + 1)
		m->max = (within + count) / PAGE + 1;
	if (m->ok && m->max < 3)
		m->max = 3;
	if (m->max > 31)
		m->max = 31;
}

static void
model_batch(int64_t start, int64_t budget, int64_t last)
{
	struct model *m = &model;
	int64_t	      n = 0;
	size_t	      length = 0;

	for (int64_t p = start + 1; n < budget; p++) {
		n += m->version <= V2_4_20;
		if (m->version == V2_4_25 ? p > last : p >= last)
			break;
		length +=
		    (size_t)snprintf(m->asked + length, sizeof(m->asked) - length, "%d ", (int)p);
		n += m->version > V2_4_20;
	}
	if (n == 0)
		return;
	m->len += n;
	m->win += m->len;
	m->end = start + n + 1;
	m->max = 2 * m->max < 31 ? 2 * m->max : 31;
}

static void
model_touch(int64_t idx, bool locked, int64_t last)
{
	struct model *m = &model;
	int64_t	      budget;

	m->asked[0] = '\0';
	if (locked && (m->len == 0 || idx >= m->end || idx + m->win < m->end)) {
		budget = idx < last ? m->max : 0;
		m->win = 0;
		m->len = 1;
		if (budget == 0) {
			m->end = idx + 1;
			m->win = 1;
		}
		model_batch(idx, budget, last);
	} else if (!locked && m->ok && m->max > 0 && m->end >= 1 && idx <= m->end &&
	    idx + m->len >= m->end) {
		budget = m->end - 1 < last ? m->max + 1 : 0;
		if (budget) {
			m->win = m->len;
			m->len = 0;
		}
		model_batch(m->end - 1, budget, last);
	}
}

/* One page of a call, both ways. */
static void
touch_both(const struct demand *d)
{
	char   asked[sizeof(model.asked)] = "";
	size_t length = 0;

	plan_start(&plan);
	prefetcher_linux24.access(self, d, &plan);
	if (d->left)
		model_touch(d->index, d->locked, (int64_t)call.file_size / PAGE);
	for (unsigned i = 0; d->left && i < plan.n; i++)
		for (uint32_t k = 0; k < plan.extent[i].count; k++)
			length += (size_t)snprintf(asked + length, sizeof(asked) - length, "%u ",
			    plan.extent[i].index + k);
	if (d->left)
		ck_assert_str_eq(asked, model.asked);
	expect_state(model.max, model.end, model.len, model.win);
}

static void
random_call(uint64_t *seed)
{
	uint32_t      pages = (uint32_t)((call.file_size + PAGE - 1) / PAGE);
	uint32_t      first = random_below(seed, 3) && call.length
		 ? (uint32_t)((call.offset + call.length) / PAGE)
		 : random_below(seed, pages + 3);
	struct demand d = { .call = &call, .first = first };

	call.offset =
	    (uint64_t)first * PAGE + (random_below(seed, 3) ? 0 : random_below(seed, PAGE));
	call.length = (1 + random_below(seed, random_below(seed, 2) ? PAGE : 9 * PAGE)) & INT32_MAX;
	model_call(first, (int64_t)(call.offset % PAGE), call.length);
	d.index = first;
	if (first >= pages)
		touch_both(&d);
	d.left = (uint32_t)((call.offset + call.length - 1) / PAGE) - first + 1;
	for (; d.left && d.index < pages; d.index++, d.left--) {
		d.locked = !random_below(seed, 3);
		touch_both(&d);
	}
	call.fresh = false;
}

START_TEST(every_version_follows_its_rules_on_random_calls)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 400; i++) {
		start(random_below(&seed, 2) ? random_below(&seed, 60) * (uint64_t)PAGE
					     : random_below(&seed, 60 * PAGE),
		    version[i % VERSIONS]);
		model = (struct model){ .version = i % VERSIONS };
		for (unsigned k = 0; k < 40; k++)
			random_call(&seed);
	}
}
END_TEST

/* ---- what it is told, and tells ---- */

START_TEST(a_read_beyond_the_end_moves_the_window_too)
{
	struct demand d = { .call = &call, .index = 50, .first = 50 };

	start(6 * PAGE, NULL);
	read_pages(0, 1);
	expect_state(6, 4, 4, 4);
	call.offset = 50 * PAGE;
	call.length = PAGE;
	plan_start(&plan);
	prefetcher_linux24.access(self, &d, &plan);
	ck_assert_uint_eq(plan.n, 0);
	expect_state(2, 0, 0, 0);
}
END_TEST

START_TEST(a_page_that_took_no_time_to_read_starts_nothing)
{
	struct demand d = { .call = &call, .absent = true, .left = 1 };

	call.length = PAGE;
	plan_start(&plan);
	prefetcher_linux24.access(self, &d, &plan);
	ck_assert_uint_eq(plan.n, 0);
	expect_state(3, 0, 0, 0);
}
END_TEST

START_TEST(notes_say_which_rule_decided)
{
	read_pages(0, 1);
	ck_assert_uint_eq(plan.nnotes, 1);
	ck_assert_str_eq(plan.note[0], "not inside the window: a batch behind it, synchronously");
	read_pages(1, 1);
	ck_assert_uint_eq(plan.nnotes, 1);
	ck_assert_str_eq(plan.note[0],
	    "first reference inside the newest batch: the next batch, asynchronously");
	read_pages(2, 1);
	ck_assert_uint_eq(plan.nnotes, 0); /* a hit that starts nothing */
	read_pages(PAGES - 2, 1);
	ck_assert_uint_eq(plan.nnotes, 3);
	ck_assert_str_eq(plan.note[0], "the call starts outside the window: reset");
	ck_assert_str_eq(plan.note[2], "cut by the end of the file, and one more block is counted");
	start((uint64_t)PAGES * PAGE, NULL);
	read_bytes(0, 100);
	ck_assert_uint_eq(plan.nnotes, 2);
	ck_assert_str_eq(plan.note[0], "a short read at the start, a header: no budget");
}
END_TEST

/* ---- parameters ---- */

START_TEST(a_maximum_of_zero_reads_nothing_ahead)
{
	start((uint64_t)PAGES * PAGE, "max=0");
	for (uint32_t i = 0; i < 50; i++)
		read_pages(i, 1);
	ck_assert_uint_eq(n_demand, 50);
	ck_assert_uint_eq(n_ahead, 0);
}
END_TEST

START_TEST(the_minimum_holds_for_calls_inside_the_window_only)
{
	start((uint64_t)PAGES * PAGE, "min=16");
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-16");
	start((uint64_t)PAGES * PAGE, "min=16");
	ck_assert_str_eq(read_pages(50, 1), "D50 S51-52");
	ck_assert_str_eq(read_pages(51, 1), "A53-69");
	start((uint64_t)PAGES * PAGE, "min=0");
	ck_assert_str_eq(read_pages(0, 1), "D0 S1-2");
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_test(tests, sequential_pages_are_read_ahead_in_doubling_batches);
	tcase_add_test(tests, a_larger_maximum_lets_batches_grow_further);
	tcase_add_test(tests, who_must_wait_for_every_page_never_gets_an_asynchronous_batch);
	tcase_add_test(tests, the_window_moves_within_a_call_of_four_pages);
	tcase_add_test(tests, calls_of_64_pages_get_two_asynchronous_batches_each);
	tcase_add_test(tests, a_first_read_inside_the_file_starts_with_a_smaller_budget);
	tcase_add_test(tests, random_single_pages_cost_two_more_each);
	tcase_add_test(tests, a_call_is_read_ahead_by_its_own_length_and_one_page);
	tcase_add_test(tests, strides_of_two_and_three_count_as_sequential);
	tcase_add_test(tests, strides_of_eight_are_outside_the_window_each_time);
	tcase_add_test(tests, a_small_read_of_the_first_page_reads_nothing_ahead);
	tcase_add_test(tests, small_sequential_reads_start_when_they_have_left_the_header);
	tcase_add_test(tests, reading_backwards_reads_nothing_useless);
	tcase_add_test(tests, two_streams_on_one_descriptor_reset_each_other);
	tcase_add_test(tests, cached_pages_neither_cost_nor_teach_anything);
	tcase_add_test(tests, going_back_to_the_start_after_a_long_run_starts_over);
	tcase_add_test(tests, a_file_just_opened_knows_nothing_of_the_last_time);
	tcase_add_test(tests, each_open_file_has_a_window_of_its_own);
	tcase_add_test(tests, a_partial_last_page_is_never_read_ahead);
	tcase_add_test(tests, a_batch_cut_by_the_end_counts_a_page_that_does_not_exist);
	tcase_add_test(tests, nothing_is_read_ahead_at_the_end_of_the_file);
	tcase_add_test(tests, versions_do_not_differ_far_from_the_end);
	tcase_add_test(tests, only_2_4_25_reads_a_partial_last_page_ahead);
	tcase_add_test(tests, only_2_4_25_asks_for_a_page_behind_a_full_last_one);
	tcase_add_test(tests, a_batch_of_nothing_but_the_page_that_does_not_exist);
	tcase_add_test(tests, only_2_4_0_has_the_device_begin_with_an_asynchronous_batch);
	tcase_add_test(tests, in_2_4_0_a_batch_is_read_while_its_reader_thinks);
	tcase_add_test(tests, every_version_follows_its_rules_on_random_calls);
	tcase_add_test(tests, a_read_beyond_the_end_moves_the_window_too);
	tcase_add_test(tests, a_page_that_took_no_time_to_read_starts_nothing);
	tcase_add_test(tests, notes_say_which_rule_decided);
	tcase_add_test(tests, a_maximum_of_zero_reads_nothing_ahead);
	tcase_add_test(tests, the_minimum_holds_for_calls_inside_the_window_only);
}

int
main(void)
{
	TCase *tests = tcase_create("linux24");

	tcase_add_checked_fixture(tests, setup, finish);
	add_tests(tests);
	return run_tests("linux24", tests);
}
