/*
 * check_miniature.c - the calls of a sample are those of the trace, without the
 * blocks between.
 */
#include "sim/analysis/miniature.h"
#include "tests/unit/loading.h"

enum { MOST = 1 << 20 };

static struct sample sample;
static struct trace  whole, part[SAMPLE_PARTS];
static uint64_t	     references;

static void
stop(void)
{
	miniature_release(&whole);
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		miniature_release(&part[i]);
	sample_release(&sample);
	trace_release(&trace);
}

static void
draw(const struct trace *t, double rate)
{
	ck_assert_msg(!sample_init(&sample, t, rate, 3, &error), "%s", error.text);
	ck_assert_int_eq(miniature_init(&whole, t, &sample, &references, &error), 0);
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		ck_assert_int_eq(miniature_part(&part[i], &whole, &sample, i, &error), 0);
}

/* All references, in order; their number. */
static size_t
flatten(const struct trace *t, block_t *b, struct access *of)
{
	size_t n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		for (uint32_t k = 0; k < access_count(t, &t->access[i]); k++) {
			ck_assert_uint_lt(n, MOST);
			of[n] = t->access[i];
			b[n++] = access_block(t, &t->access[i]) + k;
		}
	return n;
}

static bool
is_chosen(block_t b)
{
	return sample.chosen[b / 64] >> b % 64 & 1;
}

/* The sampled references of t are all that m has: number is that of a block in m, 0 if it is out. */
static void
check_references(const struct trace *t, const struct trace *m, block_t (*number)(block_t b))
{
	static block_t	     all[MOST], few[MOST];
	static struct access of_all[MOST], of_few[MOST];
	size_t		     n = flatten(t, all, of_all), left = flatten(m, few, of_few), k = 0;

	for (size_t i = 0; i < n; i++) {
		if (!number(all[i]))
			continue;
		REQUIRE(k < left && few[k] == number(all[i]), "reference %zu", i);
		REQUIRE(of_few[k].time == of_all[i].time && of_few[k].open == of_all[i].open &&
			of_few[k].write == of_all[i].write,
		    "reference %zu is of another call", i);
		k++;
	}
	ck_assert_uint_eq(k, left);
}

static block_t
number_in_sample(block_t b)
{
	return is_chosen(b) ? sample_find(&sample, b) + 1 : 0;
}

static unsigned at_part;

static block_t
number_in_part(block_t b)
{
	const struct sample_place *p = &sample.place[b - 1];

	return p->part == at_part ? p->number : 0;
}

/* Files lie end to end, and every call is within its own. */
static void
check_files(const struct trace *m)
{
	block_t base = 1;

	for (file_t f = 0; f < m->nfiles; f++) {
		REQUIRE(m->file[f].base == base, "file %u begins at %u", f, m->file[f].base);
		base += m->file[f].nblocks;
	}
	ck_assert_uint_eq(m->nblocks, base);
	ck_assert_uint_eq(m->footprint, base - 1);
	for (size_t i = 0; i < m->naccess; i++) {
		const struct access *a = &m->access[i];
		const struct file   *f = &m->file[m->open[a->open].file];

		REQUIRE(access_first(m, a) + access_count(m, a) <= f->nblocks, "call %zu", i);
		REQUIRE(a->length <= m->longest_bytes, "call %zu", i);
	}
}

static void
check_all(double rate)
{
	block_t blocks = 0;

	draw(&trace, rate);
	check_references(&trace, &whole, number_in_sample);
	check_files(&whole);
	for (at_part = 0; at_part < SAMPLE_PARTS; at_part++) {
		check_references(&whole, &part[at_part], number_in_part);
		check_files(&part[at_part]);
		blocks += part[at_part].footprint;
	}
	ck_assert_uint_eq(blocks, whole.footprint);
	ck_assert_uint_eq(whole.footprint, sample.n);
	stop();
}

START_TEST(the_references_to_sampled_blocks_are_left_and_no_others)
{
	static const double rate[] = { 0.02, 0.3, 1 };

	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		ck_assert_msg(!load_path("traces/samples/csq.txt.gz", NULL, false), "%s",
		    error.text);
		check_all(rate[i]);
	}
}
END_TEST

START_TEST(all_references_are_counted)
{
	static block_t	     all[MOST];
	static struct access of[MOST];

	ck_assert(!load_path("traces/samples/csq.txt.gz", NULL, false));
	draw(&trace, 0.1);
	ck_assert_uint_eq(references, flatten(&trace, all, of));
}
END_TEST

/* The longest call there is, of parts of blocks at both ends, is no longer in whole blocks. */
START_TEST(the_longest_call_stays_one_call)
{
	static struct draft d;

	draft_start(&d);
	draft_file(&d, 1, 1 << 20);
	draft_open(&d, 0, 0);
	draft_call(&d, 0, 0, 4095, INT32_MAX, false);
	draft_call(&d, 1, 0, 0, 1, true);
	draw(&d.trace, 1);
	ck_assert_uint_eq(whole.naccess, 2);
	ck_assert_uint_eq(access_first(&whole, &whole.access[0]), 0);
	ck_assert_uint_eq(access_count(&whole, &whole.access[0]), (1 << 19) + 1);
	ck_assert_uint_eq(whole.nblocks, (1 << 19) + 2);
}
END_TEST

/* A file of which every call reads a few blocks in order is still read in order. */
START_TEST(what_is_sequential_stays_so)
{
	static struct draft d;
	uint32_t	    next = 0;

	draft_start(&d);
	draft_file(&d, 1, 4000);
	draft_open(&d, 0, 0);
	for (uint32_t i = 0; i < 100; i++)
		draft_blocks(&d, i, 0, 40 * i, 40, false);
	draw(&d.trace, 0.2);
	ck_assert_uint_lt(whole.footprint, 1000);
	for (size_t i = 0; i < whole.naccess; i++) {
		ck_assert_uint_eq(access_first(&whole, &whole.access[i]), next);
		next += access_count(&whole, &whole.access[i]);
	}
	ck_assert_uint_eq(next, whole.footprint);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("miniature");

	tcase_add_checked_fixture(tests, NULL, stop);
	tcase_add_test(tests, the_references_to_sampled_blocks_are_left_and_no_others);
	tcase_add_test(tests, all_references_are_counted);
	tcase_add_test(tests, the_longest_call_stays_one_call);
	tcase_add_test(tests, what_is_sequential_stays_so);
	return run_tests("miniature", tests);
}
