/*
 * ages.h - how old a prefetched block is when it is used, or leaves unused.
 *
 * The age is the time since the block was read ahead.  A cache that keeps a
 * prefetched block for 2 s is too small for a prefetcher whose blocks are used
 * after 3 s: both sides of that comparison are percentiles here.
 *
 * A percentile is the longest age of its step, at most 1/32 too long; up to 63 us
 * it is exact.
 *
 * Eight bytes a frame; nothing on a plain hit.
 */
#ifndef SIM_AGES_H
#define SIM_AGES_H

#include "sim/base/error.h"
#include "sim/base/histogram.h"
#include "sim/base/types.h"
#include "sim/core/stats.h"

enum { AGE_BITS = 5 };

/* Ages of the same kind. */
struct ages {
	uint64_t n;
	uint64_t seen[HISTOGRAM_STEPS(AGE_BITS)];
};

void ages_add(struct ages *a, usec_t age);

/* The age in us that per_mille in a thousand do not exceed, at most 1/32 above; none: STAT_UNKNOWN. */
uint64_t ages_percentile(const struct ages *a, unsigned per_mille);

/* Of the prefetched blocks of one cache. */
struct prefetch_ages {
	usec_t	   *since; /* by frame: when its block was read ahead */
	struct ages used, wasted;
};

int  prefetch_ages_init(struct prefetch_ages *p, frame_t nframes, struct error *e);
void prefetch_ages_release(struct prefetch_ages *p);
void prefetch_ages_forget(struct prefetch_ages *p); /* counting starts */

/* Set the counters. */
void prefetch_ages_count(const struct prefetch_ages *p, struct stats *st);

#endif
