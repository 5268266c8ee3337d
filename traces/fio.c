/*
 * fio.c - the I/O log of fio, versions 2 and 3.
 *
 *	fio version 3 iolog		fio version 2 iolog
 *	20 /data/f add			/data/f add
 *	135 /data/f open		/data/f open
 *	139 /data/f read 245760 16384	/data/f read 245760 16384
 *	3356 /data/f close		/data/f wait 1000 0
 *
 * Version 3 begins each line with microseconds from the start; other programs
 * have written milliseconds there: time-unit=ms.  Version 2 has
 * no times: only a wait, in microseconds, lets time pass.  Files are known by
 * their paths, and each is one descriptor of one process.
 *
 * Version 3 is written.  It has no processes, no sizes of files and no advice:
 * all calls become those of one process, each file is as long as what is read
 * and written of it, and advice is left out.  A file that is opened again is
 * closed and opened at that place.  A file without a path is called inode-N;
 * blanks, control characters and % in a path become %XX, as fio ends a path at
 * a blank.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/trace/format.h"
#include "sim/trace/scan.h"

#define HEADER "fio version "

enum { QUOTE = 20, VERSION_2 = 2, VERSION_3 = 3, LINE_ROOM = 128 };

struct fio {
	uint64_t     asked_unit; /* of time: 0, or enum time_unit + 1 */
	uint64_t     version;	 /* 0: the first line has not been read */
	usec_t	     now;
	struct names paths;
	uint32_t     last; /* number of the path of the line before */
};

static const char *const unit_words[] = { "auto", "s", "ms", "us", "ns", "100ns", NULL };

static const struct param params[] = {
	{ "time-unit", PARAM_WORD, 0, 0, TIME_UNITS, offsetof(struct fio, asked_unit),
	    "unit of the times of version 3; auto: us, as fio writes them", unit_words },
	{ 0 },
};

enum action { ACTION_OPEN, ACTION_CLOSE, ACTION_READ, ACTION_WRITE, ACTION_WAIT, ACTION_NONE };

static const struct {
	const char *name;
	enum action action;
} actions[] = {
	{ "read", ACTION_READ },
	{ "write", ACTION_WRITE },
	{ "open", ACTION_OPEN },
	{ "close", ACTION_CLOSE },
	{ "add", ACTION_NONE },
	{ "sync", ACTION_NONE },
	{ "datasync", ACTION_NONE },
	{ "sync_file_range", ACTION_NONE },
	{ "trim", ACTION_NONE },
	{ "wait", ACTION_WAIT },
};

struct line {
	usec_t	    time;
	char	   *path, *action;
	size_t	    path_length;
	enum action what;
	uint64_t    offset, length; /* of a wait: offset is the time */
};

/* ---- reading ---- */

/* The version in the first line; 0: this is none. */
static uint64_t
version_of(const char *line)
{
	uint64_t version;

	if (strncmp(line, HEADER, strlen(HEADER)) != 0)
		return 0;
	line = scan_number(line + strlen(HEADER), UINT32_MAX, &version);
	return line && !strncmp(scan_blanks(line), "iolog", 5) ? version : 0;
}

static bool
fio_recognise(const char *head, size_t n)
{
	char line[LINE_ROOM];

	do {
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	} while (scan_ends_line(scan_blanks(line)));
	return version_of(line);
}

static enum time_unit
unit_of(const struct fio *f)
{
	return f->asked_unit ? (enum time_unit)(f->asked_unit - 1) : TIME_US;
}

/* The version of the lines that follow. */
static int
take_header(struct fio *f, struct input *in, const char *line, struct error *e)
{
	f->version = version_of(line);
	if (f->version == VERSION_2)
		input_note(in,
		    "version 2 of fio's log has no times: only its waits are think time");
	if (f->version == VERSION_3)
		input_set_scale(in,
		    &(struct time_scale){ unit_of(f), TIME_UNITS,
			f->asked_unit ? TIMES_GIVEN : TIMES_USUAL });
	if (f->version == VERSION_2 || f->version == VERSION_3)
		return 0;
	if (f->version)
		return error_set(e, "version %" PRIu64 " of fio's log: versions 2 and 3 are known",
		    f->version);
	return error_set(e, "the first line of fio's log is 'fio version 3 iolog'");
}

static int
find_action(struct line *l, struct error *e)
{
	size_t n = scan_length(l->action);
	char   text[QUOTE + 4];

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strncmp(actions[i].name, l->action, n) && !actions[i].name[n]) {
			l->what = actions[i].action;
			return 0;
		}
	scan_quote(text, QUOTE, l->action, n);
	return error_set(e,
	    "action: '%s' is not one of add, open, close, read, write, trim, sync, datasync, "
	    "sync_file_range, wait",
	    text);
}

static int
scan_numbers(struct line *l, const char *s, struct error *e)
{
	const char *first = scan_blanks(s), *second;

	s = scan_number(first, UINT64_MAX, &l->offset);
	if (!s)
		return scan_explain(l->what == ACTION_WAIT ? "time" : "offset", first, UINT64_MAX,
		    e);
	if (l->what == ACTION_WAIT)
		return 0;
	second = scan_blanks(s);
	if (!scan_number(second, UINT64_MAX, &l->length))
		return scan_explain("length", second, UINT64_MAX, e);
	return 0;
}

static int
scan_line_of(const struct fio *f, char *s, struct line *l, struct error *e)
{
	uint64_t time = 0;
	char	*at = s + (scan_blanks(s) - s);

	if (f->version == VERSION_3) {
		const char *end = scan_number(at, INT64_MAX, &time);

		if (!end)
			return scan_explain("time", at, INT64_MAX, e);
		if (!times_to_us(unit_of(f), time, &l->time))
			return error_set(e, "time: %" PRIu64 " %s are too many", time,
			    time_unit_name[unit_of(f)]);
		at += scan_blanks(end) - at;
	}
	l->path = at;
	l->path_length = scan_length(at);
	l->action = at + l->path_length;
	l->action += scan_blanks(l->action) - l->action;
	if (scan_ends_line(l->action))
		return error_set(e, "a file and an action are needed%s",
		    f->version == VERSION_3 ? " behind the time" : "");
	if (find_action(l, e))
		return -1;
	if (l->what < ACTION_READ || l->what > ACTION_WAIT)
		return 0;
	return scan_numbers(l, l->action + scan_length(l->action), e);
}

/* Its number among the paths; 0: out of memory. */
static uint32_t
number_path(struct fio *f, char *path, size_t n)
{
	const char *last = f->last ? f->paths.name[f->last] : "";

	if (strncmp(last, path, n) != 0 || last[n]) {
		path[n] = '\0';
		f->last = names_intern(&f->paths, path);
	}
	return f->last;
}

/* 1: a record; 0: nothing of interest; -1: error. */
static int
take_line(struct fio *f, struct input *in, char *text, struct record *r, struct error *e)
{
	static const enum op op[] = { [ACTION_OPEN] = OP_OPEN,
		[ACTION_CLOSE] = OP_CLOSE,
		[ACTION_READ] = OP_READ,
		[ACTION_WRITE] = OP_WRITE };
	struct line	     l = { 0 };

	if (scan_line_of(f, text, &l, e))
		return -1;
	if (l.what == ACTION_NONE && *l.action == 't')
		input_note(in, "trims move nothing and are left out");
	if (l.what == ACTION_WAIT && f->version == VERSION_2 &&
	    __builtin_add_overflow(f->now, l.offset, &f->now))
		return error_set(e, "the waits add up to too much");
	if (l.what >= ACTION_WAIT)
		return 0;
	r->fd = number_path(f, l.path, l.path_length);
	if (!r->fd)
		return error_no_memory(e);
	r->op = op[l.what];
	r->pid = 1;
	r->path = f->paths.name[r->fd];
	r->time = f->version == VERSION_3 ? l.time : f->now;
	r->offset = l.offset;
	r->length = l.length;
	return 1;
}

static int
fio_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct fio *f = self;
	char	   *line;
	int	    status, taken;

	do {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
		if (unlikely(!f->version || version_of(line))) {
			if (f->version)
				input_count(in, "lines of headings were skipped");
			taken = take_header(f, in, line, e);
		} else {
			taken = take_line(f, in, line, r, e);
		}
	} while (!taken);
	return taken;
}

static void
fio_release(void *self)
{
	names_release(&((struct fio *)self)->paths);
}

/* ---- writing ---- */

struct writer {
	const struct trace *t;
	struct output	   *out;
	bool		   *opened; /* [nfiles] */
	struct names	    names;  /* of file f: number f + 1 */
};

/* The path of a file as fio takes it; to has room for it. */
static void
escape(char *to, const struct file *f)
{
	static const char hex[] = "0123456789ABCDEF";

	if (!f->name || !*f->name) {
		sprintf(to, "inode-%" PRIu64, f->inode);
		return;
	}
	for (const unsigned char *from = (const unsigned char *)f->name; *from; from++) {
		bool plain = *from > ' ' && *from != 127 && *from != '%';

		*to++ = plain ? (char)*from : '%';
		if (plain)
			continue;
		*to++ = hex[*from >> 4];
		*to++ = hex[*from & 15];
	}
	*to = '\0';
}

/* In a merged trace, files may have the same path: those behind the first get ~2, ~3, ... */
static int
name_file(struct writer *w, file_t number, struct error *e)
{
	const struct file *f = &w->t->file[number];
	size_t		   room = (f->name ? 3 * strlen(f->name) : 0) + LINE_ROOM, n;
	char		  *name = malloc(room);
	uint32_t	   interned = name ? 1 : 0;

	if (name) {
		escape(name, f);
		n = strlen(name);
		interned = names_intern(&w->names, name);
		for (unsigned i = 2; interned && interned <= number; i++) {
			snprintf(name + n, room - n, "~%u", i);
			interned = names_intern(&w->names, name);
		}
	}
	free(name);
	return interned ? 0 : error_no_memory(e);
}

/* "time path action", and what is behind it. */
static int
write_line(struct writer *w, usec_t time, file_t file, const char *rest, struct error *e)
{
	const char *name = w->names.name[file + 1];
	char	    number[32];
	int	    n = snprintf(number, sizeof(number), "%" PRId64 " ", time);

	return output_bytes(w->out, number, (size_t)n, e) ||
	    output_bytes(w->out, name, strlen(name), e) ||
	    output_bytes(w->out, rest, strlen(rest), e);
}

static int
write_access(struct writer *w, const struct access *a, struct error *e)
{
	file_t f = w->t->open[a->open].file;
	char   rest[80];

	if (!w->opened[f] && write_line(w, a->time, f, " add\n", e))
		return -1;
	if (w->opened[f] && a->fresh && write_line(w, a->time, f, " close\n", e))
		return -1;
	if ((!w->opened[f] || a->fresh) && write_line(w, a->time, f, " open\n", e))
		return -1;
	w->opened[f] = true;
	snprintf(rest, sizeof(rest), " %s %" PRIu64 " %u\n", a->write ? "write" : "read", a->offset,
	    a->length);
	return write_line(w, a->time, f, rest, e);
}

static int
write_lines(struct writer *w, struct error *e)
{
	static const char   header[] = "fio version 3 iolog\n";
	const struct trace *t = w->t;
	usec_t		    last = 0;

	if (output_bytes(w->out, header, strlen(header), e))
		return -1;
	for (size_t i = 0; i < t->naccess; i++) {
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    write_access(w, &t->access[i], e))
			return -1;
		last = t->access[i].time;
	}
	for (file_t f = 0; f < t->nfiles; f++)
		if (w->opened[f] && write_line(w, last, f, " close\n", e))
			return -1;
	return 0;
}

static int
fio_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer w = { .t = t, .out = out, .opened = calloc(t->nfiles, sizeof(*w.opened)) };
	int	      status = w.opened ? 0 : error_no_memory(e);

	for (file_t f = 0; f < t->nfiles && !status; f++)
		status = name_file(&w, f, e);
	if (!status)
		status = write_lines(&w, e);
	free(w.opened);
	names_release(&w.names);
	return status;
}

FORMAT(fio,
    .plugin = { .name = "fio",
	.summary = "I/O log of fio, versions 2 and 3",
	.state_size = sizeof(struct fio),
	.params = params },
    .ending = ".fio", .lacks = LACKS_PROCESSES, .recognise = fio_recognise, .release = fio_release,
    .read = fio_read, .loses = LOSES_PROCESSES | LOSES_SIZES | LOSES_ADVICE | LOSES_STEPS,
    .write = fio_write);
