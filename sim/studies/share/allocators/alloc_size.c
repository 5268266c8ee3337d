/*
 * alloc_size.c - one space for each size of request (Lee, Cho 1996), as described in
 *
 *	B. Han, S. Cho.  Memory allocation scheme for reducing false sharing on
 *	multiprocessor systems.  Journal of KIISE: Systems and Theory 27(3), 2000.
 */
#include <stdlib.h>

#include "sim/studies/share/model/allocator.h"

struct size_spaces {
	uint64_t      spanning;
	struct map    number; /* of a size, from 1 */
	struct space *space;
};

static const struct param size_params[] = {
	PARAM_SPANNING(offsetof(struct size_spaces, spanning)),
	{ 0 },
};

static int
size_init(void *self, const struct heap *h, struct error *e)
{
	struct size_spaces   *s = self;
	const struct program *p = h->program;
	uint32_t	      n = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++) {
		uint32_t *at = map_at(&s->number, p->object[i].bytes);

		if (!at)
			return error_set(e, "out of memory for the sizes of objects");
		if (!*at)
			*at = ++n;
	}
	s->space = calloc((size_t)n + 1, sizeof(*s->space));
	return s->space ? 0 : error_set(e, "out of memory for %u spaces", n);
}

static void
size_release(void *self)
{
	struct size_spaces *s = self;

	map_release(&s->number);
	free(s->space);
}

static void
size_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct size_spaces *s = self;
	const uint32_t	   *number = map_at(&s->number, heap_bytes(h, object));

	heap_place_spanning(h, &s->space[*number], object, s->spanning);
}

ALLOCATOR(size,
    .plugin = { .name = "size",
	.summary = "one space for each size of request",
	.state_size = sizeof(struct size_spaces),
	.params = size_params },
    .init = size_init, .release = size_release, .request = size_request);
