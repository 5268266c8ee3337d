/* inputs.c - files or workloads: load them, each alone or all together. */
#include <stdlib.h>
#include <string.h>

#include "sim/setup/inputs.h"

int
inputs_init(struct inputs *in, const struct options *o, unsigned nfiles, usec_t think,
    struct error *e)
{
	*in = (struct inputs){ .name = o->argument, .n = nfiles, .think = think };
	if (!o->pattern)
		return nfiles ? 0 : error_usage(e, "the trace is missing");
	if (nfiles)
		return error_usage(e, "--pattern or a trace, not both: '%s' is a file",
		    o->argument[0]);
	if (o->format)
		return error_usage(e, "--format is that of a file: leave it out with --pattern");
	if (patterns_init(&in->patterns, o->pattern, e)) /* it is the argument of generate */
		return o->text[OPTION_pattern] ? error_prefix(e, "--pattern") : -1;
	in->name = (const char *const *)in->patterns.text;
	in->n = in->patterns.n;
	in->made = true;
	return 0;
}

void
inputs_release(struct inputs *in)
{
	patterns_release(&in->patterns);
}

int
inputs_load(struct trace *t, const struct inputs *in, unsigned i, const struct trace_options *how,
    struct error *e)
{
	return in->made ? pattern_load(t, in->name[i], how, in->think, e)
			: trace_load(t, in->name[i], how, e);
}

int
inputs_load_next(struct trace *t, const struct inputs *in, const char **name, unsigned *n,
    const struct trace_options *how, struct error *e)
{
	if (!in->made)
		return trace_load_next(t, name, n, how, e);
	if (pattern_load(t, *name, how, in->think, e))
		return -1;
	memmove(name, name + 1, --*n * sizeof(*name));
	return 0;
}

static int
merge_made(struct trace *t, const struct inputs *in, const struct trace_options *how,
    enum merge merge, struct error *e)
{
	struct trace *part = calloc(in->n, sizeof(*part));
	unsigned      made = 0;
	int	      failed = 0;

	if (!part)
		return error_no_memory(e);
	while (!failed && made < in->n) {
		failed = inputs_load(&part[made], in, made, how, e);
		made += !failed;
	}
	if (!failed)
		failed = trace_merge(t, part, made, how->share_files, merge, e);
	while (made)
		trace_release(&part[--made]);
	free(part);
	return failed;
}

int
inputs_load_together(struct trace *t, const struct inputs *in, const struct trace_options *how,
    enum merge merge, struct error *e)
{
	if (in->n == 1 && how->share_files)
		return error_usage(e, "--share-files needs several traces");
	if (in->n == 1)
		return inputs_load(t, in, 0, how, e);
	return in->made ? merge_made(t, in, how, merge, e)
			: trace_load_together(t, in->name, in->n, how, merge, e);
}

int
inputs_trace(struct trace *t, const struct options *o, unsigned nfiles,
    const struct trace_options *how, enum merge merge, struct error *e)
{
	struct inputs in;
	int	      failed;

	if (inputs_init(&in, o, nfiles, PATTERN_THINK_US, e))
		return -1;
	failed = inputs_load_together(t, &in, how, merge, e);
	inputs_release(&in);
	return failed;
}
