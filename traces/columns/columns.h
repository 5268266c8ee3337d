/*
 * columns.h - traces whose lines are rows of columns.
 *
 * A table says what each column is; columns_read() makes records of the rows.
 *
 *	static const struct row_table table = {
 *		.separator = ',',
 *		.column = { { "offset", COLUMN_OFFSET }, { "type", COLUMN_OP } },
 *		.reads = "R", .writes = "W",
 *	};
 *
 * Accepted besides, and noted: quotes around fields, lines that end in CR LF,
 * blank lines, and a few lines of headings anywhere.  Lines that begin with #
 * are comments.
 */
#ifndef TRACES_COLUMNS_H
#define TRACES_COLUMNS_H

#include "sim/base/map.h"
#include "sim/trace/format.h"

enum { COLUMNS_MAX = 64, TABLE_COLUMNS = 16, WORDS_MAX = 32, NAME_PARTS = 3 };

enum column {
	COLUMN_SKIPPED,
	COLUMN_TIME,  /* a number with or without a fraction, or 2024-01-31 23:59:59.5 */
	COLUMN_OP,    /* a word of the table */
	COLUMN_FLAGS, /* hexadecimal; bit 0: a read */
	COLUMN_OFFSET,
	COLUMN_LENGTH,
	COLUMN_ODD_TIME,   /* with a decimal comma */
	COLUMN_HEX_OFFSET, /* hexadecimal, with or without 0x */
	COLUMN_HEX_LENGTH,
	COLUMN_VOLUME, /* a number; instead of names */
	COLUMN_PID,
	COLUMN_FILE_SIZE, /* bytes; empty: unknown */
	COLUMN_PROCESS,	  /* the name of a process */
	COLUMN_OBJECT,	  /* an identifier of any kind */
	COLUMN_EVENT,	  /* a word that the format looks at */
	COLUMN_NAME,	  /* of a file or volume; several are joined by colons */
	COLUMN_INODE,	  /* of a file, whose name may lack its directory */
	COLUMN_KINDS,
	OPTIONAL = 32 /* a heading may lack it */
};

struct row_table {
	char separator; /* ' ': any number of blanks and tabs */
	struct {
		const char *name;	 /* in messages; of a table by header: in the heading */
		unsigned    kind;	 /* enum column; of a table by header: perhaps | OPTIONAL */
	} column[TABLE_COLUMNS];	 /* ends with a NULL name */
	bool	       length_in_blocks; /* lengths count units of offset, too */
	bool	       more;		 /* a row may have more fields */
	bool	       headed;		 /* a heading comes first: it is not noted */
	bool	       by_header;	 /* the heading tells the order of columns */
	bool	       names_unit;	 /* ... and the unit of time */
	enum time_unit time_unit;
	unsigned       rivals;	 /* bits: other units of time of files with these columns */
	uint32_t       apart_us; /* that calls are apart at least, on average; 0: 1 us */
	const char    *format;	 /* its name, if its unit of time has no fractions */
	uint32_t       offset_unit, length_unit; /* bytes; 0: 1 */
	const char    *reads, *writes; /* words: "R read"; upper and lower case are the same */
	const char    *others; /* note that rows of other words were skipped; NULL: an error */
	char	       mark;   /* a line of this alone is skipped; or 0 */
	const char    *row;    /* an extended regular expression, apart from quotes; or by_header */
};

struct span {
	char *start, *end;
	bool  quoted;
};

/* The state of a format, zeroed except for units that are parameters. */
struct columns {
	uint64_t offset_unit, length_unit; /* 0: those of the table */
	uint64_t asked_unit;		   /* of time: 0, or enum time_unit + 1 */

	const struct row_table *table;
	uint8_t			kind[COLUMNS_MAX]; /* enum column */
	const char	       *name[COLUMNS_MAX]; /* or NULL */
	uint8_t			skip[COLUMNS_MAX]; /* so many are skipped from here on */
	unsigned		n;		   /* columns to look at */
	unsigned		headings;	   /* met so far */
	uint64_t		heading;	   /* XXH3-64 of the first one */
	bool	       begun, more, has_op, has_pid, has_length, has_volume, has_process, has_time;
	bool	       dated, fraction; /* of odd times: it was a date, or had a fraction */
	bool	       met;		/* a row */
	char	       separator, tab;	/* both end a field */
	enum time_unit time_unit;
	uint64_t       offset_max, length_max;
	uint64_t       read[WORDS_MAX], write[WORDS_MAX]; /* packed; 0: no more */

	/* Of rows whose columns the user names: other forms of numbers are read, see columns_odd.c. */
	bool	    odd, undecided;  /* the number that is wrong could be two */
	char	    decimal;	     /* '.' or ','; 0: whatever it can only be */
	const char *words[2];	     /* of reads and of writes, with | between them; or NULL */
	usec_t	    clock, midnight; /* the last time of day, and the days before it */

	struct span part[NAME_PARTS], process, object, event, inode; /* of this row */
	unsigned    nparts;
	uint64_t    word; /* packed */
	unsigned    bad;  /* the column that is wrong; n: the number of fields */
	char	   *line_end;
	const char *bad_field;

	char	     minute[sizeof("2024-01-31 23:59:")]; /* of the last date */
	uint64_t     minute_s;
	struct names processes;
	char	     joined[4096];
};

/* The next record of a state that begins with struct columns. */
int columns_read(struct columns *c, const struct row_table *table, struct input *in,
    struct record *r, struct error *e);

void columns_release(void *self);

/* The row of the table of parameters for the unit of time, and a table of it alone. */
#define COLUMNS_TIME_UNIT                                                                          \
	{                                                                                          \
		"time-unit", PARAM_WORD, 0, 0, TIME_UNITS, offsetof(struct columns, asked_unit),   \
		    "unit of the times; auto: the usual one, unless it cannot be true",            \
		    columns_time_units                                                             \
	}

extern const char *const  columns_time_units[];
extern const struct param columns_params[];

/* After kinds, n, more and separator have been set, before the first read, instead of a table. */
void columns_prepare(struct columns *c, const struct row_table *table);

/* "R read" into a list of words. */
void columns_words(uint64_t list[WORDS_MAX], const char *words);

/* Before the first row, where the user has not said what is between columns: ',', ';', '\t' or ' '. */
char columns_separator(const char *head, size_t n);

/* The number of the column of this name in a heading, from 1; or an error, and 0. */
unsigned columns_find(char separator, const char *heading, const char *name, struct error *e);

/* Does the file begin with rows of the table, or with the heading of a table by header? */
bool columns_recognise(const struct row_table *table, const char *head, size_t n);

/* Does it begin with exactly this heading? */
bool columns_begin(const char *heading, const char *head, size_t n);

/* Define format_<id> of the rows of `table`; the rest is as in FORMAT(). */
#define COLUMNS_FORMAT(id, ...)                                                                    \
	static bool id##_recognise(const char *head, size_t n)                                     \
	{                                                                                          \
		return columns_recognise(&table, head, n);                                         \
	}                                                                                          \
	static int id##_read(void *self, struct input *in, struct record *r, struct error *e)      \
	{                                                                                          \
		return columns_read(self, &table, in, r, e);                                       \
	}                                                                                          \
	FORMAT(id, .recognise = id##_recognise, .read = id##_read, .release = columns_release,     \
	    __VA_ARGS__)

#endif
