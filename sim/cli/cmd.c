/* cmd.c - choose the command, and parse its options. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sim/base/nearest.h"
#include "sim/cli/cmd.h"
#include "sim/cli/completion.h"
#include "sim/cli/help.h"
#include "sim/cli/kinds.h"
#include "sim/cli/topic.h"
#include "sim/setup/setup.h"

typedef int command_function(const struct options *o, FILE *out, struct error *e);

static const struct {
	const char *text;
	void (*print)(FILE *out);
} pages[] = {
	{ "--help", help_overview },
	{ "-h", help_overview },
	{ "--help=man", help_man },
	{ "--help=bash", completion_bash },
	{ "--help=zsh", completion_zsh },
	{ "--help=fish", completion_fish },
	{ "--version", help_version },
	{ "-V", help_version },
	{ "version", help_version },
};

static command_function *const commands[] = {
#define COMMAND(id, name, ...) cmd_##name,
#include "sim/setup/program.def"
};

/* The first word is an option: a slip of --help or --version, or the command is missing. */
static void
misplaced_option(const char *word, struct error *e)
{
	struct nearest near = nearest_to(word);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		if (!strncmp(pages[i].text, "--", 2) || !strcasecmp(pages[i].text, word))
			nearest_offer(&near, pages[i].text);
	if (near.best)
		error_usage(e, "'%s' is not a command; did you mean '%s'?", word, near.best);
	else
		error_usage(e,
		    "'%s' is not a command: type bufsim run TRACE and then the options, or "
		    "bufsim --help",
		    word);
}

/* COMMANDS: there is no command of that name. */
static enum command_id
find(const char *name, struct error *e)
{
	static const struct synonym synonyms[] = {
#define SYNONYM(word, name, remark) { word, name, remark },
#include "sim/cli/synonyms.def"
#undef SYNONYM
	};
	struct nearest near = nearest_to(name);
	unsigned       id;

	for (id = 0; id < COMMANDS; id++) {
		if (!strcmp(command_info[id].name, name))
			return id;
		nearest_offer(&near, command_info[id].name);
	}
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(*synonyms); i++)
		nearest_translate(&near, &synonyms[i]);
	if (*name == '-')
		misplaced_option(name, e);
	else if (!near.best && !access(name, R_OK))
		error_usage(e, "'%s' is not a command; did you mean: bufsim run %s?", name, name);
	else
		nearest_error(&near, "command", "see: bufsim --help", e);
	return id;
}

/* --help, --version and their other spellings; NULL: it is none of them. */
static void (*page_called(const char *text))(FILE *out)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		if (!strcmp(pages[i].text, text))
			return pages[i].print;
	return NULL;
}

static int
explain(const char *name, FILE *out, struct error *e)
{
	if (help_for(name, out) || topic_print(name, out))
		return 0;
	return topic_unknown(name, e);
}

int
cmd_help(const struct options *o, FILE *out, struct error *e)
{
	if (o->argument[0])
		return explain(o->argument[0], out, e);
	help_overview(out);
	return 0;
}

/* argv[1] is one of the pages: --help TOPIC is help TOPIC. */
static int
about(int argc, char **argv, FILE *out, struct error *e)
{
	void (*print)(FILE *) = page_called(argv[1]);

	if (print == help_overview && argc > 2)
		return explain(argv[2], out, e);
	print(out);
	return 0;
}

/* A list with blanks has ended early: its next item is taken for a trace. */
static int
stray_value(const char *text, struct error *e)
{
	const struct option_info *cache = &option_info[OPTION_cache];
	struct size		  size;
	struct error		  ignored;

	if (!access(text, F_OK))
		return 0;
	if (!cache->parse(cache, &size, text, &ignored))
		return error_usage(e,
		    "'%s' is a size, not a file: type --cache %s, or a list with commas and without "
		    "blanks",
		    text, text);
	for (const struct plugin_kind *const *k = plugin_kinds; *k; k++)
		if (*k != PLUGIN_FORMAT && registry_has(*k, text))
			return error_usage(e,
			    "'%s' is a %s, not a file: type --%s %s, or a list with commas and "
			    "without blanks",
			    text, (*k)->name, option_info[kind_option(*k)].name, text);
	return 0;
}

int
command_line(int argc, char **argv, FILE *out, struct error *e)
{
	struct options	o;
	enum command_id id;

	registry_know(all_kinds);
	if (argc < 2)
		return error_usage(e,
		    "the command is missing; type: bufsim run TRACE, or bufsim --help");
	if (!strcmp(argv[1], "--complete") && argc > 2) {
		complete_words(argv + 2, argc - 2, out);
		return 0;
	}
	if (page_called(argv[1]))
		return about(argc, argv, out, e);
	if (!strncmp(argv[1], "--help=", 7))
		return error_usage(e,
		    "%s: there are --help=man, --help=bash, --help=zsh and --help=fish", argv[1]);
	if (!strcmp(argv[1], "help") && argc == 3 && !strncmp(argv[2], "--", 2) && argv[2][2] &&
	    strcmp(argv[2], "--help"))
		return explain(argv[2], out, e);
	id = find(argv[1], e);
	if (id == COMMANDS || options_parse(&o, id, argc - 1, argv + 1, e) < 0)
		return -1;
	for (unsigned i = 0; i < o.narguments && option_belongs(&option_info[OPTION_cache], id);
	     i++)
		if (stray_value(o.argument[i], e))
			return -1;
	if (!o.help)
		return setup_outputs(id, &o, e) || commands[id](&o, out, e) ? -1 : 0;
	help_command(id, out);
	return 0;
}
