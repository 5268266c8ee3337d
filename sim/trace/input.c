/*
 * input.c - read a trace file, plain or gzip, in lines or bytes.
 *
 * Bytes go from the file into raw[], from there, inflated or copied, into
 * text[], and lines are returned in place.  A gzip stream counts as complete
 * only if the checksum of its last member is right and only zero padding
 * follows: half a trace would give a plausible but wrong result.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include "sim/base/progress.h"
#include "sim/trace/input.h"

enum {
	RAW_BYTES = 128 << 10,
	STEP_BYTES = 128 << 10, /* at most this much is added to text at a time */
	HEAD_BYTES = 64 << 10,
	LINE_BYTES = 1 << 20, /* longer is not a line */
	GZIP_ONLY = 16 + MAX_WBITS,
};

struct input {
	int	      fd; /* -1: source */
	input_source *source;
	void	     *from;	       /* of the source */
	bool	      gzip, inflating; /* inside a member */
	bool	      raw_ended, ended;
	z_stream      z; /* next_in, avail_in: what is left of raw */
	uint64_t      lines;
	const char   *note[INPUT_NOTES];
	uint64_t      bytes;	  /* read from the file */
	uint64_t      expected;	  /* at least so many, of a regular file */
	XXH3_state_t *hash;	  /* of them */
	size_t	      start, end; /* of what is left of text */
	unsigned char raw[RAW_BYTES];
	char	      text[LINE_BYTES + STEP_BYTES + 1];
};

/* As read(), with the error. */
static ssize_t
raw_read(struct input *in, void *to, size_t n, struct error *e)
{
	ssize_t got;

	if (in->source)
		return in->source(in->from, to, n, e);
	do
		got = read(in->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		error_set(e, "cannot be read: %s", strerror(errno));
	return got;
}

/* Add to raw until it holds n bytes or the file ends. */
static int
raw_want(struct input *in, size_t n, struct error *e)
{
	ssize_t got;

	if (in->z.avail_in >= n || in->raw_ended)
		return 0;
	memmove(in->raw, in->z.next_in, in->z.avail_in);
	in->z.next_in = in->raw;
	while (in->z.avail_in < n && !in->raw_ended) {
		got = raw_read(in, in->raw + in->z.avail_in, RAW_BYTES - in->z.avail_in, e);
		if (got < 0)
			return -1;
		XXH3_64bits_update(in->hash, in->raw + in->z.avail_in, (size_t)got);
		in->bytes += (uint64_t)got;
		progress_reach(in->bytes);
		in->raw_ended = got == 0;
		in->z.avail_in += (uInt)got;
		if (in->raw_ended && in->bytes < in->expected)
			return error_set(e, "became shorter while it was being read");
	}
	return 0;
}

static int
take_plain(struct input *in, size_t room, struct error *e)
{
	size_t n;

	if (raw_want(in, 1, e))
		return -1;
	n = in->z.avail_in < room ? in->z.avail_in : room;
	memcpy(in->text + in->end, in->z.next_in, n);
	in->z.next_in += n;
	in->z.avail_in -= (uInt)n;
	in->end += n;
	in->ended = n == 0;
	return 0;
}

/* Between members: zeros are padding, 1f begins another one. */
static int
next_member(struct input *in, struct error *e)
{
	for (;;) {
		if (raw_want(in, 1, e))
			return -1;
		if (!in->z.avail_in) {
			in->ended = true;
			return 0;
		}
		if (*in->z.next_in)
			break;
		in->z.next_in++;
		in->z.avail_in--;
	}
	if (*in->z.next_in != 0x1f)
		return error_set(e, "the gzip data is damaged: something else follows its end");
	inflateReset(&in->z);
	in->inflating = true;
	return 0;
}

static int
take_gzip(struct input *in, size_t room, struct error *e)
{
	int status;

	if (!in->inflating && (next_member(in, e) || in->ended))
		return in->ended ? 0 : -1;
	if (raw_want(in, 1, e))
		return -1;
	if (!in->z.avail_in)
		return error_set(e, "the gzip data ends too early: the file is truncated");
	in->z.next_out = (unsigned char *)in->text + in->end;
	in->z.avail_out = (uInt)room;
	status = inflate(&in->z, Z_NO_FLUSH);
	in->end += room - in->z.avail_out;
	if (status == Z_MEM_ERROR)
		return error_set(e, "out of memory");
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return error_set(e, "the gzip data is damaged: %s",
		    in->z.msg ? in->z.msg : "it does not inflate");
	in->inflating = status != Z_STREAM_END;
	return 0;
}

/* Add at least one byte to text, or find that the stream has ended. */
static int
fill(struct input *in, struct error *e)
{
	size_t before, room;

	if (in->start) {
		memmove(in->text, in->text + in->start, in->end - in->start);
		in->end -= in->start;
		in->start = 0;
	}
	before = in->end;
	room = sizeof(in->text) - 1 - in->end;
	if (room > STEP_BYTES)
		room = STEP_BYTES;
	while (in->end == before && !in->ended)
		if (in->gzip ? take_gzip(in, room, e) : take_plain(in, room, e))
			return -1;
	return 0;
}

static int
open_file(const char *path, struct error *e)
{
	struct stat st;
	int	    fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;

	if (fd < 0)
		return error_set(e, "cannot be opened: %s", strerror(errno));
	if (fstat(fd, &st))
		st = (struct stat){ 0 };
	progress_begin("loading", NULL, S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	if (S_ISDIR(st.st_mode)) {
		if (fd != STDIN_FILENO)
			close(fd);
		return error_set(e, "is a directory: name a trace file in it");
	}
	return fd;
}

/* What a regular file holds from here on; it may grow. */
static uint64_t
bytes_ahead(int fd)
{
	struct stat st;
	off_t	    at = lseek(fd, 0, SEEK_CUR);

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && at >= 0 && at < st.st_size
	    ? (uint64_t)(st.st_size - at)
	    : 0;
}

/* Look at the first bytes: gzip is unpacked here, other packings are an error. */
static int
sniff(struct input *in, struct error *e)
{
	static const struct {
		const char *magic, *name, *unpack;
		size_t	    n;
	} packed[] = {
		{ "\3757zXZ", "xz", "xz -dc", 5 },
		{ "\x28\xb5\x2f\xfd", "zstd", "zstd -dc", 4 },
		{ "BZh", "bzip2", "bzip2 -dc", 3 },
		{ "PK\3\4", "zip", "unzip -p", 4 },
		{ "7z\xbc\xaf\x27\x1c", "7-Zip", "7z x -so", 6 },
		{ "\x04\x22\x4d\x18", "lz4", "lz4 -dc", 4 },
		{ "\x1f\x9d", "compress", "uncompress -c", 2 },
	};

	if (raw_want(in, 6, e))
		return -1;
	for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++)
		if (in->z.avail_in >= packed[i].n && !memcmp(in->raw, packed[i].magic, packed[i].n))
			return error_set(e,
			    "is compressed with %s: unpack it first, as in "
			    "`%s FILE | bufsim run -`",
			    packed[i].name, packed[i].unpack);
	in->gzip = in->z.avail_in >= 2 && in->raw[0] == 0x1f && in->raw[1] == 0x8b;
	if (!in->gzip)
		return 0;
	in->inflating = true;
	if (inflateInit2(&in->z, GZIP_ONLY) != Z_OK) {
		in->gzip = false;
		return error_set(e, "out of memory");
	}
	return 0;
}

static struct input *
input_new(int fd, input_source *source, void *from, struct error *e)
{
	struct input *in = malloc(sizeof(*in)); /* not zeroed: most of text is never touched */

	if (!in) {
		error_set(e, "out of memory");
		if (fd > STDIN_FILENO)
			close(fd);
		return NULL;
	}
	memset(in, 0, offsetof(struct input, raw));
	in->fd = fd;
	in->source = source;
	in->from = from;
	in->expected = bytes_ahead(fd);
	in->z.next_in = in->raw;
	in->hash = XXH3_createState();
	if (!in->hash) {
		error_set(e, "out of memory");
		input_close(in);
		return NULL;
	}
	XXH3_64bits_reset(in->hash);
	if (sniff(in, e)) {
		input_close(in);
		return NULL;
	}
	return in;
}

struct input *
input_open(const char *path, struct error *e)
{
	int fd = open_file(path, e);

	return fd < 0 ? NULL : input_new(fd, NULL, NULL, e);
}

struct input *
input_from(input_source *source, void *from, struct error *e)
{
	return input_new(-1, source, from, e);
}

void
input_close(struct input *in)
{
	progress_end();
	if (!in)
		return;
	if (in->gzip)
		inflateEnd(&in->z);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	XXH3_freeState(in->hash);
	free(in);
}

static void
skip_mark(struct input *in)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	if (in->end - in->start < sizeof(mark) ||
	    memcmp(in->text + in->start, mark, sizeof(mark)) != 0)
		return;
	in->start += sizeof(mark);
	input_note(in, "a byte-order mark was skipped");
}

const char *
input_head(struct input *in, size_t *n, struct error *e)
{
	while (in->end - in->start < HEAD_BYTES && !in->ended)
		if (fill(in, e))
			return NULL;
	skip_mark(in);
	*n = in->end - in->start < HEAD_BYTES ? in->end - in->start : HEAD_BYTES;
	return in->text + in->start;
}

/* The end of the current line, where a NUL may be written; NULL on error. */
static char *
line_end(struct input *in, struct error *e)
{
	size_t scanned = 0;
	char  *end;

	for (;;) {
		end = memchr(in->text + in->start + scanned, '\n', in->end - in->start - scanned);
		if (end)
			return end;
		scanned = in->end - in->start;
		if (in->ended)
			return in->text + in->end;
		if (scanned >= LINE_BYTES) {
			error_set(e, "the line is longer than 1 MB: this is not a text file");
			return NULL;
		}
		if (fill(in, e))
			return NULL;
	}
}

int
input_line(struct input *in, char **line, size_t *length, struct error *e)
{
	char *end;

	in->lines++; /* an error below is about this line */
	end = line_end(in, e);
	if (!end)
		return -1;
	*line = in->text + in->start;
	if (end == in->text + in->end) {
		in->lines -= end == *line;
		in->start = in->end;
		*end = '\0';
		*length = (size_t)(end - *line);
		return *length > 0;
	}
	*end = '\0';
	*length = (size_t)(end - *line);
	in->start += *length + 1;
	return 1;
}

int
input_bytes(struct input *in, void *buf, size_t n, struct error *e)
{
	size_t left;

	assert(n <= LINE_BYTES);
	while (in->end - in->start < n && !in->ended)
		if (fill(in, e))
			return -1;
	left = in->end - in->start;
	if (left < n)
		return left ? error_set(e, "the file ends too early: %zu of %zu bytes", left, n)
			    : 0;
	memcpy(buf, in->text + in->start, n);
	in->start += n;
	return 1;
}

void
input_note(struct input *in, const char *sentence)
{
	for (unsigned i = 0; i < INPUT_NOTES; i++) {
		if (!in->note[i])
			in->note[i] = sentence;
		if (in->note[i] == sentence)
			return;
	}
}

const char *
input_noted(const struct input *in, unsigned i)
{
	return i < INPUT_NOTES ? in->note[i] : NULL;
}

uint64_t
input_line_number(const struct input *in)
{
	return in->lines;
}

int
input_file(const struct input *in, struct error *e)
{
	struct stat st;

	if (in->gzip)
		return error_set(e,
		    "is packed with gzip: a binary trace is mapped, gunzip it first");
	if (fstat(in->fd, &st) || !S_ISREG(st.st_mode))
		return error_set(e,
		    "is a pipe or a device: a binary trace is mapped, give the file itself");
	return in->fd;
}

uint64_t
input_checksum(const struct input *in, uint64_t *bytes)
{
	*bytes = in->bytes;
	return XXH3_64bits_digest(in->hash);
}
