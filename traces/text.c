/*
 * text.c - the text form: one event a line, eight fields.
 *
 *	# time_us pid fd op inode file_size offset length
 *	558 3910 3 O 1000409605 55839 0 0
 *	741 3910 3 R 1000409605 55839 0 832
 *
 * Time in microseconds at the start of the call; op R read, W write, O open,
 * C close, M mmap, A advice (fadvise), X exit; the rest in bytes.  Lines that begin
 * with # are comments; the first one above is how the format is recognised,
 * but eight good fields will do.
 *
 * A line is read digit by digit; only one that turns out to be wrong is
 * looked at again, to say what is wrong with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/format.h"
#include "sim/trace.h"

#define HEADER "# time_us pid fd op inode"

enum { FIELDS = 8, SAFE_DIGITS = 19, QUOTE = 24 };

/* Field 4 is the letter; the others are numbers. */
enum { TIME, PID, FD, OP, INODE, FILE_SIZE, OFFSET, LENGTH };

static const char *const field_name[FIELDS] = { "time_us", "pid", "fd", "op", "inode", "file_size",
	"offset", "length" };

static const uint64_t field_max[FIELDS] = { INT64_MAX, UINT32_MAX, UINT32_MAX, 0, UINT64_MAX,
	UINT64_MAX - 1, UINT64_MAX, UINT64_MAX };

static const char *
skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static bool
is_end(const char *s)
{
	if (*s == '\r')
		s++;
	return *s == '\0';
}

static bool
ends_field(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

/* Past the digits of a number of at most max; NULL if it is none. */
static const char *
scan_number(const char *s, uint64_t max, uint64_t *number)
{
	const char *first = s;
	uint64_t    n = 0;
	unsigned    digit;

	for (; (digit = (unsigned)*s - '0') <= 9; s++) {
		if (unlikely(s - first >= SAFE_DIGITS) &&
		    (n > UINT64_MAX / 10 || digit > UINT64_MAX - n * 10))
			return NULL;
		n = n * 10 + digit;
	}
	if (s == first || n > max || !ends_field(*s))
		return NULL;
	*number = n;
	return s;
}

static bool
scan_op(char letter, enum op *op)
{
	switch (letter) {
	case 'R':
		*op = OP_READ;
		return true;
	case 'W':
		*op = OP_WRITE;
		return true;
	case 'O':
		*op = OP_OPEN;
		return true;
	case 'C':
		*op = OP_CLOSE;
		return true;
	case 'M':
		*op = OP_MMAP;
		return true;
	case 'A':
		*op = OP_ADVISE;
		return true;
	case 'X':
		*op = OP_EXIT;
		return true;
	}
	return false;
}

/* One whole line; false if anything about it is wrong. */
static bool
scan_line(const char *s, struct record *r)
{
	uint64_t value[FIELDS];

	for (unsigned i = 0; i < FIELDS; i++) {
		s = skip_blanks(s);
		if (i == OP) {
			if (!scan_op(*s, &r->op) || !ends_field(s[1]))
				return false;
			s++;
		} else {
			s = scan_number(s, field_max[i], &value[i]);
			if (!s)
				return false;
		}
	}
	if (!is_end(skip_blanks(s)))
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

/* ---- what is wrong with a line ---- */

/* The field at s, short and printable. */
static void
quote(char text[QUOTE], const char *s)
{
	unsigned n = 0;

	for (; !ends_field(*s) && n < QUOTE - 4; s++)
		text[n++] = *s > ' ' && *s < 127 ? *s : '?';
	strcpy(text + n, ends_field(*s) ? "" : "...");
}

static int
explain_field(const char *s, unsigned i, struct error *e)
{
	char	    text[QUOTE];
	const char *digits = *s == '-' || *s == '+' ? s + 1 : s;
	size_t	    n = strspn(digits, "0123456789");

	quote(text, s);
	if (i == OP)
		return error_set(e, "op: '%s' is none of R W O C M A X", text);
	if (!n || !ends_field(digits[n]))
		return error_set(e, "%s: '%s' is not a whole number", field_name[i], text);
	if (*s == '-')
		return error_set(e, "%s: %s is negative", field_name[i], text);
	if (*s == '+')
		return error_set(e, "%s: '%s' is not digits only", field_name[i], text);
	return error_set(e, "%s: %s is too large (at most %llu)", field_name[i], text,
	    (unsigned long long)field_max[i]);
}

static int
explain(const char *s, size_t length, struct error *e)
{
	unsigned fields = 0;
	uint64_t number;
	enum op	 op;

	if (strlen(s) != length)
		return error_set(e, "a zero byte in the line: this is not text");
	for (const char *p = skip_blanks(s); !is_end(p); p = skip_blanks(p)) {
		fields++;
		while (!ends_field(*p))
			p++;
		if (*p == '\r' && !is_end(p))
			return error_set(e, "a carriage return in the middle of the line");
	}
	if (fields != FIELDS)
		return error_set(e,
		    "%u field%s instead of 8 (time_us pid fd op inode file_size "
		    "offset length)",
		    fields, fields == 1 ? "" : "s");
	for (unsigned i = 0; i < FIELDS; i++) {
		s = skip_blanks(s);
		if (i == OP ? !scan_op(*s, &op) || !ends_field(s[1])
			    : !scan_number(s, field_max[i], &number))
			return explain_field(s, i, e);
		while (!ends_field(*s))
			s++;
	}
	assert(0);
	return -1;
}

/* ---- the format ---- */

/* The header, or a first line of eight good fields. */
static bool
recognise(const char *head, size_t n)
{
	struct record r;
	char	      line[256];
	const char   *end;
	size_t	      length;

	if (n >= strlen(HEADER) && !memcmp(head, HEADER, strlen(HEADER)))
		return true;
	while (n && *head == '#') {
		end = memchr(head, '\n', n);
		if (!end)
			return false;
		n -= (size_t)(end + 1 - head);
		head = end + 1;
	}
	end = n ? memchr(head, '\n', n) : NULL;
	length = end ? (size_t)(end - head) : n;
	if (length >= sizeof(line) || memchr(head, '\0', length))
		return false;
	memcpy(line, head, length);
	line[length] = '\0';
	return scan_line(line, &r);
}

static int
text_read(void *self, struct input *in, struct record *r, struct error *e)
{
	char  *line;
	size_t length;
	int    status;

	do {
		status = input_line(in, &line, &length, e);
		if (status <= 0)
			return status;
	} while (*line == '#' || (is_end(skip_blanks(line)) && strlen(line) == length));
	if (likely(scan_line(line, r)) && strlen(line) == length)
		return 1;
	return explain(line, length, e);
}

/* ---- writing ---- */

/* What the lines written so far say. */
struct writer {
	struct output *out;
	bool	      *opened; /* [nopen] */
	uint64_t      *bytes;  /* [nfiles] how large each has been seen */
};

/* A descriptor of its own for every open file. */
static int
write_line(const struct trace *t, const struct writer *w, const struct access *a, char op,
    uint64_t file_size, struct error *e)
{
	const struct open_file *f = &t->open[a->open];
	bool			moves = op == 'R' || op == 'W';
	char			line[200];
	int			n = snprintf(line, sizeof(line),
				"%" PRId64 " %u %u %c %" PRIu64 " %" PRIu64 " %" PRIu64 " %u\n", a->time,
				t->process[f->process].pid, a->open + 3u, op, t->file[f->file].inode, file_size,
		moves ? a->offset : 0, moves ? a->length : 0);

	return output_bytes(w->out, line, (size_t)n, e);
}

static int
write_access(const struct trace *t, struct writer *w, const struct access *a, struct error *e)
{
	uint64_t *bytes = &w->bytes[t->open[a->open].file], end = a->offset + a->length;

	if ((!w->opened[a->open] || a->fresh) && write_line(t, w, a, 'O', a->file_size, e))
		return -1;
	w->opened[a->open] = true;
	end = end > a->file_size ? end : a->file_size;
	*bytes = *bytes > end ? *bytes : end;
	return write_line(t, w, a, a->write ? 'W' : 'R', a->file_size, e);
}

/* Files that were known to be larger than any access shows are so when closed. */
static int
write_sizes(const struct trace *t, struct writer *w, struct error *e)
{
	struct access a = t->access[t->naccess - 1];

	for (uint32_t i = 0; i < t->nopen; i++) {
		file_t f = t->open[i].file;

		if (w->bytes[f] >= t->file[f].bytes)
			continue;
		w->bytes[f] = t->file[f].bytes;
		a.open = i & INT32_MAX;
		if (write_line(t, w, &a, 'C', t->file[f].bytes, e))
			return -1;
	}
	return 0;
}

static int
write_lines(const struct trace *t, struct writer *w, struct error *e)
{
	static const char header[] = HEADER " file_size offset length\n";

	if (output_bytes(w->out, header, strlen(header), e))
		return -1;
	for (size_t i = 0; i < t->naccess; i++)
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    write_access(t, w, &t->access[i], e))
			return -1;
	return write_sizes(t, w, e);
}

/* Reading the lines again gives the same accesses, files and open files. */
static int
text_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer w = {
		.out = out,
		.opened = calloc(t->nopen, sizeof(*w.opened)),
		.bytes = calloc(t->nfiles, sizeof(*w.bytes)),
	};
	int status = w.opened && w.bytes ? write_lines(t, &w, e) : error_set(e, "out of memory");

	free(w.opened);
	free(w.bytes);
	return status;
}

const struct format format_text = {
	.plugin = { .name = "text",
	    .summary = "text form: time_us pid fd op inode file_size offset length" },
	.ending = ".txt",
	.recognise = recognise,
	.read = text_read,
	.write = text_write,
};
