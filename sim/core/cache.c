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
	bool	 is_share = part < PART_BLOCKS;
	uint64_t given = is_share ? 0 : part - PART_BLOCKS;
	double	 rate = cache_rate(c);
	uint64_t n = is_share ? part * c->nframes / SHARE_ONE : cache_scaled(c, given);

	if ((double)given * rate >= (double)most + 1)
		return error_usage(e,
		    "%s is at most %.0f block%s in a cache of %.0f, not %" PRIu64
		    ": type less, a share such as 10%%, or a larger cache",
		    what, most / rate, most / rate < 1.5 ? "" : "s", c->nframes / rate, given);
	n = n < most ? n : most;
	*out = n ? (frame_t)n : 1;
	return 0;
}
