/*
 * effects_data.c - calls that read, write, copy, map, advise about and resize files.
 *
 * read() and write() have no offset, so positions are followed.  Sizes come from
 * fstat and similar calls, and are updated by writes, seeks to the end and
 * truncation; otherwise they are unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/trace/scan.h"
#include "traces/calls/effects.h"
#include "traces/calls/fds.h"

#define NOTE_STANDARD                                                                              \
	"reads and writes of standard input, output and error, left out because nothing shows "    \
	"that they are files"

/* ---- calls that move data ---- */

static int
transfer(struct syscalls *s, struct call *c, enum op op, const char *offset_text,
    enum fd_shows shows, struct error *e)
{
	uint64_t	   offset = 0;
	bool		   bad, positioned = offset_text && call_number(offset_text, &offset);
	struct descriptor *d = fd_named(s, c, c->arg[0], positioned ? SHOWS_FILE : shows, &bad, e);

	if (bad || !d)
		return bad ? -1 : 0;
	if (fd_is_file(s, d))
		fd_move(s, c, d, op, positioned ? AT_OFFSET : AT_POSITION, offset, c->result);
	else if (fd_described(s, d)->unseen && c->result)
		input_count(s->in, NOTE_STANDARD);
	return 0;
}

int
effect_read(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, NULL, SHOWS_STREAM, e);
}

int
effect_write(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, NULL, SHOWS_STREAM, e);
}

/* The offset is the fourth argument; preadv2 may say -1: the position. */
int
effect_pread(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, c->arg[3], SHOWS_STREAM, e);
}

int
effect_pwrite(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, c->arg[3], SHOWS_STREAM, e);
}

/* One side of a copy inside the kernel; the offset is NULL, [n], or ? if it is not shown. */
static int
copy_side(struct syscalls *s, struct call *c, enum op op, char *fd, const char *offset,
    enum fd_shows shows, struct error *e)
{
	struct descriptor *d;
	bool		   bad;

	if (*offset == '?') {
		d = fd_named(s, c, fd, shows, &bad, e);
		if (bad)
			return -1;
		if (d)
			fd_described(s, d)->guessed = true;
	}
	c->arg[0] = fd;
	return transfer(s, c, op, *offset == '[' ? offset + 1 : NULL, shows, e);
}

int
effect_sendfile(struct syscalls *s, struct call *c, struct error *e)
{
	char *out = c->arg[0];

	if (copy_side(s, c, OP_READ, c->arg[1], c->arg[2], SHOWS_FILE, e))
		return -1;
	return copy_side(s, c, OP_WRITE, out, "", SHOWS_STREAM, e);
}

/* copy_file_range(in, in_offset, out, out_offset, ...) */
int
effect_copy(struct syscalls *s, struct call *c, struct error *e)
{
	if (copy_side(s, c, OP_READ, c->arg[0], c->arg[1], SHOWS_FILE, e))
		return -1;
	return copy_side(s, c, OP_WRITE, c->arg[2], c->arg[3], SHOWS_FILE, e);
}

/* The same arguments; one of both is a pipe. */
int
effect_splice(struct syscalls *s, struct call *c, struct error *e)
{
	if (copy_side(s, c, OP_READ, c->arg[0], c->arg[1], SHOWS_STREAM, e))
		return -1;
	return copy_side(s, c, OP_WRITE, c->arg[2], c->arg[3], SHOWS_STREAM, e);
}

/* mmap(address, length, protection, flags, fd, offset) */
int
effect_mmap(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   length, offset;
	bool		   bad;
	struct descriptor *d = fd_of_file(s, c, c->arg[4], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &length) && call_number(c->arg[5], &offset))
		fd_record(s, c, OP_MMAP, d->fd, fd_described(s, d)->file, offset, length);
	return bad ? -1 : 0;
}

/* The kind of advice; ADVICE_KINDS: any other. */
static uint32_t
advice_kind(const char *text)
{
	static const struct {
		const char	*name;
		enum advice_kind kind;
	} advice[] = { /* at the number that the kernel has for it */
		{ "NORMAL", ADVICE_NORMAL }, { "RANDOM", ADVICE_RANDOM },
		{ "SEQUENTIAL", ADVICE_SEQUENTIAL }, { "WILLNEED", ADVICE_WILLNEED },
		{ "DONTNEED", ADVICE_DONTNEED }
	};

	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (call_is(text, advice[i].name, i))
			return advice[i].kind;
	return ADVICE_KINDS;
}

static int
advise(struct syscalls *s, struct call *c, char *const range[2], uint32_t kind, struct error *e)
{
	uint64_t	   offset, length;
	bool		   bad;
	struct descriptor *d = fd_of_file(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(range[0], &offset) && call_number(range[1], &length)) {
		fd_record(s, c, OP_ADVISE, d->fd, fd_described(s, d)->file, offset, length);
		s->queue[s->queued - 1].advice = kind;
	}
	return bad ? -1 : 0;
}

/* fadvise64(fd, offset, length, kind) */
int
effect_fadvise(struct syscalls *s, struct call *c, struct error *e)
{
	return advise(s, c, &c->arg[1], advice_kind(c->arg[3]), e);
}

/* fadvise64_64() and arm_fadvise64_64(): some machines have the kind before the range. */
int
effect_fadvise_64(struct syscalls *s, struct call *c, struct error *e)
{
	if (text_begins(c->name, "arm_") || text_begins(c->arg[1], "POSIX_FADV_"))
		return advise(s, c, &c->arg[2], advice_kind(c->arg[1]), e);
	return effect_fadvise(s, c, e);
}

/* readahead(fd, offset, length) */
int
effect_readahead(struct syscalls *s, struct call *c, struct error *e)
{
	return advise(s, c, &c->arg[1], ADVICE_WILLNEED, e);
}

/* ---- positions and sizes ---- */

/* On /dev/null a seek succeeds as well, to 0. */
static int
seek(struct syscalls *s, struct call *c, uint64_t to, const char *from, struct error *e)
{
	uint64_t	   beyond;
	bool		   bad;
	struct descriptor *d = fd_named(s, c, c->arg[0], to ? SHOWS_FILE : SHOWS_NOTHING, &bad, e);

	if (bad || !d)
		return bad ? -1 : 0;
	fd_described(s, d)->position = to;
	fd_described(s, d)->guessed = false;
	if (fd_is_file(s, d) && call_is(from, "END", 2) && scan_digits(c->arg[1], to, &beyond))
		tree_resize(&s->kernel.tree, fd_described(s, d)->file, to - beyond);
	return 0;
}

int
effect_lseek(struct syscalls *s, struct call *c, struct error *e)
{
	return seek(s, c, c->result, c->arg[2], e);
}

/* _llseek(fd, offset, [result], from) */
int
effect_llseek(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t to;

	return *c->arg[2] == '[' && call_number(c->arg[2] + 1, &to) && to <= INT64_MAX
	    ? seek(s, c, to, c->arg[3], e)
	    : 0;
}

/* Is "S_IFREG|0644" or 0100644 the mode of a regular file, or of a disk? */
static bool
is_regular_mode(const char *mode)
{
	enum { KIND = 0170000, REGULAR = 0100000, DISK = 0060000 };
	unsigned long kind = *mode == '0' ? strtoul(mode, NULL, 8) & KIND : 0;

	return text_begins(mode, "S_IFREG") || text_begins(mode, "S_IFBLK") || kind == REGULAR ||
	    kind == DISK;
}

/* The state as fstat shows it: "{st_mode=S_IFREG|0644, st_size=55839, ...}". */
static int
learn_state(struct syscalls *s, struct call *c, const struct descriptor *d, const char *text,
    struct error *e)
{
	const char	   *mode = strstr(text, "st_mode="), *size = strstr(text, "st_size=");
	struct description *x = fd_described(s, d);
	uint64_t	    bytes;

	if (!mode) {
		mode = strstr(text, "stx_mode=");
		size = strstr(text, "stx_size=");
	}
	if (!mode)
		return 0;
	if (!is_regular_mode(strchr(mode, '=') + 1)) {
		x->unseen = false;
		if (x->file)
			s->kernel.tree.file[x->file].irregular = true;
		return 0;
	}
	if (x->unseen && fd_becomes_file(s, c, d, e))
		return -1;
	if (x->file && size && call_number(strchr(size, '=') + 1, &bytes))
		tree_resize(&s->kernel.tree, x->file, bytes);
	return 0;
}

int
effect_fstat(struct syscalls *s, struct call *c, struct error *e)
{
	bool		   bad;
	struct descriptor *d = fd_named(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);

	return bad || (d && learn_state(s, c, d, c->arg[1], e)) ? -1 : 0;
}

/* newfstatat(3</a>, "", {...}) is an fstat; with a name it refers to another file. */
int
effect_fstatat(struct syscalls *s, struct call *c, struct error *e)
{
	if (strcmp(c->arg[1], "\"\""))
		return 0;
	c->arg[1] = strcmp(c->name, "statx") ? c->arg[2] : c->arg[4];
	return effect_fstat(s, c, e);
}

int
effect_ftruncate(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   size;
	bool		   bad;
	struct descriptor *d = fd_of_file(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &size))
		tree_resize(&s->kernel.tree, fd_described(s, d)->file, size);
	return bad ? -1 : 0;
}

/* fallocate(fd, mode, offset, length) */
int
effect_fallocate(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   mode, offset, length;
	bool		   bad;
	struct descriptor *d = fd_of_file(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &mode) && !mode && call_number(c->arg[2], &offset) &&
	    call_number(c->arg[3], &length) && length <= UINT64_MAX - offset)
		tree_extend(&s->kernel.tree, fd_described(s, d)->file, offset + length);
	return bad ? -1 : 0;
}
