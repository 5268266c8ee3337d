/* ages.c - a histogram of ages, and its percentiles. */
#include <stdlib.h>

#include "sim/core/engine/ages.h"

void
ages_add(struct ages *a, usec_t age)
{
	ASSERT(age >= 0);
	a->n++;
	a->seen[histogram_step((uint64_t)age, AGE_BITS)]++;
}

uint64_t
ages_percentile(const struct ages *a, unsigned per_mille)
{
	return a->n ? histogram_end(histogram_rank(a->seen, a->n, per_mille), AGE_BITS)
		    : STAT_UNKNOWN;
}

int
prefetch_ages_init(struct prefetch_ages *p, frame_t nframes, struct error *e)
{
	*p = (struct prefetch_ages){ .since = calloc((size_t)nframes + 1, sizeof(*p->since)) };
	return p->since ? 0 : error_set(e, "out of memory for the ages of %u frames", nframes);
}

void
prefetch_ages_release(struct prefetch_ages *p)
{
	free(p->since);
	p->since = NULL;
}

void
prefetch_ages_forget(struct prefetch_ages *p)
{
	p->used = p->wasted = (struct ages){ 0 };
}

void
prefetch_ages_count(const struct prefetch_ages *p, struct stats *st)
{
	st->prefetch_used_age_p50_us = ages_percentile(&p->used, 500);
	st->prefetch_used_age_p90_us = ages_percentile(&p->used, 900);
	st->prefetch_used_age_p99_us = ages_percentile(&p->used, 990);
	st->prefetch_wasted_age_p50_us = ages_percentile(&p->wasted, 500);
	st->prefetch_wasted_age_p90_us = ages_percentile(&p->wasted, 900);
	st->prefetch_wasted_age_p99_us = ages_percentile(&p->wasted, 990);
}
