/* cmd.c - choose the command, and parse its options. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/fold.h"
#include "sim/base/nearest.h"
#include "sim/cli/cmd.h"
#include "sim/cli/help.h"
#include "sim/setup/setup.h"

typedef int command_function(const struct options *o, FILE *out, struct error *e);

static command_function *const commands[] = {
#define COMMAND(id, name, ...) cmd_##name,
#include "sim/setup/commands.def"
#undef COMMAND
};

/* COMMANDS: there is no command of that name. */
static enum command_id
find(const char *name, struct error *e)
{
	struct nearest near = nearest_to(name);
	unsigned       id;

	for (id = 0; id < COMMANDS; id++) {
		if (!strcmp(command_info[id].name, name))
			return id;
		nearest_offer(&near, command_info[id].name);
	}
	if (*name == '-')
		error_usage(e,
		    "'%s' is not a command: type bufsim run TRACE and then the options, or "
		    "bufsim --help",
		    name);
	else if (!near.best && !access(name, R_OK))
		error_usage(e, "'%s' is not a command; did you mean: bufsim run %s?", name, name);
	else
		nearest_error(&near, "command", "see: bufsim help", e);
	return id;
}

static int
explain(enum command_id id, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	help_command(id, f.out);
	return fold_close(&f, 0, e);
}

/* --help, --help=man, --help=bash, --version. */
static int
about(const char *text, FILE *out, struct error *e)
{
	static const struct {
		const char *text;
		void (*print)(FILE *out);
	} pages[] = {
		{ "--help", help_overview },
		{ "--help=man", help_man },
		{ "--help=bash", help_bash },
		{ "--version", help_version },
	};
	struct nearest near = nearest_to(text);

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		if (!strcmp(pages[i].text, text)) {
			pages[i].print(out);
			return 0;
		}
		nearest_offer(&near, pages[i].text);
	}
	return nearest_error(&near, "option", "see: bufsim --help", e);
}

int
cmd_help(const struct options *o, FILE *out, struct error *e)
{
	enum command_id id;

	if (!o->argument[0]) {
		help_overview(out);
		return 0;
	}
	id = find(o->argument[0], e);
	return id == COMMANDS ? -1 : explain(id, out, e);
}

int
command_line(int argc, char **argv, FILE *out, struct error *e)
{
	struct options	o;
	enum command_id id;

	if (argc < 2)
		return error_usage(e,
		    "the command is missing; type: bufsim run TRACE, or bufsim --help");
	if (!strcmp(argv[1], "-h"))
		return about("--help", out, e);
	if (!strncmp(argv[1], "--help", 6) || !strncmp(argv[1], "--version", 9))
		return about(argv[1], out, e);
	id = find(argv[1], e);
	if (id == COMMANDS || options_parse(&o, id, argc - 1, argv + 1, e) < 0)
		return -1;
	if (o.help)
		return explain(id, out, e);
	return setup_outputs(id, &o, e) || commands[id](&o, out, e) ? -1 : 0;
}
