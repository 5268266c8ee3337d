/*
 * alloc_arena.c - an arena for each processor that requests, with a slab for each size
 * class: where jemalloc places small objects.
 *
 *	J. Evans.  A scalable concurrent malloc(3) implementation for FreeBSD.  BSDCan 2006.
 *	jemalloc 5.3.0.  jemalloc(3), IMPLEMENTATION NOTES and table 1.
 *
 * Classes: the multiples of 16 to 128 (with its tag no object has 8 bytes), then four for each doubling, to 14 KiB; a larger object
 * has pages of its own.  A slab is as many pages as objects of its class fill without a rest, so
 * that the slabs of a class are one space in which each object takes the size of its class.
 * mimalloc has the same classes, in pages of 64 KiB for each thread (D. Leijen, B. Zorn, L. de
 * Moura: Mimalloc: free list sharding in action, APLAS 2019).
 *
 * Simplified: nothing is freed in these traces; the tag is part of the object, and there is no
 * metadata; a slab, and a large object, begin a page also where pages are larger than 4 KiB;
 * there are never more processors than arenas (jemalloc: four for each CPU).
 */
#include "sim/share/allocator.h"

enum { SMALL_MAX = 14 << 10, CLASSES = 35, QUANTUM = 16, EVEN_MAX = 128, EVEN_MAX_LOG = 7 };

struct slabs {
	struct space space;
	uint32_t     rest; /* of the class, behind the last object */
};

struct arenas {
	struct slabs slabs[PROCESSORS_MAX][CLASSES];
};

/* The number of the class of a small object, and its bytes. */
static unsigned
class_of(uint32_t bytes, uint32_t *whole)
{
	unsigned doubling, quarter;

	if (bytes <= EVEN_MAX) {
		*whole = (bytes + QUANTUM - 1) / QUANTUM * QUANTUM;
		return *whole / QUANTUM - 1;
	}
	doubling = 31 - (unsigned)__builtin_clz(bytes - 1);
	quarter = (bytes - 1) >> (doubling - 2);
	*whole = (quarter + 1) << (doubling - 2);
	return EVEN_MAX / QUANTUM + (doubling - EVEN_MAX_LOG) * 4 + (quarter & 3);
}

static void
request_small(struct slabs arena[CLASSES], struct heap *h, uint32_t object)
{
	uint32_t      bytes = (uint32_t)heap_bytes(h, object), whole;
	struct slabs *s = &arena[class_of(bytes, &whole)];

	heap_skip(h, &s->space, s->rest);
	heap_place(h, &s->space, object);
	s->rest = whole - bytes;
}

static void
arena_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct arenas *a = self;

	if (heap_bytes(h, object) <= SMALL_MAX)
		request_small(a->slabs[processor], h, object);
	else
		heap_place(h, &(struct space){ 0 }, object);
}

ALLOCATOR(arena,
    .plugin = { .name = "arena",
	.summary = "arenas of the requesting processors with slabs of size classes, as jemalloc",
	.state_size = sizeof(struct arenas),
	.source =
	    "J. Evans: A scalable concurrent malloc(3) implementation for FreeBSD, BSDCan 2006; jemalloc 5.3.0: jemalloc(3)" },
    .request = arena_request);
