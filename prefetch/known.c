/* known.c - next references, and how long a block stays. */
#include <math.h>

#include "prefetch/known.h"
#include "prefetch/probes.h"

int
known_init(struct known *k, const struct trace *t, struct error *e)
{
	return future_init(&k->future, t, e);
}

void
known_release(struct known *k)
{
	future_release(&k->future);
}

void
known_pass(struct known *k, const struct demand *d)
{
	block_t	 b = d->base + d->index;
	uint32_t number = future_next(&k->future, b);

	if (number == FUTURE_NEVER)
		return;
	future_pass(&k->future, b);
	k->here = number;
	k->references++;
	k->came += d->how != REF_HIT && d->how != REF_DELAYED;
}

double
known_until(const struct known *k, block_t b)
{
	uint32_t next = future_next(&k->future, b);

	if (next == FUTURE_NEVER)
		return INFINITY;
	return (double)(int32_t)(next - k->here) * k->came / (k->references + 1);
}

struct known_uses
known_uses(const struct known *k, const struct demand *d, uint32_t first, uint32_t end)
{
	struct known_uses u = { 0 };

	for (uint32_t i = first; i < end; i++) {
		double until = demand_holds(d, i) ? INFINITY : known_until(k, d->base + i);

		if (until <= d->cache->nframes / (double)PROBE_PART)
			u.soon++;
		else if (until < known_stay(d->cache))
			u.later++;
	}
	return u;
}
