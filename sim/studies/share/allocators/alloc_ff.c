/*
 * alloc_ff.c - FFalloc: an object has no place until a processor faults on it, and
 * then goes to the end of that processor's space.
 *
 *	B. Han, S. Cho.  Memory allocation scheme for reducing false sharing on
 *	multiprocessor systems.  Journal of KIISE: Systems and Theory 27(3), 2000.
 */
#include "sim/studies/share/model/allocator.h"

struct ff {
	struct space space[PROCESSORS_MAX];
};

static void
ff_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
}

static void
ff_touch(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	heap_place(h, &((struct ff *)self)->space[processor], object);
}

ALLOCATOR(ff,
    .plugin = { .name = "ff",
	.summary = "FFalloc: an object goes to the space of the processor that references it first",
	.state_size = sizeof(struct ff),
	.source =
	    "B. Han, S. Cho: Memory allocation scheme for reducing false sharing on multiprocessor systems, Journal of KIISE: Systems and Theory 27(3), 2000" },
    .request = ff_request, .touch = ff_touch);
