/*
 * shards.c - sample blocks, and estimate the error from parts of the sample.
 *
 * The sampled blocks are divided at random into parts, each a sample with an
 * estimate of its own.  The variance of the mean of the parts is their variance
 * divided by their number, and is taken for that of the whole sample.  Two
 * corrections make the interval hold (it was compared with exact curves).  A
 * steep fall of the curve is blurred in the smaller samples, so the square of
 * the difference between their mean and the whole sample is added.  Blocks are
 * drawn without replacement, so the sum is reduced by the share of the blocks
 * that was drawn:
 *
 *	error = t sqrt((1 - r) (variance of the parts / parts + difference^2))
 *
 * with t from Student's distribution (W. G. Cochran, Sampling Techniques, 3rd
 * edition, 1977, on random groups and finite populations).  The error is 0
 * where all parts agree, so it has a lower bound by the rule of three: a
 * property of none of n sampled blocks may be one of three in n of the others
 * (J. A. Hanley, A. Lippman-Hand, If nothing goes wrong, is everything all
 * right?, JAMA 249(13), 1983).  The sample gives no estimate for a cache
 * smaller than one block of each part.
 *
 * Cost: a pass that marks the blocks that are used, and one with a test of a bit
 * for each reference; 34 bytes for each sampled block and 1.5 bits for every
 * block, where there are any that are used.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/analysis/shards.h"

enum { WORD = 64 };

static const double student = 2.365; /* 97.5 % of t with SHARDS_PARTS - 1 degrees of freedom */

struct place {
	uint32_t part, number; /* in it, from 1 */
};

/* 64 bits that look random. */
static uint64_t
hash(uint64_t x)
{
	x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* Of the blocks of a word that are used, those of the sample: 32 bits of the hash choose. */
static uint64_t
choose(uint64_t used, uint64_t word, uint64_t below, uint64_t seed)
{
	uint64_t chosen = 0;

	for (; used; used &= used - 1) {
		uint64_t b = word * WORD + (uint64_t)__builtin_ctzll(used);

		if (hash(b ^ seed) >> 32 < below)
			chosen |= used & -used;
	}
	return chosen;
}

/* The bits of all blocks that are used become those of the sample; its size. */
static uint64_t
choose_blocks(struct shards *s, size_t words, double rate, uint64_t seed)
{
	uint64_t below = (uint64_t)ceil(rate * 0x1p32);
	uint32_t n = 0;

	for (size_t w = 0; w < words; w++) {
		if (!s->sampled[w]) /* of a sparse file, most of both tables is never touched */
			continue;
		s->before[w] = n;
		s->sampled[w] = choose(s->sampled[w], w, below, seed);
		n += (uint32_t)__builtin_popcountll(s->sampled[w]);
	}
	return n;
}

/* The other 32 choose the part. */
static void
divide(struct shards *s, size_t words, uint64_t seed, uint32_t nparts[SHARDS_PARTS])
{
	struct place *p = s->place;

	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = s->sampled[w]; bits; bits &= bits - 1, p++) {
			uint64_t b = w * WORD + (uint64_t)__builtin_ctzll(bits);

			p->part = hash(b ^ seed) % SHARDS_PARTS;
			p->number = ++nparts[p->part];
		}
}

static int
start_curves(struct shards *s, const uint32_t nparts[SHARDS_PARTS], struct error *e)
{
	uint32_t n = 0, least = UINT32_MAX;

	for (unsigned i = 0; i < SHARDS_PARTS; i++) {
		n += nparts[i];
		least = nparts[i] < least ? nparts[i] : least;
	}
	if (!least)
		return error_set(e, "%u of %llu blocks are too few to say anything", n,
		    (unsigned long long)s->nblocks);
	if (mrc_init(&s->whole, n + 1, e) < 0)
		return -1;
	for (unsigned i = 0; i < SHARDS_PARTS; i++)
		if (mrc_init(&s->part[i], nparts[i] + 1, e) < 0)
			return -1;
	return 0;
}

int
shards_init(struct shards *s, const struct trace *t, double rate, uint64_t seed, struct error *e)
{
	size_t	 words = t->nblocks / WORD + 1;
	uint32_t nparts[SHARDS_PARTS] = { 0 };
	block_t	 used = 0;

	*s = (struct shards){ 0 };
	s->sampled = trace_touched(t, &used, e);
	if (!s->sampled)
		return -1;
	s->nblocks = used;
	seed = hash(seed);
	s->before = calloc(words, sizeof(*s->before));
	if (s->before)
		s->place = calloc(choose_blocks(s, words, rate, seed) + 1, sizeof(*s->place));
	if (!s->place)
		error_set(e, "out of memory for the curve of %u blocks", t->nblocks);
	else {
		divide(s, words, seed, nparts);
		if (!start_curves(s, nparts, e))
			return 0;
	}
	shards_release(s);
	return -1;
}

void
shards_release(struct shards *s)
{
	free(s->sampled);
	free(s->before);
	free(s->place);
	mrc_release(&s->whole);
	for (unsigned i = 0; i < SHARDS_PARTS; i++)
		mrc_release(&s->part[i]);
	*s = (struct shards){ 0 };
}

/* The sampled block b is referenced. */
static void
follow(struct shards *s, block_t b)
{
	uint64_t	    smaller = s->sampled[b / WORD] & ((UINT64_C(1) << b % WORD) - 1);
	uint32_t	    n = s->before[b / WORD] + (uint32_t)__builtin_popcountll(smaller);
	const struct place *p = &s->place[n];

	mrc_reference(&s->whole, n + 1);
	mrc_reference(&s->part[p->part], p->number);
}

/* n blocks from first on are referenced. */
static void
reference(struct shards *s, block_t first, uint32_t count)
{
	uint64_t end = (uint64_t)first + count, ahead = UINT64_MAX << first % WORD;

	for (uint64_t w = first / WORD; w * WORD < end; w++, ahead = UINT64_MAX) {
		uint64_t bits = s->sampled[w] & ahead;

		if (end < (w + 1) * WORD)
			bits &= (UINT64_C(1) << end % WORD) - 1;
		for (; bits; bits &= bits - 1)
			follow(s, (block_t)(w * WORD) + (block_t)__builtin_ctzll(bits));
	}
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
		else if (unlikely(s->sampled[first / WORD] >> first % WORD & 1))
			follow(s, first);
	}
	s->references = references;
	mrc_finish(&s->whole);
	for (unsigned i = 0; i < SHARDS_PARTS; i++)
		mrc_finish(&s->part[i]);
	return trace_unchanged(t, e);
}

static double
rate_of(const struct shards *s, const struct mrc *m)
{
	return (double)(m->nblocks - 1) / (double)s->nblocks;
}

double
shards_rate(const struct shards *s)
{
	return rate_of(s, &s->whole);
}

uint64_t
shards_least(const struct shards *s)
{
	double rate = shards_rate(s);

	return rate < 1 ? (uint64_t)ceil(SHARDS_PARTS / rate) : 1;
}

/* The estimate for all references from the curve of a sample. */
static double
estimate(const struct shards *s, const struct mrc *m, uint64_t cache_blocks)
{
	double	 all = (double)s->references, rate = rate_of(s, m);
	double	 size = (double)cache_blocks * rate;
	uint64_t whole = (uint64_t)size;
	double	 left = whole ? (double)mrc_misses(m, whole) / rate : all;
	double	 right = (double)mrc_misses(m, whole + 1) / rate;

	return fmin(left + (size - (double)whole) * (right - left), all);
}

double
shards_misses(const struct shards *s, uint64_t cache_blocks, double *error)
{
	const double parts = SHARDS_PARTS, rate = shards_rate(s), all = (double)s->references;
	double	     whole = estimate(s, &s->whole, cache_blocks), sum = 0, squares = 0, variance;

	for (unsigned i = 0; i < SHARDS_PARTS; i++) {
		double off = estimate(s, &s->part[i], cache_blocks) - whole;

		sum += off;
		squares += off * off;
	}
	variance = fmax(squares - sum * sum / parts, 0) / (parts - 1);
	*error = student * sqrt((1 - rate) * (variance / parts + pow(sum / parts, 2)));
	*error = fmax(*error, (1 - rate) * 3 / s->whole.distinct * all);
	*error = fmin(*error, fmax(whole, all - whole));
	return whole;
}
