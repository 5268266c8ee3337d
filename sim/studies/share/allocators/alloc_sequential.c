/* alloc_sequential.c - one space, in the order of requests. */
#include "sim/studies/share/model/allocator.h"

struct sequential {
	uint64_t     spanning;
	struct space space;
};

static const struct param sequential_params[] = {
	PARAM_SPANNING(offsetof(struct sequential, spanning)),
	{ 0 },
};

static void
sequential_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct sequential *s = self;

	heap_place_spanning(h, &s->space, object, s->spanning);
}

ALLOCATOR(sequential,
    .plugin = { .name = "sequential",
	.summary = "one space, in the order of requests",
	.state_size = sizeof(struct sequential),
	.params = sequential_params },
    .request = sequential_request);
