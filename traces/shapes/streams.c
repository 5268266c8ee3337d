/* streams.c - several sequential streams of one file, a call of each in turn. */
#include "sim/trace/shape.h"

enum descriptors { DESCRIPTORS_SHARED, DESCRIPTORS_OWN };

struct streams {
	struct shape_settings all;
	uint64_t	      streams, apart, descriptors;
};

static const char *const descriptors_words[] = { "shared", "own", NULL };

static const struct param params[] = {
	SHAPE_SIZE(64 << 20),
	SHAPE_PARAMS(0, 0, 4096),
	{ "streams", PARAM_COUNT, 2, 1, SHAPE_DESCRIPTORS, offsetof(struct streams, streams),
	    "number of streams", NULL },
	{ "apart", PARAM_BYTES, NOT_GIVEN, 0, UINT64_C(1) << 42, offsetof(struct streams, apart),
	    "distance of their beginnings; if not given, equal parts of the file", NULL },
	{ "descriptors", PARAM_WORD, DESCRIPTORS_SHARED, 0, DESCRIPTORS_OWN,
	    offsetof(struct streams, descriptors),
	    "all streams through one descriptor, or each through its own", descriptors_words },
	{ 0 },
};

static int
streams_init(void *self, struct error *e)
{
	struct streams *s = self;
	uint64_t	calls = s->all.size / s->all.call / s->streams;

	if (s->apart == NOT_GIVEN)
		s->apart = calls * s->all.call;
	return calls ? 0 : error_usage(e, "the file is too small for a call of each stream");
}

/* Streams are together: when the last one has come to the end of the file, all end. */
static bool
streams_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct streams *s = self;
	uint64_t	      stream = i % s->streams, far = s->all.call * (i / s->streams);

	c->offset = far + s->apart * stream;
	c->descriptor = s->descriptors == DESCRIPTORS_OWN ? (uint32_t)stream : 0;
	return far + s->apart * (s->streams - 1) < s->all.size;
}

SHAPE(streams,
    .plugin = { .name = "streams",
	.summary = "several sequential streams of one file, a call of each in turn",
	.state_size = sizeof(struct streams),
	.params = params },
    .teaches = "streams take turns: a prefetcher that remembers one of them sees random calls",
    .init = streams_init, .call = streams_call);
