/*
 * known.h - when are planned blocks used?  From the trace, for ledger:uses=known: what would
 * a controller gain that knows the uses?
 *
 * Time is measured in blocks that come, as the ages of ledger are: references until the next
 * one of a block, times the blocks that came for each reference of the run so far.  A block that
 * comes now leaves when as many have come as the cache has free frames and frames.
 *
 * References are numbered as in the trace (sim/core/future.h).  Where processes run at the same
 * time, their order in the run differs, and the answer may be wrong.
 */
#ifndef PREFETCH_KNOWN_H
#define PREFETCH_KNOWN_H

#include "sim/core/prefetch.h"

struct known {
	struct future future;
	uint32_t      here; /* the number of the latest reference */
	double	      references, came;
};

struct known_uses { /* blocks that are not in the cache; soon: before 1/PROBE_PART of it has come */
	double soon, later;
};

int  known_init(struct known *k, const struct trace *t, struct error *e);
void known_release(struct known *k);

/* A reference, once each; reads and writes. */
void known_pass(struct known *k, const struct demand *d);

/* Blocks that come until the next use of b; INFINITY: there is none. */
double known_until(const struct known *k, block_t b);

/* Blocks that come until one that comes now leaves. */
static inline double
known_stay(const struct cache *c)
{
	return 2.0 * c->nframes - c->nused;
}

/* Of blocks first..end - 1 of the file. */
struct known_uses known_uses(const struct known *k, const struct demand *d, uint32_t first,
    uint32_t end);

#endif
