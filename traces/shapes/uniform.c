/* uniform.c - random calls, every place as likely as any other. */
#include "sim/trace/shape.h"

enum lengths { LENGTHS_FIXED, LENGTHS_ANY };

struct uniform {
	struct shape_settings all;
	uint64_t	      align, lengths;
};

static const char *const lengths_words[] = { "fixed", "any", NULL };

static const struct param params[] = {
	SHAPE_SIZE(64 << 20),
	SHAPE_PARAMS(10000, 1, 4096),
	{ "align", PARAM_BYTES, NOT_GIVEN, 1, 1 << 30, offsetof(struct uniform, align),
	    "calls begin at a multiple of this; if not given, of their size", NULL },
	{ "lengths", PARAM_WORD, LENGTHS_FIXED, 0, LENGTHS_ANY, offsetof(struct uniform, lengths),
	    "calls of that size, or of 1 byte up to that size", lengths_words },
	{ 0 },
};

static int
uniform_init(void *self, struct error *e)
{
	struct uniform *u = self;

	if (u->align == NOT_GIVEN)
		u->align = u->all.call;
	return u->all.size < u->align
	    ? error_usage(e, "the file is smaller than a call, or than align")
	    : 0;
}

static bool
uniform_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct uniform *u = self;

	c->offset = chance_at(u->all.key, i) % (u->all.size / u->align) * u->align;
	if (u->lengths == LENGTHS_ANY)
		c->length = 1 + chance_at(u->all.key, ~i) % u->all.call;
	return true;
}

SHAPE(uniform,
    .plugin = { .name = "uniform",
	.summary = "random calls, every place as likely as any other",
	.state_size = sizeof(struct uniform),
	.params = params },
    .teaches =
	"every policy hits at cache / file in the long run; what is read ahead is used by accident",
    .init = uniform_init, .call = uniform_call);
