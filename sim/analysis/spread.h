/*
 * spread.h - a distribution in a few numbers, and a histogram of any number of
 * values in bounded memory.
 *
 * Values below 512 have a bin each.  From there on each power of two has 256
 * bins, so that a bin is at most 1/256 of its least value wide.  A percentile
 * is the mean of the values in its bin: less than 0.4 % off, and exact if they
 * are all equal, as the lengths of calls often are.  The number of values, the
 * least and the greatest are exact.
 */
#ifndef SIM_SPREAD_H
#define SIM_SPREAD_H

#include "sim/base/types.h"

/* The percentiles of a distribution, in this order. */
#define PERCENTILES(X) X(10) X(25) X(50) X(75) X(90) X(95) X(99)
#define PERCENTILE(p) SPREAD_P##p,
enum { PERCENTILES(PERCENTILE) SPREAD_PERCENTILES };
#undef PERCENTILE

extern const unsigned spread_percentile[SPREAD_PERCENTILES];

/* A percentile p is the least value that is not exceeded by p % of all, or more.  n 0: all is 0. */
struct spread {
	uint64_t n;
	double	 mean;
	uint64_t least, greatest, at[SPREAD_PERCENTILES];
};

/* The place of percentile i among n > 0 sorted values, from 1. */
uint64_t spread_rank(uint64_t n, unsigned i);

enum { HISTOGRAM_BITS = 8, HISTOGRAM_BINS = (64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS };

struct histogram { /* zeroed: empty */
	uint64_t n, least, greatest;
	struct histogram_bin {
		uint64_t n;
		double	 sum;
	} bin[HISTOGRAM_BINS];
};

/* The bin of a value. */
ALWAYS_INLINE unsigned
histogram_bin(uint64_t value)
{
	unsigned shift;

	if (value < 2 << HISTOGRAM_BITS)
		return (unsigned)value;
	shift = 63 - HISTOGRAM_BITS - (unsigned)__builtin_clzll(value);
	return (shift << HISTOGRAM_BITS) + (unsigned)(value >> shift);
}

ALWAYS_INLINE void
histogram_add(struct histogram *h, uint64_t value)
{
	struct histogram_bin *bin = &h->bin[histogram_bin(value)];

	h->least = !h->n || value < h->least ? value : h->least;
	h->greatest = value > h->greatest ? value : h->greatest;
	h->n++;
	bin->n++;
	bin->sum += (double)value;
}

void histogram_spread(const struct histogram *h, struct spread *s);

#endif
