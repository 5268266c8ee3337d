/*
 * cache.h - the buffer cache: frames and the map from block to frame.
 * Replacement is in policy.h.  cache_init() allocates all memory; a reference
 * never allocates.
 *
 * The life of a frame.  A flag is set by the function below which it stands,
 * and cleared by the function on the arrow that leads away.
 *
 *	never used, vacant                          holds another block
 *	    |      ^                                         |
 *	    |      | cache_vacate(): dropped by              | evict() of the policy,
 *	    |      | advice, spared, renewed;                | not while INFLIGHT;
 *	    |      | not while INFLIGHT or DIRTY             | evicted() writes DIRTY
 *	    |      |                                         |
 *	    +------|------------> cache_fill() <-------------+
 *	           |                   |
 *	           |      +------------+------+------------------+---------------+
 *	           |      |                   |                  |               |
 *	           | fetch_awaited()     fetch_ahead()         miss()       miss() of a write
 *	           | INFLIGHT            INFLIGHT              INFLIGHT          |
 *	           | AWAITED             PREFETCHED              |               |
 *	           |      |                   |                  |               |
 *	           |      | deliver()         | deliver()        | deliver()     |
 *	           |      v                   v                  |               |
 *	           | AWAITED             PREFETCHED              |               |
 *	           |      |                   |                  |               |
 *	           |      | reach()           | resident()       |               |
 *	           |      +---------+---------+------------------+---------------+
 *	           |                v
 *	           +--------- no flag <==== io_dirty(), flush_old() ====> DIRTY
 *
 * A call may reach, and resident() use, a block in flight: the frame then is
 * INFLIGHT alone, and deliver() comes last.  cache.npinned counts the frames in
 * flight.  Two flags go with others: MARKED is set by fetch_awaited() and
 * fetch_ahead(), and cleared by the next read in reference(), or by unmark().
 * UNCOUNTED goes with PREFETCHED from node_forget_outcomes() on, which also ends
 * AWAITED.  frame_check() tests all of this.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim/base/error.h"
#include "sim/base/plugin.h"
#include "sim/base/types.h"
#include "sim/trace/slots.h"

enum {
	FRAME_PREFETCHED = 1 << 0, /* read ahead of need, not yet used */
	FRAME_INFLIGHT = 1 << 1,   /* its request has not completed: pinned */
	FRAME_DIRTY = 1 << 2,	   /* must be written before reuse */
	FRAME_AWAITED = 1 << 3,	   /* planned for the current call, which has not reached it yet */
	FRAME_MARKED = 1 << 4,	   /* the next reference is reported to the prefetcher */
	FRAME_UNCOUNTED = 1 << 5,  /* prefetched, but before counting started */
	FRAME_NEWS =		   /* more than a plain hit */
	FRAME_PREFETCHED | FRAME_INFLIGHT | FRAME_AWAITED | FRAME_MARKED,
};

struct frame {
	block_t	 block;
	frame_t	 prev, next; /* of the replacement policy */
	uint8_t	 flags;	     /* FRAME_* */
	uint8_t	 list;	     /* of the policy: number of its list, or a bit */
	uint16_t spare;
};
_Static_assert(sizeof(struct frame) == 16, "four frames to a cache line");

/* Where a block enters a list: as the newest, in the middle, as the next victim. */
enum insert_at { INSERT_HEAD, INSERT_MIDDLE, INSERT_TAIL };

struct cache {
	struct frame  *frame; /* [1 .. nframes] */
	frame_t	      *where; /* by slot: the frame of a block, or NIL */
	struct slots   slots;
	frame_t	       nframes, nused; /* nused never falls */
	frame_t	       npinned;	       /* frames in flight */
	frame_t	       vacant;	       /* list, by next: frames of dropped blocks; last one first */
	frame_t	       nvacant;	       /* in it */
	block_t	       nblocks;
	enum insert_at ahead; /* where prefetched blocks enter */
	double	       rate;  /* of a sample of the blocks: its share of them; 0: all */
};

/* Of a sparse trace, nblocks is slots_entries(); slots_init() of c->slots follows. */
int  cache_init(struct cache *c, frame_t nframes, block_t nblocks, struct error *e);
void cache_release(struct cache *c);

/*
 * The first thing that is wrong with the frames, or NULL: for tests, between two references.  It
 * looks at each frame and at each block.
 */
const char *frame_check(const struct cache *c);

static inline double
cache_rate(const struct cache *c)
{
	return c->rate > 0 ? c->rate : 1;
}

/*
 * A parameter that is a number of blocks or of references, in a sample: its share of the number, so
 * that "20 references ago" means what it means in the whole trace.  At least 1, unless it is 0.
 */
static inline uint64_t
cache_scaled(const struct cache *c, uint64_t n)
{
	double rate = cache_rate(c), scaled = (double)n * rate;

	return rate == 1 || !n ? n : scaled < 1 ? 1 : (uint64_t)(scaled + 0.5);
}

/*
 * The blocks of a part of the cache (PARAM_PART), at least 1.  A share makes `most` at most; -1
 * with a usage error if it is a number of blocks above that.  `what` is its name: "kin of 2q".  In
 * a sample, a number of blocks is scaled, and refused only if it is above `most` by a whole block.
 */
int cache_part(const struct cache *c, uint64_t part, frame_t most, const char *what, frame_t *out,
    struct error *e);

/* The number of block b in tables for the blocks that are used: its slot. */
ALWAYS_INLINE block_t
cache_number(struct cache *c, block_t b)
{
	return (block_t)slots_enter(&c->slots, b);
}

/* The frame holding block b, or NIL. */
ALWAYS_INLINE frame_t
cache_find(const struct cache *c, block_t b)
{
	return c->where[slots_find(&c->slots, b)];
}

/* An empty frame, or NIL if there is none. */
ALWAYS_INLINE frame_t
cache_take(struct cache *c)
{
	frame_t f = c->vacant;

	if (unlikely(f)) {
		ASSERT(f <= c->nused && !c->frame[f].block && !c->frame[f].flags);
		c->vacant = c->frame[f].next;
		c->nvacant--;
		return f;
	}
	ASSERT(c->nused <= c->nframes);
	return likely(c->nused == c->nframes) ? NIL : ++c->nused;
}

/* Can a block be brought in?  False: every frame is in flight. */
ALWAYS_INLINE bool
cache_has_room(const struct cache *c)
{
	ASSERT(c->npinned <= c->nframes);
	return c->npinned < c->nframes;
}

ALWAYS_INLINE void
cache_bind(struct cache *c, frame_t f, block_t b)
{
	ASSERT(f && f <= c->nframes && b);
	ASSERT(!cache_find(c, b));
	c->frame[f].block = b;
	c->where[slots_enter(&c->slots, b)] = f;
}

ALWAYS_INLINE void
cache_unbind(struct cache *c, frame_t f)
{
	ASSERT(cache_find(c, c->frame[f].block) == f);
	c->where[slots_find(&c->slots, c->frame[f].block)] = NIL;
}

/* Empty frame f, which is no longer in a list of the policy. */
ALWAYS_INLINE void
cache_vacate(struct cache *c, frame_t f)
{
	ASSERT(!(c->frame[f].flags & (FRAME_INFLIGHT | FRAME_DIRTY)));
	cache_unbind(c, f);
	c->frame[f] = (struct frame){ .next = c->vacant };
	c->vacant = f;
	c->nvacant++;
}

/*
 * Random references would wait for memory, cache line by cache line.  So the
 * lines are prefetched in three steps, each of which finds the address of the
 * next: AHEAD references early the entry of block b, later its frame, then the
 * frames linked to it by the policy.  This costs little if they are there.  It
 * is not done for sparse traces.
 */
enum { AHEAD = 96, AHEAD_FRAME = 48, AHEAD_LINKS = 16 };

ALWAYS_INLINE void
cache_expect(const struct cache *c, block_t b)
{
	__builtin_prefetch(&c->where[b]);
}

ALWAYS_INLINE void
cache_expect_frame(const struct cache *c, block_t b)
{
	__builtin_prefetch(&c->frame[c->where[b]]);
}

ALWAYS_INLINE void
cache_expect_links(const struct cache *c, block_t b)
{
	const struct frame *f = &c->frame[c->where[b]];

	__builtin_prefetch(&c->frame[f->prev]);
	__builtin_prefetch(&c->frame[f->next]);
}

#endif
