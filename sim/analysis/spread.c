/* spread.c - percentiles of a histogram. */
#include "sim/analysis/spread.h"

#define PERCENTILE(p) p,
const unsigned spread_percentile[SPREAD_PERCENTILES] = { PERCENTILES(PERCENTILE) };
#undef PERCENTILE

uint64_t
spread_rank(uint64_t n, unsigned i)
{
	uint64_t rank = n / 100 * spread_percentile[i];

	rank += (n % 100 * spread_percentile[i] + 99) / 100;
	return rank ? rank : 1;
}

/* Of values beyond 2^53, the mean may lie outside of them. */
static uint64_t
value_of(const struct histogram *h, const struct histogram_bin *bin)
{
	uint64_t value = (uint64_t)(bin->sum / (double)bin->n + 0.5);

	if (value < h->least)
		return h->least;
	return value < h->greatest ? value : h->greatest;
}

void
histogram_spread(const struct histogram *h, struct spread *s)
{
	const struct histogram_bin *bin = h->bin;
	uint64_t		    so_far = 0;

	*s = (struct spread){ .n = h->n, .least = h->least, .greatest = h->greatest };
	if (!h->n)
		return;
	for (unsigned i = 0; i < HISTOGRAM_BINS; i++)
		s->mean += h->bin[i].sum;
	s->mean /= (double)h->n;
	for (unsigned i = 0; i < SPREAD_PERCENTILES; i++) {
		while (so_far + bin->n < spread_rank(h->n, i))
			so_far += bin++->n;
		s->at[i] = value_of(h, bin);
	}
}
