/* column_chunks.c - long runs and jumps: some columns of a table that is stored by columns. */
#include "sim/trace/shape.h"

struct column_chunks {
	struct shape_settings all;
	uint64_t	      chunk, skip, back;
	uint64_t	      calls; /* of a chunk */
};

static const struct param params[] = {
	SHAPE_SIZE(512 << 20),
	SHAPE_PARAMS(0, 0, 65536),
	{ "chunk", PARAM_BYTES, 1 << 20, 1, UINT64_C(1) << 40,
	    offsetof(struct column_chunks, chunk), "bytes read in a row", NULL },
	{ "skip", PARAM_BYTES, NOT_GIVEN, 0, UINT64_C(1) << 40,
	    offsetof(struct column_chunks, skip),
	    "bytes left out behind it; if not given, 7 chunks", NULL },
	{ "back", PARAM_BYTES, 0, 0, UINT64_C(1) << 40, offsetof(struct column_chunks, back),
	    "bytes to go back instead; needs calls", NULL },
	{ 0 },
};

static int
column_chunks_init(void *self, struct error *e)
{
	struct column_chunks *s = self;

	if (s->skip == NOT_GIVEN)
		s->skip = s->back ? 0 : 7 * s->chunk;
	s->calls = (s->chunk + s->all.call - 1) / s->all.call;
	if (s->back && !s->all.calls && s->back >= s->chunk)
		return error_usage(e,
		    "going back never comes to the end of the file: add calls=1000");
	return 0;
}

static bool
column_chunks_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct column_chunks *s = self;
	uint64_t		    n = i / s->calls, from = s->all.call * (i % s->calls),
		 end = n * (s->chunk + s->skip);

	if (s->back * n > end)
		return false;
	c->offset = end - s->back * n + from;
	if (c->length > s->chunk - from)
		c->length = s->chunk - from;
	return true;
}

static const char *const either[] = { "skip", "back", NULL };

SHAPE(column_chunks,
    .plugin = { .name = "column-chunks",
	.summary = "long runs, then jumps: some columns of a table that is stored by columns",
	.state_size = sizeof(struct column_chunks),
	.params = params,
	.either = either },
    .teaches =
	"what is read ahead at the end of a chunk is wasted: the shorter the chunk, the more it costs",
    .init = column_chunks_init, .call = column_chunks_call);
