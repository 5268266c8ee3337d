/* strided.c - calls at equal distances, forwards or backwards. */
#include "sim/trace/shape.h"

enum direction { FORWARD, BACK };

struct strided {
	struct shape_settings all;
	uint64_t	      step, start, direction;
};

static const char *const direction_words[] = { "forward", "back", NULL };

static const struct param params[] = {
	SHAPE_SIZE(64 << 20),
	SHAPE_PARAMS(0, 0, 4096),
	{ "step", PARAM_BYTES, 32 << 10, 0, UINT64_C(1) << 40, offsetof(struct strided, step),
	    "from the beginning of a call to that of the next; 0 needs calls", NULL },
	{ "start", PARAM_BYTES, NOT_GIVEN, 0, UINT64_C(1) << 42, offsetof(struct strided, start),
	    "where the first call begins; if not given, the beginning, or end, of the file", NULL },
	{ "direction", PARAM_WORD, FORWARD, 0, BACK, offsetof(struct strided, direction),
	    "towards the end of the file, or its beginning", direction_words },
	{ 0 },
};

static int
strided_init(void *self, struct error *e)
{
	struct strided *s = self;
	uint64_t	last = s->all.size > s->all.call ? s->all.size - s->all.call : 0;

	if (s->start == NOT_GIVEN)
		s->start = s->direction == BACK ? last : 0;
	if (!s->step && !s->all.calls)
		return error_usage(e, "a step of 0 never comes to an end: add calls=1000");
	return 0;
}

static bool
strided_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct strided *s = self;
	uint64_t	      far = s->step * i;

	if (s->direction == BACK && far > s->start)
		return false;
	c->offset = s->direction == BACK ? s->start - far : s->start + far;
	return true;
}

SHAPE(strided,
    .plugin = { .name = "strided",
	.summary = "calls at equal distances: every eighth page",
	.state_size = sizeof(struct strided),
	.params = params },
    .teaches = "regular, but not sequential: what is read ahead in between is never used",
    .init = strided_init, .call = strided_call);
