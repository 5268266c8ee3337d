/*
 * alloc_arena.c - an arena for each processor that requests, with a slab for each size
 * class: where jemalloc places small objects.
 *
 *	J. Evans.  A scalable concurrent malloc(3) implementation for FreeBSD.  BSDCan 2006.
 *	jemalloc 5.3.0.  jemalloc(3), IMPLEMENTATION NOTES and table 1.
 *
 * Classes: the multiples of 16 to 128 (with its tag no object has 8 bytes), then four for each
 * doubling, to 14 KiB; a larger object has pages of its own, and begins at a random line of 64
 * bytes of the first (opt.cache_oblivious).  A slab is as many pages as objects of its class fill
 * without a rest, so that the slabs of a class are one space in which each object takes the size of
 * its class.
 * mimalloc has the same classes for each thread, and begins a large object at a page (D. Leijen,
 * B. Zorn, L. de Moura: Mimalloc: free list sharding in action, APLAS 2019).  The classes are those
 * that nallocx() of jemalloc 5.3.0 and mi_good_size() of mimalloc 2.0.9 give for 9 bytes to 14 KiB.
 *
 * Simplified: nothing is freed in these traces; the tag is part of the object, and there is no
 * metadata; a slab, and a large object, begin a page also where pages are larger than 4 KiB;
 * there are never more processors than arenas (jemalloc: four for each CPU).
 */
#include "sim/studies/share/model/allocator.h"
#include "sim/trace/chance.h"

enum {
	SMALL_MAX = 14 << 10,
	CLASSES = 35,
	QUANTUM = 16,
	EVEN_MAX = 128,
	EVEN_MAX_LOG = 7,
	LINE = 64,
	LINES = 4096 / LINE
};

struct slabs {
	struct space space;
	uint32_t     rest; /* of the class, behind the last object */
};

enum { LARGE_LINE, LARGE_PAGE };

struct arenas {
	uint64_t     large;
	struct slabs slabs[PROCESSORS_MAX][CLASSES];
};

static const char *const large_words[] = { "line", "page", NULL };

static const struct param arena_params[] = {
	{ "large", PARAM_WORD, LARGE_LINE, 0, LARGE_PAGE, offsetof(struct arenas, large),
	    "a large object begins at a random line of its first page, as with jemalloc, or at the page, as "
	    "with mimalloc and with jemalloc's cache_oblivious:false",
	    large_words },
	{ 0 },
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

/* The same line in each run. */
static void
request_large(const struct arenas *a, struct heap *h, uint32_t object)
{
	struct space s = { 0 };

	if (a->large == LARGE_LINE)
		heap_skip(h, &s, chance_at(0, object) % LINES * LINE);
	heap_place(h, &s, object);
}

static void
arena_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct arenas *a = self;

	if (heap_bytes(h, object) <= SMALL_MAX)
		request_small(a->slabs[processor], h, object);
	else
		request_large(a, h, object);
}

ALLOCATOR(arena,
    .plugin = { .name = "arena",
	.summary = "arenas of the requesting processors with slabs of size classes, as jemalloc",
	.state_size = sizeof(struct arenas),
	.params = arena_params,
	.source =
	    "J. Evans: A scalable concurrent malloc(3) implementation for FreeBSD, BSDCan 2006; jemalloc 5.3.0: jemalloc(3)" },
    .request = arena_request);
