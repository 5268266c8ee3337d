/*
 * loads.h - how many blocks every run must read, whatever its policy and its prefetcher.
 *
 * The misses of the optimum (prefetch/belady.h), but for writes: a block that is
 * written need not be read for it, and what the cache held of it before is of
 * no use from its last read on.
 */
#ifndef SIM_ANALYSIS_LOADS_H
#define SIM_ANALYSIS_LOADS_H

#include "sim/trace/trace.h"

/* In a cache of that many frames, empty at first. */
int loads_least(const struct trace *t, frame_t frames, uint64_t *out, struct error *e);

#endif
