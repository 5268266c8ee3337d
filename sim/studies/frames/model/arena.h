/*
 * arena.h - the memory that allocators of page frames divide: blocks of equal size, a power of two
 * of pages.
 *
 * Pages have numbers from 0 on, and requests are aligned by number.  A block is the largest request.
 * A page takes real memory when it is first written.
 */
#ifndef SIM_FRAMES_ARENA_H
#define SIM_FRAMES_ARENA_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { ARENA_BLOCKS_MAX = 1 << 20 };
enum { FRAME_BYTES = 4096, FRAME_ORDERS = 19 /* at most: 0 to 18, a block of 1 GiB */ };

typedef uint32_t page_t;
#define NO_PAGE UINT32_MAX

struct arena {
	char	*memory;
	uint32_t blocks;
	uint32_t block_pages;
	unsigned max_order; /* of a block */
	uint32_t pages;
};

/* A usage error if a number does not fit.  0 or -1. */
int  arena_open(struct arena *a, uint64_t blocks, uint64_t block_pages, struct error *e);
void arena_close(struct arena *a);

static inline void *
arena_address(const struct arena *a, page_t page)
{
	return a->memory + (size_t)page * FRAME_BYTES;
}

/* NO_PAGE: it is not the address of a page of this arena. */
static inline page_t
arena_page(const struct arena *a, const void *address)
{
	size_t at = (size_t)((uintptr_t)address - (uintptr_t)a->memory);

	if (at % FRAME_BYTES || at / FRAME_BYTES >= a->pages)
		return NO_PAGE;
	return (page_t)(at / FRAME_BYTES);
}

#endif
