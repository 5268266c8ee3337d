/*
 * sample.h - some of the blocks of a trace, and what they say about all of them.
 *
 * A hash of its number chooses a block.  All references to it are followed,
 * and a cache of the sample is smaller by the share of the blocks that it has.
 * The sample is divided at random into parts, each a sample of its own: their
 * spread is the error of an estimate.
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include "sim/trace/trace.h"

enum { SAMPLE_PARTS = 8 };

struct sample_place {
	uint32_t part, number; /* in it, from 1 */
};

struct sample {
	uint64_t	     nblocks; /* that the trace uses */
	uint64_t	    *chosen;  /* a bit per block of the files */
	uint32_t	    *before;  /* number of chosen blocks before those of a word with bits */
	struct sample_place *place;   /* of the chosen blocks, in order */
	uint32_t	     n;	      /* chosen blocks */
	uint32_t	     nparts[SAMPLE_PARTS]; /* of them, in each part */
};

/* Choose blocks of the trace; 0 < rate <= 1; seed chooses among samples. */
int  sample_init(struct sample *s, const struct trace *t, double rate, uint64_t seed,
     struct error *e);
void sample_release(struct sample *s);

/* The share of the blocks that n of them are. */
static inline double
sample_rate(const struct sample *s, uint32_t n)
{
	return (double)n / (double)s->nblocks;
}

/* The smallest cache with an estimate, in blocks. */
uint64_t sample_least(const struct sample *s);

/* The place in the sample, from 0, of block b, which is chosen. */
ALWAYS_INLINE uint32_t
sample_find(const struct sample *s, block_t b)
{
	uint64_t smaller = s->chosen[b / 64] & ((UINT64_C(1) << b % 64) - 1);

	return s->before[b / 64] + (uint32_t)__builtin_popcountll(smaller);
}

/* Of the blocks of word w that lie in first .. end - 1, those chosen. */
ALWAYS_INLINE uint64_t
sample_word(const struct sample *s, uint64_t w, block_t first, uint64_t end)
{
	uint64_t bits = s->chosen[w];

	if (w == first / 64)
		bits &= UINT64_MAX << first % 64;
	if (end < (w + 1) * 64)
		bits &= (UINT64_C(1) << end % 64) - 1;
	return bits;
}

struct estimate {
	double misses, error; /* with a confidence of 95 % the truth is within the error */
};

/* From estimates of the misses by the whole sample and by each of its parts. */
struct estimate sample_estimate(const struct sample *s, double whole,
    const double part[SAMPLE_PARTS], uint64_t references);

#endif
