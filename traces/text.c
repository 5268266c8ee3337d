/*
 * text.c - the text form: one event a line, eight fields.
 *
 *	# time_us pid fd op inode file_size offset length
 *	558 3910 3 O 1000409605 55839 0 0
 *	741 3910 3 R 1000409605 55839 0 832
 *
 * Time in microseconds at the start of the call; op R read, W write, O open,
 * C close, M mmap, X exit, or advice about a range (posix_fadvise; a length of
 * 0 means to the end of the file): A WILLNEED, D DONTNEED, S SEQUENTIAL, J
 * RANDOM (it jumps), N NORMAL.  The other fields are in bytes.  Lines that
 * begin with # are comments, except names of files: "# file INODE PATH".  The
 * format is recognised by the comment above or
 * by a first line of eight valid fields.
 *
 * A line is read digit by digit; only an invalid line is read again, to
 * explain the fault.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/trace/format.h"
#include "sim/trace/scan.h"
#include "sim/trace/trace.h"

#define HEADER "# time_us pid fd op inode"
#define NAME "# file "

enum { FIELDS = 8, QUOTE = 20 };

/* Field 4 is the letter; the others are numbers. */
enum { TIME, PID, FD, OP, INODE, FILE_SIZE, OFFSET, LENGTH };

static const char *const field_name[FIELDS] = { "time_us", "pid", "fd", "op", "inode", "file_size",
	"offset", "length" };

static const uint64_t field_max[FIELDS] = { INT64_MAX, UINT32_MAX, UINT32_MAX, 0, UINT64_MAX,
	UINT64_MAX - 1, UINT64_MAX, UINT64_MAX };

#define OPS "R W O C M X A D S J N"

static const char advice_letter[ADVICE_KINDS] = {
	[ADVICE_NORMAL] = 'N',
	[ADVICE_RANDOM] = 'J',
	[ADVICE_SEQUENTIAL] = 'S',
	[ADVICE_WILLNEED] = 'A',
	[ADVICE_DONTNEED] = 'D',
};

static bool
scan_advice(char letter, struct record *r)
{
	r->op = OP_ADVISE;
	for (r->advice = 0; r->advice < ADVICE_KINDS; r->advice++)
		if (advice_letter[r->advice] == letter)
			return true;
	return false;
}

static bool
scan_op(char letter, struct record *r)
{
	switch (letter) {
	case 'R':
		r->op = OP_READ;
		return true;
	case 'W':
		r->op = OP_WRITE;
		return true;
	case 'O':
		r->op = OP_OPEN;
		return true;
	case 'C':
		r->op = OP_CLOSE;
		return true;
	case 'M':
		r->op = OP_MMAP;
		return true;
	case 'X':
		r->op = OP_EXIT;
		return true;
	}
	return scan_advice(letter, r);
}

/* Parse one whole line; false: it is invalid. */
static bool
scan_record(const char *s, struct record *r)
{
	uint64_t value[FIELDS];

	for (unsigned i = 0; i < FIELDS; i++) {
		s = scan_blanks(s);
		if (i == OP) {
			if (!scan_op(*s, r) || !scan_ends_field(s[1]))
				return false;
			s++;
		} else {
			s = scan_number(s, field_max[i], &value[i]);
			if (!s)
				return false;
		}
	}
	if (!scan_ends_line(scan_blanks(s)))
		return false;
	r->time = (usec_t)value[TIME];
	r->pid = (uint32_t)value[PID];
	r->fd = (uint32_t)value[FD];
	r->inode = value[INODE];
	r->file_size = value[FILE_SIZE];
	r->offset = value[OFFSET];
	r->length = value[LENGTH];
	return true;
}

/* ---- faults of a line ---- */

static int
explain_op(const char *s, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, s, scan_length(s));
	return error_set(e, "op: '%s' is not one of " OPS, text);
}

static int
explain(const char *s, struct error *e)
{
	unsigned      fields = 0;
	uint64_t      number;
	struct record unused;

	for (const char *p = scan_blanks(s); !scan_ends_line(p); p = scan_blanks(p)) {
		fields++;
		p += scan_length(p);
		if (*p == '\r' && !scan_ends_line(p))
			return error_set(e, "a carriage return in the middle of the line");
	}
	if (fields != FIELDS)
		return error_set(e,
		    "%u field%s instead of 8 (time_us pid fd op inode file_size "
		    "offset length)",
		    fields, fields == 1 ? "" : "s");
	for (unsigned i = 0; i < FIELDS; i++) {
		s = scan_blanks(s);
		if (i == OP && (!scan_op(*s, &unused) || !scan_ends_field(s[1])))
			return explain_op(s, e);
		if (i != OP && !scan_number(s, field_max[i], &number))
			return scan_explain(field_name[i], s, field_max[i], e);
		s += scan_length(s);
	}
	assert(0);
	return -1;
}

/* ---- the format ---- */

/* The header, or a first line of eight valid fields. */
static bool
recognise(const char *head, size_t n)
{
	struct record r;
	char	      line[256];

	if (n >= strlen(HEADER) && !memcmp(head, HEADER, strlen(HEADER)))
		return true;
	do {
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	} while (*line == '#');
	return scan_record(line, &r);
}

/* "# file 263854 /var/lib/x"; others are comments. */
static bool
scan_name(char *s, struct record *r)
{
	const char *path = scan_digits(s + strlen(NAME), UINT64_MAX, &r->inode);

	if (!path || *path != ' ' || scan_ends_line(path + 1))
		return false;
	s[strcspn(s, "\r")] = '\0';
	r->op = OP_NAME;
	r->path = path + 1;
	return true;
}

static int
text_read(void *self, struct input *in, struct record *r, struct error *e)
{
	char *line;
	int   status;

	while ((status = scan_line_or(in, NAME, &line, e)) == 1 && unlikely(*line == '#'))
		if (scan_name(line, r))
			return 1;
	if (status <= 0 || likely(scan_record(line, r)))
		return status;
	return explain(line, e);
}

/* ---- writing ---- */

/* The state of an open file according to the lines written so far. */
struct opening {
	bool used;
	bool advised;	/* opened for advice, since the last read */
	bool switching; /* and not read or written since */
	bool other;	/* uses the second of its two descriptors */
};

struct writer {
	const struct trace *t;
	struct output	   *out;
	struct opening	   *opening; /* [nopen] */
	uint64_t	   *bytes;   /* [nfiles] size of each in the lines so far */
	size_t		    nadvice; /* written */
};

struct line {
	usec_t	 time;
	uint32_t process, fd, open;
	char	 op;
	uint64_t file_size, offset, length;
};

static int
write_line(const struct writer *w, const struct line *l, struct error *e)
{
	const struct trace *t = w->t;
	char		    text[200];
	int		    n = snprintf(text, sizeof(text),
			    "%" PRId64 " %u %u %c %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", l->time,
			    t->process[l->process].pid, l->fd, l->op, t->file[t->open[l->open].file].inode,
			    l->file_size, l->offset, l->length);

	return output_bytes(w->out, text, (size_t)n, e);
}

/* Every open file has two descriptors of its own. */
static uint32_t
descriptor(const struct writer *w, uint32_t open, bool other)
{
	return open + 3 + (other ? w->t->nopen : 0);
}

/* An open or a close. */
static int
write_opening(const struct writer *w, const struct line *of, char op, bool other, struct error *e)
{
	struct line l = *of;

	l.fd = descriptor(w, l.open, other);
	l.op = op;
	l.offset = l.length = 0;
	return write_line(w, &l, e);
}

/*
 * Advice before a fresh read opens the file through its other descriptor; the first one is closed
 * at the next call: otherwise its number would be free, and a new open file could take it.
 * Advice about the file alone uses a descriptor without reads.
 */
static int
write_one_advice(struct writer *w, const struct access *next, const struct advice *a,
    struct error *e)
{
	const struct trace *t = w->t;
	struct opening	   *o = &w->opening[a->open];
	struct line l = { next->time, t->open[next->open].process, 2 * t->nopen + 3, a->open,
		advice_letter[a->kind], a->file_size, a->offset, a->length };

	if (a->fresh) {
		o->other ^= o->used;
		o->switching = o->used;
		o->advised = true;
		if (write_opening(w, &l, 'O', o->other, e))
			return -1;
	}
	if (a->own)
		l.fd = descriptor(w, a->open, o->other);
	return write_line(w, &l, e);
}

static int
write_advice(struct writer *w, size_t before, struct error *e)
{
	const struct trace *t = w->t;

	for (; w->nadvice < t->nadvice && t->advice[w->nadvice].before == before; w->nadvice++)
		if (write_one_advice(w, &t->access[before], &t->advice[w->nadvice], e))
			return -1;
	return 0;
}

static int
write_access(struct writer *w, const struct access *a, struct error *e)
{
	const struct open_file *f = &w->t->open[a->open];
	struct opening	       *o = &w->opening[a->open];
	uint64_t		end = a->offset + a->length, *bytes = &w->bytes[f->file];
	struct line l = { a->time, f->process, descriptor(w, a->open, o->other), a->open,
		a->write ? 'W' : 'R', a->file_size, a->offset, a->length };

	if (o->switching && write_opening(w, &l, 'C', !o->other, e))
		return -1;
	if ((!o->used || a->fresh) && !o->advised && write_opening(w, &l, 'O', o->other, e))
		return -1;
	o->used = true;
	o->switching = false;
	o->advised &= a->write;
	end = end > a->file_size ? end : a->file_size;
	*bytes = *bytes > end ? *bytes : end;
	return write_line(w, &l, e);
}

/* A close records the size of a file that is larger than any access shows. */
static int
write_sizes(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;

	for (uint32_t i = 0; i < t->nopen; i++) {
		const struct open_file *f = &t->open[i];
		struct line		l = { t->access[t->naccess - 1].time, f->process,
				    descriptor(w, i, w->opening[i].other), i, 'C', t->file[f->file].bytes, 0,
				    0 };

		if (w->bytes[f->file] >= l.file_size)
			continue;
		w->bytes[f->file] = l.file_size;
		if (write_line(w, &l, e))
			return -1;
	}
	return 0;
}

/* A name with a line feed in it is left out. */
static int
write_names(const struct writer *w, struct error *e)
{
	const struct trace *t = w->t;

	for (file_t f = 0; f < t->nfiles; f++) {
		const char *name = t->file[f].name;
		char	    start[sizeof(NAME) + NUMBER_TEXT];

		if (!name || !*name || strpbrk(name, "\r\n"))
			continue;
		snprintf(start, sizeof(start), NAME "%" PRIu64 " ", t->file[f].inode);
		if (output_bytes(w->out, start, strlen(start), e) ||
		    output_bytes(w->out, name, strlen(name), e) || output_bytes(w->out, "\n", 1, e))
			return -1;
	}
	return 0;
}

static int
write_lines(struct writer *w, struct error *e)
{
	static const char   header[] = HEADER " file_size offset length\n";
	const struct trace *t = w->t;

	if (output_bytes(w->out, header, strlen(header), e) || write_names(w, e))
		return -1;
	for (size_t i = 0; i < t->naccess; i++)
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    (t->access[i].advised && write_advice(w, i, e)) ||
		    write_access(w, &t->access[i], e))
			return -1;
	return write_sizes(w, e);
}

/* Reading the lines gives the same accesses, advice, files and open files. */
static int
text_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer w = {
		.t = t,
		.out = out,
		.opening = calloc(t->nopen, sizeof(*w.opening)),
		.bytes = calloc(t->nfiles, sizeof(*w.bytes)),
	};
	int status = w.opening && w.bytes ? write_lines(&w, e) : error_set(e, "out of memory");

	free(w.opening);
	free(w.bytes);
	return status;
}

FORMAT(text,
    .plugin = { .name = "text",
	.summary = "text form: time_us pid fd op inode file_size offset length" },
    .ending = ".txt", .recognise = recognise, .read = text_read, .write = text_write);
