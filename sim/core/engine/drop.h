/* drop.h - the blocks that DONTNEED drops, and a cache without a clock that drops them. */
#ifndef SIM_DROP_H
#define SIM_DROP_H

#include "sim/core/policy.h"

/* The end of the advised range, at most the end of the file. */
static inline uint64_t
advice_end(const struct advice *a)
{
	uint64_t end = a->length ? a->offset + a->length : a->file_size;

	return end < a->file_size ? end : a->file_size;
}

/* The number of blocks that hold this many bytes, rounded up. */
static inline uint32_t
advice_blocks(const struct trace *t, uint64_t bytes)
{
	return (uint32_t)((bytes + t->block_bytes - 1) >> t->block_shift);
}

/* Blocks first .. last - 1 of a file that begins at base. */
struct drop_range {
	block_t base, first, last;
};

/* The whole blocks of its range, and a last block that the end of the file cuts short. */
struct drop_range drop_range(const struct trace *t, const struct advice *a);

/* The first resident block from b on; r->last if there is none. */
static inline block_t
drop_next(const struct cache *c, const struct drop_range *r, block_t b)
{
	while ((b = slots_next(&c->slots, b, r->last)) < r->last && !cache_find(c, b))
		b++;
	return b;
}

/* Drop all of them; how many were resident. */
uint64_t drop_all(struct cache *c, const struct policy *p, void *self, const struct drop_range *r);

#endif
