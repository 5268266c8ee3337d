/*
 * option.h - the command line, as typed and as understood.
 *
 * Each option is one line of options.def and then appears in struct options,
 * the help, the manual page and the shell's completion.
 */
#ifndef SIM_SETUP_OPTIONS_H
#define SIM_SETUP_OPTIONS_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "sim/setup/commands.def"
#undef COMMAND
	COMMANDS
};

struct command_info {
	const char *name, *argument, *summary, *example;
};
extern const struct command_info command_info[]; /* by command_id; ends with a NULL name */

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "sim/setup/options.def"
#undef OPTION
	OPTIONS
};

struct size { /* in whatever unit was typed */
	uint64_t n;
	uint64_t of;	 /* n / of of the trace's footprint; 0: no share */
	bool	 blocks; /* else bytes */
};

struct share {
	uint64_t calls;
	double	 fraction; /* 0 <= fraction < 1; used when calls is 0 */
};

/* The kinds of options, and what each becomes. */
typedef bool	     option_FLAG;
typedef const char  *option_NAME;
typedef unsigned     option_CHOICE; /* index into its argument */
typedef struct size  option_SIZE;
typedef uint64_t     option_BYTES, option_COUNT;
typedef usec_t	     option_TIME;
typedef double	     option_FACTOR;
typedef struct share option_SHARE;

enum { ARGUMENTS_MAX = 256 };

struct options {
#define OPTION(id, name, kind, ...) option_##kind id;
#include "sim/setup/options.def"
#undef OPTION
	const char *argument[ARGUMENTS_MAX + 1]; /* of the command; ends with NULL */
	unsigned    narguments;
	const char *text[OPTIONS]; /* each as typed, or its default; NULL: not given */
};

struct option_info {
	const char *name, *argument, *initial, *meaning, *example;
	unsigned    commands; /* bits: 1 << command_id */
	size_t	    offset;   /* of its field in struct options */
	int (*parse)(const struct option_info *i, void *field, const char *text, struct error *e);
};
extern const struct option_info option_info[]; /* by option_id; ends with a NULL name */

static inline bool
option_belongs(const struct option_info *i, enum command_id command)
{
	return i->commands & 1u << command;
}

/* -j is short for --jobs, -o for --output; 0: for nothing. */
char option_letter(const struct option_info *i);

/* Does sweep take a list of its values?  Then options_parse() does not look into the text. */
bool option_is_list(const struct option_info *i);

/* Read one value: o's field and text, as if it had been typed alone.  text stays the caller's. */
int option_set(struct options *o, const struct option_info *i, const char *text, struct error *e);

bool option_is_size(const struct option_info *i);

/* Is its argument one of a few words? */
bool option_is_choice(const struct option_info *i);

/* argv[0] is the command's name.  Options and arguments in any order. */
int options_parse(struct options *o, enum command_id command, int argc, char **argv,
    struct error *e);

/*
 * For use once the block size is known: what a SIZE is in blocks, at least
 * one.  A usage error if it is not a whole number of blocks.  The footprint,
 * in blocks, is what a share is of; 0 if shares make no sense.
 */
int size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint, uint64_t *blocks,
    struct error *e);

/* The same of a cache, of which there may be none. */
int cache_size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint,
    uint64_t *blocks, struct error *e);

#endif
