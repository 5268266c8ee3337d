/* cmd_list.c - bufsim list: every plug-in with its parameters, or one thing by its name. */
#include "sim/base/shared.h"
#include "sim/cli/cmd.h"
#include "sim/cli/help.h"
#include "sim/cli/kinds.h"
#include "sim/cli/topic.h"

/* -1: a plug-in defined by the shared object is unusable, or there is none. */
static int
check_shared(const char *path, struct error *e)
{
	const char *params;
	bool	    any = false;

	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		bool defined = shared_defines((*k)->name, path);

		if (defined && !registry_find(*k, path, &params, e))
			return -1;
		any |= defined;
	}
	if (!any) /* for the error */
		registry_find(PLUGIN_POLICY, path, &params, e);
	return any ? 0 : -1;
}

static int
print_shared(const char *path, FILE *out, struct error *e)
{
	const char *params;

	if (check_shared(path, e))
		return -1;
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		if (shared_defines((*k)->name, path))
			topic_plugin(*k, registry_find(*k, path, &params, e), path, out);
	return 0;
}

static void
print_all(FILE *out)
{
	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		topic_kind(*k, out);
		putc('\n', out);
	}
	fputs("bufsim list NAME prints all about one of them, bufsim list counters the figures\n"
	      "of --json and --csv, bufsim list workloads names for --pattern.\n",
	    out);
}

int
cmd_list(const struct options *o, FILE *out, struct error *e)
{
	const char *name = o->argument[0];

	if (name && shared_path(name))
		return print_shared(name, out, e);
	if (!name)
		print_all(out);
	else if (!topic_print(name, out) && !help_for(name, out))
		return topic_unknown(name, e);
	return 0;
}
