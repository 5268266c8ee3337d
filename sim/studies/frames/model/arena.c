/* arena.c - the memory that allocators of page frames divide. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <inttypes.h>
#include <sys/mman.h>

#include "sim/studies/frames/model/arena.h"

static int
check_shape(uint64_t blocks, uint64_t block_pages, struct error *e)
{
	if (!block_pages || block_pages & (block_pages - 1) ||
	    block_pages >= UINT64_C(1) << FRAME_ORDERS)
		return error_usage(e,
		    "a block has a power of two of pages, at most %u, not %" PRIu64,
		    1u << (FRAME_ORDERS - 1), block_pages);
	if (!blocks || blocks > ARENA_BLOCKS_MAX || blocks * block_pages >= NO_PAGE)
		return error_usage(e,
		    "an arena has 1 to %d blocks and less than 2^32 pages, not %" PRIu64
		    " x %" PRIu64,
		    ARENA_BLOCKS_MAX, blocks, block_pages);
	return 0;
}

int
arena_open(struct arena *a, uint64_t blocks, uint64_t block_pages, struct error *e)
{
	void *m;

	*a = (struct arena){ 0 };
	if (check_shape(blocks, block_pages, e))
		return -1;
	a->blocks = (uint32_t)blocks;
	a->block_pages = (uint32_t)block_pages;
	a->max_order = (unsigned)__builtin_ctzll(block_pages);
	a->pages = (uint32_t)(blocks * block_pages);
	m = mmap(NULL, (size_t)a->pages * FRAME_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m == MAP_FAILED)
		return error_set(e, "out of memory for an arena of %" PRIu32 " pages", a->pages);
	a->memory = m;
	return 0;
}

void
arena_close(struct arena *a)
{
	if (a->memory)
		munmap(a->memory, (size_t)a->pages * FRAME_BYTES);
	a->memory = NULL;
}
