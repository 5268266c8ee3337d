/*
 * inner.h - the prefetcher that a controller wraps: its start and end, and the
 * hooks that a controller only passes on.
 */
#ifndef PREFETCH_INNER_H
#define PREFETCH_INNER_H

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
inner_outcome(const struct instance *inside, block_t b, enum outcome how)
{
	if (inner_of(inside)->outcome)
		inner_of(inside)->outcome(inside->self, b, how);
}

static inline void
inner_evicted(const struct instance *inside, block_t b)
{
	if (inner_of(inside)->evicted)
		inner_of(inside)->evicted(inside->self, b);
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

#endif
