/* cache.c - allocate and free the two arrays of the cache; parts of it. */
#include <inttypes.h>
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

int
cache_part(const struct cache *c, uint64_t part, frame_t most, const char *what, frame_t *out,
    struct error *e)
{
	uint64_t n = part >= PART_BLOCKS ? part - PART_BLOCKS : part * c->nframes / SHARE_ONE;

	if (part >= PART_BLOCKS && n > most)
		return error_usage(e,
		    "%s is at most %u blocks in a cache of %u, not %" PRIu64
		    ": type less, or a share such as 10%%",
		    what, most, c->nframes, n);
	n = n < most ? n : most;
	*out = n ? (frame_t)n : 1;
	return 0;
}
