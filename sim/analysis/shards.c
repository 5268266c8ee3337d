/*
 * shards.c - stack distances in a sample and in its parts.
 *
 * Cost: a test of a bit for each reference, and 26 bytes for each sampled
 * block, besides those of the sample.
 */
#include <math.h>

#include "sim/analysis/shards.h"

enum { WORD = 64 };

int
shards_init(struct shards *s, const struct sample *sample, struct error *e)
{
	int failed;

	*s = (struct shards){ .sample = sample };
	failed = mrc_init(&s->whole, sample->n + 1, e);
	for (unsigned i = 0; !failed && i < SAMPLE_PARTS; i++)
		failed = mrc_init(&s->part[i], sample->nparts[i] + 1, e);
	if (failed)
		shards_release(s);
	return failed;
}

void
shards_release(struct shards *s)
{
	mrc_release(&s->whole);
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		mrc_release(&s->part[i]);
	*s = (struct shards){ 0 };
}

/* The sampled block b is referenced. */
static void
follow(struct shards *s, block_t b)
{
	uint32_t		   n = sample_find(s->sample, b);
	const struct sample_place *p = &s->sample->place[n];

	mrc_reference(&s->whole, n + 1);
	mrc_reference(&s->part[p->part], p->number);
}

/* n blocks from first on are referenced. */
static void
reference(struct shards *s, block_t first, uint32_t count)
{
	uint64_t end = (uint64_t)first + count;

	for (uint64_t w = first / WORD; w * WORD < end; w++)
		for (uint64_t bits = sample_word(s->sample, w, first, end); bits; bits &= bits - 1)
			follow(s, (block_t)(w * WORD) + (block_t)__builtin_ctzll(bits));
}

int
shards_trace(struct shards *s, const struct trace *t, struct error *e)
{
	uint64_t references = 0;

	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     first;
		uint32_t	     count;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		first = access_block(t, a);
		count = access_count(t, a);
		references += count;
		if (count > 1)
			reference(s, first, count);
		else if (unlikely(s->sample->chosen[first / WORD] >> first % WORD & 1))
			follow(s, first);
	}
	s->references = references;
	mrc_finish(&s->whole);
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		mrc_finish(&s->part[i]);
	return trace_unchanged(t, e);
}

/* The estimate for all references from the curve of a sample. */
static double
estimate(const struct shards *s, const struct mrc *m, uint64_t cache_blocks)
{
	double	 all = (double)s->references, rate = sample_rate(s->sample, m->nblocks - 1);
	double	 size = (double)cache_blocks * rate;
	uint64_t whole = (uint64_t)size;
	double	 left = whole ? (double)mrc_misses(m, whole) / rate : all;
	double	 right = (double)mrc_misses(m, whole + 1) / rate;

	return fmin(left + (size - (double)whole) * (right - left), all);
}

struct estimate
shards_misses(const struct shards *s, uint64_t cache_blocks)
{
	double part[SAMPLE_PARTS];

	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		part[i] = estimate(s, &s->part[i], cache_blocks);
	return sample_estimate(s->sample, estimate(s, &s->whole, cache_blocks), part,
	    s->references);
}
