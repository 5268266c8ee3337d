/*
 * inner.h - the prefetcher that a controller wraps: its start and end, the
 * hooks that a controller only passes on, and the blocks of its plans that a
 * controller removes.
 */
#ifndef PREFETCH_INNER_H
#define PREFETCH_INNER_H

#include <math.h>

#include "sim/core/prefetch.h"

static inline const struct prefetcher *
inner_of(const struct instance *inside)
{
	return (const struct prefetcher *)(const void *)inside->plugin;
}

/* Start chosen->inner.  The controller calls inner_stop() also if this failed. */
static inline int
inner_start(struct instance *inside, const struct choice *chosen, const struct trace *t,
    struct error *e)
{
	*inside = (struct instance){ chosen->inner->plugin, prefetcher_start(chosen->inner, t, e) };
	return inside->self ? 0 : -1;
}

static inline void
inner_stop(const struct instance *inside)
{
	prefetcher_stop(inner_of(inside), inside->self);
}

static inline void
inner_wrote(const struct instance *inside, const struct demand *d)
{
	if (inner_of(inside)->wrote)
		inner_of(inside)->wrote(inside->self, d);
}

static inline void
inner_outcome(const struct instance *inside, block_t b, enum outcome how)
{
	if (inner_of(inside)->outcome)
		inner_of(inside)->outcome(inside->self, b, how);
}

static inline void
inner_evicted(const struct instance *inside, block_t b, bool by_prefetch, bool used)
{
	if (inner_of(inside)->evicted)
		inner_of(inside)->evicted(inside->self, b, by_prefetch, used);
}

static inline void
inner_dropped(const struct instance *inside, block_t b)
{
	if (inner_of(inside)->dropped)
		inner_of(inside)->dropped(inside->self, b);
}

static inline void
inner_finished(const struct instance *inside, const struct finished *f)
{
	if (inner_of(inside)->finished)
		inner_of(inside)->finished(inside->self, f);
}

static inline uint8_t
inner_order(const struct instance *inside, block_t b)
{
	return inner_of(inside)->order ? inner_of(inside)->order(inside->self, b) : 0;
}

/*
 * The hooks of a controller that does no more than pass them on.  Its state
 * begins with the struct instance of the inner prefetcher.
 */
static inline const struct instance *
inside_of(const void *self)
{
	return self;
}

static inline void
pass_wrote(void *self, const struct demand *d)
{
	inner_wrote(self, d);
}

static inline void
pass_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	inner_of(inside_of(self))->advise(inside_of(self)->self, a, d, plan);
}

static inline void
pass_pace(void *self, double switch_us, double block_us)
{
	inner_of(inside_of(self))->pace(inside_of(self)->self, switch_us, block_us);
}

static inline void
pass_outcome(void *self, block_t b, enum outcome how)
{
	inner_outcome(self, b, how);
}

static inline void
pass_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	inner_evicted(self, b, by_prefetch, used);
}

static inline void
pass_dropped(void *self, block_t b)
{
	inner_dropped(self, b);
}

static inline void
pass_finished(void *self, const struct finished *f)
{
	inner_finished(self, f);
}

static inline uint8_t
pass_order(const void *self, block_t b)
{
	return inner_order(self, b);
}

static inline const struct instance *
pass_inner(const void *self, unsigned n)
{
	return n ? NULL : self;
}

/* The inner prefetcher plans, if it is one that does. */
static inline void
inner_access(const struct instance *inside, const struct demand *d, struct plan *plan)
{
	if (inner_of(inside)->access)
		inner_of(inside)->access(inside->self, d, plan);
}

/* For a state; 0 if there is nothing to divide by. */
static inline int64_t
percent_of(double part, double whole)
{
	return whole > 0 ? llround(100 * part / whole) : 0;
}

/* Is the block one of the current call?  Advice has none. */
static inline bool
demand_is_for(const struct demand *d, uint32_t index)
{
	return d->call && index - d->index < d->left;
}

/* Would a plan with it read it ahead? */
static inline bool
demand_reads_ahead(const struct demand *d, uint32_t index)
{
	return !demand_is_for(d, index) && index < d->end && !demand_holds(d, index);
}

/* The blocks that the plan reads ahead. */
uint32_t plan_ahead(const struct plan *plan, const struct demand *d);

/*
 * Remove from the plan the blocks at or behind `limit`, and of those before it
 * all but the first `most` that are not in the cache.  Blocks of the current
 * call stay.  The number removed that are not in the cache.
 */
uint32_t plan_cut(struct plan *plan, const struct demand *d, uint32_t limit, uint32_t most);

#endif
