/*
 * forecast.h - predict the blocks that each call of a trace reads with a
 * prefetcher, if reads take no time and no block is ever evicted.
 */
#ifndef SIM_FORECAST_H
#define SIM_FORECAST_H

#include "sim/core/prefetch.h"

struct forecast {
	block_t *block; /* read, call by call, ascending within each */
	size_t	*end;	/* [naccess] end of each call's blocks in block[] */
	size_t	 n;
};

int  forecast_init(struct forecast *f, const struct trace *t, const struct prefetcher *p,
     const char *params, struct error *e);
void forecast_release(struct forecast *f);

/* The blocks that call number i reads; *n is their number. */
const block_t *forecast_of(const struct forecast *f, size_t i, size_t *n);

#endif
