/*
 * cmd_convert.c - bufsim convert: write a trace in another format.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/registry.h"
#include "sim/setup/setup.h"
#include "sim/trace/merge.h"

enum { LARGEST_BLOCK = 1 << 20, GZ = 3 /* letters of .gz */ };

static bool
ends_in(const char *name, size_t n, const char *ending)
{
	size_t m = strlen(ending);

	return n > m && !strncmp(name + n - m, ending, m);
}

static const struct format *
format_by_ending(const char *name, struct error *e)
{
	size_t n = strlen(name) - (output_packs(name) ? GZ : 0);

	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write && ends_in(name, n, (*f)->ending))
			return *f;
	error_usage(e,
	    "%s: its format is unknown: use a name in .bst, .txt or .csv, the last two with .gz if "
	    "you like, or --to FORMAT",
	    name);
	return NULL;
}

static const struct format *
format_by_name(const char *name, struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_FORMAT, name, &params, e);
	const struct format *f = (const struct format *)(const void *)p;

	if (!f)
		error_prefix(e, "--to");
	else if (params || !f->write)
		error_usage(e, "--to: '%s' cannot be written; bst, text and csv can", name);
	else
		return f;
	return NULL;
}

/* A binary trace is mapped: it must be a plain file. */
static int
check_place(const struct format *f, const char *name, struct error *e)
{
	if (f->map && !strcmp(name, "-"))
		return error_usage(e,
		    "a binary trace is mapped: write it to a file, not to a pipe");
	if (f->map && output_packs(name))
		return error_usage(e, "%s: a binary trace is mapped: leave out the .gz", name);
	return 0;
}

static void
summarise(const struct trace *t, const char *name, uint64_t bytes)
{
	char	    calls[NUMBER_TEXT], size[NUMBER_TEXT], before[NUMBER_TEXT];
	struct stat st;

	if (stat(t->path, &st) || !S_ISREG(st.st_mode))
		st.st_size = (off_t)t->source.bytes;
	text_print(name, stderr);
	fprintf(stderr, ": %s accesses, %s; ", number_group(calls, t->naccess),
	    number_bytes(size, bytes));
	text_print(trace_path(t->path), stderr);
	fprintf(stderr, " is %s\n", number_bytes(before, (uint64_t)st.st_size));
}

static int
convert(const struct trace *t, const struct format *f, const char *name, struct output *out,
    struct error *e)
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
		summarise(t, name, bytes);
	return 0;
}

/* Several traces are merged only with --merge. */
static int
check_inputs(const struct options *o, unsigned n, struct error *e)
{
	if (o->stretch && !o->merge)
		return error_usage(e, "--stretch needs --merge");
	if (n > 1 && !o->merge)
		return error_usage(e,
		    "convert takes one IN and one OUT; to make one trace of %u, add --merge", n);
	if (n == 1 && o->merge)
		return error_usage(e,
		    "--merge needs several traces; type: bufsim convert --merge IN IN... OUT");
	return 0;
}

int
cmd_convert(const struct options *o, FILE *out, struct error *e)
{
	unsigned	     n = o->narguments - 1; /* the last one is written */
	const char	    *to = o->argument[n];
	const struct format *f = o->to ? format_by_name(o->to, e) : format_by_ending(to, e);
	struct trace_options how;
	struct output	    *file;
	struct trace	     t;
	int		     failed;

	if (!f || check_place(f, to, e) || check_inputs(o, n, e) || setup_trace(&how, o, e))
		return -1;
	how.block_bytes =
	    LARGEST_BLOCK; /* any size will do; the largest allows the largest files */
	file = output_open(to, e);
	if (!file)
		return -1;
	if (trace_load_together(&t, o->argument, n, &how, o->stretch, e)) {
		output_abandon(file);
		return -1;
	}
	failed = convert(&t, f, to, file, e);
	trace_release(&t);
	return failed;
}
