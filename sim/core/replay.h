/*
 * replay.h - the hits and misses of a trace without clock, device or
 * prefetching.  Blocks are referenced in the order of the calls; the counts are
 * those of a timed run with --wait block on a device that takes no time.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* Counters that this replay does not have are STAT_UNKNOWN in *out. */
int replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
