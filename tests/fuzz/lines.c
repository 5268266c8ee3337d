/*
 * lines.c - random command lines of bufsim, from the tables of the program.
 *
 *	lines SEED		words for sh, without the name of the program
 *	lines --words SEED	the same words, one on a line
 *	lines --plugin KIND SEED	a plug-in as it is typed; KIND is 0, 1, ...
 *	lines --json		is standard input one object of JSON on one line?
 *
 * The files that a line names are those that tests/fuzz/commands makes; some
 * of them are no traces, some do not exist.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/kinds.h"
#include "tests/fuzz/draw.h"

enum { JSON_BYTES = 16 << 20 };

static const char *const traces[] = { "good.txt", "good.txt", "good.bst", "good.bst", "good.strace",
	"good.txt.gz", "good.tr", "-", "it's.txt", "short.bst", "short.txt.gz", "foreign.bin",
	"empty.txt", "folder", "missing.txt", "sweep.csv" };
static const char *const results[] = { "sweep.csv", "sweep.csv", "mrc.csv", "responses.csv",
	"short.csv", "measured.csv", "good.txt", "empty.txt", "folder", "missing.csv" };
static const char *const measurements[] = { "measured.csv", "measured.csv", "disksim.txt",
	"sweep.csv", "good.txt", "folder", "-" };
static const char *const topics[] = { "policies", "prefetchers", "schedulers", "devices", "formats",
	"counters", "workloads", "cheetah9lp", "linux24", "folder", "nothing" };
static const char *const times[] = { "times.csv", "times.csv", "short-times.csv", "sweep.csv",
	"empty.txt", "-" };
static const char *const outputs[] = { "out.csv", "out.svg", "out.png", "out.pdf", "out.bst",
	"out.txt", "out.txt.gz", "out", "-", "sweep.csv", "good.txt", "folder", "folder/out.csv",
	"none/out.csv", "it's out.svg", "" };

typedef void print_word(const char *word);

static void
print_quoted(const char *word)
{
	putchar('\'');
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	fputs("' ", stdout);
}

static void
print_line(const char *word)
{
	puts(word);
}

#define ONE_OF(d, words) words[draw_below(d, sizeof(words) / sizeof(*(words)))]

static const char *
draw_argument(struct draw *d, enum command_id command)
{
	if (!draw_below(d, 12))
		return ONE_OF(d, outputs);
	switch (command) {
	case COMMAND_PLOT:
		return ONE_OF(d, results);
	case COMMAND_VALIDATE:
		return ONE_OF(d, measurements);
	case COMMAND_SCALE:
		return ONE_OF(d, times);
	case COMMAND_LIST:
		return ONE_OF(d, topics);
	case COMMAND_HELP:
		return command_info[draw_below(d, COMMANDS)].name;
	default:
		return draw_below(d, 2) ? "good.bst" : ONE_OF(d, traces);
	}
}

static void
print_arguments(struct draw *d, enum command_id command, print_word *print)
{
	const char *takes = command_info[command].argument;
	uint32_t    n = *takes == '[' ? draw_below(d, 2) : 1;
	bool made = option_belongs(&option_info[OPTION_pattern], command) && !draw_below(d, 6);
	char workload[DRAW_TEXT];

	if (made || command == COMMAND_GENERATE) {
		draw_workload(d, workload);
		if (made)
			print("--pattern");
		print(workload);
		if (command == COMMAND_CONVERT)
			print(ONE_OF(d, outputs));
		return;
	}
	if (strstr(takes, "...") && !draw_below(d, 3))
		n += draw_below(d, 3);
	n += !draw_below(d, 30);
	for (; n; n--)
		print(draw_argument(d, command));
	if (command == COMMAND_CONVERT)
		print(ONE_OF(d, outputs));
}

/* Some commands take lists of most values. */
static void
print_value(struct draw *d, enum command_id command, const struct option_info *i, print_word *print)
{
	char all[4 * DRAW_TEXT] = "", text[DRAW_TEXT];
	bool list = option_takes_list(i, command);

	if (i == &option_info[OPTION_output] || i == &option_info[OPTION_responses] ||
	    i == &option_info[OPTION_frames]) {
		print(ONE_OF(d, outputs));
		return;
	}
	draw_any_value(d, i, all);
	while (list && !draw_below(d, 3) && strlen(all) < DRAW_TEXT) {
		draw_any_value(d, i, text);
		strcat(strcat(all, ","), text);
	}
	print(all);
}

static const struct option_info *
draw_option(struct draw *d, enum command_id command)
{
	const struct option_info *i;

	do
		i = &option_info[draw_below(d, OPTIONS)];
	while (!option_belongs(i, command) && draw_below(d, 400));
	return i;
}

static void
print_options(struct draw *d, enum command_id command, print_word *print)
{
	bool given[OPTIONS] = { false };

	for (uint32_t n = draw_below(d, 6); n; n--) {
		const struct option_info *i = draw_option(d, command);
		char			  name[64];

		/* they print times, which differ */
		if (i == &option_info[OPTION_self] || i == &option_info[OPTION_run] ||
		    i == &option_info[OPTION_cores])
			continue;
		if ((i == &option_info[OPTION_help] || i == &option_info[OPTION_pattern]) &&
		    draw_below(d, 10))
			continue;
		if (given[i - option_info] && draw_below(d, 20))
			continue; /* it would be refused */
		given[i - option_info] = true;
		snprintf(name, sizeof(name), "--%s", i->name);
		if (!draw_below(d, 40))
			name[2 + draw_below(d, (uint32_t)strlen(name) - 1)] = '\0';
		print(name);
		if (i->argument && draw_below(d, 60))
			print_value(d, command, i, print);
	}
}

static void
print_command(struct draw *d, print_word *print)
{
	static const char *const others[] = { "--help", "--help=man", "--help=bash", "--version",
		"-h", "", "rn", "--cache", "good.txt", "help" };
	enum command_id		 command = draw_below(d, COMMANDS);

	if (!draw_below(d, 40)) {
		print(ONE_OF(d, others));
		return;
	}
	print(command_info[command].name);
	if (command == COMMAND_FRAMES) { /* the times of which do not */
		print("--cores");
		print("model");
	}
	if (draw_below(d, 2)) {
		print_options(d, command, print);
		print_arguments(d, command, print);
	} else {
		print_arguments(d, command, print);
		print_options(d, command, print);
	}
}

static int
check_json(void)
{
	char  *text = malloc(JSON_BYTES + 1);
	size_t n = fread(text, 1, JSON_BYTES, stdin);
	cJSON *o;
	bool   good;

	text[n] = '\0';
	o = cJSON_Parse(text);
	good = cJSON_IsObject(o) && n && text[n - 1] == '\n' && strchr(text, '\n') == text + n - 1;
	cJSON_Delete(o);
	free(text);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static uint64_t
seed(const char *text)
{
	return strtoull(text, NULL, 10) * 0x9e3779b97f4a7c15u;
}

int
main(int argc, char **argv)
{
	struct draw d;
	char	    text[DRAW_TEXT];
	unsigned    nkinds = 0;

	if (argc == 2 && !strcmp(argv[1], "--json"))
		return check_json();
	if (argc == 4 && !strcmp(argv[1], "--plugin")) {
		while (all_kinds[nkinds])
			nkinds++;
		d.state = seed(argv[3]);
		draw_plugin(&d, all_kinds[(unsigned)atoi(argv[2]) % nkinds], text);
		puts(text);
	} else if (argc == 3 && !strcmp(argv[1], "--words")) {
		d.state = seed(argv[2]);
		print_command(&d, print_line);
	} else if (argc == 2) {
		d.state = seed(argv[1]);
		print_command(&d, print_quoted);
		putchar('\n');
	} else {
		fputs("usage: lines [--words | --plugin KIND] SEED | --json\n", stderr);
		return 2;
	}
	return EXIT_SUCCESS;
}
