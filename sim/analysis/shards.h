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
 * Departures: the error is estimated too (sample.c); r is the share that
 * was sampled of the blocks that the trace uses, not the requested rate; between whole
 * numbers of sampled blocks the curve is a straight line.
 */
#ifndef SIM_SHARDS_H
#define SIM_SHARDS_H

#include "sim/analysis/mrc.h"
#include "sim/analysis/sample.h"

struct shards {
	const struct sample *sample;
	struct mrc	     whole; /* the sample */
	struct mrc	     part[SAMPLE_PARTS];
	uint64_t	     references; /* to any block */
};

/* s borrows the sample. */
int  shards_init(struct shards *s, const struct sample *sample, struct error *e);
void shards_release(struct shards *s);

/* All references of the trace of the sample. */
int shards_trace(struct shards *s, const struct trace *t, struct error *e);

/* The estimated misses of a cache of that many blocks. */
struct estimate shards_misses(const struct shards *s, uint64_t cache_blocks);

#endif
