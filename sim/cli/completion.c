/* completion.c - the candidates for a word, and the scripts that show them. */
#include <string.h>

#include "sim/cli/completion.h"
#include "sim/cli/help.h"
#include "sim/cli/kinds.h"
#include "sim/core/stats.h"
#include "sim/draw/plot.h"
#include "sim/registry.h"
#include "sim/setup/options.h"
#include "sim/trace/generate/workload.h"

enum { TEXT_ROOM = 512 };

struct typed {
	const char *word; /* whole */
	const char *part; /* of the word: what is completed; it stands behind the rest */
	FILE	   *out;
	const char *list; /* where the value begins that may be a list; NULL: there is none */
};

/* Does the part begin an item, and is the text one of the items before it? */
static bool
is_in_list(const struct typed *t, const char *text)
{
	if (!t->list || t->part == t->list || t->part[-1] != ',')
		return false;
	for (const char *item = t->list; item < t->part; item += strcspn(item, ",") + 1)
		if (!strncmp(item, text, strcspn(item, ",")) && !text[strcspn(item, ",")])
			return true;
	return false;
}

/* Print one candidate if it begins with the part. */
static void
offer(const struct typed *t, const char *text, const char *end, const char *meaning)
{
	if (strncmp(text, t->part, strlen(t->part)) != 0 || is_in_list(t, text))
		return;
	fprintf(t->out, "%.*s%s%s\t%s\n", (int)(t->part - t->word), t->word, text, end, meaning);
}

static void
offer_files(const struct typed *t)
{
	fputs(":files\n", t->out);
}

/* ---- plug-ins ---- */

static const struct plugin *
plugin_named(const struct plugin_kind *kind, const char *name, size_t n)
{
	for (const struct plugin *const *p = kind->list; *p; p++)
		if (!strncmp((*p)->name, name, n) && !(*p)->name[n])
			return *p;
	return NULL;
}

static void
offer_sheets(const struct typed *t)
{
	char summary[TEXT_ROOM];

	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		data_sheet_value(s->text, "summary", summary, sizeof(summary));
		offer(t, s->name, "", summary);
	}
}

static bool
is_choosable(const struct plugin_kind *kind, const struct plugin *p)
{
	return kind != PLUGIN_DEVICE ||
	    ((const struct device *)(const void *)p)->sheet != SHEET_NEEDED;
}

static void
offer_names(const struct plugin_kind *kind, bool inside, const struct typed *t)
{
	for (const struct plugin *const *p = kind->list; *p; p++)
		if (is_choosable(kind, *p) && (!inside || registry_goes_inside(kind, *p)))
			offer(t, (*p)->name, "", (*p)->summary);
	if (kind == PLUGIN_DEVICE)
		offer_sheets(t);
	if (strchr(t->part, '/') || *t->part == '.')
		offer_files(t);
}

static void
offer_params(const struct plugin *p, const struct typed *t)
{
	char range[TEXT_ROOM], text[2 * TEXT_ROOM];

	for (const struct param *q = p ? p->params : NULL; q && q->name; q++) {
		help_range(q, range, sizeof(range));
		snprintf(text, sizeof(text), "%s (%s)", q->meaning, range);
		offer(t, q->name, "=", text);
	}
}

static void
offer_param_values(const struct plugin *p, const char *name, size_t n, const struct typed *t)
{
	for (const struct param *q = p ? p->params : NULL; q && q->name; q++) {
		if (strncmp(q->name, name, n) != 0 || q->name[n])
			continue;
		for (uint64_t i = 0; q->words && i <= (q->unit == PARAM_WORD ? q->max : 0); i++)
			offer(t, q->words[i], "", q->meaning);
	}
}

/*
 * "none,iprp:threshold=4+ondemand:pa": a name, a parameter or its value, whatever comes last.
 * A slash is between shapes, but part of the path of another plug-in.
 */
static void
offer_plugin(const struct plugin_kind *kind, struct typed t)
{
	const char	    *between = kind == PLUGIN_SHAPE ? ",:+/" : ",:+";
	const struct plugin *p = NULL; /* the parameters may be its own */
	const char	    *start = t.part, *equals = NULL;
	bool		     inside = false;

	for (const char *c = t.part; *c; c++) {
		if (*c == ':' && !equals)
			p = plugin_named(kind, t.part, (size_t)(c - t.part));
		if (*c == '+' || (*c == '/' && kind == PLUGIN_SHAPE))
			p = NULL;
		if (*c == '=')
			equals = c;
		else if (strchr(between, *c))
			equals = NULL;
		if (!equals && strchr(between, *c))
			t.part = c + 1;
		inside = *c == '+' || (inside && *c != ',');
	}
	if (equals) {
		const char *name = t.part;

		t.part = equals + 1;
		offer_param_values(p, name, (size_t)(equals - name), &t);
		return;
	}
	offer_params(p, &t);
	if (t.part == start || t.part[-1] != ':')
		offer_names(kind, inside, &t);
}

/* ---- values of options ---- */

/* What stands behind the last comma. */
static struct typed
behind_comma(struct typed t)
{
	const char *comma = strrchr(t.part, ',');

	if (comma)
		t.part = comma + 1;
	return t;
}

static void
offer_choices(const struct option_info *i, const struct typed *t)
{
	char word[TEXT_ROOM];

	for (const char *c = i->argument; *c; c += strspn(c, "|")) {
		size_t n = strcspn(c, "|");

		snprintf(word, sizeof(word), "%.*s", (int)n, c);
		offer(t, word, "", "");
		c += n;
	}
}

static void
offer_workloads(const struct typed *t)
{
	const char *group = "";

	offer(t, "all", "", "all workloads");
	for (const struct workload *w = workloads; w->name; w++) {
		if (strcmp(group, w->group))
			offer(t, w->group, "", "a group of workloads");
		group = w->group;
		offer(t, w->name, "", w->summary);
	}
}

/* Shapes with parameters, and names. */
static void
offer_patterns(const struct typed *t)
{
	struct typed last = behind_comma(*t);

	offer_workloads(&last);
	offer_plugin(PLUGIN_SHAPE, *t);
}

static void
offer_counters(const struct typed *t)
{
	for (const struct counter *c = stat_info; c->name; c++)
		offer(t, c->name, "", c->meaning);
	for (struct own_counter c = { 0 }; registry_next_counter(&c);)
		offer(t, c.name, "", c.counter->meaning);
	for (const struct ratio_info *c = ratio_info; c->name; c++)
		offer(t, c->name, "", c->meaning);
}

static void
offer_figures(const struct typed *t)
{
#define FIGURE(name, unit, meaning) offer(t, #name, "", meaning);
#define DISTRIBUTION FIGURE
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
}

static void
offer_y(const struct typed *t)
{
	offer(t, "time", "", "elapsed time");
	offer(t, "hit-ratio", "", "hits / references");
	offer(t, "miss-ratio", "", "misses / references");
	offer_counters(t);
}

/* Has an earlier plug-in a parameter of that name? */
static bool
is_offered(const struct param *q, const struct plugin *const *list, const struct plugin *until)
{
	for (; *list != until; list++)
		for (const struct param *a = (*list)->params; a && a->name; a++)
			if (!strcmp(a->name, q->name))
				return true;
	return false;
}

/* Settings, parameters of plug-ins, and counters. */
static void
offer_x(const struct typed *t)
{
	char name[PLOT_TEXT];

	for (unsigned s = 0; s < OPTIONS; s++)
		if (plot_is_setting(s))
			offer(t, plot_setting_name(s, name), "", option_info[s].meaning);
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		for (const struct plugin *const *p = (*k)->list; *p; p++)
			for (const struct param *q = (*p)->params; q && q->name; q++)
				if (!is_offered(q, (*k)->list, *p))
					offer(t, q->name, "", q->meaning);
	offer_counters(t);
}

/* Whatever can make a line. */
static void
offer_relative(const struct typed *t)
{
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		offer_plugin(*k, *t);
}

static void
offer_writable_formats(const struct typed *t)
{
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write)
			offer(t, (*f)->plugin.name, "", (*f)->plugin.summary);
}

static bool
names_file(const struct option_info *i)
{
	return !strcmp(i->argument, "FILE") || !strcmp(i->argument, "DIR");
}

static void
offer_value(const struct option_info *i, const struct typed *t)
{
	struct typed last = behind_comma(*t);

	if (option_is_choice(i))
		offer_choices(i, &last);
	else if (i == &option_info[OPTION_pattern])
		offer_patterns(t);
	else if (i == &option_info[OPTION_y])
		offer_y(t);
	else if (i == &option_info[OPTION_x])
		offer_x(t);
	else if (i == &option_info[OPTION_relative])
		offer_relative(t);
	else if (i == &option_info[OPTION_to])
		offer_writable_formats(t);
	else if (names_file(i))
		offer_files(t);
	else if (i->initial && !strchr("/.", *i->initial))
		offer(&last, i->initial, "", "the default");
}

static void
complete_value(enum command_id command, const struct option_info *i, struct typed *t)
{
	const struct plugin_kind *kind = kind_named_by((enum option_id)(i - option_info));

	t->list = t->part;
	if (kind && kind != PLUGIN_SHAPE)
		offer_plugin(kind, *t);
	else
		offer_value(i, t);
	if (command != COMMAND_RUN && command != COMMAND_EXPLAIN && !strcmp(i->name, "cache")) {
		struct typed last = behind_comma(*t);

		offer(&last, "auto", "", "the eighths of the footprint");
	}
}

/* ---- words ---- */

static void
complete_commands(const struct typed *t)
{
	for (const struct command_info *c = command_info; c->name; c++)
		offer(t, c->name, "", c->summary);
	offer(t, "--help", "", "explain the commands");
	offer(t, "--version", "", "print the version");
}

static void
complete_options(enum command_id command, const struct typed *t)
{
	for (const struct option_info *i = option_info; i->name; i++)
		if (option_belongs(i, command) || command == COMMAND_HELP)
			offer(t, i->name, "", i->meaning);
}

/* Names of plug-ins, and what lists them; figures only if a letter is typed: they are many. */
static void
complete_topics(bool commands, const struct typed *t)
{
	for (const struct command_info *c = command_info; commands && c->name; c++)
		offer(t, c->name, "", c->summary);
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		offer(t, (*k)->plural, "", "with their parameters");
	offer(t, "counters", "", "of --json and --csv");
	offer(t, "workloads", "", "names for --pattern");
	offer(t, "sizes", "", "how sizes are written");
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		for (const struct plugin *const *p = (*k)->list; *p; p++)
			offer(t, (*p)->name, "", (*p)->summary);
	offer_sheets(t);
	if (!*t->part)
		return;
	offer_workloads(t);
	offer_counters(t);
	offer_figures(t);
}

static const struct option_info *
option_typed(enum command_id command, const char *word, size_t n)
{
	for (const struct option_info *i = option_info; i->name; i++) {
		char letter = option_letter(i);

		if (!option_belongs(i, command))
			continue;
		if (n == 2 && letter && word[0] == '-' && word[1] == letter)
			return i;
		if (n > 2 && !strncmp(word, "--", 2) && !strncmp(i->name, word + 2, n - 2) &&
		    !i->name[n - 2])
			return i;
	}
	return NULL;
}

static void
complete_argument(enum command_id command, const char *before, struct typed t)
{
	const struct option_info *i = option_typed(command, before, strlen(before));
	const char		 *equals = *t.word == '-' ? strchr(t.word, '=') : NULL;

	if (equals) {
		i = option_typed(command, t.word, (size_t)(equals - t.word));
		t.part = equals + 1;
	}
	if (i && i->argument) {
		complete_value(command, i, &t);
	} else if (*t.word == '-' && !equals) {
		t.word = t.word[1] ? t.word : "--";
		t.part = t.word + 2;
		complete_options(command, &t);
	} else if (command == COMMAND_LIST || command == COMMAND_HELP) {
		complete_topics(command == COMMAND_HELP, &t);
	} else if (command == COMMAND_GENERATE && !equals) {
		offer_patterns(&t);
	} else if (!equals) {
		offer_files(&t);
	}
}

void
complete_words(char *const *word, int n, FILE *out)
{
	struct typed t = { word[n - 1], word[n - 1], out, NULL };

	if (n == 1) {
		complete_commands(&t);
		return;
	}
	for (int i = 1; i < n - 1; i++)
		if (!strcmp(word[i], "--")) { /* arguments, of bufsim or of a program */
			offer_files(&t);
			return;
		}
	for (unsigned id = 0; id < COMMANDS; id++)
		if (!strcmp(command_info[id].name, word[0]))
			complete_argument((enum command_id)id, word[n - 2], t);
}

/* ---- scripts ---- */

/*
 * bash breaks words at : and =, and replaces only what stands behind the last
 * one: the line is split at blanks instead, and the rest is cut off the
 * candidates.
 */
void
completion_bash(FILE *out)
{
	fputs(
	    "# bash completion for bufsim: eval \"$(bufsim --help=bash)\"\n"
	    "_bufsim()\n{\n"
	    "\tlocal line=${COMP_LINE:0:COMP_POINT} words current before candidate files=\n"
	    "\tread -ra words <<<\"$line\"\n"
	    "\tcase $line in *[[:blank:]]) words+=('') ;; esac\n"
	    "\tcurrent=${words[${#words[@]}-1]}\n"
	    "\tbefore=${current%\"${current##*[:=]}\"}\n"
	    "\tcase $COMP_WORDBREAKS in *:*) ;; *) before= ;; esac\n"
	    "\tCOMPREPLY=()\n"
	    "\twhile IFS= read -r candidate; do\n"
	    "\t\tcase $candidate in\n"
	    "\t\t:files) files=yes ;;\n"
	    "\t\t*) candidate=${candidate%%$'\\t'*}; COMPREPLY+=(\"${candidate#\"$before\"}\") ;;\n"
	    "\t\tesac\n"
	    "\tdone < <(\"$1\" --complete \"${words[@]:1}\" 2>/dev/null)\n"
	    "\tif [ -z \"$files\" ]; then compopt +o default 2>/dev/null; fi\n"
	    "\tcase ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	    "}\n"
	    "complete -o default -F _bufsim bufsim\n",
	    out);
}

void
completion_zsh(FILE *out)
{
	fputs(
	    "#compdef bufsim\n"
	    "# zsh completion for bufsim: eval \"$(bufsim --help=zsh)\"\n"
	    "_bufsim()\n{\n"
	    "\tlocal line files=\n"
	    "\tlocal -a names shown open open_shown\n"
	    "\tfor line in \"${(@f)$(${(Q)words[1]} --complete \"${(@Q)words[2,CURRENT]}\" "
	    "2>/dev/null)}\"; do\n"
	    "\t\tcase $line in\n"
	    "\t\t'') ;;\n"
	    "\t\t:files) files=yes ;;\n"
	    "\t\t*=$'\\t'*) open+=(\"${line%%$'\\t'*}\"); open_shown+=(\"${line/$'\\t'/  }\") ;;\n"
	    "\t\t*) names+=(\"${line%%$'\\t'*}\"); shown+=(\"${line/$'\\t'/  }\") ;;\n"
	    "\t\tesac\n"
	    "\tdone\n"
	    "\tif (( $#names )); then compadd -l -d shown -a names; fi\n"
	    "\tif (( $#open )); then compadd -l -S '' -d open_shown -a open; fi\n"
	    "\tif [[ -n $files ]]; then compset -P '*='; _files; fi\n"
	    "}\n"
	    "if [[ $funcstack[1] == _bufsim ]]; then\n"
	    "\t_bufsim \"$@\"\n"
	    "else\n"
	    "\tif (( ! $+functions[compdef] )); then autoload -Uz compinit; compinit -i; fi\n"
	    "\tcompdef _bufsim bufsim\n"
	    "fi\n",
	    out);
}

void
completion_fish(FILE *out)
{
	fputs("# fish completion for bufsim: bufsim --help=fish | source\n"
	      "function __bufsim_complete\n"
	      "\tset -l words (commandline -opc) (commandline -ct)\n"
	      "\tfor line in ($words[1] --complete $words[2..-1] 2>/dev/null)\n"
	      "\t\tif test \"$line\" = :files\n"
	      "\t\t\t__fish_complete_path (commandline -ct)\n"
	      "\t\telse\n"
	      "\t\t\techo $line\n"
	      "\t\tend\n"
	      "\tend\n"
	      "end\n"
	      "complete -c bufsim -f -a '(__bufsim_complete)'\n",
	    out);
}
