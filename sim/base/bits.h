/*
 * bits.h - a set of numbers below a limit, with its least member from a number on, and its
 * greatest before a number.
 *
 * A tree of bits: each word of a level has a bit for 64 words of the level
 * below.  At most six words are read or written; an eighth of a byte a number.
 */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { BITS_SHIFT = 6, BITS_LEVELS = 6 };

#define BITS_NONE UINT32_MAX /* no member */

struct bits {
	uint64_t *level[BITS_LEVELS]; /* level 0: the members */
};

/* The empty set of numbers below n, which is below UINT32_MAX.  Release it in any case. */
int  bits_init(struct bits *b, uint32_t n, struct error *e);
void bits_release(struct bits *b);

ALWAYS_INLINE bool
bits_has(const struct bits *b, uint32_t i)
{
	return b->level[0][i >> BITS_SHIFT] >> (i & 63) & 1;
}

ALWAYS_INLINE void
bits_set(struct bits *b, uint32_t i)
{
	for (unsigned l = 0; l < BITS_LEVELS; l++, i >>= BITS_SHIFT) {
		uint64_t *word = &b->level[l][i >> BITS_SHIFT], before = *word;

		*word |= UINT64_C(1) << (i & 63);
		if (before)
			return;
	}
}

ALWAYS_INLINE void
bits_clear(struct bits *b, uint32_t i)
{
	for (unsigned l = 0; l < BITS_LEVELS; l++, i >>= BITS_SHIFT) {
		uint64_t *word = &b->level[l][i >> BITS_SHIFT];

		*word &= ~(UINT64_C(1) << (i & 63));
		if (*word)
			return;
	}
}

/* The least member that is not below `from`, which is at most n. */
uint32_t bits_first(const struct bits *b, uint32_t from);

/* The greatest member; or the greatest one below `end`, which is at most n. */
uint32_t bits_last(const struct bits *b);
uint32_t bits_before(const struct bits *b, uint32_t end);

#endif
