/*
 * hint_sheet.h - what hint.c has found out about a file of columns, for hint_roles.c.
 */
#ifndef SIM_HINT_SHEET_H
#define SIM_HINT_SHEET_H

#include "sim/base/types.h"

enum {
	HINT_COLUMNS = 48,
	HINT_NAME = 64,
	HINT_WORDS = 16, /* different ones of a column */
	HINT_WORD = 40,
	HINT_SECTOR = 512,
};

#define EXACT (UINT64_C(1) << 52) /* an offset is below */

enum role {
	ROLE_NONE,
	ROLE_TIME,
	ROLE_OP,
	ROLE_OFFSET,
	ROLE_LENGTH,
	ROLE_OBJECT,
	ROLE_VOLUME,
	ROLE_FILE,
	ROLE_PID,
	ROLE_PROCESS,
	ROLE_EVENT,
	ROLES
};

/* A column: its name, and what its values have been. */
struct guess {
	char	    name[HINT_NAME]; /* "": none that can be typed */
	bool	    known;	     /* a name of something, perhaps of no use */
	unsigned    rows, whole, fractions, hex, prefixed, clocks, empty, negative;
	unsigned    rising, counting, sectors; /* not below, one above the last; multiples of 512 */
	unsigned    hex_sectors;	       /* multiples of 512, if they are hexadecimal */
	uint64_t    least, most, last;
	char	    word[HINT_WORDS][HINT_WORD]; /* of numbers only small ones */
	unsigned    words, repeated;		 /* different ones; HINT_WORDS: perhaps more */
	size_t	    longest;
	unsigned    unit;      /* by the name: bytes, or 0 */
	const char *time_unit; /* by the name, or NULL */
};

struct sheet {
	char	     separator;
	unsigned     first, heading; /* lines of the first row and of the heading; UINT_MAX: none */
	unsigned     columns, rows;
	bool	     preamble; /* lines before the rows that are no comments */
	struct guess guess[HINT_COLUMNS];
	unsigned     place[ROLES]; /* column from 1, or 0 */
};

static inline const struct guess *
hint_guess(const struct sheet *s, enum role role)
{
	return s->place[role] ? &s->guess[s->place[role] - 1] : NULL;
}

/* Is the name one of columns that mean something here? */
bool hint_is_name(const struct guess *g);

/* What each column is: by its name, if there is a heading, and by its values. */
void hint_roles(struct sheet *s);

/* Which of the events of a column is to be read, as each request has several; NULL: it has no such. */
const char *hint_event(const struct guess *g);

/* A column of 0 and 1. */
bool hint_are_bits(const struct guess *g);

/* Is a word of operations known without being named?  Is it one of a read, or of a write? */
bool hint_is_usual(const char *word);
bool hint_is_read(const char *word);
bool hint_is_write(const char *word);

#endif
