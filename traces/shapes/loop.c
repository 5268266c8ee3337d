/* loop.c - through one file from end to end, again and again. */
#include "sim/trace/shape.h"

struct loop {
	struct shape_settings all;
	uint64_t	      calls; /* of one pass */
};

static const struct param params[] = {
	SHAPE_SIZE(16 << 20),
	SHAPE_PARAMS(20480, 1, 4096),
	{ 0 },
};

static int
loop_init(void *self, struct error *e)
{
	struct loop *l = self;

	l->calls = (l->all.size + l->all.call - 1) / l->all.call;
	return 0;
}

static bool
loop_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct loop *l = self;

	c->offset = l->all.call * (i % l->calls);
	return true;
}

SHAPE(loop,
    .plugin = { .name = "loop",
	.summary = "through one file from end to end, again and again",
	.state_size = sizeof(struct loop),
	.params = params },
    .teaches =
	"the cliff of LRU: in a loop larger than the cache each block is evicted before its next use",
    .init = loop_init, .call = loop_call);
