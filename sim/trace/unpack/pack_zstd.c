/*
 * pack_zstd.c - zstd, by libzstd.
 *
 * A frame is a member.  A skippable frame, with which parallel packers begin,
 * is one that unpacks to nothing.
 */
#include "sim/trace/unpack/unpack.h"

static bool
zstd_begins(const unsigned char *b, size_t n)
{
	unsigned char first = *b & 0xf0;

	return unpack_begins(b, n, "\x28\xb5\x2f\xfd", 4) ||
	    (first == 0x50 && unpack_begins(b + 1, n - 1, "\x2a\x4d\x18", 3));
}

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#include <zstd_errors.h>

struct zstd {
	ZSTD_DStream *stream;
};

static int
zstd_start(void *self, struct error *e)
{
	struct zstd *z = self;

	if (!z->stream)
		z->stream = ZSTD_createDStream();
	if (!z->stream || ZSTD_isError(ZSTD_initDStream(z->stream)))
		return error_no_memory(e);
	return 0;
}

static int
explain(size_t status, struct error *e)
{
	ZSTD_ErrorCode code = ZSTD_getErrorCode(status);

	if (code == ZSTD_error_memory_allocation)
		return error_no_memory(e);
	if (code == ZSTD_error_frameParameter_windowTooLarge)
		return error_set(e,
		    "was packed with a window of more than 128 MB: unpack it first, as in "
		    "`zstd -dc --long=31 FILE | bufsim run -`");
	return error_set(e, "the zstd data is damaged: %s", ZSTD_getErrorName(status));
}

static int
zstd_step(void *self, struct unpacking *u, struct error *e)
{
	struct zstd   *z = self;
	ZSTD_inBuffer  in = { u->in, u->left, 0 };
	ZSTD_outBuffer out = { u->out, u->room, 0 };
	size_t	       status = ZSTD_decompressStream(z->stream, &out, &in);

	*u = (struct unpacking){ u->in + in.pos, u->out + out.pos, u->left - in.pos,
		u->room - out.pos };
	return ZSTD_isError(status) ? explain(status, e) : status == 0;
}

static void
zstd_end(void *self)
{
	ZSTD_freeDStream(((struct zstd *)self)->stream);
}
#endif

const struct packing packing_zstd = {
	.name = "zstd",
	.library = "libzstd",
	.command = "zstd -dc",
	.ending = ".zst",
	.magic = 4,
	.begins = zstd_begins,
#ifdef HAVE_LIBZSTD
	.state_size = sizeof(struct zstd),
	.start = zstd_start,
	.step = zstd_step,
	.end = zstd_end,
#endif
};
