/*
 * future.h - the next reference to each block: for offline policies and for
 * bounds.
 *
 * References are numbered in the order of the trace, from 0: every block of
 * every call, reads and writes.  Serial and untimed replay make them in that
 * order; where processes run at the same time, the number still says which
 * reference of the trace is meant.
 */
#ifndef SIM_FUTURE_H
#define SIM_FUTURE_H

#include "sim/trace/slots.h"

#define FUTURE_NEVER UINT32_MAX

struct future {
	uint32_t     references;
	uint32_t    *next;    /* [references] the next one to the same block, or FUTURE_NEVER */
	uint32_t    *pending; /* by slot: the complement of the first one that is still to come */
	struct slots slots;
};

/* One pass over the trace; four bytes a reference and four a block. */
int  future_init(struct future *f, const struct trace *t, struct error *e);
void future_release(struct future *f);

/* The next reference to block b, resident or not; FUTURE_NEVER: there is none. */
ALWAYS_INLINE uint32_t
future_next(const struct future *f, block_t b)
{
	return ~f->pending[slots_find(&f->slots, b)];
}

/* Block b will be referenced soon; not in a sparse trace. */
ALWAYS_INLINE void
future_expect(const struct future *f, block_t b)
{
	__builtin_prefetch(&f->pending[b]);
}

/* Block b is being referenced: advance to its next reference. */
ALWAYS_INLINE void
future_pass(struct future *f, block_t b)
{
	uint32_t *pending = &f->pending[slots_find(&f->slots, b)];

	ASSERT(~*pending < f->references);
	*pending = ~f->next[~*pending];
}

/*
 * Go back to before n references to these blocks, the first of which has that number: all of them
 * have been passed.
 */
static inline void
future_return(struct future *f, const block_t *ref, size_t n, uint32_t number)
{
	while (n-- > 0)
		f->pending[slots_find(&f->slots, ref[n])] = ~(number + (uint32_t)n);
}

#endif
