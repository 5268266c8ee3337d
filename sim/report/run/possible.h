/* possible.h - how much of what prefetching could gain has this run gained? */
#ifndef SIM_REPORT_POSSIBLE_H
#define SIM_REPORT_POSSIBLE_H

#include <stdio.h>

#include "sim/core/stats.h"

struct possible {
	const char *oracle;    /* its setting that takes least time */
	const char *scheduler; /* and its scheduler; NULL: that of the run */
	uint64_t    oracle_us; /* that time */
	uint64_t    loads;     /* blocks that every run reads; STAT_UNKNOWN: not known */
	uint64_t    loads_us;  /* what the device takes for them at its fastest; 0: not known */
};

/*
 * The share of the oracle's gain over no prefetching, of `none_us`, that a run
 * of `us` has got.  False: there is nothing to gain.
 */
bool possible_share(const struct possible *p, uint64_t us, uint64_t none_us, double *share);

void possible_print(const struct possible *p, const struct stats *run, uint64_t none_us, FILE *out);

#endif
