/* inner.c - count and remove the blocks of a plan that are read ahead. */
#include <string.h>

#include "prefetch/inner.h"

uint32_t
plan_ahead(const struct plan *plan, const struct demand *d)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < plan->n; i++)
		for (uint32_t k = 0; k < plan->extent[i].count; k++)
			n += demand_reads_ahead(d, plan->extent[i].index + k);
	return n;
}

/* Does the block stay?  *most is how many more may. */
static bool
stays(const struct demand *d, uint32_t index, uint32_t limit, uint32_t *most)
{
	if (demand_is_for(d, index))
		return true;
	if (index >= limit || !*most)
		return false;
	if (*most != UINT32_MAX && demand_reads_ahead(d, index))
		--*most;
	return true;
}

uint32_t
plan_cut(struct plan *plan, const struct demand *d, uint32_t limit, uint32_t most)
{
	struct extent old[PLAN_MAX];
	unsigned      n = plan->n;
	uint32_t      removed = 0;

	memcpy(old, plan->extent, n * sizeof(*old));
	plan->n = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t first = old[i].index, end = first + old[i].count;

		for (uint32_t k = first; k < end; k++) {
			if (stays(d, k, limit, &most))
				continue;
			plan_add_as(plan, first, k - first, old[i].large);
			first = k + 1;
			removed += demand_reads_ahead(d, k);
		}
		plan_add_as(plan, first, end - first, old[i].large);
	}
	return removed;
}
