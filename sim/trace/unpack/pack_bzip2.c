/* pack_bzip2.c - bzip2, by libbz2.  A stream is a member; parallel packers write many. */
#include "sim/trace/unpack/unpack.h"

static bool
bzip2_begins(const unsigned char *b, size_t n)
{
	return unpack_begins(b, n, "BZh", 3) && (n < 4 || (b[3] >= '1' && b[3] <= '9'));
}

#ifdef HAVE_LIBBZ2
#include <bzlib.h>

static void
bzip2_end(void *self)
{
	bz_stream *s = self;

	if (s->state)
		BZ2_bzDecompressEnd(s);
}

static int
bzip2_start(void *self, struct error *e)
{
	bzip2_end(self);
	return BZ2_bzDecompressInit(self, 0, 0) == BZ_OK ? 0 : error_no_memory(e);
}

static int
bzip2_step(void *self, struct unpacking *u, struct error *e)
{
	bz_stream *s = self;
	int	   status;

	s->next_in = (char *)(uintptr_t)u->in;
	s->avail_in = (unsigned)u->left;
	s->next_out = (char *)u->out;
	s->avail_out = (unsigned)u->room;
	status = BZ2_bzDecompress(s);
	*u = (struct unpacking){ (unsigned char *)s->next_in, (unsigned char *)s->next_out,
		s->avail_in, s->avail_out };
	if (status == BZ_MEM_ERROR)
		return error_no_memory(e);
	if (status != BZ_OK && status != BZ_STREAM_END)
		return error_set(e, "the bzip2 data is damaged: it does not unpack");
	return status == BZ_STREAM_END;
}
#endif

const struct packing packing_bzip2 = {
	.name = "bzip2",
	.library = "libbz2",
	.command = "bzip2 -dc",
	.ending = ".bz2",
	.magic = 4,
	.begins = bzip2_begins,
#ifdef HAVE_LIBBZ2
	.state_size = sizeof(bz_stream),
	.start = bzip2_start,
	.step = bzip2_step,
	.end = bzip2_end,
#endif
};
