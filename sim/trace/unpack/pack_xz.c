/* pack_xz.c - xz, by liblzma.  A stream is a member. */
#include "sim/trace/unpack/unpack.h"

static bool
xz_begins(const unsigned char *b, size_t n)
{
	return unpack_begins(b, n, "\3757zXZ", 6);
}

#ifdef HAVE_LIBLZMA
#include <lzma.h>

#define MEMORY_MOST ((uint64_t)1 << 30) /* xz -9 needs 65 MB */

static int
xz_start(void *self, struct error *e)
{
	return lzma_stream_decoder(self, MEMORY_MOST, 0) == LZMA_OK ? 0 : error_no_memory(e);
}

static int
explain(lzma_ret status, struct error *e)
{
	switch (status) {
	case LZMA_MEM_ERROR:
		return error_no_memory(e);
	case LZMA_MEMLIMIT_ERROR:
		return error_set(e,
		    "needs more than 1 GB of memory to be unpacked: unpack it first, as in "
		    "`xz -dc FILE | bufsim run -`");
	case LZMA_OPTIONS_ERROR:
		return error_set(e, "the xz data is damaged, or newer than this liblzma");
	default:
		return error_set(e, "the xz data is damaged: it does not unpack");
	}
}

static int
xz_step(void *self, struct unpacking *u, struct error *e)
{
	lzma_stream *s = self;
	lzma_ret     status;

	s->next_in = u->in;
	s->avail_in = u->left;
	s->next_out = u->out;
	s->avail_out = u->room;
	status = lzma_code(s, LZMA_RUN);
	*u = (struct unpacking){ s->next_in, s->next_out, s->avail_in, s->avail_out };
	if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
		return explain(status, e);
	return status == LZMA_STREAM_END;
}

static void
xz_end(void *self)
{
	lzma_end(self);
}
#endif

const struct packing packing_xz = {
	.name = "xz",
	.library = "liblzma",
	.command = "xz -dc",
	.ending = ".xz",
	.magic = 6,
	.begins = xz_begins,
#ifdef HAVE_LIBLZMA
	.state_size = sizeof(lzma_stream),
	.start = xz_start,
	.step = xz_step,
	.end = xz_end,
#endif
};
