/* cmd_generate.c - bufsim generate: write a workload as a trace. */
#include <string.h>

#include "sim/cli/cmd.h"

/* It is bufsim convert --pattern WORKLOAD OUT. */
int
cmd_generate(const struct options *o, FILE *out, struct error *e)
{
	struct options convert = *o;

	convert.pattern = o->argument[0];
	convert.argument[0] = o->output ? o->output : "-";
	convert.argument[1] = NULL;
	if (!o->to && !strcmp(convert.argument[0], "-"))
		convert.to = "text";
	return cmd_convert(&convert, out, e);
}
