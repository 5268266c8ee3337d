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

#include "sim/trace/trace.h"

#define FUTURE_NEVER UINT32_MAX

struct future {
	uint32_t *next;	   /* [references] the next one to the same block, or FUTURE_NEVER */
	uint32_t *pending; /* [nblocks] the first one to each block that is still to come */
};

/* One pass over the trace; four bytes a reference and four a block. */
int  future_init(struct future *f, const struct trace *t, struct error *e);
void future_release(struct future *f);

/* The next reference to block b, resident or not; FUTURE_NEVER: there is none. */
ALWAYS_INLINE uint32_t
future_next(const struct future *f, block_t b)
{
	return f->pending[b];
}

/* Block b is being referenced: advance to its next reference. */
ALWAYS_INLINE void
future_pass(struct future *f, block_t b)
{
	f->pending[b] = f->next[f->pending[b]];
}

#endif
