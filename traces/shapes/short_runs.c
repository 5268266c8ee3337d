/* short_runs.c - a few calls in a row, then elsewhere: the trap of windows that grow. */
#include "sim/trace/shape.h"

struct short_runs {
	struct shape_settings all;
	uint64_t	      run, align;
};

static const struct param params[] = {
	SHAPE_SIZE(1 << 30),
	SHAPE_PARAMS(20000, 1, 4096),
	{ "run", PARAM_COUNT, 5, 1, UINT64_C(1) << 20, offsetof(struct short_runs, run),
	    "calls in a row", NULL },
	{ "align", PARAM_BYTES, NOT_GIVEN, 1, 1 << 30, offsetof(struct short_runs, align),
	    "runs begin at a multiple of this; if not given, of a call", NULL },
	{ 0 },
};

static int
short_runs_init(void *self, struct error *e)
{
	struct short_runs *s = self;

	if (s->align == NOT_GIVEN)
		s->align = s->all.call;
	return s->all.size < s->align
	    ? error_usage(e, "the file is smaller than a call, or than align")
	    : 0;
}

/* What would lie behind the end of the file is at its beginning. */
static bool
short_runs_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct short_runs *s = self;
	uint64_t start = chance_at(s->all.key, i / s->run) % (s->all.size / s->align) * s->align;

	c->offset = (start + s->all.call * (i % s->run)) % s->all.size;
	return true;
}

SHAPE(short_runs,
    .plugin = { .name = "short-runs",
	.summary = "a few calls in a row, then elsewhere: runs end when the window has grown",
	.state_size = sizeof(struct short_runs),
	.params = params },
    .teaches = "the window trap: reading ahead raises the hit ratio, and the time as well",
    .init = short_runs_init, .call = short_runs_call);
