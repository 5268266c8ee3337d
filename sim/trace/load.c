/* load.c - load a trace: the file, its format and its name. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/trace/builder.h"
#include "sim/trace/foreign.h"
#include "sim/trace/format.h"
#include "sim/trace/hint.h"
#include "sim/trace/load.h"
#include "sim/trace/near.h"
#include "sim/trace/unpack/unpack.h"

/* A file without a byte may belong to a set of which the others have some. */
static const struct format *
format_of_set(const char *path)
{
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->set && strstr(path, (*f)->set))
			return *f;
	return NULL;
}

static const struct format *
recognised(struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return NULL;
	if (!n) {
		const struct format *f = format_of_set(input_path(in));

		if (!f)
			error_set(e, "is empty");
		return f;
	}
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->recognise(head, n))
			return *f;
	foreign_explain(head, n, e);
	return NULL;
}

/* At the end; number: of the record that would have been next. */
static int
check_some(struct input *in, uint64_t number, struct error *e)
{
	const struct skipped *s = in ? input_skipped(in) : NULL;

	if (number > 1 || !s || !s->lines)
		return 0;
	return error_set(e, "has no records: line %llu is '%s'", (unsigned long long)s->first,
	    s->text);
}

static int
add_records(struct builder *b, record_reader *read, void *self, struct input *in, struct error *e)
{
	const struct error none = *e;
	struct record	   r;
	int		   status;

	for (uint64_t number = 1;; number += r.op != OP_NAME) {
		r = (struct record){ .file_size = SIZE_UNKNOWN };
		status = read(self, in, &r, e);
		if (status == 0 || status == READ_AGAIN)
			return status ? status : check_some(in, number, e);
		if (status > 0 && !builder_add(b, &r, e))
			continue;
		if (status < 0 && number > 1 && in && input_is_cut(in)) {
			*e = none;
			input_note(in, "the last line is cut off and was left out");
			continue;
		}
		if (in && input_line_number(in))
			return error_prefix(e, "record %llu (line %llu)",
			    (unsigned long long)number, (unsigned long long)input_line_number(in));
		return error_prefix(e, "record %llu", (unsigned long long)number);
	}
}

static int
build_once(struct trace *t, const struct trace_options *o, record_reader *read, void *self,
    struct input *in, struct error *e)
{
	static const struct time_scale no_unit = { TIME_UNITS, TIME_UNITS, TIMES_USUAL, 0 };

	struct builder *b = builder_new(t, o, e);
	int		status = b ? add_records(b, read, self, in, e) : -1;

	if (!status)
		status = builder_finish(b, in ? input_scale(in) : &no_unit, e);
	builder_free(b);
	return status;
}

static int
build(struct trace *t, const struct trace_options *o, record_reader *read, void *self,
    struct input *in, struct error *e)
{
	const struct trace start = *t;
	int		   status;

	while ((status = build_once(t, o, read, self, in, e)) == READ_AGAIN) {
		free(t->open);
		free(t->file);
		free(t->process);
		*t = start;
	}
	return status;
}

/* What the format lacks, and which streams its volumes have. */
static int
choose_stream(struct trace *t, const struct trace_options *o, const struct format *f,
    const void *self, struct error *e)
{
	t->lacks = f->lacking ? f->lacking(self) : f->lacks;
	if (!(t->lacks & LACKS_FILES))
		return o->stream_by == STREAM_DEFAULT
		    ? 0
		    : error_set(e, "%s has files, which are its streams: leave out --stream-by",
			  f->plugin.name);
	t->stream_by = o->stream_by == STREAM_DEFAULT ? STREAM_VOLUME : o->stream_by;
	if (t->lacks & LACKS_PROCESSES &&
	    (t->stream_by == STREAM_PID || t->stream_by == STREAM_PROCESS_NAME))
		return error_set(e, "%s has no processes: use --stream-by volume or none",
		    f->plugin.name);
	return 0;
}

/* It has read no line: its columns are not given. */
static int
ask_for_columns(struct input *in, struct error *e)
{
	struct error why = *e;
	char	     hint[HINT_TEXT];
	size_t	     n;
	const char  *head = input_head(in, &n, e);

	if (!head)
		return -1;
	if (!hint_columns(head, n, hint))
		strcpy(hint, "their numbers or names, as in --format csv:time=1,offset=2,length=3");
	return error_set(e, "%s: type %s", why.text, hint);
}

/* What to type instead, if the file can be looked at once more. */
static int
add_hint(struct input *in, struct error *e)
{
	struct error again = *e;
	char	     hint[HINT_TEXT];
	size_t	     n;
	const char  *head;

	if (!input_rewinds(in) || input_rewind(in, &again) || !(head = input_head(in, &n, &again)))
		return -1;
	again = *e;
	return hint_columns(head, n, hint) ? error_set(e, "%s; type %s", again.text, hint) : -1;
}

/*
 * Lines that are no records: one heading and one line in a hundred may be wrong; more, and this is
 * another kind of file.
 */
static int
judge_skipped(struct trace *t, struct input *in, struct error *e)
{
	const struct skipped *s = input_skipped(in);
	uint64_t	      lines = input_line_number(in);
	char		      some[NUMBER_TEXT], all[NUMBER_TEXT];

	number_group(all, lines);
	if (s->lines > 1 + lines / 100) {
		error_set(e, "only %s of %s lines are records of %s: line %llu is '%s'",
		    number_group(some, t->records), all, t->format, (unsigned long long)s->first,
		    s->text);
		return add_hint(in, e);
	}
	if (!s->lines)
		return 0;
	return trace_write_note(t, 0, e, "%s of %s lines %s no record: line %llu, '%s'%s",
	    number_group(some, s->lines), all, s->lines == 1 ? "is" : "are",
	    (unsigned long long)s->first, s->text, s->lines == 1 ? "" : ", is the first");
}

static int
read_file(struct trace *t, const struct trace_options *o, const struct format *f, void *self,
    struct input *in, struct error *e)
{
	const char *note;
	uint64_t    times;

	if ((f->init && f->init(self, e)) || choose_stream(t, o, f, self, e) ||
	    build(t, o, f->read, self, in, e) || judge_skipped(t, in, e))
		return -1;
	if (f->lacking)
		t->lacks = f->lacking(self);
	for (unsigned i = 0; i < TRACE_NOTES; i++)
		if ((note = input_noted(in, i, &times)) &&
		    trace_write_note(t, times, e, "%s", note))
			return -1;
	t->source = (struct source){ .path = t->path,
		.format = t->format,
		.version = BUFSIM_VERSION,
		.touched = o->touch_mmaps };
	t->source.xxh3 = input_checksum(in, &t->source.bytes);
	return 0;
}

static int
map_file(struct trace *t, const struct trace_options *o, const struct format *f, void *self,
    struct input *in, struct error *e)
{
	int fd = input_file(in, e);

	if (fd < 0 || (f->init && f->init(self, e)) || f->map(self, t, fd, e))
		return -1;
	if (o->touch_mmaps && t->mmaps && !t->source.touched)
		return error_set(e,
		    "was converted without --mmap touch: convert %s again with "
		    "bufsim convert --mmap touch",
		    trace_path(t->source.path));
	return trace_lay_out(t, e);
}

static int
load(struct trace *t, const struct trace_options *o, struct input *in, struct error *e)
{
	const struct format *f = o->format ? o->format : recognised(in, e);
	void		    *self = f ? plugin_state(&f->plugin, o->format_params, e) : NULL;
	int		     status;

	if (!self)
		return -1;
	t->format = f->plugin.name;
	status = f->map ? map_file(t, o, f, self, in, e) : read_file(t, o, f, self, in, e);
	plugin_free(self, f->release);
	if (status && hint_is_of(f) && !input_line_number(in) && e->exit_code != EXIT_USAGE)
		return ask_for_columns(in, e);
	return status;
}

/* "a/b/csq.txt.gz" is called "csq", and so is csq.blktrace.0. */
static char *
short_name(const char *path)
{
	char  *name = strdup(!strcmp(path, "-") ? "stdin" : text_file_name(path));
	size_t n, at;

	if (!name)
		return NULL;
	n = unpack_name(name);
	at = text_ending(name, n);
	if (n - at > 1 && at + 1 + strspn(name + at + 1, "0123456789") >= n)
		at = text_ending(name, at);
	name[at] = '\0';
	return name;
}

/* A trace with its names and without accesses; the caller releases it even after a failure. */
static int
start(struct trace *t, char *name, const char *path, const struct trace_options *o, struct error *e)
{
	ASSERT(o->block_bytes && !(o->block_bytes & (o->block_bytes - 1)));
	*t = (struct trace){ .name = name,
		.path = strdup(path),
		.block_bytes = o->block_bytes,
		.block_shift = (uint32_t)__builtin_ctz(o->block_bytes) };
	if (!t->name || !t->path)
		return error_no_memory(e);
	text_clean(t->name, strlen(t->name) + 1, t->name);
	return 0;
}

/* Success, or release the trace and put its path before the error. */
static int
deliver(struct trace *t, const char *path, int status, struct error *e)
{
	if (!status) {
		trace_take_fingerprint(t);
		return 0;
	}
	trace_release(t);
	return error_prefix(e, "%s", trace_path(path));
}

/* The files behind the first, in their order. */
static int
open_beside(struct input *first, const char *const *path, unsigned n, struct error *e)
{
	while (--n)
		if (!input_beside(first, path[n], e))
			return error_prefix(e, "%s, which belongs to it", trace_path(path[n]));
	return 0;
}

int
trace_load_set(struct trace *t, const char *const *path, unsigned n, const struct trace_options *o,
    struct error *e)
{
	struct input *in;
	int	      status = -1;

	*t = (struct trace){ 0 };
	in = input_open(*path, e);
	if (!in)
		near_suggest(*path, e);
	else if (!open_beside(in, path, n, e) && !start(t, short_name(*path), *path, o, e))
		status = load(t, o, in, e);
	input_close(in);
	return deliver(t, *path, status, e);
}

int
trace_load(struct trace *t, const char *path, const struct trace_options *o, struct error *e)
{
	return trace_load_set(t, &path, 1, o, e);
}

int
trace_make(struct trace *t, const char *name, const struct trace_options *o, record_reader *read,
    void *self, struct error *e)
{
	int status = start(t, strdup(name), name, o, e);

	if (!status) {
		t->format = "made";
		t->source =
		    (struct source){ t->path, t->format, BUFSIM_VERSION, 0, 0, o->touch_mmaps };
		status = build(t, o, read, self, NULL, e);
	}
	return deliver(t, name, status, e);
}
