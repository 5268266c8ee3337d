/* sequential.c - one file from its beginning, call after call. */
#include "sim/trace/shape.h"

enum growth { GROWTH_NONE, GROWTH_DOUBLE };

struct sequential {
	struct shape_settings all;
	uint64_t	      start, header, growth;
};

static const char *const growth_words[] = { "none", "double", NULL };

static const struct param params[] = {
	SHAPE_SIZE(16 << 20),
	SHAPE_PARAMS(1024, 0, 4096),
	{ "start", PARAM_BYTES, 0, 0, UINT64_C(1) << 42, offsetof(struct sequential, start),
	    "where the first call begins", NULL },
	{ "header", PARAM_BYTES, 0, 0, 1 << 30, offsetof(struct sequential, header),
	    "bytes of the beginning of the file that are read before", NULL },
	{ "growth", PARAM_WORD, GROWTH_NONE, 0, GROWTH_DOUBLE, offsetof(struct sequential, growth),
	    "calls of one size, or each twice as long as the one before", growth_words },
	{ 0 },
};

static bool
sequential_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct sequential *s = self;

	if (s->header && i == 0) {
		c->length = s->header;
		return true;
	}
	i -= s->header > 0;
	if (s->growth == GROWTH_NONE) {
		c->offset = s->start + c->length * i;
		return true;
	}
	if (c->length << i > INT32_MAX)
		return false;
	c->length <<= i;
	c->offset = s->start + c->length - s->all.call;
	return true;
}

SHAPE(sequential,
    .plugin = { .name = "sequential",
	.summary = "one file, call after call from its beginning",
	.state_size = sizeof(struct sequential),
	.params = params },
    .teaches = "what reading ahead is for: the next blocks are read while the program thinks",
    .call = sequential_call);
