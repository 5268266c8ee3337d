/* cache.c - allocate and free the two arrays of the cache. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/cache.h"

int
cache_init(struct cache *c, frame_t nframes, block_t nblocks, struct error *e)
{
	*c = (struct cache){ .nframes = nframes, .nblocks = nblocks };
	c->frame = memory_table((size_t)nframes + 1, sizeof(*c->frame));
	c->where = memory_table(nblocks, sizeof(*c->where));
	if (c->frame && c->where)
		return 0;
	cache_release(c);
	return error_set(e, "out of memory for a cache of %u blocks and files of %u", nframes,
	    nblocks);
}

void
cache_release(struct cache *c)
{
	free(c->frame);
	free(c->where);
	slots_release(&c->slots);
	*c = (struct cache){ 0 };
}
