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
		while (l-- > 0)
			i = i << BITS_SHIFT | (unsigned)__builtin_ctzll(b->level[l][i]);
		return (uint32_t)i;
	}
	return BITS_NONE;
}

uint32_t
bits_last(const struct bits *b)
{
	uint32_t i = 0;

	if (!b->level[BITS_LEVELS - 1][0])
		return BITS_NONE;
	for (unsigned l = BITS_LEVELS; l-- > 0;)
		i = i << BITS_SHIFT | (63 - (unsigned)__builtin_clzll(b->level[l][i]));
	return i;
}
