/*
 * replay.h - hits and misses of a trace, and nothing else: no clock, no
 * device, no prefetch.  All blocks in the order of the calls, which is what
 * a timed run with --wait block references as well.
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim/sim.h"

/* A prefetcher needs time to read ahead in: a usage error. */
int replay_check(const struct config *cfg, struct error *e);

/* The counters that only time could tell are STAT_UNKNOWN in *out. */
int replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
