/*
 * alloc_pp.c - PPalloc: a pool of as many spaces as processors; object i goes to
 * space (i - 1) mod N (Han et al. 1998), as described in
 *
 *	B. Han, S. Cho.  Memory allocation scheme for reducing false sharing on
 *	multiprocessor systems.  Journal of KIISE: Systems and Theory 27(3), 2000.
 */
#include "sim/studies/share/model/allocator.h"

struct pp {
	uint64_t     spanning;
	struct space space[PROCESSORS_MAX];
};

static const struct param pp_params[] = {
	PARAM_SPANNING(offsetof(struct pp, spanning)),
	{ 0 },
};

static void
pp_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct pp *p = self;

	heap_place_spanning(h, &p->space[(object - 1) % h->program->processors], object,
	    p->spanning);
}

ALLOCATOR(pp,
    .plugin = { .name = "pp",
	.summary = "PPalloc: objects to as many spaces as processors, in turn",
	.state_size = sizeof(struct pp),
	.params = pp_params },
    .request = pp_request);
