/* ages.c - a histogram of ages, and its percentiles. */
#include <stdlib.h>

#include "sim/core/engine/ages.h"

/* Up to 2 * AGE_STEPS each age has a class; above, the first AGE_BITS behind the highest bit tell. */
static unsigned
class_of(uint64_t age)
{
	unsigned shift;

	if (age < AGE_STEPS)
		return (unsigned)age;
	shift = 63 - AGE_BITS - (unsigned)__builtin_clzll(age);
	return shift * AGE_STEPS + (unsigned)(age >> shift);
}

/* The longest age of a class. */
static uint64_t
longest(unsigned class)
{
	unsigned shift = class < AGE_STEPS ? 0 : class / AGE_STEPS - 1;

	return ((class - shift * AGE_STEPS + UINT64_C(1)) << shift) - 1;
}

void
ages_add(struct ages *a, usec_t age)
{
	ASSERT(age >= 0);
	a->n++;
	a->class[class_of((uint64_t)age)]++;
}

uint64_t
ages_percentile(const struct ages *a, unsigned per_mille)
{
	uint64_t rank = (a->n * per_mille + 999) / 1000, seen = 0;
	unsigned i = 0;

	if (!a->n)
		return STAT_UNKNOWN;
	while ((seen += a->class[i]) < rank)
		i++;
	ASSERT(i < AGE_CLASSES);
	return longest(i);
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
