/* cmd_list.c - bufsim list: every plug-in with its parameters, every counter. */
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/nearest.h"
#include "sim/base/shared.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/help.h"
#include "sim/core/stats.h"
#include "sim/registry.h"
#include "sim/trace/workload.h"

enum { RANGE_ROOM = 128, SUMMARY_ROOM = 200, NAME_WIDTH = 12, DEVICE_WIDTH = 19 };

static void
print_plugin(const struct plugin *p, int width, FILE *out)
{
	char range[RANGE_ROOM];

	fprintf(out, "  %-*s %s\n", width, p->name, p->summary);
	for (const struct param *q = p->params; q && q->name; q++) {
		help_range(q, range, sizeof(range));
		fprintf(out, "      :%s=  %s (%s)\n", q->name, q->meaning, range);
	}
}

static void
print_sheets(FILE *out)
{
	char kind[SUMMARY_ROOM], summary[SUMMARY_ROOM];

	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		data_sheet_value(s->text, "kind", kind, sizeof(kind));
		data_sheet_value(s->text, "summary", summary, sizeof(summary));
		fprintf(out, "  %-*s %s: %s\n", DEVICE_WIDTH, s->name, kind, summary);
	}
}

/* Print the data sheet of that name; false: there is none. */
static bool
print_sheet(const char *name, FILE *out)
{
	const struct data_sheet *s = data_sheets;

	while (s->name && strcmp(name, s->name))
		s++;
	if (s->name)
		fputs(s->text, out);
	return s->name;
}

static void
print_kind(enum plugin_kind kind, FILE *out)
{
	const struct option_info *i = &option_info[help_option_of(kind)];

	fprintf(out, "%s (--%s %s)\n", plugin_kind_plural(kind), i->name,
	    i->initial ? i->initial : "NAME");
	for (const struct plugin *const *p = registry_list(kind); *p; p++)
		print_plugin(*p, kind == PLUGIN_DEVICE ? DEVICE_WIDTH : NAME_WIDTH, out);
	if (kind == PLUGIN_DEVICE)
		print_sheets(out);
}

static void
print_counters(FILE *out)
{
	static const struct {
		const char *name, *unit, *meaning;
	} figure[] = {
#define FIGURE(name, unit, meaning) { #name, unit, meaning },
#include "sim/report/figures.def"
#undef FIGURE
	};

	fputs("counters of bufsim run --json and --csv\n", out);
	for (const struct counter *i = stat_info; i->name; i++)
		fprintf(out, "  %-27s %-9s %s\n", i->name, i->unit, i->meaning);
	fputs(
	    "counters of plug-ins; of one that takes no part in a run they are empty in CSV, null in JSON\n",
	    out);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		fprintf(out, "  %-27s %-9s %s\n", i.name, i.counter->unit, i.counter->meaning);
	fputs("ratios of counters; 0/0 is - in CSV and null in JSON\n", out);
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		fprintf(out, "  %-27s %-9s %s\n", i->name, i->unit, i->meaning);
	fputs("figures of bufsim stat --json\n", out);
	for (size_t i = 0; i < sizeof(figure) / sizeof(*figure); i++)
		fprintf(out, "  %-27s %-9s %s\n", figure[i].name, figure[i].unit,
		    figure[i].meaning);
}

static void
print_workloads(FILE *out)
{
	const char *group = "";

	fputs("workloads (--pattern NAMES, or names of groups); calls are one second apart\n", out);
	for (const struct workload *p = workloads; p->name; p++) {
		if (strcmp(group, p->group))
			fprintf(out, " %s\n", p->group);
		group = p->group;
		fprintf(out, "  %-15s %5u calls  %s\n", p->name, p->calls, p->summary);
	}
}

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
		if (found[kind]) {
			fprintf(out, "%s (--%s ", plugin_kind_name(kind),
			    option_info[help_option_of(kind)].name);
			text_print(path, out);
			fputs(")\n", out);
			print_plugin(found[kind], NAME_WIDTH, out);
			for (const struct counter *c = found[kind]->counters; c && c->name; c++)
				fprintf(out, "      counts %s_%s: %s\n", found[kind]->name, c->name,
				    c->meaning);
		}
	return 0;
}

static int
list(const struct options *o, FILE *out, struct error *e)
{
	struct nearest near = nearest_to(o->argument[0] ? o->argument[0] : "");
	const char    *one = o->argument[0];
	bool	       found = !one;

	if (one && shared_path(one))
		return print_shared(one, out, e);
	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *name = plugin_kind_plural(kind);

		nearest_offer(&near, name);
		if (one && strcmp(one, name))
			continue;
		if (!one && kind)
			putc('\n', out);
		print_kind(kind, out);
		found = true;
	}
	if (one && !strcmp(one, "counters")) {
		print_counters(out);
		return 0;
	}
	if (one && !strcmp(one, "workloads")) {
		print_workloads(out);
		return 0;
	}
	if (!one)
		fputs(
		    "\nbufsim list counters explains the figures of --json and --csv, bufsim list "
		    "workloads lists the names for --pattern.\n",
		    out);
	nearest_offer(&near, "counters");
	nearest_offer(&near, "workloads");
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		nearest_offer(&near, s->name);
	return found ? 0 : nearest_error(&near, "topic", "see: bufsim help list", e);
}

int
cmd_list(const struct options *o, FILE *out, struct error *e)
{
	struct fold f;

	if (o->argument[0] && print_sheet(o->argument[0], out)) /* as it is, to be copied */
		return 0;
	if (fold_open(&f, out, e))
		return -1;
	return fold_close(&f, list(o, f.out, e), e);
}
