/*
 * cmd_convert.c - bufsim convert: write a trace in another format.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/registry.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/edit.h"
#include "sim/trace/unpack.h"

enum {
	DEFAULT_BLOCK = 4096,
	LARGEST_BLOCK = 1 << 20,
	GZ = 3, /* letters of .gz */
	LIST_ROOM = 512,
};

static bool
ends_in(const char *name, size_t n, const char *ending)
{
	size_t m = strlen(ending);

	return n > m && !strncmp(name + n - m, ending, m);
}

/* "bst, text" or ".bst, .txt": the formats that can be written. */
static void
list_written(char text[LIST_ROOM], bool endings)
{
	size_t n = 0;

	*text = '\0';
	for (const struct format *const *f = formats; *f && n < LIST_ROOM; f++)
		if ((*f)->write)
			n += (size_t)snprintf(text + n, LIST_ROOM - n, "%s%s", n ? ", " : "",
			    endings ? (*f)->ending : (*f)->plugin.name);
}

static const struct format *
format_by_ending(const char *name, struct error *e)
{
	char   endings[LIST_ROOM];
	size_t n = strlen(name) - (output_packs(name) ? GZ : 0);

	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write && ends_in(name, n, (*f)->ending))
			return *f;
	list_written(endings, true);
	error_usage(e,
	    "%s: its format is unknown: use a name in %s (text also with .gz), or --to FORMAT",
	    name, endings);
	return NULL;
}

static const struct format *
format_by_name(const char *name, struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_FORMAT, name, &params, e);
	const struct format *f = (const struct format *)(const void *)p;
	char		     written[LIST_ROOM];

	if (f && !params && f->write)
		return f;
	list_written(written, false);
	if (!f)
		error_prefix(e, "--to");
	else
		error_usage(e, "--to: '%s' cannot be written; these can: %s", name, written);
	return NULL;
}

/* Only gzip is written. */
static int
check_packing(const char *name, struct error *e)
{
	size_t n = unpack_name(name);

	if (!name[n] || output_packs(name))
		return 0;
	return error_usage(e, "%s: only gzip is written: write %.*s.gz, or pack it afterwards",
	    name, (int)n, name);
}

/* A binary trace is mapped: it must be a plain file. */
static int
check_place(const struct format *f, const char *name, bool block, struct error *e)
{
	if (!f->by_block && block)
		return error_usage(e, "--block has no effect on %s, which has calls, not blocks",
		    f->plugin.name);
	if (f->map && !strcmp(name, "-"))
		return error_usage(e,
		    "a binary trace is mapped: write it to a file, not to a pipe");
	if (f->map && output_packs(name))
		return error_usage(e, "%s: a binary trace is mapped: leave out the .gz", name);
	return 0;
}

static void
summarise(const struct trace *t, bool made, const char *name, uint64_t bytes)
{
	char	    calls[NUMBER_TEXT], size[NUMBER_TEXT], before[NUMBER_TEXT];
	struct stat st;

	if (stat(t->path, &st) || !S_ISREG(st.st_mode))
		st.st_size = (off_t)t->source.bytes;
	text_print(name, stderr);
	fprintf(stderr, ": %s accesses, %s", number_group(calls, t->naccess),
	    number_bytes(size, bytes));
	if (made || !t->source.bytes) {
		putc('\n', stderr);
		return;
	}
	fputs("; ", stderr);
	text_print(trace_path(t->path), stderr);
	fprintf(stderr, " is %s\n", number_bytes(before, (uint64_t)st.st_size));
}

/* What the trace has and the format cannot hold, in one line. */
static void
say_losses(const struct trace *t, const struct format *f)
{
	char	    n[NUMBER_TEXT];
	const char *comma = " ";
	unsigned    lost = f->loses & (t->nprocesses > 1 ? ~0U : ~(unsigned)LOSES_PROCESSES) &
	    (t->nadvice ? ~0U : ~(unsigned)LOSES_ADVICE);

	if (!lost)
		return;
	fprintf(stderr, "note: %s holds no", f->plugin.name);
	if (lost & LOSES_PROCESSES) {
		fprintf(stderr, "%sprocesses (all calls are those of one, of %s)", comma,
		    number_group(n, t->nprocesses));
		comma = ", no ";
	}
	if (lost & LOSES_SIZES) {
		fprintf(stderr, "%ssizes of files (each ends where its calls end)", comma);
		comma = ", no ";
	}
	if (lost & LOSES_ADVICE)
		fprintf(stderr, "%sadvice (%s)", comma, number_group(n, t->nadvice));
	putc('\n', stderr);
}

static int
convert(const struct trace *t, bool made, const struct format *f, const char *name,
    struct output *out, struct error *e)
{
	uint64_t bytes;
	bool	 piped = !strcmp(name, "-"), failed;

	progress_begin("writing", NULL, t->naccess);
	failed = (piped && trace_check(t, 0, t->naccess, e)) || f->write(t, out, e);
	progress_end();
	if (trace_unchanged(t, e) || failed) {
		output_abandon(out);
		return -1;
	}
	if (output_commit(out, &bytes, e))
		return -1;
	if (!piped)
		summarise(t, made, name, bytes);
	say_losses(t, f);
	return 0;
}

/* Several traces are merged only with --merge. */
static int
check_inputs(const struct options *o, const struct inputs *in, struct error *e)
{
	unsigned n = in->n;

	if ((o->stretch || o->end_to_end) && !o->merge)
		return error_usage(e, "--%s needs --merge", o->stretch ? "stretch" : "end-to-end");
	if (o->stretch && o->end_to_end)
		return error_usage(e, "--stretch and --end-to-end exclude each other");
	if (n > 1 && in->made && !o->merge)
		return error_usage(e,
		    "these are %u workloads: type A+B for both at once, A/B for one after the other",
		    n);
	if (n > 1 && !o->merge)
		return error_usage(e,
		    "convert takes one IN and one OUT; to make one trace of %u, add --merge", n);
	if (n == 1 && o->merge)
		return error_usage(e,
		    "--merge needs several traces; type: bufsim convert --merge IN IN... OUT");
	return 0;
}

static int
check_edits(const struct options *o, struct edit *edit, struct error *e)
{
	*edit =
	    (struct edit){ .only = o->only, .scale = o->scale_think, .anonymise = o->anonymise };
	if (o->slice && slice_parse(o->slice, &edit->slice, e))
		return error_prefix(e, "--slice");
	if (o->only && only_check(o->only, e))
		return error_prefix(e, "--only");
	return 0;
}

static enum merge
how_to_merge(const struct options *o)
{
	if (o->end_to_end)
		return MERGE_END_TO_END;
	return o->stretch ? MERGE_STRETCHED : MERGE_BY_TIME;
}

/* Where the output will be; NULL: in no folder. */
static const char *
folder_of(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	size_t	    n = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;

	if (!strcmp(path, "-") || n >= PATH_MAX)
		return NULL;
	memcpy(folder, path, n);
	strcpy(folder + n, n ? "" : ".");
	return folder;
}

/* Load, merge and edit. */
static int
make_trace(struct trace *t, const struct inputs *in, const struct format *f, const char *to,
    const struct options *o, struct error *e)
{
	char		     folder[PATH_MAX];
	bool		     edits = o->slice || o->only || o->scale_think != 1 || o->anonymise;
	struct edit	     edit;
	struct trace_options how;

	if (check_edits(o, &edit, e) || setup_trace(&how, o, e))
		return -1;
	if (!f->by_block)
		how.block_bytes = LARGEST_BLOCK; /* any will do; it allows the largest files */
	how.folder = folder_of(to, folder);
	if (inputs_load_together(t, in, &how, how_to_merge(o), e))
		return -1;
	if (!edits || !trace_edit(t, &edit, e))
		return 0;
	trace_release(t);
	return -1;
}

static int
convert_inputs(const struct inputs *in, const struct format *f, const char *to,
    const struct options *o, struct error *e)
{
	struct output *file;
	struct trace   t;
	int	       failed;

	if (check_inputs(o, in, e))
		return -1;
	file = output_open(to, e);
	if (!file)
		return -1;
	if (make_trace(&t, in, f, to, o, e)) {
		output_abandon(file);
		return -1;
	}
	failed = convert(&t, in->made, f, to, file, e);
	trace_release(&t);
	return failed;
}

int
cmd_convert(const struct options *o, FILE *out, struct error *e)
{
	unsigned	     n = o->narguments - 1; /* the last one is written */
	const char	    *to = o->argument[n];
	const struct format *f;
	struct inputs	     in;
	int		     failed;

	if (check_packing(to, e))
		return -1;
	f = o->to ? format_by_name(o->to, e) : format_by_ending(to, e);
	if (!f || check_place(f, to, o->block != DEFAULT_BLOCK, e) ||
	    inputs_init(&in, o, n, PATTERN_THINK_US, e))
		return -1;
	failed = convert_inputs(&in, f, to, o, e);
	inputs_release(&in);
	return failed;
}
