/*
 * replay.h - the hits and misses of a trace without clock, device or
 * prefetching, in one cache or in several.  Blocks are referenced in the order of the calls; the counts are
 * those of a timed run with --wait block on a device that takes no time.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* Counters that this replay does not have are STAT_UNKNOWN in *out. */
int replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

/* One of several caches. */
struct replay_cache {
	const struct choice *policy;
	frame_t		     frames;
	uint64_t	     misses; /* the result */
};

/*
 * All references of a trace in each of these caches, as if each were alone.  References are decoded
 * once for all of them.  rate: the share of the blocks of a larger trace that t is a sample of; or 1.
 */
int replay_caches(struct replay_cache *c, size_t n, const struct trace *t, double rate,
    struct error *e);

#endif
