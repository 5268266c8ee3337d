/*
 * options.c - read the command line with getopt_long().
 *
 * Options and arguments come in any order, and long options may be
 * abbreviated.  Errors found by getopt are explained here, in one line.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/setup/options.h"

enum { WORD_ROOM = 64, FIRST_VALUE = 256 }; /* getopt's val of option 0: above all characters */

/*
 * Bits of an option: the commands that have it, and the sets it belongs to; of a command: itself,
 * and the sets of options that it takes.
 */
#define IN(command) (UINT64_C(1) << COMMAND_##command)
#define SET(n) (UINT64_C(1) << (COMMANDS + (n)))
#define EVERY (SET(0) - 1)
#define SYSTEM SET(0) /* cache, policy, device, scheduler */
#define PREFETCH SET(1)
#define SETTINGS SET(2) /* how the system works */
#define READING SET(3)	/* how a trace is read */
#define TRACES SET(4)	/* which trace */
#define POLICY SET(5)
#define DEVICE SET(6)
#define COSTS SET(7)
#define RESPONSES SET(8)
#define JOBS SET(9)
#define OUTPUT SET(10)
#define JSON SET(11)
#define CSV SET(12)

/* Of a command: it takes lists of settings.  Of an option of its own: the command takes a list. */
#define LISTS SET(13)
#define OWN_LIST SET(14)
#define OWN(command) (IN(command) | OWN_LIST)
_Static_assert(COMMANDS + 14 < 64, "bits for commands and sets");

/* ---- values ---- */

static int
parse_FLAG(const struct option_info *i, void *to, const char *text, struct error *e)
{
	*(bool *)to = true;
	return 0;
}

static int
parse_NAME(const struct option_info *i, void *to, const char *text, struct error *e)
{
	if (option_is_list(i) && !text_is_clean(text)) /* it is part of results */
		return error_usage(e,
		    "'%s' has control characters, or bytes that are not UTF-8: use another name",
		    text);
	*(const char **)to = text;
	return 0;
}

/* Copy the next of "one|two|three" to word; NULL behind the last. */
static const char *
next_choice(const char *choices, char word[WORD_ROOM])
{
	size_t n = strcspn(choices, "|");

	if (!n)
		return NULL;
	snprintf(word, WORD_ROOM, "%.*s", (int)n, choices);
	return choices + n + (choices[n] == '|');
}

static int
parse_CHOICE(const struct option_info *i, void *to, const char *text, struct error *e)
{
	struct nearest near = nearest_to(text);
	char	       word[8][WORD_ROOM], otherwise[2 * WORD_ROOM];
	unsigned       n = 0;

	for (const char *c = i->argument; (c = next_choice(c, word[n])); n++) {
		if (!strcmp(word[n], text)) {
			*(unsigned *)to = n;
			return 0;
		}
		nearest_offer(&near, word[n]);
	}
	snprintf(otherwise, sizeof(otherwise), "choose %s", i->argument);
	return nearest_error(&near, "value", otherwise, e);
}

static int
parse_BYTES(const struct option_info *i, void *to, const char *text, struct error *e)
{
	return number_parse(text, PARAM_BYTES, to, e);
}

static int
parse_COUNT(const struct option_info *i, void *to, const char *text, struct error *e)
{
	return number_parse(text, PARAM_COUNT, to, e);
}

/* number_parse() explains a b behind K, M, G or T, and a number that is too large. */
static int
refuse_size(const struct option_info *i, const char *text, struct error *e)
{
	size_t n = strlen(text);

	if (n && strspn(text, "0123456789") == n - 1 && text[n - 1] == 'b')
		return error_usage(e, "'%s' is too large", text);
	if (number_too_large(text, PARAM_BYTES))
		return -1;
	if (n > 2 && text[n - 1] == 'b' && strpbrk(text, "KMGTkmgt"))
		return -1;
	return error_usage(e,
	    "'%s' will not do: type a size such as %s, a number of blocks such as 2048b, or a "
	    "share of the footprint such as 10%%",
	    text, i->initial ? i->initial : "64M");
}

/* Blocks or bytes: a number without a unit is ambiguous. */
static int
parse_SIZE(const struct option_info *i, void *to, const char *text, struct error *e)
{
	struct size *s = to;
	double	     n;

	*s = (struct size){ 0 };
	if (number_share(text, &s->n, &s->of) || number_part(text, &s->n, &s->of))
		return 0;
	s->of = 0;
	s->blocks = number_blocks(text, &s->n);
	if (s->blocks)
		return 0;
	if (number_decimal(text, &n) && n > 0)
		return error_usage(e,
		    "'%s' has no unit: add K, M, G or T for bytes, or b for blocks", text);
	if (strpbrk(text, ",:") || !strcmp(text, "auto"))
		return error_usage(e,
		    "'%s' is not a single size: lists and ranges are for bufsim sweep, compare and mrc",
		    text);
	return number_parse(text, PARAM_BYTES, &s->n, e) ? refuse_size(i, text, e) : 0;
}

static int
parse_TIME(const struct option_info *i, void *to, const char *text, struct error *e)
{
	const uint64_t year = 365ULL * 24 * 3600 * 1000000;
	uint64_t       us;

	if (number_parse(text, PARAM_USEC, &us, e) < 0)
		return -1;
	if (us < 1 || us > year)
		return error_usage(e, "'%s' is not between 1us and a year", text);
	*(usec_t *)to = (usec_t)us;
	return 0;
}

static int
parse_FACTOR(const struct option_info *i, void *to, const char *text, struct error *e)
{
	double *factor = to;

	if (!number_decimal(text, factor) || *factor > 1000000)
		return error_usage(e, "'%s' will not do: type a number up to 1000000, such as 0.5",
		    text);
	return 0;
}

/* A whole number is a number of calls; with a point or a %, a share of them. */
static int
parse_SHARE(const struct option_info *i, void *to, const char *text, struct error *e)
{
	struct fraction *s = to;

	if (number_whole(text, &s->calls))
		return 0;
	*s = (struct fraction){ 0 };
	if (number_fraction(text, &s->fraction) && s->fraction < 1)
		return 0;
	return error_usage(e,
	    "'%s' will not do: type a number of calls such as 5000, or a share "
	    "below 1 such as 0.1 or 10%%",
	    text);
}

static int
parse_COSTS(const struct option_info *i, void *to, const char *text, struct error *e)
{
	return cpu_option_parse(text, to, e);
}

const struct command_info command_info[] = {
#define COMMAND(id, name, takes, argument, summary, example)                                       \
	{ #name, argument, summary, example, IN(id) | takes },
#include "sim/setup/program.def"
	{ 0 }
};

const struct option_info option_info[] = {
#define OPTION(id, name, kind, argument, initial, commands, meaning, example)                      \
	{ name, argument, initial, meaning, example, commands, offsetof(struct options, id),       \
		parse_##kind },
#include "sim/setup/program.def"
	{ 0 }
};

const char *
option_column(enum option_id id, char buf[COLUMN_ROOM])
{
	snprintf(buf, COLUMN_ROOM, "%s",
	    id == OPTION_prefetch ? "prefetcher" : option_info[id].name);
	text_replace(buf, '-', '_');
	return buf;
}

char
option_letter(const struct option_info *i)
{
	enum option_id id = (enum option_id)(i - option_info);

	switch (id) {
	case OPTION_jobs:
		return 'j';
	case OPTION_output:
		return 'o';
	case OPTION_help:
		return 'h';
	default:
		return 0;
	}
}

bool
option_is_list(const struct option_info *i)
{
	return i->commands & (SYSTEM | PREFETCH | SETTINGS | OWN_LIST);
}

bool
option_takes_list(const struct option_info *i, enum command_id command)
{
	if (i->commands & OWN_LIST)
		return option_belongs(i, command);
	return option_is_list(i) && command_info[command].takes & LISTS;
}

bool
option_is_size(const struct option_info *i)
{
	return i->parse == parse_SIZE;
}

bool
option_is_costs(const struct option_info *i)
{
	return i->parse == parse_COSTS;
}

bool
option_is_output(enum option_id id)
{
	const char *argument = option_info[id].argument;

	return argument && !strcmp(argument, "FILE");
}

bool
option_is_choice(const struct option_info *i)
{
	return i->parse == parse_CHOICE;
}

int
option_set(struct options *o, const struct option_info *i, const char *text, struct error *e)
{
	o->text[i - option_info] = text ? text : "";
	if (i->parse(i, (char *)o + i->offset, text, e) < 0)
		return error_prefix(e, "--%s", i->name);
	return 0;
}

/* ---- the command line ---- */

/* Are its values words with commas between them?  Its argument then is in the plural: SIZES, LIST. */
static bool
takes_several(const struct option_info *i, enum command_id command)
{
	static const char *const plural[] = { "COSTS", "KINDS", "LIST", "PARAMETERS", "PREFETCHERS",
		"SIZES", "WORDS", "WORKLOADS" };

	for (size_t p = 0; p < sizeof(plural) / sizeof(*plural); p++)
		if (!strcmp(i->argument, plural[p]))
			return true;
	return option_takes_list(i, command);
}

/* A second value would take the place of the first without a word. */
static int
given_twice(const struct option_info *i, enum command_id command, const char *first,
    const char *second, struct error *e)
{
	if (!strcmp(first, second))
		return error_usage(e, "--%s %s is given twice: leave one out", i->name, first);
	if (takes_several(i, command))
		return error_usage(e, "--%s is given twice: type --%s %s,%s", i->name, i->name,
		    first, second);
	if (option_is_list(i))
		return error_usage(e,
		    "--%s is given twice: leave one out; bufsim compare and sweep take --%s %s,%s",
		    i->name, i->name, first, second);
	return error_usage(e, "--%s is given twice, %s and %s: leave one out", i->name, first,
	    second);
}

static int
set(struct options *o, enum command_id command, const struct option_info *i, const char *text,
    struct error *e)
{
	if (i->argument && option_is_typed(o, (enum option_id)(i - option_info)))
		return given_twice(i, command, o->text[i - option_info], text, e);
	if (!option_takes_list(i, command))
		return option_set(o, i, text, e);
	o->text[i - option_info] = text;
	return 0;
}

/* Old names of options. */
static const struct {
	enum option_id id;
	const char    *name;
} former[] = {
#define FORMERLY(id, name) { OPTION_##id, name },
#include "sim/setup/program.def"
	{ OPTIONS, NULL }
};
enum { NAMES_MAX = OPTIONS + sizeof(former) / sizeof(*former) };

static struct option
getopt_option(const char *name, const struct option_info *i)
{
	return (struct option){ name, i->argument ? required_argument : no_argument, NULL,
		FIRST_VALUE + (int)(i - option_info) };
}

/* longs has room for NAMES_MAX, shorts for 3 + 2 * OPTIONS. */
static void
fill_getopt(struct option *longs, char *shorts, enum command_id command)
{
	shorts = stpcpy(shorts, "-:");
	for (const struct option_info *i = option_info; i->name; i++) {
		if (!option_belongs(i, command))
			continue;
		*longs++ = getopt_option(i->name, i);
		if (option_letter(i)) {
			*shorts++ = option_letter(i);
			if (i->argument)
				*shorts++ = ':';
		}
	}
	for (size_t i = 0; former[i].name; i++)
		if (option_belongs(&option_info[former[i].id], command))
			*longs++ = getopt_option(former[i].name, &option_info[former[i].id]);
	*longs = (struct option){ 0 };
	*shorts = '\0';
}

/* The entry of an option by the val of getopt, or NULL. */
static const struct option_info *
option_called(int c)
{
	if (c >= FIRST_VALUE)
		return &option_info[c - FIRST_VALUE];
	for (const struct option_info *i = option_info; i->name; i++)
		if (option_letter(i) == c)
			return i;
	return NULL;
}

/* List the options that a word can abbreviate, "--replay, --request" for "--re"; their number. */
static unsigned
list_starting(const char *name, enum command_id command, char *list, size_t room)
{
	unsigned n = 0;

	*list = '\0';
	for (const struct option_info *i = option_info; i->name; i++)
		if (option_belongs(i, command) && !strncmp(i->name, name, strlen(name))) {
			size_t used = strlen(list);

			snprintf(list + used, room - used, "%s--%s", n++ ? ", " : "", i->name);
		}
	return n;
}

/* "run, sweep and explain": the commands that have that option, in any of its forms. */
static const char *
commands_with(const char *name, char *list, size_t room)
{
	uint64_t commands = 0;
	size_t	 used = 0;

	for (const struct option_info *i = option_info; i->name; i++)
		for (unsigned id = 0; id < COMMANDS && !strcmp(i->name, name); id++)
			if (option_belongs(i, id))
				commands |= UINT64_C(1) << id;
	for (unsigned id = 0; commands && used < room; id++) {
		if (!(commands & UINT64_C(1) << id))
			continue;
		commands &= ~(UINT64_C(1) << id);
		used += (size_t)snprintf(list + used, room - used, "%s%s",
		    !used	   ? ""
			: commands ? ", "
				   : " and ",
		    command_info[id].name);
	}
	return list;
}

static const struct option_info *
option_of(const char *name, enum command_id command)
{
	for (const struct option_info *i = option_info; i->name; i++)
		if (option_belongs(i, command) && !strcmp(i->name, name))
			return i;
	return NULL;
}

/* The option of any command with that name or letter; NULL: there is none. */
static const char *
name_known(const char *name)
{
	for (const struct option_info *i = option_info; i->name; i++)
		if (!strcmp(i->name, name) || (option_letter(i) == *name && !name[1]))
			return i->name;
	return NULL;
}

static struct nearest
near_option(const char *name, enum command_id command)
{
	static const struct synonym synonyms[] = {
#define SYNONYM(word, name, remark) { word, name, remark },
#include "sim/setup/synonyms.def"
#undef SYNONYM
	};
	struct nearest near = nearest_to(name);

	for (const struct option_info *i = option_info; i->name; i++)
		if (option_belongs(i, command))
			nearest_offer(&near, i->name);
	for (size_t s = 0; s < sizeof(synonyms) / sizeof(*synonyms); s++)
		nearest_translate(&near, &synonyms[s]);
	return near;
}

/* The option belongs to other commands.  Without --output there is another way to say it. */
static int
option_elsewhere(const char *known, enum command_id command, struct error *e)
{
	bool	    output = !strcmp(known, option_info[OPTION_output].name);
	const char *own = command_info[command].name;
	char	    list[WORD_ROOM * 2];

	if (output && command == COMMAND_CONVERT)
		return error_usage(e,
		    "--output: convert has its output as the last argument: bufsim convert %s",
		    command_info[command].argument);
	return error_usage(e, "--%s is an option of %s, not of %s%s", known,
	    commands_with(known, list, sizeof(list)), own, output ? "; type > FILE" : "");
}

static int
unknown_option(const char *word, const char *name, enum command_id command, struct error *e)
{
	struct nearest near = near_option(name, command);
	const char    *known = name_known(name);

	if (known && option_of(known, command))
		return error_usage(e, "'%s': type two minus signs: --%s", word, known);
	if (near.distance == 0 && near.best && !known == !option_of(near.best, command))
		known = known ? NULL
			      : near.best; /* a word for another option, of this command or not */
	if (known)
		return option_elsewhere(known, command, e);
	if (near.best)
		return error_usage(e, "unknown option '%s'; did you mean '--%s'?%s%s", word,
		    near.best, *near.remark ? " " : "", near.remark);
	if (*near.remark)
		return error_usage(e, "unknown option '%s'; %s", word, near.remark);
	return error_usage(e, "unknown option '%s'; see: bufsim help %s", word,
	    command_info[command].name);
}

/* Explain why getopt rejects the word. */
static int
bad_option(const char *word, enum command_id command, struct error *e)
{
	char	    name[WORD_ROOM], list[8 * WORD_ROOM];
	const char *bare = word + strspn(word, "-");
	unsigned    n;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(bare, "="), bare);
	n = bare - word == 2 ? list_starting(name, command, list, sizeof(list)) : 0;
	if (n == 1)
		return error_usage(e, "%s takes no value", list);
	if (n > 1)
		return error_usage(e, "'%s' could be %s", word, list);
	return unknown_option(word, name, command, e);
}

/* Does the command take a program and its arguments, behind "--"? */
static bool
takes_program(enum command_id command)
{
	return strstr(command_info[command].argument, "-- ");
}

static unsigned
least_arguments(enum command_id command)
{
	const char *takes = command_info[command].argument;

	if (!*takes || *takes == '[' || takes_program(command))
		return 0;
	return strchr(takes, ' ') ? 2 : 1;
}

/* A page of the web makes a long dash, or a sign, of the minus signs before an option. */
static int
check_dash(const char *text, struct error *e)
{
	static const char *const dashes[] = { "\u2014", "\u2013", "\u2212", "\u2010", "\u2011" };
	char			 name[WORD_ROOM];
	const char		*bare = text, *known;

	for (size_t i = 0; i < sizeof(dashes) / sizeof(*dashes); i++)
		if (!strncmp(text, dashes[i], strlen(dashes[i])))
			bare = text + strlen(dashes[i]);
	if (bare == text)
		return 0;
	bare += strspn(bare, "-");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(bare, "="), bare);
	known = name_known(name);
	return known
	    ? error_usage(e, "'%s' begins with a dash: type two minus signs: --%s", text, known)
	    : 0;
}

static int
set_argument(struct options *o, enum command_id command, const char *text, struct error *e)
{
	const char *takes = command_info[command].argument;
	unsigned most = strstr(takes, "...") ? ARGUMENTS_MAX : strchr(takes, ' ') ? 2 : *takes != 0;

	if (check_dash(text, e))
		return -1;
	if (takes_program(command))
		return error_usage(e, "'%s': the program stands behind --: bufsim %s %s", text,
		    command_info[command].name, command_info[command].argument);
	if (o->narguments == most)
		return error_usage(e, "%s takes %s%s: '%s' is too many", command_info[command].name,
		    most == 1	 ? "one "
			: *takes ? ""
				 : "no argument",
		    takes, text);
	o->argument[o->narguments++] = text;
	return 0;
}

static int
set_defaults(struct options *o, struct error *e)
{
	*o = (struct options){ 0 };
	for (const struct option_info *i = option_info; i->name; i++)
		if (i->initial && option_set(o, i, i->initial, e) < 0)
			return -1;
	return 0;
}

/* Was a blank typed before a unit, "--cache 64 MB"? */
static int
check_blank(const struct option_info *i, const char *value, const char *behind, struct error *e)
{
	static const char *const unit[] = { "K", "M", "G", "T", "b", "blocks", "KB", "MB", "GB",
		"TB", "KiB", "MiB", "GiB", "TiB", "us", "ms", "s", "%" };

	for (size_t u = 0; value && behind && u < sizeof(unit) / sizeof(*unit); u++)
		if (!strcasecmp(behind, unit[u]))
			return error_usage(e, "--%s: type %s%s, without the blank", i->name, value,
			    *behind == 'b' ? "b" : behind);
	return -1;
}

/* Handle the result of getopt for the word argv[at]. */
static int
take(struct options *o, enum command_id command, int c, char *const *argv, int at, struct error *e)
{
	const char		 *word = argv[at];
	const struct option_info *i = option_called(c == ':' ? optopt : c);

	if (c == 1)
		return set_argument(o, command, optarg, e);
	if (c == ':')
		return error_usage(e, "--%s needs a value: %s", i->name, i->example);
	if (!i)
		return bad_option(word, command, e);
	return set(o, command, i, optarg, e) ? check_blank(i, optarg, argv[optind], e) : 0;
}

static int
nothing_given(enum command_id command, struct error *e)
{
	const struct command_info *c = &command_info[command];

	if (command == COMMAND_GENERATE)
		return error_usage(e,
		    "generate what? Type: bufsim generate %s; see bufsim list shapes", c->argument);
	return error_usage(e, "%s what? Type: bufsim %s %s ('-' is standard input)", c->name,
	    c->name, c->argument);
}

/* Was --pattern given, which is in place of a trace? */
static bool
has_pattern(const struct options *o, enum command_id command)
{
	const struct option_info *i = option_of("pattern", command);

	return i && o->text[i - option_info];
}

int
options_parse(struct options *o, enum command_id command, int argc, char **argv, struct error *e)
{
	struct option longs[NAMES_MAX];
	char	      shorts[3 + 2 * OPTIONS];
	int	      c, at = 1, failed = set_defaults(o, e);

	ASSERT(!failed);
	fill_getopt(longs, shorts, command);
	opterr = 0;
	optind = 0; /* start afresh */
	while (!failed && (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		failed = take(o, command, c, argv, at, e);
		at = optind;
	}
	if (takes_program(command) && optind < argc)
		o->program = argv + optind;
	for (; !failed && !o->program && optind < argc; optind++) /* behind "--" */
		failed = set_argument(o, command, argv[optind], e);
	if (!failed && !o->help && takes_program(command) && !o->program)
		return error_usage(e, "%s what? Type: bufsim %s %s", command_info[command].name,
		    command_info[command].name, command_info[command].argument);
	if (!failed && !o->help &&
	    o->narguments + has_pattern(o, command) < least_arguments(command))
		return nothing_given(command, e);
	return failed;
}

static int
share_blocks(const struct size *s, uint64_t footprint, uint64_t *blocks, struct error *e)
{
	double share = (double)s->n / (double)s->of * (double)footprint;

	if (!footprint)
		return error_usage(e, "a share of the footprint is not possible here");
	*blocks = share < 1 ? 1 : (uint64_t)(share + 0.5);
	return 0;
}

int
size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint, uint64_t *blocks,
    struct error *e)
{
	char size[NUMBER_TEXT], block[NUMBER_TEXT];

	if (s->of)
		return share_blocks(s, footprint, blocks, e);
	*blocks = s->blocks ? s->n : s->n / block_bytes;
	if (!s->n)
		return error_usage(e, "at least one block is needed");
	if (!s->blocks && s->n % block_bytes)
		return error_usage(e,
		    "%s is not a whole number of blocks of %s: %" PRIu64 "b is near",
		    number_format(size, s->n, PARAM_BYTES),
		    number_format(block, block_bytes, PARAM_BYTES), *blocks + 1);
	return 0;
}

int
cache_size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint, uint64_t *blocks,
    struct error *e)
{
	*blocks = 0;
	return s->n ? size_blocks(s, block_bytes, footprint, blocks, e) : 0;
}
