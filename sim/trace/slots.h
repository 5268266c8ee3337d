/*
 * slots.h - where tables keep the entries of blocks.
 *
 * A table has an entry for each block of the files, and the number of the block
 * is the index of the entry.  A sparse trace, which uses few blocks of vast
 * files, would touch a page of memory for each.  There, 64 neighbours get the
 * next free indices when one of them is first entered.
 *
 * A table has slots_entries() and is zeroed.  Memory of calloc() that is not
 * touched is not taken from the system, so a table costs what is used of it.
 */
#ifndef SIM_SLOTS_H
#define SIM_SLOTS_H

#include "sim/trace/trace.h"

enum { SLOTS_GROUP = 64 };

/* All zero: the index is the block number. */
struct slots {
	uint32_t *group; /* [nblocks / SLOTS_GROUP + 1] of blocks: its number, from 1; or 0 */
	uint32_t  n;	 /* groups so far */
};

int  slots_init(struct slots *s, const struct trace *t, struct error *e);
void slots_release(struct slots *s);

/* The entries of a table. */
block_t slots_entries(const struct trace *t);

/* The entries that references can use, at most: enough for a table that knows no prefetching. */
block_t slots_most(const struct trace *t);

/* Can its calls use only a small part of the blocks of its files? */
bool trace_is_sparse(const struct trace *t);

/* The index of a block, below the number of entries in use. */
ALWAYS_INLINE size_t
slots_place(const struct slots *s, block_t b)
{
	return (size_t)s->group[b / SLOTS_GROUP] * SLOTS_GROUP + b % SLOTS_GROUP;
}

/* The index of an entry to read.  Of a block never entered: an entry that stays zero. */
ALWAYS_INLINE size_t
slots_find(const struct slots *s, block_t b)
{
	return likely(!s->group) ? b : slots_place(s, b);
}

/* The index of an entry to write. */
ALWAYS_INLINE size_t
slots_enter(struct slots *s, block_t b)
{
	if (likely(!s->group))
		return b;
	if (!s->group[b / SLOTS_GROUP])
		s->group[b / SLOTS_GROUP] = ++s->n;
	return slots_place(s, b);
}

/* The first block from b on that may have been entered, or end. */
static inline block_t
slots_next(const struct slots *s, block_t b, block_t end)
{
	while (s->group && b < end && !s->group[b / SLOTS_GROUP])
		b = (b / SLOTS_GROUP + 1) * SLOTS_GROUP;
	return b < end ? b : end;
}

/* The number of entries in use, of all that a table for so many blocks has. */
static inline size_t
slots_used(const struct slots *s, block_t nblocks)
{
	return s->group ? ((size_t)s->n + 1) * SLOTS_GROUP : nblocks;
}

#endif
