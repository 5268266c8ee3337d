/* absent.c - what a web page has not: other programs, terminals, shared objects, a kernel. */
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>

#include "sim/base/shared.h"
#include "sim/base/spill.h"
#include "sim/base/terminal.h"
#include "sim/cli/cmd.h"
#include "sim/draw/picture.h"
#include "sim/trace/unpack/unpack.h"

/* ---- commands ---- */

static int
absent(const char *what, struct error *e)
{
	return error_set(e, "%s does not work in a browser: run it on your machine", what);
}

int
cmd_plot(const struct options *o, FILE *out, struct error *e)
{
	return absent("plot", e);
}

/* ---- gnuplot ---- */

int
picture_draw(struct picture *p, const struct drawing *d, struct error *e)
{
	return absent("gnuplot", e);
}

/* ---- terminals ---- */

bool
terminal_is(int fd)
{
	return false;
}

unsigned
terminal_width(FILE *out)
{
	return TERMINAL_COLUMNS;
}

bool
terminal_colours(FILE *out)
{
	return false;
}

/* ---- plug-ins compiled apart ---- */

size_t
shared_path(const char *text)
{
	return 0;
}

bool
shared_defines(const char *kind, const char *text)
{
	return false;
}

const struct plugin *
shared_plugin(const char *kind, const char *text, const struct plugin_interface *ours,
    struct error *e)
{
	error_set(e, "%s: plug-ins compiled apart do not work in a browser", text);
	return NULL;
}

const struct plugin *
shared_loaded(unsigned i)
{
	return NULL;
}

uint64_t
shared_fingerprint(const struct plugin *p)
{
	return 0;
}

const char *
shared_shown(const char *text, char room[SHARED_TEXT])
{
	return text;
}

/* ---- a kernel ---- */

/* No disk either: a spill is memory after all. */

int
spill_open(struct spill *s, const char *folder, struct error *e)
{
	*s = (struct spill){ .fd = -1 };
	return 0;
}

int
spill_grow(struct spill *s, size_t bytes, struct error *e)
{
	void *base = realloc(s->base, bytes);

	if (!base)
		return error_set(e, "out of memory: a browser gives no more than 4 GiB");
	s->base = base;
	s->bytes = bytes;
	return 0;
}

void
spill_close(struct spill *s)
{
	free(s->base);
	*s = (struct spill){ .fd = -1 };
}

/* Advice to the kernel, which may be ignored, and a lock against other processes. */

int
madvise(void *address, size_t n, int advice)
{
	return 0;
}

int
posix_madvise(void *address, size_t n, int advice)
{
	return 0;
}

int
flock(int fd, int how)
{
	return 0;
}

/* ---- zlib: the page unpacks gzip before the simulator sees it ---- */

static bool
gzip_begins(const unsigned char *b, size_t n)
{
	return unpack_begins(b, n, "\x1f\x8b", 2);
}

const struct packing packing_gzip = {
	.name = "gzip",
	.library = "zlib",
	.command = "gzip -dc",
	.ending = ".gz",
	.magic = 2,
	.begins = gzip_begins,
};
