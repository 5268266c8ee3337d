/*
 * prefetch.h - the interface of prefetchers.
 *
 * A prefetcher plans and the simulator reads.  For each block that a read call
 * references, the prefetcher gets a demand and writes a plan, a short list of
 * extents.  The simulator skips resident blocks, fetches blocks of the current
 * call as demand, cuts extents at the end of the file, and drops blocks for
 * which there is no frame.  Writes lead to no plan, as in Linux; who keeps the
 * ages of blocks hears of them by wrote().
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "sim/base/plugin.h"
#include "sim/core/policy.h"
#include "sim/trace/trace.h"

enum reference {       /* the state in which a reference found its block */
	REF_HIT,       /* resident */
	REF_FIRST_HIT, /* resident, the first use of a prefetched block */
	REF_LATE,      /* prefetched, but still in flight */
	REF_DELAYED,   /* in flight for another reason */
	REF_MISS,      /* not in the cache, or fetched by a plan for this call */
};

struct demand {			   /* one block reference, in context */
	const struct access *call; /* bytes, file size, fresh */
	file_t		     file;
	uint32_t	     process; /* of the trace, that makes the call */
	uint32_t	     index;   /* the block within the file */
	uint32_t	     first;   /* first block of the call: index == first starts a call */
	uint32_t	     left;    /* blocks left in this call, with this one; 0: advice */
	enum reference	     how;
	bool		     absent; /* it was not in the cache: its read was submitted just now */
	bool   locked; /* its I/O has not completed; absent and not locked: it took no time */
	bool   again;  /* the second demand of one reference: see struct plan */
	bool   marked; /* a plan had marked it; the mark is now removed */
	usec_t now;

	const struct cache *cache;   /* for demand_holds() */
	block_t		    base;    /* number of the file's first block */
	uint32_t	    end;     /* blocks of the file, at this call */
	uint32_t	    nblocks; /* its largest number of blocks in the trace */
};

enum { PLAN_MAX = 16, MARKS_MAX = 2, NOTES_MAX = 6 };

struct extent {
	uint32_t index, count; /* blocks of the demand's file */
	bool	 large;	       /* read into large folios: these blocks touch in memory, too */
};

/*
 * A plan may contain the demanded block itself if that was absent; it then
 * counts as read by the plan.  Blocks in `mark`, at most two extents, are
 * marked if the plan reads them; the next demand of such a block has `marked`
 * set, and the mark is removed.  If a plan marks its own demanded block, the
 * prefetcher gets a second demand of it at once, with `again` set.
 *
 * Blocks in `renew` that were read ahead and are not used yet leave the cache
 * and enter it again before anything is read: to the replacement policy they
 * are new.
 */
struct plan {
	unsigned      n, nnotes;
	uint32_t      trimmed; /* blocks removed by a controller, for the statistics */
	struct extent mark[MARKS_MAX], unmark, renew;
	bool	      unplug; /* issue the queued requests to the device */
	bool waits; /* without a free request the process sleeps; else the rest is left out */
	struct extent extent[PLAN_MAX];
	const char   *note[NOTES_MAX]; /* the rules that applied, for bufsim explain */
};

enum outcome { PREFETCH_USED, PREFETCH_LATE, PREFETCH_WASTED };

/* A request that the device has finished; times are absolute. */
struct finished {
	block_t	 block;
	uint32_t count;
	bool	 write;
	bool	 demand; /* a process waits for a block of it; else it was only read ahead */
	usec_t	 queued, started, done;
	usec_t	 transfer; /* part of the service: media and bus */
};

/* The device could start a request, and none waits. */
struct idle {
	uint32_t reference; /* the next one, as the future numbers them */
	double	 think;	    /* mean time from one to the next without waits, microseconds */

	const struct cache  *cache;
	const struct future *future;
	const struct policy *policy; /* has leaves() */
	const void	    *policy_self;
};

struct block_run {
	block_t	 block;
	uint32_t count;
};

struct prefetcher {
	struct plugin plugin;

	/*
	 * May be NULL.  A controller starts chosen->inner, forwards the calls of
	 * the functions below to it, and passes on the plans that it allows.
	 */
	int (
	    *init)(void *self, const struct choice *chosen, const struct trace *t, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	void (*access)(void *self, const struct demand *d, struct plan *plan);

	/*
	 * A write references the block: it is in the cache now, and used, though no
	 * read was saved.  Called once for each block of a write call, with d as for
	 * access().  May be NULL.
	 */
	void (*wrote)(void *self, const struct demand *d);

	/*
	 * posix_fadvise(), except DONTNEED, which is no question of prefetching.  d
	 * has no call; its index is the first block of the advice, left the number
	 * of blocks.  NULL: models a kernel without advice.  It is not called for a
	 * controller of such a prefetcher either.
	 */
	void (
	    *advise)(void *self, const struct advice *a, const struct demand *d, struct plan *plan);

	/* The outcome of a block that it planned.  May be NULL. */
	void (*outcome)(void *self, block_t b, enum outcome how);

	/*
	 * Before the run, how fast the device is: what a read far from the one before
	 * takes without its blocks, on average, and each block.  Needs a clock.  May be
	 * NULL; the device is measured only if a controller and what is in it want to know.
	 */
	void (*pace)(void *self, double switch_us, double block_us);

	/*
	 * For controllers; may be NULL.  Block b leaves to make room: for one that is
	 * read ahead, or for demand.  Used: it was demanded, or has been used since it
	 * was read ahead.
	 */
	void (*evicted)(void *self, block_t b, bool by_prefetch, bool used);
	void (*finished)(void *self, const struct finished *f);

	/* Block b leaves because its program does not need it (DONTNEED).  May be NULL. */
	void (*dropped)(void *self, block_t b);

	/*
	 * A full cache needs a frame.  A block that was prefetched, is not in
	 * flight and not used yet, to be evicted; 0: the replacement policy chooses.
	 * May be NULL.  A hook of its own, of ledger: a plan comes before its blocks
	 * need frames and cannot name a victim, and the policy does not know that
	 * a block was a bet.
	 */
	block_t (*spare)(void *self, const struct cache *c);

	/*
	 * Block b of a file lies in an aligned group of 2^order blocks, a large
	 * folio, that only leaves as a whole because of advice.  May be NULL: 0.
	 */
	uint8_t (*order)(const void *self, block_t b);

	/*
	 * Offline: what to read while the device has nothing to do, as runs of
	 * blocks of any files; returns their number.  Called before the first
	 * call, after each call and each completion.  Needs a policy that tells
	 * what leaves, and serial replay of one program.  May be NULL.
	 * A hook of its own, of oracle: access() plans for blocks of the file of one
	 * reference, this one for any files at moments without a reference.
	 */
	unsigned (*idle)(void *self, const struct idle *now, const struct block_run **runs);

	/* The state of an open file, for bufsim explain: names, and a value each.  May be NULL. */
	const char *const *state_names; /* ends with NULL; at most STATE_MAX */
	void (*state)(const void *self, uint32_t open, int64_t *value);
};

enum { STATE_MAX = 8 };

static inline const struct prefetcher *
prefetcher_of(const struct choice *c)
{
	return (const struct prefetcher *)(const void *)c->plugin;
}

/* The state of what was chosen, initialised; NULL on failure. */
void *prefetcher_start(const struct choice *c, const struct trace *t, struct error *e);
void  prefetcher_stop(const struct prefetcher *p, void *self); /* self may be NULL */

#define PREFETCHER_SIZES                                                                           \
	{                                                                                          \
		sizeof(struct prefetcher), sizeof(struct demand), sizeof(struct plan),             \
		    sizeof(struct cache), sizeof(struct trace), sizeof(struct idle)                \
	}

/* Define prefetcher_<id>. */
#define PREFETCHER(id, ...)                                                                        \
	const struct prefetcher	      prefetcher_##id = { __VA_ARGS__ };                           \
	const struct plugin_interface prefetcher_##id##_interface = { PLUGIN_INTERFACE,            \
		PREFETCHER_SIZES, &prefetcher_##id.plugin }

/* The frame that would leave after frame `before`, or first of all after NIL; NIL: there is none. */
static inline frame_t
idle_leaves(const struct idle *i, frame_t before)
{
	return i->policy->leaves(i->policy_self, i->cache, before);
}

/* Is block `index` of the demand's file in the cache, readable or in flight? */
ALWAYS_INLINE bool
demand_holds(const struct demand *d, uint32_t index)
{
	return index < d->nblocks && cache_find(d->cache, d->base + index);
}

/* Is it there and marked? */
ALWAYS_INLINE bool
demand_holds_marked(const struct demand *d, uint32_t index)
{
	return demand_holds(d, index) &&
	    d->cache->frame[cache_find(d->cache, d->base + index)].flags & FRAME_MARKED;
}

static inline void
plan_add_as(struct plan *plan, uint32_t index, uint32_t count, bool large)
{
	if (count && plan->n < PLAN_MAX)
		plan->extent[plan->n++] = (struct extent){ index, count, large };
}

static inline void
plan_add(struct plan *plan, uint32_t index, uint32_t count)
{
	plan_add_as(plan, index, count, false);
}

static inline void
plan_mark(struct plan *plan, uint32_t index, uint32_t count)
{
	ASSERT(!plan->mark[1].count); /* there are MARKS_MAX */
	plan->mark[plan->mark[0].count != 0] = (struct extent){ index, count, false };
}

static inline bool
plan_marks(const struct plan *plan, uint32_t index)
{
	for (unsigned i = 0; i < MARKS_MAX; i++)
		if (index - plan->mark[i].index < plan->mark[i].count)
			return true;
	return false;
}

static inline void
plan_note(struct plan *plan, const char *rule)
{
	if (plan->nnotes < NOTES_MAX)
		plan->note[plan->nnotes++] = rule;
}

static inline void
plan_start(struct plan *plan)
{
	plan->n = plan->nnotes = plan->trimmed = 0;
	plan->mark[0].count = plan->mark[1].count = plan->unmark.count = plan->renew.count = 0;
	plan->unplug = plan->waits = false;
}

/* Nothing to read and nothing to explain: the usual plan. */
ALWAYS_INLINE bool
plan_is_empty(const struct plan *plan)
{
	return !(plan->n | plan->nnotes | plan->trimmed | plan->unmark.count | plan->renew.count);
}

#endif
