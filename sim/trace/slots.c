/* slots.c - which traces are sparse. */
#include <stdlib.h>

#include "sim/trace/slots.h"

enum { VAST = 1 << 22 /* blocks: smaller tables do not matter */ };

/* References, at most. */
static uint64_t
references(const struct trace *t)
{
	return t->naccess * (uint64_t)(t->longest_bytes / t->block_bytes + 2);
}

bool
trace_is_sparse(const struct trace *t)
{
	return t->nblocks > VAST && t->nblocks / SLOTS_GROUP > references(t);
}

/* The first group is of blocks never entered, and the last one may be a part of a group. */
block_t
slots_entries(const struct trace *t)
{
	return t->nblocks + (trace_is_sparse(t) ? 2 * SLOTS_GROUP : 0);
}

block_t
slots_most(const struct trace *t)
{
	return trace_is_sparse(t) ? (block_t)(references(t) + 1) * SLOTS_GROUP : t->nblocks;
}

int
slots_init(struct slots *s, const struct trace *t, struct error *e)
{
	*s = (struct slots){ 0 };
	if (!trace_is_sparse(t))
		return 0;
	s->group = calloc(t->nblocks / SLOTS_GROUP + 1, sizeof(*s->group));
	return s->group ? 0 : error_set(e, "out of memory for %u blocks", t->nblocks);
}

void
slots_release(struct slots *s)
{
	free(s->group);
	*s = (struct slots){ 0 };
}
