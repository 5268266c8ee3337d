/* pack_gzip.c - gzip, by zlib. */
#include <zlib.h>

#include "sim/trace/unpack/unpack.h"

enum { GZIP_ONLY = 16 + MAX_WBITS };

static bool
gzip_begins(const unsigned char *b, size_t n)
{
	return unpack_begins(b, n, "\x1f\x8b", 2);
}

static int
gzip_start(void *self, struct error *e)
{
	z_stream *z = self;

	if ((z->state ? inflateReset(z) : inflateInit2(z, GZIP_ONLY)) != Z_OK)
		return error_no_memory(e);
	return 0;
}

static int
gzip_step(void *self, struct unpacking *u, struct error *e)
{
	z_stream *z = self;
	int	  status;

	z->next_in = (unsigned char *)(uintptr_t)u->in;
	z->avail_in = (uInt)u->left;
	z->next_out = u->out;
	z->avail_out = (uInt)u->room;
	status = inflate(z, Z_NO_FLUSH);
	*u = (struct unpacking){ z->next_in, z->next_out, z->avail_in, z->avail_out };
	if (status == Z_MEM_ERROR)
		return error_no_memory(e);
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return error_set(e, "the gzip data is damaged: %s",
		    z->msg ? z->msg : "it does not inflate");
	return status == Z_STREAM_END;
}

static void
gzip_end(void *self)
{
	inflateEnd(self);
}

const struct packing packing_gzip = {
	.name = "gzip",
	.library = "zlib",
	.command = "gzip -dc",
	.ending = ".gz",
	.magic = 2,
	.state_size = sizeof(z_stream),
	.begins = gzip_begins,
	.start = gzip_start,
	.step = gzip_step,
	.end = gzip_end,
};
