/*
 * survey.c - count what every call and every reference does.
 *
 * An entry of a block has the time of its last reference, and two bits: it was
 * read, it was written.
 */
#include <stdlib.h>

#include "sim/analysis/survey.h"
#include "sim/base/progress.h"

enum { READ = 1, WRITTEN = 2, HOW_BITS = 2 };

#define NOTHING(name, unit, meaning)
#define COUNTED(name, unit, meaning) { #name, unit, meaning, offsetof(struct figures, name) },
#define SPREAD(name, unit, meaning) { #name, unit, meaning, 0 },
#define FIGURE COUNTED
#define DISTRIBUTION NOTHING
const struct figure_info figure_info[] = {
#include "sim/analysis/figures.def"
	{ 0 }
};
#undef FIGURE
#undef DISTRIBUTION
#define FIGURE NOTHING
#define DISTRIBUTION SPREAD
const struct figure_info distribution_info[] = {
#include "sim/analysis/figures.def"
	{ 0 }
};
#undef FIGURE
#undef DISTRIBUTION

/* ---- counting ---- */

/* The place of a block in the footprint, from 1. */
ALWAYS_INLINE block_t
place(const struct survey *v, block_t b)
{
	uint64_t before = v->touched[b / 64] & ((UINT64_C(1) << b % 64) - 1);

	return v->before[b / 64] + (block_t)__builtin_popcountll(before) + 1;
}

ALWAYS_INLINE void
see_block(struct survey *v, const struct open_file *f, const struct access *a, block_t b)
{
	struct figures *n = &v->n;
	block_t		base = v->t->file[f->file].base;
	block_t		slot = place(v, b);
	uint64_t	now = (uint64_t)a->time + 1, used = v->used[slot];

	v->used[slot] = now << HOW_BITS | (used & (READ | WRITTEN)) | (a->write ? WRITTEN : READ);
	if (!used) {
		v->file[f->file].first_references++;
		v->process[f->process].first_references++;
	} else {
		histogram_add(&v->histogram[SPREAD_inter_reference_us], now - (used >> HOW_BITS));
	}
	n->footprint_blocks += !used;
	n->read_blocks += !a->write && !(used & READ);
	n->write_blocks += a->write && !(used & WRITTEN);
	n->next_references += b > base && v->previous == b - 1;
	n->same_references += v->previous == b;
	n->file_next_references += b > base && v->last[f->file] == b - 1;
	v->last[f->file] = v->previous = b;
	if (likely(v->distances))
		mrc_reference(&v->mrc, slot);
}

static void
add_call(struct survey_part *part, const struct access *a, uint32_t count)
{
	part->references += count;
	if (a->write) {
		part->writes++;
		part->write_bytes += a->length;
		part->write_references += count;
	} else {
		part->reads++;
		part->read_bytes += a->length;
	}
}

static void
add_size(struct survey *v, uint32_t bytes)
{
	histogram_add(&v->histogram[SPREAD_call_bytes], bytes);
	if (bytes % SECTOR_BYTES == 0)
		v->whole[bytes / SECTOR_BYTES]++;
	else if (bytes <= SURVEY_ODD)
		v->odd[bytes]++;
	else
		v->other_sizes++;
}

static void
add_gap(struct survey *v, uint32_t process, usec_t now)
{
	uint64_t gap = (uint64_t)(now - v->called[process]);

	if (v->called[process] >= 0) {
		v->n.think_us += gap;
		histogram_add(&v->histogram[SPREAD_think_time_us], gap);
	}
	v->called[process] = now;
}

static void
see_call(struct survey *v, size_t number)
{
	const struct access    *a = &v->t->access[number];
	const struct open_file *f = &v->t->open[a->open];
	uint32_t		count = access_count(v->t, a);
	block_t			b = v->t->file[f->file].base + access_first(v->t, a);

	add_call(&v->file[f->file], a, count);
	add_call(&v->process[f->process], a, count);
	add_size(v, a->length);
	add_gap(v, f->process, a->time);
	if (course_update(&v->course[a->open], access_first(v->t, a), count)) {
		v->n.backward_calls++;
		v->n.backward_references += count;
	}
	for (uint32_t i = 0; i < count; i++)
		see_block(v, f, a, b + i);
	if (unlikely(v->observer.call != NULL))
		v->observer.call(v->observer.self, v, number, b, count);
}

static int
count(struct survey *v, struct error *e)
{
	for (size_t i = 0; i < v->t->naccess; i++) {
		if (i % TRACE_BATCH == 0 && trace_check(v->t, i, TRACE_BATCH, e))
			return -1;
		see_call(v, i);
	}
	return trace_unchanged(v->t, e);
}

/* ---- totals ---- */

static void
copy_totals(struct survey *v)
{
	const struct trace *t = v->t;
	struct figures	   *n = &v->n;

	n->records = t->records;
	n->reads = t->reads;
	n->writes = t->writes;
	n->empty_calls = t->empty_calls;
	n->opens = t->opens;
	n->closes = t->closes;
	n->exits = t->exits;
	n->starts = t->starts;
	n->waits = t->waits;
	n->transfers = t->transfers;
	n->mmaps = t->mmaps;
	n->advices = t->advices;
	n->mmap_bytes = t->mmap_bytes;
	n->out_of_order = t->out_of_order;
	for (uint32_t i = 0; i < t->nprocesses; i++)
		n->processes += v->process[i].references > 0;
	n->open_files = t->nopen;
	n->files = t->nfiles;
	n->file_blocks = t->nblocks - 1;
	n->duration_us = (uint64_t)t->access[t->naccess - 1].time;
	for (file_t f = 0; f < t->nfiles; f++) {
		n->bytes += v->file[f].read_bytes + v->file[f].write_bytes;
		n->write_bytes += v->file[f].write_bytes;
		n->references += v->file[f].references;
		n->write_references += v->file[f].write_references;
	}
}

static void
count_advice(struct survey *v)
{
	uint64_t *const kind[ADVICE_KINDS] = {
		[ADVICE_NORMAL] = &v->n.normal_advices,
		[ADVICE_RANDOM] = &v->n.random_advices,
		[ADVICE_SEQUENTIAL] = &v->n.sequential_advices,
		[ADVICE_WILLNEED] = &v->n.willneed_advices,
		[ADVICE_DONTNEED] = &v->n.dontneed_advices,
	};

	for (size_t i = 0; i < v->t->nadvice; i++)
		++*kind[v->t->advice[i].kind];
}

/* The files with the most blocks, largest first, earlier ones first among equals. */
static void
find_largest(struct survey *v)
{
	const struct file *file = v->t->file;

	for (file_t f = 0; f < v->t->nfiles; f++) {
		unsigned at = v->nlargest;

		while (at && file[f].nblocks > file[v->largest[at - 1]].nblocks)
			at--;
		if (at == SURVEY_LARGEST)
			continue;
		if (v->nlargest < SURVEY_LARGEST)
			v->nlargest++;
		for (unsigned i = v->nlargest - 1; i > at; i--)
			v->largest[i] = v->largest[i - 1];
		v->largest[at] = f;
	}
}

/* ---- the order of tables ---- */

struct rank {
	uint64_t key;
	uint32_t number;
};

static int
by_key(const void *a, const void *b)
{
	const struct rank *r = a, *s = b;

	if (r->key != s->key)
		return r->key < s->key ? 1 : -1;
	return r->number < s->number ? -1 : r->number > s->number;
}

/* The numbers of n parts, most references first, earlier ones first among equals. */
static int
order_parts(const struct survey *v, const struct survey_part *part, uint32_t n, uint32_t **top,
    struct error *e)
{
	struct rank *rank = calloc(n, sizeof(*rank));

	*top = calloc(n, sizeof(**top));
	if (!rank || !*top) {
		free(rank);
		return error_set(e, "out of memory for the figures of %s", v->t->name);
	}
	for (uint32_t i = 0; i < n; i++)
		rank[i] = (struct rank){ part[i].references, i };
	qsort(rank, n, sizeof(*rank), by_key);
	for (uint32_t i = 0; i < n; i++)
		(*top)[i] = rank[i].number;
	free(rank);
	return 0;
}

static int
by_calls(const void *a, const void *b)
{
	const struct call_size *r = a, *s = b;

	if (r->calls != s->calls)
		return r->calls < s->calls ? 1 : -1;
	return r->bytes < s->bytes ? -1 : r->bytes > s->bytes;
}

static void
keep_size(struct survey *v, uint32_t bytes, uint64_t calls)
{
	if (calls && v->size)
		v->size[v->nsizes] = (struct call_size){ bytes, calls };
	v->nsizes += calls != 0;
}

static void
keep_sizes(struct survey *v)
{
	v->nsizes = 0;
	for (uint32_t bytes = 0; bytes <= SURVEY_ODD; bytes++)
		keep_size(v, bytes, v->odd[bytes]);
	for (uint32_t n = 0; n <= v->t->longest_bytes / SECTOR_BYTES; n++)
		keep_size(v, n * SECTOR_BYTES, v->whole[n]);
}

/* Count the lengths, then store them. */
static int
order_sizes(struct survey *v, struct error *e)
{
	keep_sizes(v);
	v->size = calloc(v->nsizes + (size_t)1, sizeof(*v->size));
	if (!v->size)
		return error_set(e, "out of memory for the figures of %s", v->t->name);
	keep_sizes(v);
	qsort(v->size, v->nsizes, sizeof(*v->size), by_calls);
	return 0;
}

/* ---- distributions ---- */

/* References that are closer to the one before than d other blocks. */
static uint64_t
reused_within(const struct mrc *m, uint64_t d)
{
	return m->references - mrc_misses(m, d);
}

/* The distance of the reference of that rank, from 1, among all that are no first ones. */
static uint64_t
distance_at(const struct mrc *m, uint64_t rank)
{
	uint64_t low = 0, high = m->distinct;

	while (low + 1 < high) {
		uint64_t middle = low + (high - low) / 2;

		if (reused_within(m, middle) >= rank)
			high = middle;
		else
			low = middle;
	}
	return low;
}

static void
spread_distances(const struct mrc *m, struct spread *s)
{
	*s = (struct spread){ .n = reused_within(m, m->distinct) };
	if (!s->n)
		return;
	for (uint32_t d = 1; d < m->distinct; d++)
		s->mean += (double)(s->n - reused_within(m, d));
	s->mean /= (double)s->n;
	s->least = distance_at(m, 1);
	s->greatest = distance_at(m, s->n);
	for (unsigned i = 0; i < SPREAD_PERCENTILES; i++)
		s->at[i] = distance_at(m, spread_rank(s->n, i));
}

static void
spread_all(struct survey *v)
{
	for (unsigned i = 0; i < DISTRIBUTIONS; i++)
		histogram_spread(&v->histogram[i], &v->spread[i]);
	if (!v->distances)
		return;
	mrc_finish(&v->mrc);
	spread_distances(&v->mrc, &v->spread[SPREAD_reuse_distance_blocks]);
}

/* ---- all of it ---- */

/* Find the footprint, and number its blocks. */
static int
find_footprint(struct survey *v, block_t *footprint, struct error *e)
{
	size_t	 words = v->t->nblocks / 64 + (size_t)1;
	uint32_t n = 0;

	v->touched = trace_touched(v->t, footprint, e);
	if (!v->touched)
		return -1;
	v->before = calloc(words, sizeof(*v->before));
	if (!v->before)
		return error_set(e, "out of memory for the figures of %s", v->t->name);
	for (size_t i = 0; i < words; i++) {
		v->before[i] = n;
		n += (uint32_t)__builtin_popcountll(v->touched[i]);
	}
	return 0;
}

static int
start(struct survey *v, block_t footprint, struct error *e)
{
	const struct trace *t = v->t;

	v->file = calloc(t->nfiles, sizeof(*v->file));
	v->process = calloc(t->nprocesses, sizeof(*v->process));
	v->histogram = calloc(DISTRIBUTIONS, sizeof(*v->histogram));
	v->used = calloc((size_t)footprint + 1, sizeof(*v->used));
	v->last = calloc(t->nfiles, sizeof(*v->last));
	v->course = calloc(t->nopen, sizeof(*v->course));
	v->called = calloc(t->nprocesses, sizeof(*v->called));
	v->odd = calloc(SURVEY_ODD + 1, sizeof(*v->odd));
	v->whole = calloc(t->longest_bytes / SECTOR_BYTES + 1, sizeof(*v->whole));
	if (!v->file || !v->process || !v->histogram || !v->used || !v->last || !v->course ||
	    !v->called || !v->odd || !v->whole)
		return error_set(e, "out of memory for the figures of %s", t->name);
	for (uint32_t i = 0; i < t->nprocesses; i++)
		v->called[i] = -1;
	v->distances = footprint < MRC_BLOCKS_MAX;
	return v->distances ? mrc_init(&v->mrc, footprint + 1, e) : 0;
}

static int
classify(struct survey *v, struct error *e)
{
	static const struct class_observer silent;
	struct classes			   c;
	int				   failed;

	if (v->n.references == v->n.write_references)
		return 0;
	failed = classes_find(&c, v->t, NULL, &silent, e);
	for (unsigned class = 0; class < CALL_CLASSES; class ++)
		v->class[class] = c.total[class];
	classes_release(&c);
	return failed;
}

static int
finish(struct survey *v, struct error *e)
{
	copy_totals(v);
	count_advice(v);
	find_largest(v);
	spread_all(v);
	if (order_parts(v, v->file, v->t->nfiles, &v->top_file, e) ||
	    order_parts(v, v->process, v->t->nprocesses, &v->top_process, e))
		return -1;
	return order_sizes(v, e);
}

int
survey_find(struct survey *v, const struct trace *t, const struct survey_observer *observer,
    struct error *e)
{
	block_t footprint;
	int	failed;

	*v = (struct survey){ .t = t, .observer = *observer };
	progress_begin("finding blocks", NULL, t->naccess);
	failed = find_footprint(v, &footprint, e);
	progress_end();
	if (failed)
		return -1;
	progress_begin("counting", NULL, t->naccess);
	failed = start(v, footprint, e) || count(v, e) || finish(v, e);
	progress_end();
	if (failed)
		return -1;
	progress_begin("classifying", NULL, t->naccess);
	failed = classify(v, e);
	progress_end();
	return failed;
}

void
survey_release(struct survey *v)
{
	free(v->file);
	free(v->process);
	free(v->top_file);
	free(v->top_process);
	free(v->size);
	free(v->histogram);
	free(v->used);
	free(v->last);
	free(v->course);
	free(v->called);
	free(v->odd);
	free(v->whole);
	free(v->touched);
	free(v->before);
	mrc_release(&v->mrc);
}
