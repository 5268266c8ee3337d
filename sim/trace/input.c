/*
 * input.c - read a trace file, plain or packed, in lines or bytes.
 *
 * Bytes go from the file into raw[], from there, unpacked or copied, into
 * text[], and lines are returned in place.  A packed file counts as complete
 * only if its last member is whole, with the right checksum, and only zero
 * padding follows: half a trace would give a plausible but wrong result.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "sim/base/progress.h"
#include "sim/base/spill.h"
#include "sim/base/text.h"
#include "sim/base/write.h"
#include "sim/trace/input.h"
#include "sim/trace/unpack/unpack.h"

/* Of a harness: less, so that short inputs, too, come in several parts. */
#ifndef INPUT_HEAD_BYTES
#define INPUT_HEAD_BYTES 65536
#endif

enum {
	HEAD_BYTES = INPUT_HEAD_BYTES,
	RAW_BYTES = 2 * HEAD_BYTES,
	STEP_BYTES = 2 * HEAD_BYTES,  /* at most this much is added to text at a time */
	LINE_BYTES = 16 * HEAD_BYTES, /* longer is not a line */
	ARCHIVE_BYTES = 512,
};

struct input {
	char		     *path;
	struct input	     *first; /* of the trace; itself unless opened beside another */
	struct input	     *next;  /* opened beside the first */
	int		      fd;    /* -1: source */
	input_source	     *source;
	void		     *from; /* of the source */
	bool		      raw_ended, ended;
	bool		      looked;	 /* for a byte-order mark */
	bool		      unpacking; /* inside a member */
	void		     *unpacker;	 /* the state of the packing */
	size_t		      left;	 /* of raw, from at on */
	const unsigned char  *at;
	const struct packing *packing; /* or NULL */
	uint64_t	      lines;
	bool		      cut; /* the current line has no end */
	const char	     *note[INPUT_NOTES];
	uint64_t	      noted[INPUT_NOTES]; /* how often, if counted */
	struct skipped	      skipped;
	struct time_scale     times;
	uint64_t	      bytes;	  /* read from the file */
	uint64_t	      all_bytes;  /* of the first: read from all files of the trace */
	uint64_t	      expected;	  /* at least so many, of a regular file */
	off_t		      begin;	  /* where reading began in it */
	XXH3_state_t	     *hash;	  /* of them */
	size_t		      start, end; /* of what is left of text */
	unsigned char	      raw[RAW_BYTES];
	char		      text[LINE_BYTES + STEP_BYTES + 1];
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

	if (in->left >= n || in->raw_ended)
		return 0;
	memmove(in->raw, in->at, in->left);
	in->at = in->raw;
	while (in->left < n && !in->raw_ended) {
		got = raw_read(in, in->raw + in->left, RAW_BYTES - in->left, e);
		if (got < 0)
			return -1;
		XXH3_64bits_update(in->hash, in->raw + in->left, (size_t)got);
		in->bytes += (uint64_t)got;
		in->first->all_bytes += (uint64_t)got;
		progress_reach(in->first->all_bytes);
		in->raw_ended = got == 0;
		in->left += (size_t)got;
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
	n = in->left < room ? in->left : room;
	memcpy(in->text + in->end, in->at, n);
	in->at += n;
	in->left -= n;
	in->end += n;
	in->ended = n == 0;
	return 0;
}

/* Between members: zeros are padding, another magic number begins another one. */
static int
next_member(struct input *in, struct error *e)
{
	for (;;) {
		if (raw_want(in, 1, e))
			return -1;
		if (!in->left) {
			in->ended = true;
			return 0;
		}
		if (*in->at)
			break;
		in->at++;
		in->left--;
	}
	if (raw_want(in, UNPACK_MAGIC, e))
		return -1;
	if (!in->packing->begins(in->at, in->left))
		return error_set(e, "the %s data is damaged: something else follows its end",
		    in->packing->name);
	in->unpacking = true;
	return in->packing->start(in->unpacker, e);
}

static int
take_packed(struct input *in, size_t room, struct error *e)
{
	struct unpacking u;
	int		 status;

	if (!in->unpacking && (next_member(in, e) || in->ended))
		return in->ended ? 0 : -1;
	if (raw_want(in, 1, e))
		return -1;
	u = (struct unpacking){ in->at, (unsigned char *)in->text + in->end, in->left, room };
	status = in->packing->step(in->unpacker, &u, e);
	if (status < 0)
		return -1;
	if (!status && !in->left && u.room == room)
		return error_set(e, "the %s data ends too early: the file is truncated",
		    in->packing->name);
	in->at = u.in;
	in->left = u.left;
	in->end += room - u.room;
	in->unpacking = !status;
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
		if (in->packing ? take_packed(in, room, e) : take_plain(in, room, e))
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
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		if (fd != STDIN_FILENO)
			close(fd);
		return error_set(e, "is a directory: name a trace file in it");
	}
	return fd;
}

/* What a regular file holds from here on; it may grow. */
static void
look_ahead(struct input *in)
{
	struct stat st;

	in->begin = lseek(in->fd, 0, SEEK_CUR);
	if (!fstat(in->fd, &st) && S_ISREG(st.st_mode) && in->begin >= 0 && in->begin < st.st_size)
		in->expected = (uint64_t)(st.st_size - in->begin);
}

/* Look at the first bytes: how is it packed? */
static int
sniff(struct input *in, struct error *e)
{
	const struct packing *p;

	if (raw_want(in, UNPACK_MAGIC, e) || unpack_refuse(in->at, in->left, e))
		return -1;
	p = unpack_find(in->at, in->left);
	if (!p)
		return 0;
	if (!p->start)
		return unpack_missing(p, e);
	in->unpacker = calloc(1, p->state_size);
	if (!in->unpacker)
		return error_no_memory(e);
	in->packing = p;
	return 0;
}

/* A first look at the text: an archive has no lines of its own. */
static int
refuse_archive(struct input *in, struct error *e)
{
	while (in->end < ARCHIVE_BYTES && !in->ended)
		if (fill(in, e))
			return -1;
	return unpack_refuse_archive((const unsigned char *)in->text, in->end, e);
}

static void
stop_unpacking(struct input *in)
{
	if (in->packing)
		in->packing->end(in->unpacker);
	free(in->unpacker);
	in->packing = NULL;
	in->unpacker = NULL;
	in->unpacking = false;
}

static void
close_one(struct input *in)
{
	stop_unpacking(in);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	XXH3_freeState(in->hash);
	free(in->path);
	free(in);
}

/* Ready to be read from its beginning; its descriptor is there. */
static int
begin(struct input *in, struct error *e)
{
	in->at = in->raw;
	in->left = 0;
	in->raw_ended = in->ended = in->looked = false;
	in->start = in->end = 0;
	in->bytes = in->lines = 0;
	in->cut = false;
	in->skipped = (struct skipped){ 0 };
	in->times = (struct time_scale){ TIME_UNITS, TIME_UNITS, TIMES_USUAL, 0 };
	XXH3_64bits_reset(in->hash);
	return sniff(in, e) || (!in->source && refuse_archive(in, e)) ? -1 : 0;
}

/* Not yet begun, and a trace of its own. */
static struct input *
input_new(int fd, const char *path, struct error *e)
{
	struct input *in = malloc(sizeof(*in)); /* not zeroed: most of text is never touched */

	if (!in) {
		error_no_memory(e);
		if (fd > STDIN_FILENO)
			close(fd);
		return NULL;
	}
	memset(in, 0, offsetof(struct input, raw));
	in->fd = fd;
	in->first = in;
	in->path = strdup(path);
	in->hash = XXH3_createState();
	if (in->hash && in->path)
		return in;
	error_no_memory(e);
	close_one(in);
	return NULL;
}

/* The first file of a trace, or one beside it. */
static struct input *
open_input(const char *path, struct input *first, struct error *e)
{
	int	      fd = open_file(path, e);
	struct input *in = fd < 0 ? NULL : input_new(fd, path, e);

	if (!in)
		return NULL;
	if (first)
		in->first = first;
	look_ahead(in);
	if (!begin(in, e))
		return in;
	close_one(in);
	return NULL;
}

struct input *
input_open(const char *path, struct error *e)
{
	struct input *in;

	progress_begin("loading", NULL, 0);
	in = open_input(path, NULL, e);
	if (in)
		progress_begin("loading", NULL, in->expected);
	return in;
}

struct input *
input_from(input_source *source, void *from, struct error *e)
{
	struct input *in = input_new(-1, "-", e);

	if (!in)
		return NULL;
	in->source = source;
	in->from = from;
	if (!begin(in, e))
		return in;
	close_one(in);
	return NULL;
}

struct input *
input_beside(struct input *first, const char *path, struct error *e)
{
	struct input *in = open_input(path, first, e);
	uint64_t      expected = 0;

	if (!in)
		return NULL;
	in->next = first->next;
	first->next = in;
	for (struct input *i = first; i; i = i->next)
		expected += i->expected;
	progress_begin("loading", NULL, expected);
	return in;
}

void
input_close(struct input *in)
{
	progress_end();
	while (in) {
		struct input *next = in->next;

		close_one(in);
		in = next;
	}
}

struct input *
input_next(const struct input *in)
{
	return in->next;
}

bool
input_rewinds(const struct input *in)
{
	return in->expected > 0;
}

int
input_rewind(struct input *first, struct error *e)
{
	size_t n;

	first->all_bytes = 0;
	for (struct input *in = first; in; in = in->next) {
		if (lseek(in->fd, in->begin, SEEK_SET) < 0)
			return error_set(e, "cannot be read twice: %s", strerror(errno));
		stop_unpacking(in);
		if (begin(in, e) || !input_head(in, &n, e))
			return -1;
	}
	return 0;
}

const char *
input_path(const struct input *in)
{
	return in->path;
}

/* The bytes of a byte-order mark at the beginning of a text: 0 or 3. */
static size_t
mark_bytes(struct input *in, const char *text, size_t n)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	if (likely(!n || *text != *mark) || n < sizeof(mark) || memcmp(text, mark, sizeof(mark)))
		return 0;
	input_note(in, "a byte-order mark was skipped");
	return sizeof(mark);
}

/* A fence in the first line. */
static void
skip_fence(struct input *in)
{
	char *text = in->text + in->start, *end = memchr(text, '\n', in->end - in->start);

	if (!end || !input_is_fence(text))
		return;
	in->start += (size_t)(end + 1 - text);
	in->lines++;
}

static void
skip_mark(struct input *in)
{
	if (in->looked)
		return;
	in->looked = true;
	if (memchr(in->text + in->start, '\0', in->end - in->start)) /* numbers */
		return;
	in->start += mark_bytes(in, in->text + in->start, in->end - in->start);
	skip_fence(in);
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

/* As input_line(), with a byte-order mark that begins the line. */
ALWAYS_INLINE int
whole_line(struct input *in, char **line, size_t *length, struct error *e)
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
		in->cut = *length > 0;
		return in->cut;
	}
	*end = '\0';
	*length = (size_t)(end - *line);
	in->start += *length + 1;
	return 1;
}

int
input_line(struct input *in, char **line, size_t *length, struct error *e)
{
	size_t mark;
	int    status;

	do {
		status = whole_line(in, line, length, e);
		if (status != 1)
			return status;
	} while (unlikely(input_is_fence(*line)));
	mark = mark_bytes(in, *line, *length);
	*line += mark;
	*length -= mark;
	return 1;
}

int
input_bytes(struct input *in, void *buf, size_t n, struct error *e)
{
	size_t left;

	ASSERT(n <= LINE_BYTES);
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

int
input_records(struct input *in, size_t size, size_t most, const unsigned char **first, size_t *n,
    struct error *e)
{
	size_t left;

	ASSERT(size <= LINE_BYTES);
	while (in->end - in->start < size && !in->ended)
		if (fill(in, e))
			return -1;
	left = in->end - in->start;
	if (left < size)
		return left ? error_set(e, "the file ends too early: %zu of %zu bytes", left, size)
			    : 0;
	*n = left / size < most ? left / size : most;
	*first = (const unsigned char *)in->text + in->start;
	in->start += *n * size;
	return 1;
}

/* The number of a note, INPUT_NOTES: there is no room. */
static unsigned
find_note(struct input *in, const char *sentence)
{
	unsigned i = 0;

	while (i < INPUT_NOTES && in->note[i] && in->note[i] != sentence)
		i++;
	if (i < INPUT_NOTES)
		in->note[i] = sentence;
	return i;
}

void
input_note(struct input *in, const char *sentence)
{
	find_note(in->first, sentence);
}

void
input_count_more(struct input *in, const char *sentence, uint64_t times)
{
	unsigned i = times ? find_note(in->first, sentence) : INPUT_NOTES;

	if (i < INPUT_NOTES)
		in->first->noted[i] += times;
}

void
input_count(struct input *in, const char *sentence)
{
	input_count_more(in, sentence, 1);
}

void
input_skip(struct input *in, const char *line)
{
	struct skipped *s = &in->skipped;

	if (s->lines++)
		return;
	s->first = in->lines;
	snprintf(s->text, sizeof(s->text), "%.*s", (int)strcspn(line, "\r"), line);
	text_clean(s->text, sizeof(s->text), s->text);
}

const struct skipped *
input_skipped(const struct input *in)
{
	return &in->skipped;
}

void
input_set_scale(struct input *in, const struct time_scale *times)
{
	in->first->times = *times;
}

const struct time_scale *
input_scale(const struct input *in)
{
	return &in->times;
}

const char *
input_noted(const struct input *in, unsigned i, uint64_t *times)
{
	*times = i < INPUT_NOTES ? in->noted[i] : 0;
	return i < INPUT_NOTES ? in->note[i] : NULL;
}

uint64_t
input_line_number(const struct input *in)
{
	return in->lines;
}

bool
input_is_cut(struct input *in)
{
	bool cut = in->cut;

	in->cut = false;
	return cut;
}

/* Unpack the rest of the stream into a file without a name. */
static int
unpack_into(int fd, const char *folder, struct input *in, struct error *e)
{
	do {
		if (write_all(fd, in->text + in->start, in->end - in->start))
			return error_set(e,
			    "cannot be unpacked to a temporary file in %s: %s: set TMPDIR to a "
			    "folder with room",
			    folder, strerror(errno));
		in->start = in->end;
	} while (!in->ended && !fill(in, e));
	return in->ended ? 0 : -1;
}

static int
take_copy(struct input *in, struct error *e)
{
	const char  *folder = getenv("TMPDIR");
	struct spill copy;

	if (!folder || !*folder)
		folder = "/tmp";
	if (spill_open(&copy, folder, e))
		return error_prefix(e, "TMPDIR");
	if (unpack_into(copy.fd, folder, in, e)) {
		spill_close(&copy);
		return -1;
	}
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = copy.fd;
	return 0;
}

int
input_file(struct input *in, struct error *e)
{
	struct stat st;
	bool	    plain = !in->packing && !fstat(in->fd, &st) && S_ISREG(st.st_mode);

	return plain || !take_copy(in, e) ? in->fd : -1;
}

uint64_t
input_checksum(const struct input *in, uint64_t *bytes)
{
	uint64_t digest = XXH3_64bits_digest(in->hash);

	*bytes = in->bytes;
	for (const struct input *i = in->next; i; i = i->next) {
		digest = digest * 31 + XXH3_64bits_digest(i->hash);
		*bytes += i->bytes;
	}
	return digest;
}
