/*
 * options.h - the command line, as text and as values.
 *
 * Each option is a row of program.def and then appears in struct options, the help, the manual page
 * and the shell's completion.
 */
#ifndef SIM_SETUP_OPTIONS_H
#define SIM_SETUP_OPTIONS_H

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/setup/cpu_option.h"

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "sim/setup/program.def"
	COMMANDS
};

struct command_info {
	const char *name, *argument, *summary, *example;
	uint64_t
	    takes; /* bits of options: its own, 1 << command_id, and those of sets (options.c) */
};
extern const struct command_info command_info[]; /* by command_id; ends with a NULL name */

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "sim/setup/program.def"
	OPTIONS
};

struct size { /* in the unit that was typed */
	uint64_t n;
	uint64_t of;	 /* the size is n / of of the footprint; 0: not a share */
	bool	 blocks; /* else bytes */
};

struct fraction {
	uint64_t calls;
	double	 fraction; /* 0 <= fraction < 1; used when calls is 0 */
};

/* The kinds of options, and the type of each. */
typedef bool		  option_FLAG;
typedef const char	 *option_NAME;
typedef unsigned	  option_CHOICE; /* index into its argument */
typedef struct size	  option_SIZE;
typedef uint64_t	  option_BYTES, option_COUNT;
typedef usec_t		  option_TIME;
typedef double		  option_FACTOR;
typedef struct fraction	  option_SHARE;
typedef struct cpu_option option_COSTS;

enum { ARGUMENTS_MAX = 256 };

struct options {
#define OPTION(id, name, kind, ...) option_##kind id;
#include "sim/setup/program.def"
	const char  *argument[ARGUMENTS_MAX + 1]; /* of the command; ends with NULL */
	unsigned     narguments;
	char *const *program;	    /* of record: what stands behind "--"; NULL: nothing */
	const char  *text[OPTIONS]; /* each as typed, or its default; NULL: not given */
};

struct option_info {
	const char *name, *argument, *initial, *meaning, *example;
	uint64_t    commands; /* bits: those of struct command_info */
	size_t	    offset;   /* of its field in struct options */
	int (*parse)(const struct option_info *i, void *field, const char *text, struct error *e);
};
extern const struct option_info option_info[]; /* by option_id; ends with a NULL name */

enum { COLUMN_ROOM = 64 }; /* room for the name of a column */

static inline bool
option_belongs(const struct option_info *i, enum command_id command)
{
	return i->commands & command_info[command].takes;
}

/* Was the option typed?  Else it has its default, or none. */
static inline bool
option_is_typed(const struct options *o, enum option_id id)
{
	return o->text[id] != option_info[id].initial;
}

/* The short form: 'j' for --jobs, 'o' for --output, 'h' for --help, else 0. */
char option_letter(const struct option_info *i);

/* The name of its column in CSV and key in JSON: prefetcher, flush_age.  Returns buf. */
const char *option_column(enum option_id id, char buf[COLUMN_ROOM]);

/* Do sweep, compare, mrc and scale, or share, take a list of its values?  Then options_parse() only stores the text. */
bool option_is_list(const struct option_info *i);

/* Does that command take a list of its values? */
bool option_takes_list(const struct option_info *i, enum command_id command);

/* Set o's field and text to one value, as if it had been typed.  The caller keeps text. */
int option_set(struct options *o, const struct option_info *i, const char *text, struct error *e);

bool option_is_size(const struct option_info *i);
bool option_is_costs(const struct option_info *i);

/* Is its value the name of a file to write, which is no setting? */
bool option_is_output(enum option_id id);

/* Is its kind CHOICE? */
bool option_is_choice(const struct option_info *i);

/* argv[0] is the command's name.  Options and arguments in any order. */
int options_parse(struct options *o, enum command_id command, int argc, char **argv,
    struct error *e);

/*
 * Convert a SIZE to blocks, at least one.  A usage error if it is not a whole
 * number of blocks.  footprint, in blocks, is the base of a share; 0: shares
 * are an error.
 */
int size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint, uint64_t *blocks,
    struct error *e);

/* The same for a cache, which may have 0 blocks. */
int cache_size_blocks(const struct size *s, uint32_t block_bytes, uint64_t footprint,
    uint64_t *blocks, struct error *e);

#endif
