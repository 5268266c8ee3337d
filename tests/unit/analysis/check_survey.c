/*
 * check_survey.c - the figures of a trace against what is counted reference by
 * reference, and percentiles against sorted values.
 */
#include <string.h>

#include "sim/analysis/survey.h"
#include "tests/unit/support.h"

enum { REFERENCES = DRAFT_CALLS * 16, FILES = 4, PROCESSES = 3, VALUES = 5000 };

static struct draft	draft;
static struct survey	survey;
static struct histogram histogram;
static struct error	error;
static char		name[] = "draft";

static struct reference {
	block_t	 block;
	uint64_t time;
	bool	 write;
	file_t	 file;
	uint32_t process;
} ref[REFERENCES];
static size_t nref;

/* Values of one distribution. */
static uint64_t value[REFERENCES];
static size_t	nvalue;

static void
setup(void)
{
	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
}

static void
teardown(void)
{
	survey_release(&survey);
}

static void
find(void)
{
	static const struct survey_observer silent;

	survey_release(&survey);
	ck_assert_msg(!survey_find(&survey, &draft.trace, &silent, &error), "%s", error.text);
}

/* ---- percentiles ---- */

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The least value that p % do not exceed, by counting. */
static uint64_t
percentile(unsigned p)
{
	size_t i = 0;

	while ((i + 1) * 100 < nvalue * p)
		i++;
	return value[i];
}

static void
is_near(const char *what, uint64_t got, uint64_t expected, double error_of)
{
	double off = (double)got - (double)expected, most = error_of * (double)expected;

	REQUIRE(off <= most && -off <= most, "%s: %llu, not %llu", what, (unsigned long long)got,
	    (unsigned long long)expected);
}

/* Sorts the values. */
static void
equals_values(const char *what, const struct spread *s, double error_of)
{
	double sum = 0;

	ck_assert_uint_eq(s->n, nvalue);
	if (!nvalue) {
		ck_assert(s->mean == 0 && !s->least && !s->greatest && !s->at[0]);
		return;
	}
	qsort(value, nvalue, sizeof(*value), by_value);
	for (size_t i = 0; i < nvalue; i++)
		sum += (double)value[i];
	ck_assert_double_eq_tol(s->mean, sum / (double)nvalue, 1e-9 * (1 + sum));
	ck_assert_uint_eq(s->least, value[0]);
	ck_assert_uint_eq(s->greatest, value[nvalue - 1]);
	for (unsigned i = 0; i < SPREAD_PERCENTILES; i++)
		is_near(what, s->at[i], percentile(spread_percentile[i]), error_of);
}

static void
equals_histogram(const char *what)
{
	struct spread s;

	memset(&histogram, 0, sizeof(histogram));
	for (size_t i = 0; i < nvalue; i++)
		histogram_add(&histogram, value[i]);
	histogram_spread(&histogram, &s);
	equals_values(what, &s, 1. / 256);
}

START_TEST(percentiles_are_those_of_sorted_values)
{
	uint64_t seed = 1;

	for (unsigned bits = 1; bits < 53; bits++)
		for (nvalue = 0; nvalue < VALUES; nvalue += 1 + nvalue / 3) {
			for (size_t i = 0; i < nvalue; i++)
				value[i] = ((uint64_t)random_below(&seed, 1u << 31) << 31 |
					       random_below(&seed, 1u << 31)) >>
				    (62 - random_below(&seed, bits) - 1);
			equals_histogram("random values");
		}
}
END_TEST

START_TEST(equal_values_are_exact)
{
	struct spread s;

	for (uint64_t v = 1; v < UINT64_C(1) << 52; v = 3 * v + 1) {
		memset(&histogram, 0, sizeof(histogram));
		for (unsigned i = 0; i < 1000; i++)
			histogram_add(&histogram, v);
		histogram_spread(&histogram, &s);
		for (unsigned i = 0; i < SPREAD_PERCENTILES; i++)
			ck_assert_uint_eq(s.at[i], v);
	}
}
END_TEST

START_TEST(every_value_has_a_bin_of_its_size)
{
	uint64_t low = 0;

	for (unsigned bin = 0; bin + 1 < HISTOGRAM_BINS; bin++) {
		uint64_t next = low +
		    (bin < 512	       ? 1
			    : low >> 8 ? UINT64_C(1) << (bin / 256 - 1)
				       : 1);

		REQUIRE(histogram_bin(low) == bin && histogram_bin(next - 1) == bin,
		    "bin %u is not from %llu to %llu", bin, (unsigned long long)low,
		    (unsigned long long)next - 1);
		low = next;
	}
	ck_assert_uint_eq(histogram_bin(UINT64_MAX), HISTOGRAM_BINS - 1);
}
END_TEST

/* ---- reference by reference ---- */

/* Lay the files out in blocks of that size. */
static void
set_block(uint32_t shift)
{
	struct trace *t = &draft.trace;

	t->block_shift = shift;
	t->block_bytes = 1u << shift;
	t->nblocks = 1;
	for (file_t f = 0; f < t->nfiles; f++) {
		draft.file[f].base = t->nblocks;
		draft.file[f].nblocks =
		    (uint32_t)((draft.file[f].bytes + t->block_bytes - 1) >> shift);
		t->nblocks += draft.file[f].nblocks;
	}
}

static void
make_calls(uint64_t seed, uint32_t calls)
{
	usec_t now = 0;

	for (file_t f = 0; f < FILES; f++)
		draft_file(&draft, 10 + f, 6 + 3 * f);
	for (uint32_t p = 0; p < PROCESSES; p++)
		for (file_t f = 0; f < FILES; f++)
			draft_open(&draft, f, p);
	for (uint32_t i = 0; i < calls; i++) {
		uint32_t open = random_below(&seed, FILES * PROCESSES);
		uint32_t size = (uint32_t)draft.file[draft.open[open].file].bytes;
		uint32_t offset = random_below(&seed, size);

		draft_call(&draft, now, open, offset, 1 + random_below(&seed, size - offset),
		    random_below(&seed, 4) == 0);
		now +=
		    random_below(&seed, 2) ? random_below(&seed, 10) : random_below(&seed, 100000);
	}
}

static void
flatten(void)
{
	const struct trace *t = &draft.trace;

	nref = 0;
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access    *a = &t->access[i];
		const struct open_file *f = &t->open[a->open];

		for (uint64_t at = a->offset / t->block_bytes;
		     at <= (a->offset + a->length - 1) / t->block_bytes; at++) {
			ck_assert_uint_lt(nref, REFERENCES);
			ref[nref++] = (struct reference){ t->file[f->file].base + (block_t)at,
				(uint64_t)a->time, a->write, f->file, f->process };
		}
	}
}

/* The number of the reference before to the same block, or nref. */
static size_t
before(size_t i)
{
	for (size_t k = i; k--;)
		if (ref[k].block == ref[i].block)
			return k;
	return nref;
}

static uint64_t
distinct_between(size_t from, size_t to)
{
	uint64_t n = 0;

	for (size_t i = from + 1; i < to; i++) {
		size_t k = from + 1;

		while (ref[k].block != ref[i].block)
			k++;
		n += k == i;
	}
	return n;
}

static void
check_distances(void)
{
	nvalue = 0;
	for (size_t i = 0; i < nref; i++)
		if (before(i) != nref)
			value[nvalue++] = distinct_between(before(i), i);
	equals_values("reuse distance", &survey.spread[SPREAD_reuse_distance_blocks], 0);
}

static void
check_times(void)
{
	nvalue = 0;
	for (size_t i = 0; i < nref; i++)
		if (before(i) != nref)
			value[nvalue++] = ref[i].time - ref[before(i)].time;
	equals_values("time between references", &survey.spread[SPREAD_inter_reference_us],
	    1. / 256);
}

static void
check_calls(void)
{
	const struct trace *t = &draft.trace;
	uint64_t	    sum = 0;

	nvalue = 0;
	for (size_t i = 0; i < t->naccess; i++)
		value[nvalue++] = t->access[i].length;
	equals_values("length", &survey.spread[SPREAD_call_bytes], 1. / 256);
	nvalue = 0;
	for (size_t i = 0; i < t->naccess; i++)
		for (size_t k = i; k--;)
			if (t->open[t->access[k].open].process ==
			    t->open[t->access[i].open].process) {
				value[nvalue] = (uint64_t)(t->access[i].time - t->access[k].time);
				sum += value[nvalue++];
				break;
			}
	equals_values("think time", &survey.spread[SPREAD_think_time_us], 1. / 256);
	ck_assert_uint_eq(survey.n.think_us, sum);
}

/* Blocks that are used in that way. */
static uint64_t
blocks_used(bool written)
{
	uint64_t n = 0;

	for (size_t i = 0; i < nref; i++) {
		size_t k = 0;

		while (ref[k].block != ref[i].block || ref[k].write != written)
			if (k++ == i)
				break;
		n += k == i && ref[i].write == written;
	}
	return n;
}

static void
check_part(const struct survey_part *p, bool of_file, uint32_t number)
{
	struct survey_part expected = { 0 };

	for (size_t i = 0; i < nref; i++) {
		if ((of_file ? ref[i].file : ref[i].process) != number)
			continue;
		expected.references++;
		expected.write_references += ref[i].write;
		expected.first_references += before(i) == nref;
	}
	for (size_t i = 0; i < draft.trace.naccess; i++) {
		const struct access    *a = &draft.access[i];
		const struct open_file *f = &draft.open[a->open];

		if ((of_file ? f->file : f->process) != number)
			continue;
		expected.reads += !a->write;
		expected.writes += a->write;
		*(a->write ? &expected.write_bytes : &expected.read_bytes) += a->length;
	}
	ck_assert_int_eq(memcmp(p, &expected, sizeof(expected)), 0);
}

static void
check_parts(void)
{
	uint64_t footprint = 0;

	for (file_t f = 0; f < FILES; f++) {
		check_part(&survey.file[f], true, f);
		footprint += survey.file[f].first_references;
	}
	for (uint32_t p = 0; p < PROCESSES; p++)
		check_part(&survey.process[p], false, p);
	for (unsigned i = 1; i < FILES; i++)
		ck_assert_uint_ge(survey.file[survey.top_file[i - 1]].references,
		    survey.file[survey.top_file[i]].references);
	for (unsigned i = 1; i < PROCESSES; i++)
		ck_assert_uint_ge(survey.process[survey.top_process[i - 1]].references,
		    survey.process[survey.top_process[i]].references);
	ck_assert_uint_eq(survey.n.footprint_blocks, footprint);
	ck_assert_uint_eq(survey.n.references, nref);
	ck_assert_uint_eq(survey.n.read_blocks, blocks_used(false));
	ck_assert_uint_eq(survey.n.write_blocks, blocks_used(true));
}

static void
check_classes(void)
{
	uint64_t sum = 0;

	for (unsigned class = 0; class < CALL_CLASSES; class ++)
		sum += survey.class[class].references;
	ck_assert_uint_eq(sum, survey.n.references - survey.n.write_references);
}

START_TEST(random_traces_have_the_figures_of_their_references)
{
	static const uint32_t shifts[] = { 9, 10, 12, 13, 16 };

	for (unsigned i = 0; i < 5; i++)
		for (uint32_t calls = 1; calls < 200; calls += 1 + 2 * calls) {
			setup();
			make_calls(i + calls, calls);
			set_block(shifts[i]);
			if (shifts[i] < 12 && calls > 20)
				continue;
			flatten();
			find();
			check_distances();
			check_times();
			check_calls();
			check_parts();
			check_classes();
		}
}
END_TEST

/* ---- by hand ---- */

START_TEST(one_call_has_no_reuse_and_no_think_time)
{
	draft_file(&draft, 1, 2);
	draft_open(&draft, 0, 0);
	draft_blocks(&draft, 0, 0, 0, 2, false);
	find();
	ck_assert_uint_eq(survey.n.footprint_blocks, 2);
	ck_assert_uint_eq(survey.spread[SPREAD_reuse_distance_blocks].n, 0);
	ck_assert_uint_eq(survey.spread[SPREAD_inter_reference_us].n, 0);
	ck_assert_uint_eq(survey.spread[SPREAD_think_time_us].n, 0);
	ck_assert_uint_eq(survey.spread[SPREAD_call_bytes].at[SPREAD_P50], 8192);
	ck_assert_uint_eq(survey.nsizes, 1);
}
END_TEST

START_TEST(writes_alone_have_no_class)
{
	draft_file(&draft, 1, 2);
	draft_open(&draft, 0, 0);
	draft_blocks(&draft, 0, 0, 0, 2, true);
	draft_blocks(&draft, 7, 0, 0, 1, true);
	find();
	ck_assert_uint_eq(survey.n.write_references, 3);
	ck_assert_uint_eq(survey.n.write_bytes, 3 * 4096);
	ck_assert_uint_eq(survey.n.read_blocks, 0);
	for (unsigned class = 0; class < CALL_CLASSES; class ++)
		ck_assert_uint_eq(survey.class[class].references, 0);
	ck_assert_uint_eq(survey.spread[SPREAD_reuse_distance_blocks].greatest, 1);
	ck_assert_uint_eq(survey.spread[SPREAD_inter_reference_us].least, 7);
}
END_TEST

/* Most calls first, shorter ones first among equals; long odd lengths are counted together. */
START_TEST(lengths_are_sorted_by_calls)
{
	static const uint32_t length[] = { 100, 512, 100, 65536, 65535, 70000, 512, 100, 1, 80001,
		1 << 17 };
	static const struct call_size expected[] = { { 100, 3 }, { 512, 2 }, { 1, 1 }, { 65535, 1 },
		{ 65536, 1 }, { 1 << 17, 1 } };

	draft_file(&draft, 1, 100);
	draft_open(&draft, 0, 0);
	for (unsigned i = 0; i < sizeof(length) / sizeof(*length); i++)
		draft_call(&draft, i, 0, 0, length[i], false);
	find();
	ck_assert_uint_eq(survey.nsizes, 6);
	ck_assert_uint_eq(survey.other_sizes, 2);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(survey.size[i].bytes, expected[i].bytes);
		ck_assert_uint_eq(survey.size[i].calls, expected[i].calls);
	}
}
END_TEST

struct watched {
	size_t	 calls;
	uint64_t blocks, footprint;
};

static void
watch(void *self, const struct survey *v, size_t number, block_t b, uint32_t count)
{
	struct watched *w = self;

	ck_assert_uint_eq(number, w->calls++);
	ck_assert_uint_ge(b, 1);
	w->blocks += count;
	ck_assert_uint_ge(v->n.footprint_blocks, w->footprint);
	w->footprint = v->n.footprint_blocks;
}

START_TEST(an_observer_sees_every_call)
{
	struct watched		     w = { 0 };
	const struct survey_observer observer = { &w, watch };

	make_calls(3, 100);
	ck_assert_int_eq(survey_find(&survey, &draft.trace, &observer, &error), 0);
	ck_assert_uint_eq(w.calls, 100);
	ck_assert_uint_eq(w.blocks, survey.n.references);
	ck_assert_uint_eq(w.footprint, survey.n.footprint_blocks);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("survey");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, percentiles_are_those_of_sorted_values);
	tcase_add_test(tests, equal_values_are_exact);
	tcase_add_test(tests, every_value_has_a_bin_of_its_size);
	tcase_add_test(tests, random_traces_have_the_figures_of_their_references);
	tcase_add_test(tests, one_call_has_no_reuse_and_no_think_time);
	tcase_add_test(tests, writes_alone_have_no_class);
	tcase_add_test(tests, lengths_are_sorted_by_calls);
	tcase_add_test(tests, an_observer_sees_every_call);
	return run_tests("survey", tests);
}
