/*
 * sample.c - choose blocks, and estimate the error of a sample from its parts.
 *
 * The variance of the mean of the parts is their variance divided by their
 * number, and is taken for that of the whole sample.  Two corrections make the
 * interval hold (it was compared with exact curves).  A steep fall of the curve
 * is blurred in the smaller samples, so the square of the difference between
 * their mean and the whole sample is added.  Blocks are drawn without
 * replacement, so the sum is reduced by the share of the blocks that was drawn:
 *
 *	error = 5/4 t sqrt((1 - r) (variance of the parts / parts + difference^2))
 *
 * with t from Student's distribution (W. G. Cochran, Sampling Techniques, 3rd
 * edition, 1977, on random groups and finite populations).  Misses are far from
 * evenly distributed among blocks, for which t is too small: 5/4 is the least of
 * 1, 5/4 and 3/2 that held for 95 % of the points of each of four traces at each
 * of three rates (docs/performance.md has the result for seven others).  The error is 0
 * where all parts agree, so it has a lower bound by the rule of three: a
 * property of none of n sampled blocks may be one of three in n of the others
 * (J. A. Hanley, A. Lippman-Hand, If nothing goes wrong, is everything all
 * right?, JAMA 249(13), 1983).  The sample gives no estimate for a cache
 * smaller than one block of each part.
 *
 * Cost: a pass that marks the blocks that are used; 8 bytes for each sampled
 * block and 1.5 bits for every block, where there are any that are used.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/analysis/sample.h"
#include "sim/trace/sampling.h"

enum { WORD = 64 };

static const double student = 2.365; /* 97.5 % of t with SAMPLE_PARTS - 1 degrees of freedom */
static const double uneven = 1.25;   /* for misses that are not evenly distributed */

/* Of the blocks of a word that are used, those of the sample: 32 bits of the hash choose. */
static uint64_t
choose(uint64_t used, uint64_t word, uint64_t below, uint64_t seed)
{
	uint64_t chosen = 0;

	for (; used; used &= used - 1) {
		uint64_t b = word * WORD + (uint64_t)__builtin_ctzll(used);

		if (sampling_chooses(sampling_hash(b ^ seed), below))
			chosen |= used & -used;
	}
	return chosen;
}

/* The bits of all blocks that are used become those of the sample. */
static void
choose_blocks(struct sample *s, size_t words, double rate, uint64_t seed)
{
	uint64_t below = sampling_below(rate);

	for (size_t w = 0; w < words; w++) {
		if (!s->chosen[w]) /* of a sparse file, most of both tables is never touched */
			continue;
		s->before[w] = s->n;
		s->chosen[w] = choose(s->chosen[w], w, below, seed);
		s->n += (uint32_t)__builtin_popcountll(s->chosen[w]);
	}
}

/* The other 32 choose the part. */
static void
divide(struct sample *s, size_t words, uint64_t seed)
{
	struct sample_place *p = s->place;

	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = s->chosen[w]; bits; bits &= bits - 1, p++) {
			uint64_t b = w * WORD + (uint64_t)__builtin_ctzll(bits);

			p->part = sampling_hash(b ^ seed) % SAMPLE_PARTS;
			p->number = ++s->nparts[p->part];
		}
}

static int
check_parts(const struct sample *s, struct error *e)
{
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		if (!s->nparts[i])
			return error_set(e,
			    "%u of %llu blocks are too few to say anything: type a larger share",
			    s->n, (unsigned long long)s->nblocks);
	return 0;
}

int
sample_init(struct sample *s, const struct trace *t, double rate, uint64_t seed, struct error *e)
{
	size_t	words = t->nblocks / WORD + 1;
	block_t used = 0;
	int	failed;

	*s = (struct sample){ .chosen = trace_touched(t, &used, e) };
	if (!s->chosen)
		return -1;
	s->nblocks = used;
	seed = sampling_hash(seed);
	s->before = calloc(words, sizeof(*s->before));
	if (s->before) {
		choose_blocks(s, words, rate, seed);
		s->place = calloc((size_t)s->n + 1, sizeof(*s->place));
	}
	if (s->place) {
		divide(s, words, seed);
		failed = check_parts(s, e);
	} else {
		failed = error_set(e, "out of memory for a sample of %u blocks", t->nblocks);
	}
	if (failed)
		sample_release(s);
	return failed;
}

void
sample_release(struct sample *s)
{
	free(s->chosen);
	free(s->before);
	free(s->place);
	*s = (struct sample){ 0 };
}

uint64_t
sample_least(const struct sample *s)
{
	double rate = sample_rate(s, s->n);

	return rate < 1 ? (uint64_t)ceil(SAMPLE_PARTS / rate) : 1;
}

struct estimate
sample_estimate(const struct sample *s, double whole, const double part[SAMPLE_PARTS],
    uint64_t references)
{
	const double parts = SAMPLE_PARTS, left_out = 1 - sample_rate(s, s->n);
	double	     all = (double)references, sum = 0, squares = 0, variance, error;

	for (unsigned i = 0; i < SAMPLE_PARTS; i++) {
		double off = part[i] - whole;

		sum += off;
		squares += off * off;
	}
	variance = fmax(squares - sum * sum / parts, 0) / (parts - 1);
	error = uneven * student * sqrt(left_out * (variance / parts + pow(sum / parts, 2)));
	error = fmax(error, left_out * 3 / s->n * all);
	return (struct estimate){ whole, fmin(error, fmax(whole, all - whole)) };
}
