/*
 * sampling.h - spatial sampling: a hash of a place decides whether all calls to
 * it are kept, or none.
 *
 *	C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad.  Efficient MRC
 *	construction with SHARDS.  13th USENIX Conference on File and Storage
 *	Technologies (FAST), 2015.
 *
 * There a place is a block.  Here it is an aligned unit of each file, or a file:
 * single blocks have no block behind them that could be read ahead.
 */
#ifndef SIM_SAMPLING_H
#define SIM_SAMPLING_H

#include <math.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

struct sampling {
	double	 rate;	/* the share of the places; 0: no sampling */
	uint64_t below; /* of that rate */
	uint64_t unit;	/* bytes of a place; 0: a file */
};

/* 64 bits that look random. */
static inline uint64_t
sampling_hash(uint64_t x)
{
	x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/* 32 bits of the hash of a place choose: those that are less than this. */
static inline uint64_t
sampling_below(double rate)
{
	return (uint64_t)ceil(rate * 0x1p32);
}

static inline bool
sampling_chooses(uint64_t hash, uint64_t below)
{
	return hash >> 32 < below;
}

/* "0.1" and "10%" of units of 1 MiB, "0.1:4K", "0.1:file".  0, or -1: usage error. */
int sampling_parse(const char *text, struct sampling *s, struct error *e);

/* Some bytes of a file. */
struct stretch {
	uint64_t from, to; /* `to` excluded */
};

/*
 * Cut the next stretch off *rest that lies in chosen units of a file with that inode, as long as it
 * may be.  False: there is none.
 */
bool sampling_next(const struct sampling *s, uint64_t inode, struct stretch *rest,
    struct stretch *part);

#endif
