/* runs.h - run times that follow a law, with noise. */
#ifndef TESTS_UNIT_SCALE_RUNS_H
#define TESTS_UNIT_SCALE_RUNS_H

#include "sim/studies/scale/usl.h"
#include "tests/unit/support.h"

/* From 1 - noise to 1 + noise. */
static inline double
noisy(uint64_t *state, double noise)
{
	return 1 + noise * (2. * random_below(state, 1000001) / 1000000 - 1);
}

/* 100 s in the region with one thread, `outside` s besides. */
static inline struct timed_run
run_of(struct usl law, uint32_t threads, double outside, double noise, uint64_t *state)
{
	double region = 100 / usl_speedup(&law, threads) * noisy(state, noise);

	return (struct timed_run){ threads, outside + region, region, 0, 0 };
}

#endif
