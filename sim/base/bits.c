/* bits.c - the tree of bits. */
#include <stdlib.h>

#include "sim/base/bits.h"
#include "sim/base/memory.h"

int
bits_init(struct bits *b, uint32_t n, struct error *e)
{
	uint32_t words = n;

	*b = (struct bits){ 0 };
	for (unsigned l = 0; l < BITS_LEVELS; l++) {
		words = (words >> BITS_SHIFT) + 1;
		b->level[l] = memory_table(words, sizeof(**b->level));
		if (!b->level[l])
			return error_set(e, "out of memory for a set of %u numbers", n);
	}
	return 0;
}

void
bits_release(struct bits *b)
{
	for (unsigned l = 0; l < BITS_LEVELS; l++)
		free(b->level[l]);
	*b = (struct bits){ 0 };
}

uint32_t
bits_first(const struct bits *b, uint32_t from)
{
	uint64_t i = from;

	for (unsigned l = 0; l < BITS_LEVELS; l++, i = (i >> BITS_SHIFT) + 1) {
		uint64_t word = b->level[l][i >> BITS_SHIFT] >> (i & 63);

		if (!word)
			continue;
		i += (unsigned)__builtin_ctzll(word);
		while (l-- > 0) {
			ASSERT(b->level[l][i]); /* as a bit above says */
			i = i << BITS_SHIFT | (unsigned)__builtin_ctzll(b->level[l][i]);
		}
		return (uint32_t)i;
	}
	return BITS_NONE;
}

static uint32_t
highest(uint64_t word)
{
	ASSERT(word); /* a bit above an empty word is clear */
	return 63 - (unsigned)__builtin_clzll(word);
}

/* The greatest member under bit i of level l. */
static uint32_t
descend(const struct bits *b, unsigned l, uint32_t i)
{
	ASSERT(l <= BITS_LEVELS);
	while (l-- > 0)
		i = i << BITS_SHIFT | highest(b->level[l][i]);
	return i;
}

uint32_t
bits_last(const struct bits *b)
{
	return b->level[BITS_LEVELS - 1][0] ? descend(b, BITS_LEVELS, 0) : BITS_NONE;
}

uint32_t
bits_before(const struct bits *b, uint32_t end)
{
	uint32_t i = end;

	for (unsigned l = 0; l < BITS_LEVELS && i-- > 0; l++, i >>= BITS_SHIFT) {
		uint64_t word = b->level[l][i >> BITS_SHIFT] & UINT64_MAX >> (63 - (i & 63));

		if (word)
			return descend(b, l, i >> BITS_SHIFT << BITS_SHIFT | highest(word));
	}
	return BITS_NONE;
}
