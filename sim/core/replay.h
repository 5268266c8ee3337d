/*
 * replay.h - hits and misses of a trace, and nothing else: no clock, no
 * device, no prefetch.  All blocks in the order of the calls: what a timed
 * run with --wait block counts on a device that takes no time.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* Counters of which no account is kept are STAT_UNKNOWN in *out. */
int replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
