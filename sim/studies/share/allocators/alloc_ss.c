/*
 * alloc_ss.c - SSalloc: only runs of requests of equal sizes are spread as FFalloc
 * spreads all objects.
 *
 * An object waits for its first reference.  If the next request has another size,
 * and the one before had another too, the object goes to the general space at
 * once.  The last object waits.
 *
 *	B. Han, S. Cho.  Memory allocation scheme for reducing false sharing on
 *	multiprocessor systems.  Journal of KIISE: Systems and Theory 27(3), 2000.
 */
#include "sim/studies/share/model/allocator.h"

struct ss {
	struct space general, space[PROCESSORS_MAX];
	uint32_t     last;   /* requested; 0: none yet */
	bool	     in_run; /* its size is that of the one before */
};

static void
ss_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct ss *s = self;
	bool	   equal = s->last && heap_bytes(h, s->last) == heap_bytes(h, object);

	if (s->last && !equal && !s->in_run && !heap_is_placed(h, s->last))
		heap_place(h, &s->general, s->last);
	s->last = object;
	s->in_run = equal;
}

static void
ss_touch(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	heap_place(h, &((struct ss *)self)->space[processor], object);
}

ALLOCATOR(ss,
    .plugin = { .name = "ss",
	.summary =
	    "SSalloc: as ff where requests of equal sizes follow each other, else in one space",
	.state_size = sizeof(struct ss),
	.source =
	    "B. Han, S. Cho: Memory allocation scheme for reducing false sharing on multiprocessor systems, Journal of KIISE: Systems and Theory 27(3), 2000" },
    .request = ss_request, .touch = ss_touch);
