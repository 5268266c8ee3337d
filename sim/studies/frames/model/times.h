/*
 * times.h - how often each duration was seen, in steps of 1/64 of the duration: percentiles without
 * keeping all of them.
 */
#ifndef SIM_FRAMES_TIMES_H
#define SIM_FRAMES_TIMES_H

#include "sim/base/histogram.h"
#include "sim/studies/frames/model/trial.h"

enum { TIMES_BITS = 6, TIMES_STEPS = HISTOGRAM_STEPS(TIMES_BITS) };

/* Zeroed: none seen. */
struct times {
	uint64_t seen[TIMES_STEPS];
	uint64_t n, sum_ns, max_ns;
};

void times_add(struct times *t, uint64_t ns);
void times_join(struct times *t, const struct times *of); /* what of has seen too */

/* Percentiles are the ends of steps, at most 1/64 too long; max and mean are exact.  All are 0 of none. */
struct trial_latency times_latency(const struct times *t);

#endif
