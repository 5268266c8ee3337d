/*
 * forecast.h - predict the blocks that each step of a trace brings into memory
 * with a prefetcher, if reads take no time and no block is ever evicted.
 */
#ifndef SIM_FORECAST_H
#define SIM_FORECAST_H

#include "sim/host/live/steps.h"

struct forecast {
	block_t
	       *block; /* that come, step by step, ascending within each; of DONTNEED: that leave */
	size_t *end;   /* [live_steps_of()] end of each step's blocks in block[] */
	size_t	n, room;
};

int  forecast_init(struct forecast *f, const struct trace *t, const struct prefetcher *p,
     const char *params, struct error *e);
void forecast_release(struct forecast *f);

/* The blocks that come in step i, or leave if it is DONTNEED; *n is their number. */
const block_t *forecast_of(const struct forecast *f, size_t i, size_t *n);

#endif
