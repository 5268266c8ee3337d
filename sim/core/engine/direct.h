/*
 * direct.h - replay of a trace against the device alone: each call is one
 * request of exactly its sectors, and ends with the request.  There are no
 * cache, no blocks and no merging; a process waits for its writes, too.
 */
#ifndef SIM_DIRECT_H
#define SIM_DIRECT_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* Counters that this replay does not have are STAT_UNKNOWN in *out. */
int direct_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
