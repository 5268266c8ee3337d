/*
 * cmd_convert.c - bufsim convert: write a trace in another format.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/writable.h"
#include "sim/registry.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/edit.h"

enum { DEFAULT_BLOCK = 4096 };

static const struct format *
format_by_name(const char *name, struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_FORMAT, name, &params, e);
	const struct format *f = (const struct format *)(const void *)p;
	char		     written[WRITABLE_ROOM];

	if (f && !params && f->write)
		return f;
	writable_list(written, false);
	if (!f)
		error_prefix(e, "--to");
	else
		error_usage(e, "--to: '%s' cannot be written; these can: %s", name, written);
	return NULL;
}

static int
check_block(const struct format *f, const struct options *o, struct error *e)
{
	if (f->by_block || o->block == DEFAULT_BLOCK)
		return 0;
	return error_usage(e, "--block has no effect on %s, which has calls, not blocks",
	    f->plugin.name);
}

static void
summarise(const struct trace *t, bool other, const char *name, uint64_t bytes)
{
	char	    calls[NUMBER_TEXT], size[NUMBER_TEXT], before[NUMBER_TEXT];
	struct stat st;

	if (stat(t->path, &st) || !S_ISREG(st.st_mode))
		st.st_size = (off_t)t->source.bytes;
	text_print(name, stderr);
	fprintf(stderr, ": %s calls, %s", number_group(calls, t->naccess),
	    number_bytes(size, bytes));
	if (other || !t->source.bytes) {
		putc('\n', stderr);
		return;
	}
	fputs("; ", stderr);
	text_print(trace_path(t->path), stderr);
	fprintf(stderr, " is %s\n", number_bytes(before, (uint64_t)st.st_size));
}

/* How much of a trace a format that has the loss would lose; 0: nothing. */
static size_t
count_lost(const struct trace *t, enum loss loss)
{
	switch (loss) {
	case LOSES_PROCESSES:
		return t->nprocesses > 1 ? t->nprocesses : 0;
	case LOSES_FILES:
		return t->nfiles > 1 ? t->nfiles : 0;
	case LOSES_WRITES:
		return t->writes;
	case LOSES_ADVICE:
		return t->nadvice;
	case LOSES_STEPS:
		return t->nsteps;
	case LOSES_OPENS:
	case LOSES_SIZES:
		break;
	}
	return 1;
}

/* What the trace has and the format cannot hold, in one line. */
static void
say_losses(const struct trace *t, const struct format *f)
{
	static const struct {
		enum loss   loss;
		const char *text; /* %s: how many */
	} losses[] = {
		{ LOSES_PROCESSES, "processes (all calls are those of one, of %s)" },
		{ LOSES_FILES, "files (all blocks are those of one, of %s)" },
		{ LOSES_WRITES, "writes (reads there: %s)" },
		{ LOSES_OPENS, "opens (each process opens a file once)" },
		{ LOSES_SIZES, "sizes of files (each ends where its calls end)" },
		{ LOSES_ADVICE, "advice (%s)" },
		{ LOSES_STEPS, "starts and waits of processes (%s)" },
	};
	char   n[NUMBER_TEXT];
	size_t lost, said = 0;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		lost = f->loses & losses[i].loss ? count_lost(t, losses[i].loss) : 0;
		if (!lost)
			continue;
		if (said++)
			fputs(", no ", stderr);
		else
			fprintf(stderr, "note: %s holds no ", f->plugin.name);
		fprintf(stderr, losses[i].text, number_group(n, lost));
	}
	if (said)
		putc('\n', stderr);
}

static int
convert(const struct trace *t, bool other, const struct format *f, const char *name,
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
		summarise(t, other, name, bytes);
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

static bool
edits(const struct options *o)
{
	return o->slice || o->only || o->keep || o->scale_think != 1 || o->anonymise;
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
	if (o->keep && sampling_parse(o->keep, &edit->sample, e))
		return error_prefix(e, "--sample");
	return 0;
}

/* ---- samples ---- */

struct amount {
	size_t	calls;
	block_t blocks; /* that are used */
};

static int
measure(const struct trace *t, struct amount *s, struct error *e)
{
	uint64_t *touched = trace_touched(t, &s->blocks, e);

	free(touched);
	s->calls = t->naccess;
	return touched ? 0 : -1;
}

/* What the sample has, and what a cache of it stands for. */
static void
say_sample(const struct amount *of, const struct amount *s)
{
	char   calls[NUMBER_TEXT], all[NUMBER_TEXT], blocks[NUMBER_TEXT], used[NUMBER_TEXT];
	char   cache[NUMBER_TEXT];
	double share = (double)s->blocks / (double)of->blocks;

	fprintf(stderr,
	    "note: the sample has %s of %s calls and %s of %s blocks: a cache of it that stands for 1 GiB has %.3g %% of that, %s\n",
	    number_group(calls, s->calls), number_group(all, of->calls),
	    number_group(blocks, s->blocks), number_group(used, of->blocks), 100 * share,
	    number_bytes(cache, (uint64_t)(share * (1 << 30) + 0.5)));
}

static int
edit_trace(struct trace *t, const struct edit *edit, struct error *e)
{
	bool	      samples = edit->sample.rate > 0;
	struct amount of, sample;

	if ((samples && measure(t, &of, e)) || trace_edit(t, edit, e) ||
	    (samples && measure(t, &sample, e)))
		return -1;
	if (samples)
		say_sample(&of, &sample);
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
	struct edit	     edit;
	struct trace_options how;

	if (check_edits(o, &edit, e) || setup_trace(&how, o, e))
		return -1;
	if (!f->by_block && !o->keep)
		how.block_bytes =
		    TRACE_BLOCK_BYTES_MAX; /* any will do; it allows the largest files */
	how.folder = folder_of(to, folder);
	if (inputs_load_together(t, in, &how, how_to_merge(o), e))
		return -1;
	if (!edits(o) || !edit_trace(t, &edit, e))
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
	failed = convert(&t, in->made || edits(o), f, to, file, e);
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

	f = o->to ? format_by_name(o->to, e) : writable_by_ending(to, ", or --to FORMAT", e);
	if (!f || check_block(f, o, e) || writable_place(f, to, e) ||
	    inputs_init(&in, o, n, PATTERN_THINK_US, e))
		return -1;
	failed = convert_inputs(&in, f, to, o, e);
	inputs_release(&in);
	return failed;
}
