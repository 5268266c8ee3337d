/*
 * policy.h - the interface of replacement policies.
 *
 * A policy ranks resident frames.  It never hashes, counts, times or logs.
 * For every block reference the core calls
 *
 *	resident:	hit(f)
 *	not resident:	miss(b)   then, if the cache is full, evict(b)
 *			insert(f)
 *
 * and remove(f) when advice drops a block.
 *
 * A prefetched block arrives by the same calls, with demand false in miss()
 * and FRAME_PREFETCHED set in its frame; the core clears the flag after the
 * block's first hit().  A block that is read for the current call before the
 * call comes to it arrives by miss() and insert(), with FRAME_AWAITED set; when
 * the call does come to it, only a policy with NEEDS_FUTURE or NEEDS_ORDER is
 * told, by hit(), after which the core clears the flag.
 */
#ifndef SIM_POLICY_H
#define SIM_POLICY_H

#include "sim/base/plugin.h"
#include "sim/core/cache.h"
#include "sim/core/future.h"

/* What hit() changes: links, marks or nothing.  The core prefetches only this much memory. */
enum on_hit { HIT_MOVES, HIT_MARKS, HIT_IGNORES };

/* The context of a reference; of a prefetched block, that of the reference that planned it. */
struct use {
	file_t	 file;
	uint32_t index;	    /* the block within the file */
	uint32_t process;   /* 0 .. nprocesses - 1 of the trace */
	uint32_t open : 30; /* open file of the trace; of advice: 0 */
	uint32_t write : 1;
	usec_t	 now; /* simulated time; untimed: the time in the trace */
};

enum { NEEDS_USE = 1 << 0, NEEDS_FUTURE = 1 << 1, NEEDS_ORDER = 1 << 2 };

/* References of an untimed run. */
struct batch {
	const block_t	 *ref;	  /* [n] */
	const struct use *use;	  /* [n]; NULL without NEEDS_USE */
	struct future	 *future; /* NULL without NEEDS_FUTURE */
	size_t		  n;
	uint64_t	  hits; /* incremented */
};

struct policy {
	struct plugin plugin;
	enum on_hit   on_hit;

	/*
	 * NEEDS_*: optional inputs, which cost time at every reference.  Without
	 * NEEDS_USE every u below is NULL; without NEEDS_FUTURE, future is NULL.
	 * With NEEDS_ORDER demand references come in the order of the calls: a
	 * block read early is no demand in miss(), and its hit() is the first.
	 */
	unsigned needs;

	/* 1 << INSERT_MIDDLE | 1 << INSERT_TAIL: where prefetched blocks may enter besides the head. */
	unsigned places;

	/*
	 * Why a sample of the blocks, in a cache that is smaller by its share, does
	 * not show what the policy does; it follows "because".  NULL: it does.  Then
	 * only blocks that are referenced again or evicted count, not their numbers.
	 */
	const char *unsampled;

	/* May be NULL: a zeroed state with its parameters set is ready. */
	int (*init)(void *self, const struct cache *c, const struct trace *t,
	    const struct future *future, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	/* A resident block is referenced. */
	void (*hit)(void *self, struct cache *c, frame_t f, const struct use *u);

	/* Block b will be brought in: look for a ghost.  True: one was found.  May be NULL. */
	bool (*miss)(void *self, struct cache *c, block_t b, bool demand, const struct use *u);

	/* Choose, unlink and return a frame not in flight; one exists. */
	frame_t (*evict)(void *self, struct cache *c, block_t incoming);

	/*
	 * Of a policy that knows the future, for prefetchers that do, too: the frame
	 * that evict() would choose next if it had chosen frame `before`; NIL: first,
	 * or none.  Nothing changes.  Else NULL.
	 */
	frame_t (*leaves)(const void *self, const struct cache *c, frame_t before);

	/* Frame f now holds a block: rank it. */
	void (*insert)(void *self, struct cache *c, frame_t f, const struct use *u);

	/* Unlink frame f, which is not in flight: its block leaves the cache. */
	void (*remove)(void *self, struct cache *c, frame_t f);

	/*
	 * Untimed, not sparse: where hit() or miss() will look up block b.  The core prefetches
	 * that some references early.  (Not the policy itself: to the compiler a prefetch has no
	 * effect, so that it leaves out calls that do nothing else.)  May be NULL.
	 */
	const void *(*expect)(const void *self, block_t b);

	/* The untimed loop of replay.h with this policy inlined, not sparse; set by POLICY(). */
	void (*replay)(void *self, struct cache *c, struct batch *batch);
};

static inline const struct policy *
policy_of(const struct choice *c)
{
	return (const struct policy *)(const void *)c->plugin;
}

/* Its state, for policy_stop(); NULL on failure.  future: NULL without NEEDS_FUTURE. */
void *policy_start(const struct choice *c, const struct cache *cache, const struct trace *t,
    const struct future *future, struct error *e);
void  policy_stop(const struct policy *p, void *self);

/* May prefetched blocks enter there? */
static inline bool
policy_has_place(const struct policy *p, enum insert_at at)
{
	return at == INSERT_HEAD || p->places >> at & 1;
}

/*
 * Bring block b into a frame and return the frame.  *victim is the evicted
 * block and its flags; its block is NIL if no block was evicted.  The caller
 * has checked for room.  *ghost is set if the policy found a ghost of b.
 */
ALWAYS_INLINE frame_t
cache_fill(struct cache *c, const struct policy *p, void *self, block_t b, uint8_t flags,
    const struct use *u, struct frame *victim, bool *ghost)
{
	uint8_t early =
	    p->needs & NEEDS_ORDER ? FRAME_PREFETCHED | FRAME_AWAITED : FRAME_PREFETCHED;
	frame_t f;

	if (p->miss && p->miss(self, c, b, !(flags & early), u))
		*ghost = true;
	f = cache_take(c);
	victim->block = NIL;
	if (!f) {
		f = p->evict(self, c, b);
		ASSERT(f && !(c->frame[f].flags & FRAME_INFLIGHT));
		*victim = c->frame[f];
		ASSERT(victim->block && victim->block != b);
		cache_unbind(c, f);
	}
	cache_bind(c, f, b);
	c->frame[f].flags = flags;
	p->insert(self, c, f, u);
	ASSERT(c->frame[f].block == b && c->frame[f].flags == flags);
	return f;
}

/* The block in frame f is dropped. */
ALWAYS_INLINE void
cache_drop(struct cache *c, const struct policy *p, void *self, frame_t f)
{
	p->remove(self, c, f);
	cache_vacate(c, f);
}

/*
 * Reference the blocks of a batch in order, without clock, device or
 * prefetching.  When p is a constant the compiler turns every p->op() into a
 * direct, inlined call; POLICY() makes such a copy for each policy.  sparse: the
 * cache is one for a sparse trace.
 */
ALWAYS_INLINE void
replay_with(const struct policy *p, void *self, struct cache *c, struct batch *batch, bool sparse)
{
	const block_t	 *ref = batch->ref;
	const struct use *u = NULL;
	size_t		  n = batch->n;
	uint64_t	  count = 0;
	struct frame	  victim;
	bool		  ghost;

	for (size_t i = 0; i < n; i++) {
		frame_t f = sparse ? cache_find(c, ref[i]) : c->where[ref[i]];

		if (likely(!sparse && i + AHEAD < n)) {
			cache_expect(c, ref[i + AHEAD]);
			if (p->expect)
				__builtin_prefetch(p->expect(self, ref[i + AHEAD]));
			if (p->needs & NEEDS_FUTURE)
				future_expect(batch->future, ref[i + AHEAD]);
			if (p->on_hit != HIT_IGNORES)
				cache_expect_frame(c, ref[i + AHEAD_FRAME]);
			if (p->on_hit == HIT_MOVES)
				cache_expect_links(c, ref[i + AHEAD_LINKS]);
		}
		if (p->needs & NEEDS_USE)
			u = &batch->use[i];
		if (p->needs & NEEDS_FUTURE)
			future_pass(batch->future, ref[i]);
		if (likely(f)) {
			count++;
			p->hit(self, c, f, u);
		} else {
			cache_fill(c, p, self, ref[i], 0, u, &victim, &ghost);
		}
	}
	batch->hits += count;
}

#define POLICY_SIZES                                                                               \
	{                                                                                          \
		sizeof(struct policy), sizeof(struct cache), sizeof(struct frame),                 \
		    sizeof(struct use), sizeof(struct batch), sizeof(struct trace)                 \
	}

/* Define policy_<id> with its specialised replay loop. */
#define POLICY(id, ...)                                                                             \
	static void	    policy_##id##_replay(void *self, struct cache *c, struct batch *batch); \
	const struct policy policy_##id = { .replay = policy_##id##_replay, __VA_ARGS__ };          \
	const struct plugin_interface policy_##id##_interface = { PLUGIN_INTERFACE, POLICY_SIZES,   \
		&policy_##id.plugin };                                                              \
	__attribute__((flatten)) static void policy_##id##_replay(void *self, struct cache *c,      \
	    struct batch *batch)                                                                    \
	{                                                                                           \
		replay_with(&policy_##id, self, c, batch, false);                                   \
	}                                                                                           \
	_Static_assert(sizeof(#id) <= 16, "policy names are short")

#endif
