/*
 * simulate.h - one simulation, from settings and a trace to statistics.
 *
 *	struct config cfg;
 *
 *	config_defaults(&cfg);
 *	cfg.policy = ...
 *	if (simulate(&cfg, &trace, &stats, &e))
 *		fprintf(stderr, "%s\n", e.text);
 */
#ifndef SIM_SIMULATE_H
#define SIM_SIMULATE_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/*
 * Run cfg on t: with a cache and a clock (engine.h), with a cache alone
 * (replay.h) or with the device alone (direct.h), by cfg->cache_blocks and
 * cfg->replay.  Counters that this kind of run does not have are STAT_UNKNOWN.
 * Returns 0, or -1 with the reason: bad settings, no memory, or a damaged
 * trace.
 */
int simulate(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

#endif
