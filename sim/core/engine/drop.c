/* drop.c - from the bytes of advice to whole blocks, and out of a cache. */
#include "sim/core/engine/drop.h"

struct drop_range
drop_range(const struct trace *t, const struct advice *a)
{
	uint64_t end = advice_end(a);
	block_t	 base = t->file[t->open[a->open].file].base;
	block_t	 last =
	     end == a->file_size ? advice_blocks(t, end) : (block_t)(end >> t->block_shift);

	if (a->offset >= end)
		return (struct drop_range){ base, base, base };
	return (struct drop_range){ base, base + advice_blocks(t, a->offset), base + last };
}

uint64_t
drop_all(struct cache *c, const struct policy *p, void *self, const struct drop_range *r)
{
	uint64_t n = 0;

	for (block_t b = r->first; (b = drop_next(c, r, b)) < r->last; b++, n++)
		cache_drop(c, p, self, cache_find(c, b));
	return n;
}
