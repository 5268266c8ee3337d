/*
 * direct.h - a trace replayed against the device alone: each call is one
 * request of exactly its sectors, and ends with it.  No cache, no blocks, no
 * merging; a write is waited for as a read is.
 */
#ifndef SIM_DIRECT_H
#define SIM_DIRECT_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* Counters of which no account is kept are STAT_UNKNOWN in *out. */
int direct_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
