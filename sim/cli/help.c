/* help.c - help, manual page and completion from the tables of options and plug-ins. */
#include <ctype.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/terminal.h"
#include "sim/cli/help.h"
#include "sim/cli/kinds.h"
#include "sim/core/stats.h"
#include "sim/registry.h"
#include "sim/trace/unpack/unpack.h"

enum {
	OPTION_COLUMN = 32,
	COMMAND_COLUMN = 22,
	SIZE_COLUMN = 22,
	OVERVIEW_EXAMPLES = 5, /* of the commands that stand first */
	TEXT_ROOM = 512,
	LESSON_ROOM = 4096,
	RANGE_ROOM = 128,
	NAME_ROOM = 64
};

static const char purpose[] = "how long would a program take with a given cache and prefetcher?";

static const struct {
	const char *typed, *text;
} sizes[] = {
	{ "64M, 64MB, 64MiB, 64m", "64 x 1024 x 1024 bytes; likewise K, G and T, and 1.5G" },
	{ "16384b", "blocks of --block bytes" },
	{ "1/8, 12.5%, 0.125",
	    "a share of the footprint, the blocks that the trace references; only of --cache" },
	{ "64M,128M", "a list, for sweep, compare and mrc" },
	{ "1M:1G:x2", "a range: 1M, 2M, 4M ... 1G; +1M adds instead; 10%:100%:+10%" },
	{ "auto", "the eighths of the footprint: 1/8, 2/8 ... 8/8" },
};

void
help_range(const struct param *q, char *buf, size_t n)
{
	char initial[NUMBER_TEXT], min[NUMBER_TEXT], max[NUMBER_TEXT], word[NUMBER_TEXT];
	const char * or ;

	if (q->unit == PARAM_WORD) {
		size_t used = (size_t)snprintf(buf, n, "default %s, one of", q->words[q->initial]);

		for (uint64_t i = 0; i <= q->max && used < n; i++)
			used += (size_t)snprintf(buf + used, n - used, " %s", q->words[i]);
		return;
	}
	if (q->unit == PARAM_TEXT) {
		snprintf(buf, n, "default none");
		return;
	}
	number_format(min, q->min, q->unit);
	number_format(max, q->max, q->unit);
	or = q->unit == PARAM_PART ? " of the cache, or blocks such as 32b" : "";
	snprintf(word, sizeof(word), "%s%s", q->words ? ", or " : "", q->words ? q->words[0] : "");
	if (q->words && q->initial == q->max + 1)
		snprintf(buf, n, "default %s, from %s to %s%s%s", q->words[0], min, max, or, word);
	else if (q->initial > q->max)
		snprintf(buf, n, "from %s to %s%s%s", min, max, or, word);
	else
		snprintf(buf, n, "default %s, from %s to %s%s%s",
		    number_format(initial, q->initial, q->unit), min, max, or, word);
}

void
help_version(FILE *out)
{
	const char *comma = "";

	fputs("bufsim " BUFSIM_VERSION "\nunpacks ", out);
	for (const struct packing *const *p = packings; *p; p++) {
		if (!(*p)->start)
			continue;
		fprintf(out, "%s%s", comma, (*p)->name);
		comma = ", ";
	}
	putc('\n', out);
}

/* ---- on the terminal ---- */

/* Print words from the given column on; the first line is at column `at`. */
static void
wrap_at(const char *text, size_t at, size_t column, FILE *out)
{
	size_t width = terminal_width(out);

	for (; *text; text += strspn(text, " ")) {
		size_t n = strcspn(text, " ");

		if (at < column || at + 1 + n > width) {
			if (at >= column)
				putc('\n', out), at = 0;
			fprintf(out, "%*s", (int)(column - at), "");
			at = column;
		} else if (at > column) {
			putc(' ', out);
			at++;
		}
		fwrite(text, 1, n, out);
		at += n;
		text += n;
	}
	putc('\n', out);
}

void
help_wrap(const char *text, size_t column, FILE *out)
{
	wrap_at(text, 0, column, out);
}

void
help_entry(const char *left, size_t column, const char *text, FILE *out)
{
	size_t at = strlen(left) + 2;

	fprintf(out, "  %s", left);
	if (at >= column) {
		putc('\n', out);
		at = 0;
	}
	wrap_at(text, at, column, out);
}

/* Before the argument of a command, if it has one. */
static const char *
blank(const struct command_info *c)
{
	return *c->argument ? " " : "";
}

static void
print_commands(FILE *out)
{
	char left[TEXT_ROOM];

	for (const struct command_info *c = command_info; c->name; c++) {
		snprintf(left, sizeof(left), "%s%s%s", c->name, blank(c), c->argument);
		help_entry(left, COMMAND_COLUMN, c->summary, out);
	}
}

/* "--policy", or "-j, --jobs". */
static const char *
option_spelt(const struct option_info *i, char buf[NAME_ROOM])
{
	const char letter[] = { '-', option_letter(i), ',', ' ', '\0' };

	snprintf(buf, NAME_ROOM, "%s--%s", option_letter(i) ? letter : "", i->name);
	return buf;
}

static void
print_options(enum command_id id, FILE *out)
{
	char left[TEXT_ROOM], text[TEXT_ROOM], name[NAME_ROOM];

	for (const struct option_info *i = option_info; i->name; i++) {
		if (!option_belongs(i, id))
			continue;
		snprintf(left, sizeof(left), "%s%s%s", option_spelt(i, name),
		    i->argument ? " " : "", i->argument ? i->argument : "");
		snprintf(text, sizeof(text), "%s%s%s%s", i->meaning, i->initial ? " [" : "",
		    i->initial ? i->initial : "", i->initial ? "]" : "");
		help_entry(left, OPTION_COLUMN, text, out);
	}
}

void
help_overview(FILE *out)
{
	static const struct {
		const char *command, *text;
	} more[] = {
		{ "bufsim help run", "a command and its options; bufsim run -h is the same" },
		{ "bufsim help --cache", "an option; bufsim help sizes: how sizes are written" },
		{ "bufsim list", "all policies, prefetchers, schedulers, devices and formats" },
		{ "bufsim list ondemand", "one of them: parameters, defaults, ranges, source" },
		{ "bufsim --help=man", "the manual page" },
		{ "bufsim --help=bash", "completion for bash; or =zsh, =fish" },
		{ "bufsim --version", "the version" },
	};

	fprintf(out, "bufsim - %s\n\n", purpose);
	for (unsigned id = 0; id < OVERVIEW_EXAMPLES; id++)
		fprintf(out, "  %s\n", command_info[id].example);
	fputs("\nCommands:\n", out);
	print_commands(out);
	fputs("\nMore help:\n", out);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		help_entry(more[i].command, COMMAND_COLUMN + 2, more[i].text, out);
	fputs("\nResults go to standard output, messages to standard error.  Exit status: 0,\n"
	      "1 if something failed, 2 if the command line is wrong, 128 and its number if a\n"
	      "signal ended it.\n",
	    out);
}

void
help_sizes(FILE *out)
{
	fputs("sizes, of --cache, --request, --block and parameters\n", out);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		help_entry(sizes[i].typed, SIZE_COLUMN, sizes[i].text, out);
}

/* "run, sweep" for an option. */
static void
print_takers(const struct option_info *i, FILE *out)
{
	char   text[TEXT_ROOM];
	size_t used = 0;

	if (i == &option_info[OPTION_help])
		return;
	for (unsigned id = 0; id < COMMANDS && used < sizeof(text); id++)
		if (option_belongs(i, (enum command_id)id))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
			    used ? ", " : "of bufsim ", command_info[id].name);
	help_wrap(text, 2, out);
}

void
help_option(const struct option_info *i, FILE *out)
{
	char name[NAME_ROOM];

	fprintf(out, "%s%s%s%s%s%s\n", option_spelt(i, name), i->argument ? " " : "",
	    i->argument ? i->argument : "", i->initial ? " [" : "", i->initial ? i->initial : "",
	    i->initial ? "]" : "");
	print_takers(i, out);
	help_wrap(i->meaning, 2, out);
	if (i->argument)
		fprintf(out, "  example: %s\n", i->example);
	if (option_is_size(i))
		fputs("  bufsim help sizes: how sizes are written\n", out);
}

bool
help_for(const char *name, FILE *out)
{
	for (unsigned id = 0; id < COMMANDS; id++)
		if (!strcmp(command_info[id].name, name)) {
			help_command((enum command_id)id, out);
			return true;
		}
	return false;
}

/* Descriptions of commands, behind their options: a study adds to that of plot. */
static const struct {
	enum command_id command;
	const char     *text;
} lessons[] = {
#define LESSON(id, text) { COMMAND_##id, text },
#include "sim/cli/lessons.def"
#include "sim/setup/program.def"
};
enum { LESSONS = sizeof(lessons) / sizeof(*lessons) };

/* The next paragraph; an empty line ends it.  *text is set behind it; false: there is none. */
static bool
next_paragraph(const char **text, char paragraph[LESSON_ROOM])
{
	const char *begin = *text + strspn(*text, "\n"), *end = strstr(begin, "\n\n");
	size_t	    n = end ? (size_t)(end - begin) : strlen(begin);

	snprintf(paragraph, LESSON_ROOM, "%.*s", (int)n, begin);
	*text = begin + n;
	return n;
}

/* Newlines of the text are blanks. */
static void
print_lesson(const char *text, FILE *out)
{
	char paragraph[LESSON_ROOM];

	while (next_paragraph(&text, paragraph)) {
		for (char *c = paragraph; (c = strchr(c, '\n'));)
			*c = ' ';
		help_wrap(paragraph, 0, out);
		if (*text && text[strspn(text, "\n")])
			putc('\n', out);
	}
}

void
help_command(enum command_id id, FILE *out)
{
	const struct command_info *c = &command_info[id];
	char			   head[TEXT_ROOM];

	snprintf(head, sizeof(head), "bufsim %s%s%s - %s", c->name, blank(c), c->argument,
	    c->summary);
	help_wrap(head, 0, out);
	fprintf(out, "\n  %s\n\nOptions [default]:\n", c->example);
	print_options(id, out);
	for (size_t i = 0; i < LESSONS; i++)
		if (lessons[i].command == id) {
			putc('\n', out);
			print_lesson(lessons[i].text, out);
		}
}

/* ---- the manual page ---- */

/* Print text as roff: a point or a quote must not start a line, a minus stays a minus. */
static void
roff(const char *text, FILE *out)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else
			putc(*text, out);
}

static void
roff_item(const char *name, const char *argument, const char *text, FILE *out)
{
	fputs(".TP\n.B ", out);
	roff(name, out);
	if (argument) {
		fputs(" \\fI", out);
		roff(argument, out);
		fputs("\\fR", out);
	}
	putc('\n', out);
	roff(text, out);
	putc('\n', out);
}

static void
roff_option(const struct option_info *i, FILE *out)
{
	char name[NAME_ROOM], text[TEXT_ROOM];

	snprintf(text, sizeof(text), "%s%s%s%s.", i->meaning, i->initial ? " (default " : "",
	    i->initial ? i->initial : "", i->initial ? ")" : "");
	roff_item(option_spelt(i, name), i->argument, text, out);
	if (i->argument) {
		fputs("Example: ", out);
		roff(i->example, out);
		fputs(".\n", out);
	}
}

static void
roff_lesson(const char *text, FILE *out)
{
	char paragraph[LESSON_ROOM];

	while (next_paragraph(&text, paragraph)) {
		fputs(".PP\n", out);
		roff(paragraph, out);
		if (paragraph[strlen(paragraph) - 1] != '\n')
			putc('\n', out);
	}
}

static void
roff_options(FILE *out)
{
	for (unsigned id = 0; id < COMMANDS; id++) {
		const struct command_info *c = &command_info[id];

		fprintf(out, ".SS \"bufsim %s%s%s\"\n", c->name, blank(c), c->argument);
		roff(c->summary, out);
		putc('\n', out);
		for (const struct option_info *i = option_info; i->name; i++)
			if (option_belongs(i, (enum command_id)id))
				roff_option(i, out);
		for (size_t i = 0; i < LESSONS; i++)
			if (lessons[i].command == id)
				roff_lesson(lessons[i].text, out);
	}
}

static void
roff_param(const struct param *q, FILE *out)
{
	char range[RANGE_ROOM], text[TEXT_ROOM];

	help_range(q, range, sizeof(range));
	snprintf(text, sizeof(text), "%s: %s (%s)", q->name, q->meaning, range);
	fputs(".br\n", out);
	roff(text, out);
	putc('\n', out);
}

static void
roff_plugin(const struct plugin *p, FILE *out)
{
	roff_item(p->name, NULL, p->summary, out);
	for (const struct param *q = p->params; q && q->name; q++)
		roff_param(q, out);
}

static void
roff_shapes(FILE *out)
{
	const struct plugin *const *shape = PLUGIN_SHAPE->list;
	char			    text[TEXT_ROOM];

	for (const struct plugin *const *p = shape; *p; p++) {
		snprintf(text, sizeof(text), "%s; %s.", (*p)->summary,
		    ((const struct shape *)(const void *)*p)->teaches);
		roff_item((*p)->name, NULL, text, out);
		for (const struct param *q = (*p)->params; q->name; q++)
			if (!shape_shares(q))
				roff_param(q, out);
	}
	roff_item("of all", NULL, "Parameters of every shape.", out);
	for (const struct param *q = (*shape)->params; q->name; q++)
		if (shape_shares(q))
			roff_param(q, out);
}

static void
roff_plugins(FILE *out)
{
	char text[TEXT_ROOM];

	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		fputs(".SH ", out);
		for (const char *c = (*k)->plural; *c; c++)
			putc(toupper((unsigned char)*c), out);
		fprintf(out, "\nNames for \\-\\-%s.\n", option_info[kind_option(*k)].name);
		for (const struct plugin *const *p = (*k)->list; *k != PLUGIN_SHAPE && *p; p++)
			roff_plugin(*p, out);
		if (*k == PLUGIN_SHAPE)
			roff_shapes(out);
		if (*k == PLUGIN_DEVICE)
			for (const struct data_sheet *s = data_sheets; s->name; s++) {
				data_sheet_value(s->text, "summary", text, sizeof(text));
				roff_item(s->name, NULL, text, out);
			}
	}
}

static void
roff_figure(const char *name, const char *unit, const char *meaning, FILE *out)
{
	char text[TEXT_ROOM];

	snprintf(text, sizeof(text), "%s%s%s%s", meaning, *unit ? " (" : "", unit,
	    *unit ? ")" : "");
	roff_item(name, NULL, text, out);
}

static void
roff_figures(FILE *out)
{
	fputs(
	    ".SH COUNTERS\nKeys of run \\-\\-json and columns of run \\-\\-csv, in this order, between the\nidentity of the run and its other options.  What is unknown or not given is an empty\nfield of CSV and null in JSON.\n",
	    out);
	for (const struct counter *i = stat_info; i->name; i++)
		roff_figure(i->name, i->unit, i->meaning, out);
	fputs(
	    ".SH COUNTERS OF PLUG\\-INS\nThey follow the counters above; of a plug\\-in that takes no part in a run they are\nunknown.\n",
	    out);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		roff_figure(i.name, i.counter->unit, i.counter->meaning, out);
	fputs(".SH RATIOS\nThey follow the counters; 0/0 is unknown.\n", out);
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		roff_figure(i->name, i->unit, i->meaning, out);
	fputs(".SH FIGURES OF A TRACE\nKeys of stat \\-\\-json.\n", out);
#define FIGURE(name, unit, meaning) roff_figure(#name, unit, meaning, out);
#define DISTRIBUTION FIGURE
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
}

void
help_man(FILE *out)
{
	fputs(".TH BUFSIM 1 " BUFSIM_DATE " \"bufsim " BUFSIM_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nbufsim \\- trace-driven simulator of buffer caches and prefetching\n"
	      ".SH SYNOPSIS\n",
	    out);
	for (const struct command_info *c = command_info; c->name; c++)
		fprintf(out, ".B bufsim %s\n%s%s%s.RI [ options ]\n.br\n", c->name,
		    *c->argument ? ".I " : "", c->argument, *c->argument ? "\n" : "");
	fputs(
	    ".B bufsim \\-\\-help\n|\n.B \\-\\-help=man\n|\n.B \\-\\-help=bash\n|\n.B \\-\\-help=zsh\n|\n.B "
	    "\\-\\-help=fish\n|\n.B \\-\\-version\n.br\n.B bufsim \\-\\-complete\n.I WORD...\n"
	    ".SH DESCRIPTION\nA trace of the reads and writes of a program is replayed against a "
	    "simulated\nbuffer cache, a prefetcher and a device:\n",
	    out);
	fprintf(out,
	    "%s\nResults go to standard output, messages to standard error.\n"
	    ".SH COMMANDS AND OPTIONS\n"
	    "Sizes take K, M, G and T, which are powers of 1024 (64M, 64MB and 64MiB are the\n"
	    "same), or b for blocks; a cache also takes a share of the footprint, 10%% or 1/8.\n"
	    "Times take us, ms and s.  Parameters follow a name: linux24:max=31,min=3; a controller wraps\n"
	    "another prefetcher: iprp+linux24.  A trace is a file, plain or\n"
	    "packed by gzip, zstd, xz or bzip2, or \\- for standard input.\n",
	    purpose);
	roff_options(out);
	roff_plugins(out);
	roff_figures(out);
	fputs(
	    ".SH ENVIRONMENT\n.TP\n.B COLUMNS\nThe width of the terminal, instead of what it "
	    "reports.  Output into a pipe or a file always fits 80 columns.\n"
	    ".TP\n.B NO_COLOR\nIf set and not empty, output on a terminal has no colour.\n"
	    ".TP\n.B TERM\nIf it is dumb, there is neither colour nor a line that shows the "
	    "progress.\n"
	    ".SH EXIT STATUS\n0 if all went well, 1 if something failed, 2 if the command line is "
	    "wrong,\n128 and its number if a signal ended it.\n.SH EXAMPLES\n.nf\n",
	    out);
	for (const struct command_info *c = command_info; c->name; c++) {
		roff(c->example, out);
		putc('\n', out);
	}
	fputs(".fi\n", out);
}
