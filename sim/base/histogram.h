/*
 * histogram.h - numbers counted in steps that grow with them: percentiles without keeping all of
 * the numbers.
 *
 * Below 2^(bits + 1) each number is a step; from there on each power of two is divided into
 * 2^bits, so that the last number of a step is at most 1/2^bits above the others.  As
 * HdrHistogram does (G. Tene, 2012).
 */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include <stdint.h>

/* For any number. */
#define HISTOGRAM_STEPS(bits) ((65 - (bits)) << (bits))

static inline unsigned
histogram_step(uint64_t n, unsigned bits)
{
	unsigned shift;

	if (n >> bits < 2)
		return (unsigned)n;
	shift = 63 - bits - (unsigned)__builtin_clzll(n);
	return (shift << bits) + (unsigned)(n >> shift);
}

/* The last number of a step. */
static inline uint64_t
histogram_end(unsigned step, unsigned bits)
{
	unsigned shift = step >> bits ? (step >> bits) - 1 : 0;

	return ((step - (shift << bits) + UINT64_C(1)) << shift) - 1;
}

/* The step of the percentile of nearest rank.  n: the sum of seen[], more than 0. */
static inline unsigned
histogram_rank(const uint64_t *seen, uint64_t n, unsigned per_mille)
{
	uint64_t rank = n - n * (1000 - per_mille) / 1000, sum = 0;
	unsigned step = 0;

	while ((sum += seen[step]) < rank)
		step++;
	return step;
}

#endif
