/* cache.c - allocate and free the two arrays of the cache; check them; parts of it. */
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

/* ---- checks ---- */

/* What a frame that holds a block may not be. */
static const char *
check_held(const struct cache *c, frame_t f)
{
	unsigned flags = c->frame[f].flags;
	unsigned early = flags & (FRAME_PREFETCHED | FRAME_AWAITED);

	if (cache_find(c, c->frame[f].block) != f)
		return "a frame holds a block that is elsewhere";
	if (flags >= FRAME_UNCOUNTED << 1)
		return "a frame has an unknown flag";
	if (early == (FRAME_PREFETCHED | FRAME_AWAITED))
		return "a block is both prefetched and awaited";
	if (early && flags & FRAME_DIRTY)
		return "a block is dirty before it is used";
	if (flags & FRAME_UNCOUNTED && !(flags & FRAME_PREFETCHED))
		return "a block that was not prefetched is uncounted";
	return NULL;
}

/* The frames of dropped blocks are those that hold none. */
static const char *
check_vacant(const struct cache *c, frame_t vacant)
{
	for (frame_t f = c->vacant; f; f = c->frame[f].next, vacant--)
		if (!vacant || f > c->nused || c->frame[f].block || c->frame[f].flags)
			return "the list of vacant frames is damaged";
	return vacant ? "a vacant frame is lost" : NULL;
}

static const char *
check_blocks(const struct cache *c, size_t held)
{
	for (size_t i = slots_used(&c->slots, c->nblocks); i-- > 0;) {
		if (c->where[i] > c->nused)
			return "a block is in a frame that was never used";
		held -= c->where[i] != NIL;
	}
	return held ? "more blocks are found than held, or fewer" : NULL;
}

const char *
frame_check(const struct cache *c)
{
	frame_t	    pinned = 0, held = 0;
	const char *wrong = NULL;

	if (c->nused > c->nframes)
		return "more frames are used than there are";
	for (frame_t f = 0; f <= c->nframes && !wrong; f++) {
		if (f && f <= c->nused && c->frame[f].block)
			wrong = check_held(c, f);
		else if (c->frame[f].flags || c->frame[f].block)
			wrong = "an empty frame has a block or flags";
		pinned += (c->frame[f].flags & FRAME_INFLIGHT) != 0;
		held += c->frame[f].block != NIL;
	}
	if (!wrong && pinned != c->npinned)
		wrong = "the count of frames in flight is wrong";
	if (!wrong)
		wrong = check_vacant(c, c->nused - held);
	if (!wrong && c->nvacant != c->nused - held)
		wrong = "the count of vacant frames is wrong";
	return wrong ? wrong : check_blocks(c, held);
}

/* ---- parts ---- */

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
