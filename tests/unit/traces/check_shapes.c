/* check_shapes.c - what every shape promises, and the calls of each. */
#include <stdio.h>
#include <string.h>

#include "sim/setup/pattern.h"
#include "sim/trace/format.h"
#include "sim/trace/generate/generator.h"
#include "tests/unit/conformance.h"
#include "tests/unit/support.h"

enum { SEEN = 2000 };

static struct trace trace;
static struct error e;

static void
load(const char *text)
{
	const struct trace_options how = { .block_bytes = 4096 };

	trace_release(&trace);
	REQUIRE(!pattern_load(&trace, text, &how, PATTERN_THINK_US, &e), "%s: %s", text, e.text);
}

static void
unload(void)
{
	trace_release(&trace);
	e = (struct error){ 0 };
}

/* "offset/length offset/length ..." of n calls from the first on, in units of 4096. */
static void
reads(const char *text, size_t first, size_t n, const char *expected)
{
	char   seen[512] = "";
	size_t used = 0;

	load(text);
	for (size_t i = first; i < first + n && i < trace.naccess; i++)
		used += (size_t)snprintf(seen + used, sizeof(seen) - used, "%s%g/%g",
		    used ? " " : "", (double)trace.access[i].offset / 4096,
		    (double)trace.access[i].length / 4096);
	ck_assert_str_eq(seen, expected);
}

/* ---- every shape ---- */

static int
take(const char *text, struct record *r, size_t *n)
{
	const struct plugin  *p;
	const char	     *params;
	struct generator_part part = { 0 };
	struct generator      g = { 0 };
	int		      failed, status = 1;

	*n = 0;
	p = registry_find(PLUGIN_SHAPE, text, &params, &e);
	if (!p)
		return -1;
	part.shape = (const struct shape *)(const void *)p;
	part.self = plugin_state(p, params, &e);
	failed = !part.self || generator_init(&g, &part, 1, 100, &e);
	while (!failed && *n < SEEN && (status = generator_read(&g, NULL, &r[*n], &e)) == 1)
		++*n;
	ck_assert(failed || status >= 0);
	generator_release(&g);
	plugin_free(part.self, part.shape->release);
	return failed;
}

static void
check_record(const char *text, size_t i, const struct record *r, const struct record *before)
{
	REQUIRE(r->length <= r->file_size && r->offset <= r->file_size - r->length,
	    "%s: call %zu ends behind the file", text, i);
	REQUIRE(r->inode >= 1 && r->inode <= (uint64_t)SHAPE_FILES * GENERATOR_PARTS,
	    "%s: call %zu: file", text, i);
	REQUIRE(r->fd < SHAPE_DESCRIPTORS, "%s: call %zu: descriptor %u", text, i, r->fd);
	REQUIRE(r->time >= before->time, "%s: call %zu: time", text, i);
	if (r->op == OP_OPEN)
		return;
	REQUIRE(r->op == OP_READ || r->op == OP_WRITE, "%s: call %zu: %d", text, i, (int)r->op);
	REQUIRE(r->length, "%s: call %zu moves nothing", text, i);
}

static struct settings settings;

START_TEST(with_any_parameters_calls_lie_in_their_files_and_are_the_same_again)
{
	static struct record r[SEEN], again[SEEN];
	unsigned	     refused = 0;
	size_t		     n, m;

	settings = (struct settings){ 0 };
	settings_all(&settings, PLUGIN_SHAPE);
	for (unsigned i = 0; i < settings.n; i++) {
		const char *text = settings.text[i];

		memset(r, 0, sizeof(r));
		memset(again, 0, sizeof(again));
		if (take(text, r, &n)) {
			check_refused(text, &e);
			refused++;
			continue;
		}
		ck_assert(!take(text, again, &m));
		REQUIRE(n && n == m && !memcmp(r, again, n * sizeof(*r)), "%s differs", text);
		for (size_t k = 0; k < n; k++)
			check_record(text, k, &r[k], &r[k ? k - 1 : 0]);
	}
	REQUIRE(refused * 2 < settings.n, "%u of %u are refused", refused, settings.n);
}
END_TEST

START_TEST(another_seed_gives_other_calls_where_chance_decides)
{
	static const char *const by_chance[] = { "uniform", "zipf", "hot-cold", "short-runs",
		"index-then-row", "pages", "small-files" };
	static struct record	 r[SEEN], other[SEEN];
	char			 text[64];
	size_t			 n, m;

	for (size_t i = 0; i < sizeof(by_chance) / sizeof(*by_chance); i++) {
		snprintf(text, sizeof(text), "%s:seed=1", by_chance[i]);
		memset(r, 0, sizeof(r));
		memset(other, 0, sizeof(other));
		ck_assert(!take(by_chance[i], r, &n) && !take(text, other, &m));
		REQUIRE(memcmp(r, other, sizeof(r)) != 0, "%s", text);
	}
}
END_TEST

START_TEST(shares_of_writes_and_think_times_are_those_that_were_given)
{
	uint64_t writes = 0;
	double	 mean;

	load("uniform:calls=100000,writes=30%,think=1ms,gaps=exponential");
	for (size_t i = 0; i < trace.naccess; i++)
		writes += trace.access[i].write;
	mean = (double)trace.access[trace.naccess - 1].time / (double)trace.naccess;
	ck_assert(writes > 29500 && writes < 30500);
	ck_assert(mean > 990 && mean < 1010);
	load("uniform:calls=3,think=7ms");
	ck_assert_int_eq(trace.access[2].time, 14000);
}
END_TEST

/* ---- each of them ---- */

START_TEST(sequential_has_a_start_a_header_and_calls_that_grow)
{
	reads("sequential:calls=3", 0, 3, "0/1 1/1 2/1");
	reads("sequential:calls=3,start=8K,header=2K", 0, 3, "0/0.5 2/1 3/1");
	reads("sequential:growth=double,calls=4", 0, 4, "0/1 1/2 3/4 7/8");
	reads("sequential:size=10K,calls=0", 0, 9, "0/1 1/1 2/0.5");
	reads("sequential:size=1G,calls=0,call=512M", 0, 9, "0/131072 131072/131072");
}
END_TEST

START_TEST(streams_share_a_descriptor_or_have_one_each)
{
	reads("streams:streams=3,size=24K", 0, 9, "0/1 2/1 4/1 1/1 3/1 5/1");
	ck_assert_uint_eq(trace.nopen, 1);
	reads("streams:size=24K,descriptors=own,apart=4K,calls=4", 0, 9, "0/1 1/1 1/1 2/1");
	ck_assert_uint_eq(trace.nopen, 2);
	ck_assert(trace.access[0].fresh && trace.access[1].fresh && !trace.access[2].fresh);
}
END_TEST

START_TEST(strides_go_to_the_end_of_the_file_or_its_beginning)
{
	reads("strided:size=64K,step=28K", 0, 9, "0/1 7/1 14/1");
	reads("strided:size=64K,step=28K,direction=back", 0, 9, "15/1 8/1 1/1");
	reads("strided:step=0,calls=2,start=4K", 0, 9, "1/1 1/1");
}
END_TEST

START_TEST(a_loop_begins_again_at_the_beginning)
{
	reads("loop:size=10K,calls=5", 0, 9, "0/1 1/1 2/0.5 0/1 1/1");
}
END_TEST

/* Expected numbers of hits by place: 20 % of the file, 80 % of the calls. */
START_TEST(the_hot_part_has_its_share_of_the_calls)
{
	uint64_t hot = 0;

	load("hot-cold:size=4M,hot=20%,heat=80%,calls=100000");
	for (size_t i = 0; i < trace.naccess; i++)
		hot += trace.access[i].offset / 4096 < 204;
	ck_assert(hot > 79500 && hot < 80500);
	ck_assert_uint_eq(trace.file[0].nblocks, 1024);
}
END_TEST

START_TEST(the_most_popular_blocks_of_zipf_are_scattered_or_come_first)
{
	uint64_t first = 0, second = 0;

	load("zipf:blocks=1000,alpha=1,order=ranked,calls=100000");
	for (size_t i = 0; i < trace.naccess; i++) {
		first += trace.access[i].offset == 0;
		second += trace.access[i].offset == 4096;
	}
	ck_assert(first > 13000 && first < 13720); /* 1 of H(1000) = 7.485 */
	ck_assert(second > 6430 && second < 6930);
	load("zipf:blocks=1000,alpha=1,calls=100000");
	first = second = 0;
	for (size_t i = 0; i < trace.naccess; i++) {
		first += trace.access[i].offset == 0;
		second += trace.access[i].offset == 4096;
	}
	ck_assert(first > 13000 && second < 2000);
}
END_TEST

START_TEST(short_runs_go_on_and_then_are_elsewhere)
{
	load("short-runs:run=7,calls=70");
	for (size_t i = 0; i < trace.naccess; i++)
		REQUIRE((trace.access[i].offset == trace.access[i ? i - 1 : 0].offset + 4096) ==
			(i % 7 != 0),
		    "call %zu", i);
}
END_TEST

START_TEST(a_page_of_the_index_is_followed_by_its_rows)
{
	load("index-then-row:keys=2,row=3,range=2,calls=28");
	ck_assert_uint_eq(trace.nfiles, 2);
	for (size_t i = 0; i < trace.naccess; i++)
		REQUIRE(trace.open[trace.access[i].open].file == (i % 7 != 0), "call %zu", i);
	ck_assert_uint_eq(trace.access[7].offset, trace.access[0].offset + 4096);
	ck_assert_uint_eq(trace.access[21].offset, trace.access[14].offset + 4096);
	ck_assert_uint_ne(trace.access[14].offset, trace.access[7].offset + 4096);
	ck_assert_uint_eq(trace.access[3].offset, trace.access[1].offset + 8192);
	ck_assert_uint_ne(trace.access[4].offset, trace.access[3].offset + 4096);
}
END_TEST

START_TEST(a_page_is_read_whole_in_one_call_or_several)
{
	load("pages:page=16K,calls=100");
	for (size_t i = 0; i < trace.naccess; i++)
		ck_assert(trace.access[i].offset % 16384 == 0 && trace.access[i].length == 16384);
	load("pages:page=10K,call=4K,calls=99");
	for (size_t i = 0; i < trace.naccess; i++)
		ck_assert_uint_eq(trace.access[i].offset % 10240, 4096 * (i % 3));
	ck_assert_uint_eq(trace.access[2].length, 2048);
}
END_TEST

START_TEST(a_small_file_is_opened_and_read_to_its_end)
{
	uint64_t opens = 0;

	load("small-files:calls=2000,files=50");
	ck_assert_uint_eq(trace.nfiles, 50);
	for (size_t i = 0; i < trace.naccess; i++) {
		const struct access *a = &trace.access[i];

		opens += a->offset == 0;
		ck_assert_uint_eq(a->fresh, a->offset == 0);
		ck_assert(a->offset || a[0].file_size >= 1024);
		ck_assert_uint_le(a->file_size, 65536);
		if (i && !a->offset)
			ck_assert_uint_eq(a[-1].offset + a[-1].length, a[-1].file_size);
	}
	ck_assert_uint_eq(trace.opens, opens);
	load("small-files:order=listed,files=5,smallest=4K,largest=4K,calls=7");
	ck_assert_uint_eq(trace.open[trace.access[6].open].file, 1);
}
END_TEST

START_TEST(chunks_are_read_in_a_row_with_jumps_between)
{
	reads("column-chunks:size=80K,chunk=8K,skip=24K,call=4K", 0, 9,
	    "0/1 1/1 8/1 9/1 16/1 17/1");
	reads("column-chunks:size=80K,chunk=12K,back=4K,call=4K,calls=7", 0, 9,
	    "0/1 1/1 2/1 2/1 3/1 4/1 4/1");
	reads("column-chunks:size=1M,chunk=10K,skip=0,call=8K,calls=4", 0, 9,
	    "0/2 2/0.5 2.5/2 4.5/0.5");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("shapes");

	tcase_add_checked_fixture(tc, NULL, unload);
	tcase_add_test(tc, with_any_parameters_calls_lie_in_their_files_and_are_the_same_again);
	tcase_add_test(tc, another_seed_gives_other_calls_where_chance_decides);
	tcase_add_test(tc, shares_of_writes_and_think_times_are_those_that_were_given);
	tcase_add_test(tc, sequential_has_a_start_a_header_and_calls_that_grow);
	tcase_add_test(tc, streams_share_a_descriptor_or_have_one_each);
	tcase_add_test(tc, strides_go_to_the_end_of_the_file_or_its_beginning);
	tcase_add_test(tc, a_loop_begins_again_at_the_beginning);
	tcase_add_test(tc, the_hot_part_has_its_share_of_the_calls);
	tcase_add_test(tc, the_most_popular_blocks_of_zipf_are_scattered_or_come_first);
	tcase_add_test(tc, short_runs_go_on_and_then_are_elsewhere);
	tcase_add_test(tc, a_page_of_the_index_is_followed_by_its_rows);
	tcase_add_test(tc, a_page_is_read_whole_in_one_call_or_several);
	tcase_add_test(tc, a_small_file_is_opened_and_read_to_its_end);
	tcase_add_test(tc, chunks_are_read_in_a_row_with_jumps_between);
	return run_tests("shapes", tc);
}
