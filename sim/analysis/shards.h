/*
 * shards.h - the miss-ratio curve of LRU, estimated from a sample of blocks.
 *
 * Blocks are sampled by a hash of their number, and all references to a
 * sampled block are followed.  With a share r of the blocks, d sampled ones
 * between two references to a block stand for d / r, and m misses for m / r.
 *
 *	C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad.  Efficient MRC
 *	construction with SHARDS.  13th USENIX Conference on File and Storage
 *	Technologies (FAST), 2015.
 *
 * As in their SHARDS-adj, the miss ratio is of all references of the trace,
 * not of those that were followed times 1 / r.
 *
 * Departures: the error is estimated too (shards.c); r is the share that
 * was sampled of the blocks that the trace uses, not the requested rate; between whole
 * numbers of sampled blocks the curve is a straight line.
 */
#ifndef SIM_SHARDS_H
#define SIM_SHARDS_H

#include "sim/analysis/mrc.h"

enum { SHARDS_PARTS = 8 };

struct shards {
	uint64_t      nblocks; /* that the trace uses */
	uint64_t     *sampled; /* a bit per block of the files */
	uint32_t     *before;  /* number of sampled blocks before those of a word of bits */
	struct place *place;   /* of the sampled blocks, in order */
	struct mrc    whole;   /* the sample */
	struct mrc    part[SHARDS_PARTS];
	uint64_t      references; /* to any block */
};

/* Choose blocks of the trace; 0 < rate <= 1; seed chooses among samples. */
int  shards_init(struct shards *s, const struct trace *t, double rate, uint64_t seed,
     struct error *e);
void shards_release(struct shards *s);

/* All references of that trace. */
int shards_trace(struct shards *s, const struct trace *t, struct error *e);

/* The share of blocks that is sampled. */
double shards_rate(const struct shards *s);

/* The smallest cache with an estimate, in blocks. */
uint64_t shards_least(const struct shards *s);

/*
 * The estimated misses of a cache of that many blocks.  The 95 % confidence
 * interval is from *error below to *error above.
 */
double shards_misses(const struct shards *s, uint64_t cache_blocks, double *error);

#endif
