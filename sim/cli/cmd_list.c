/* cmd_list.c - bufsim list: every plug-in with its parameters, or one thing by its name. */
#include "sim/base/shared.h"
#include "sim/cli/cmd.h"
#include "sim/cli/help.h"
#include "sim/cli/topic.h"

/* Print the plug-ins defined by the shared object; -1: one is unusable, or there is none. */
static int
find_shared(const char *path, const struct plugin *found[PLUGIN_KINDS], struct error *e)
{
	const char *params;
	bool	    any = false;

	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++) {
		bool defined = shared_defines(plugin_kind_name(kind), path);

		found[kind] = defined ? registry_find(kind, path, &params, e) : NULL;
		if (defined && !found[kind])
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
	const struct plugin *found[PLUGIN_KINDS];

	if (find_shared(path, found, e))
		return -1;
	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++)
		if (found[kind])
			topic_plugin(kind, found[kind], path, out);
	return 0;
}

static void
print_all(FILE *out)
{
	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++) {
		topic_kind(kind, out);
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
