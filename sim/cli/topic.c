/* topic.c - print plug-ins, data sheets, options, workloads and counters by name. */
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/cli/help.h"
#include "sim/cli/kinds.h"
#include "sim/cli/topic.h"
#include "sim/core/stats.h"
#include "sim/trace/generate/workload.h"

enum {
	TEXT_ROOM = 768,
	RANGE_ROOM = 128,
	NAME_ROOM = 64,
	NAME_COLUMN = 15,
	DEVICE_COLUMN = 22,
	COUNTER_COLUMN = 41,
	WORKLOAD_COLUMN = 18
};

struct figure {
	const char *name, *unit, *meaning;
};

static const struct figure figures[] = {
#define FIGURE(name, unit, meaning) { #name, unit, meaning },
#define DISTRIBUTION FIGURE
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
	{ 0 }
};

/* ---- plug-ins ---- */

static const char *
lesson_of(const struct plugin_kind *kind, const struct plugin *p)
{
	return kind->teaches ? kind->teaches(p) : NULL;
}

static void
print_param(const struct param *q, FILE *out)
{
	char left[TEXT_ROOM], text[TEXT_ROOM], range[RANGE_ROOM];

	help_range(q, range, sizeof(range));
	snprintf(left, sizeof(left), "  :%s=", q->name);
	snprintf(text, sizeof(text), "%s (%s)", q->meaning, range);
	help_entry(left, NAME_COLUMN + 5, text, out);
}

static void
print_params(const struct plugin *p, FILE *out)
{
	for (const struct param *q = p->params; q && q->name; q++)
		print_param(q, out);
}

/* In the list of all shapes, without what they share. */
static void
print_shape(const struct plugin *p, FILE *out)
{
	for (const struct param *q = p->params; q->name; q++)
		if (!shape_shares(q))
			print_param(q, out);
}

static void
print_shared(FILE *out)
{
	help_entry("of all", NAME_COLUMN, "A+B are two shapes at once, A/B one after the other",
	    out);
	for (const struct param *q = PLUGIN_SHAPE->list[0]->params; q->name; q++)
		if (shape_shares(q))
			print_param(q, out);
}

static void
print_sheets(FILE *out)
{
	char kind[TEXT_ROOM], summary[TEXT_ROOM], text[2 * TEXT_ROOM + 2];

	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		data_sheet_value(s->text, "kind", kind, sizeof(kind));
		data_sheet_value(s->text, "summary", summary, sizeof(summary));
		snprintf(text, sizeof(text), "%s: %s", kind, summary);
		help_entry(s->name, DEVICE_COLUMN, text, out);
	}
}

/* "bufsim share ", if no other command has the option: others have options of that name. */
static const char *
only_command(const struct option_info *i, char text[NAME_ROOM])
{
	unsigned command = 0;

	while (command < COMMANDS && !option_belongs(i, (enum command_id)command))
		command++;
	*text = '\0';
	for (unsigned k = command + 1; k < COMMANDS; k++)
		if (option_belongs(i, (enum command_id)k))
			return text;
	snprintf(text, NAME_ROOM, "bufsim %s ", command_info[command].name);
	return text;
}

void
topic_kind(const struct plugin_kind *kind, FILE *out)
{
	char			  command[NAME_ROOM];
	const struct option_info *i = &option_info[kind_option(kind)];

	fprintf(out, "%s (%s--%s %s)\n", kind->plural, only_command(i, command), i->name,
	    i->initial ? i->initial : "NAME");
	for (const struct plugin *const *p = kind->list; *p; p++) {
		help_entry((*p)->name, kind == PLUGIN_DEVICE ? DEVICE_COLUMN : NAME_COLUMN,
		    (*p)->summary, out);
		if (lesson_of(kind, *p))
			help_wrap(lesson_of(kind, *p), NAME_COLUMN, out);
		if (kind == PLUGIN_SHAPE)
			print_shape(*p, out);
		else
			print_params(*p, out);
	}
	if (kind == PLUGIN_DEVICE)
		print_sheets(out);
	if (kind == PLUGIN_SHAPE)
		print_shared(out);
}

void
topic_plugin(const struct plugin_kind *kind, const struct plugin *p, const char *typed, FILE *out)
{
	char name[TEXT_ROOM];

	fprintf(out, "%s %s (--%s ", kind->name, p->name, option_info[kind_option(kind)].name);
	text_print(typed, out);
	fprintf(out, "%s)\n", p->params ? ":NAME=VALUE,..." : "");
	help_wrap(p->summary, 2, out);
	if (lesson_of(kind, p))
		help_wrap(lesson_of(kind, p), 2, out);
	if (p->around)
		fprintf(out, "  It wraps another %s%s%s: %s+NAME.\n", kind->name,
		    *p->around ? ", by default " : "", p->around, p->name);
	if (p->params)
		fputs("parameters\n", out);
	print_params(p, out);
	if (p->counters)
		fputs("counters, in the report, --json and --csv\n", out);
	for (const struct counter *c = p->counters; c && c->name; c++) {
		snprintf(name, sizeof(name), "%s_%s", p->name, c->name);
		help_entry(name, COUNTER_COLUMN, c->meaning, out);
	}
	if (p->source) {
		fputs("source\n", out);
		help_wrap(p->source, 2, out);
	}
}

/* ---- counters and workloads ---- */

static void
print_figure(const char *name, const char *unit, const char *meaning, FILE *out)
{
	char left[TEXT_ROOM];

	snprintf(left, sizeof(left), "%-27s %s", name, unit);
	help_entry(left, COUNTER_COLUMN, meaning, out);
}

static void
print_counters(FILE *out)
{
	fputs("counters of bufsim run --json and --csv\n", out);
	for (const struct counter *i = stat_info; i->name; i++)
		print_figure(i->name, i->unit, i->meaning, out);
	fputs("counters of plug-ins; of one that takes no part in a run they are empty in CSV,\n"
	      "null in JSON\n",
	    out);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		print_figure(i.name, i.counter->unit, i.counter->meaning, out);
	fputs("ratios of counters; 0/0 is empty in CSV and null in JSON\n", out);
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		print_figure(i->name, i->unit, i->meaning, out);
	fputs("figures of bufsim stat --json\n", out);
	for (const struct figure *i = figures; i->name; i++)
		print_figure(i->name, i->unit, i->meaning, out);
}

/* The counters, ratios and figures of that name; false: there are none. */
static bool
print_counter(const char *name, FILE *out)
{
	bool found = false;

	for (const struct counter *i = stat_info; i->name; i++)
		if (!strcmp(i->name, name)) {
			print_figure(i->name, i->unit, i->meaning, out);
			found = true;
		}
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		if (!strcmp(i.name, name)) {
			print_figure(i.name, i.counter->unit, i.counter->meaning, out);
			found = true;
		}
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		if (!strcmp(i->name, name)) {
			print_figure(i->name, i->unit, i->meaning, out);
			found = true;
		}
	for (const struct figure *i = figures; i->name; i++)
		if (!strcmp(i->name, name)) {
			fputs("bufsim stat\n", out);
			print_figure(i->name, i->unit, i->meaning, out);
			found = true;
		}
	return found;
}

/* The workloads of that name or group, or all if it is NULL; false: there are none. */
/* Plug-ins of a study that its option --workload names. */
static void
print_other_workloads(FILE *out)
{
	char command[NAME_ROOM];

	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		const struct option_info *i = &option_info[kind_option(*k)];

		if (!strcmp(i->name, "workload"))
			fprintf(out, "bufsim list %s: names for %s--workload\n", (*k)->plural,
			    only_command(i, command));
	}
}

static bool
print_workloads(const char *name, FILE *out)
{
	const char *group = "";
	bool	    found = false;

	for (const struct workload *p = workloads; p->name; p++) {
		if (name && strcmp(name, p->name) && strcmp(name, p->group))
			continue;
		if (!found)
			fputs(
			    "workloads (--pattern NAMES, or names of groups): shapes with given parameters\n",
			    out);
		if (strcmp(group, p->group))
			fprintf(out, " %s\n", p->group);
		group = p->group;
		help_entry(p->name, WORKLOAD_COLUMN, p->summary, out);
		if (name && !strcmp(name, p->name))
			fprintf(out, "    %s\n", p->pattern);
		found = true;
	}
	if (!name)
		print_other_workloads(out);
	return found;
}

/* ---- by name ---- */

static bool
is_kind(const struct plugin_kind *kind, const char *name)
{
	return !strcmp(name, kind->name) || !strcmp(name, kind->plural);
}

static bool
print_kinds(const char *name, FILE *out)
{
	bool found = false;

	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		if (is_kind(*k, name)) {
			topic_kind(*k, out);
			found = true;
		}
	return found;
}

static bool
print_plugins(const char *name, FILE *out)
{
	bool found = false;

	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		for (const struct plugin *const *p = (*k)->list; *p; p++)
			if (!strcmp((*p)->name, name)) {
				topic_plugin(*k, *p, name, out);
				found = true;
			}
	return found;
}

/* The whole text, for a file of one's own. */
static bool
print_sheet(const char *name, FILE *out)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (!strcmp(s->name, name)) {
			fputs(s->text, out);
			return true;
		}
	return false;
}

/* Plug-ins to choose from follow an option that names one. */
static bool
print_options(const char *name, FILE *out)
{
	bool found = false;

	for (const struct option_info *i = option_info; i->name; i++)
		if (!strcmp(i->name, name)) {
			help_option(i, out);
			found = true;
		}
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		if (!strcmp(option_info[kind_option(*k)].name, name))
			topic_kind(*k, out);
	return found;
}

bool
topic_print(const char *name, FILE *out)
{
	if (!strncmp(name, "--", 2))
		return print_options(name + 2, out);
	if (!strcmp(name, "counters") || !strcmp(name, "counter")) {
		print_counters(out);
		return true;
	}
	if (!strcmp(name, "workloads") || !strcmp(name, "workload") || !strcmp(name, "patterns"))
		return print_workloads(NULL, out);
	if (!strcmp(name, "sizes") || !strcmp(name, "size")) {
		help_sizes(out);
		return true;
	}
	if (!strcmp(name, "traces") || !strcmp(name, "trace")) {
		topic_kind(PLUGIN_FORMAT, out);
		return true;
	}
	if (!strcmp(name, "commands") || !strcmp(name, "options")) {
		help_overview(out);
		return true;
	}
	return print_sheet(name, out) || print_kinds(name, out) || print_plugins(name, out) ||
	    print_options(name, out) || print_workloads(name, out) || print_counter(name, out);
}

/* The names of counters of plug-ins are made up one by one: the nearest is kept. */
static void
offer_counters(struct nearest *near, struct own_counter *nearest)
{
	for (const struct counter *i = stat_info; i->name; i++)
		nearest_offer(near, i->name);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);) {
		nearest_offer(near, i.name);
		if (near->best == i.name) {
			*nearest = i;
			near->best = nearest->name;
		}
	}
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		nearest_offer(near, i->name);
	for (const struct figure *i = figures; i->name; i++)
		nearest_offer(near, i->name);
}

int
topic_unknown(const char *name, struct error *e)
{
	static const char *const words[] = { "counters", "workloads", "sizes" };
	struct nearest		 near = nearest_to(name + (strncmp(name, "--", 2) ? 0 : 2));
	struct own_counter	 counter;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		nearest_offer(&near, words[i]);
	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		nearest_offer(&near, (*k)->plural);
		for (const struct plugin *const *p = (*k)->list; *p; p++)
			nearest_offer_name(&near, (*p)->name);
	}
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		nearest_offer_name(&near, s->name);
	for (const struct option_info *i = option_info; i->name; i++)
		nearest_offer(&near, i->name);
	for (const struct command_info *c = command_info; c->name; c++)
		nearest_offer(&near, c->name);
	for (const struct workload *w = workloads; w->name; w++)
		nearest_offer(&near, w->name);
	offer_counters(&near, &counter);
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		registry_translate(*k, &near);
	return nearest_error(&near, "topic", "see: bufsim list, or bufsim list counters", e);
}
