/*
 * csv.h - read comma-separated values (RFC 4180), row by row.
 *
 * The first row names the columns, and every other row has a field for each.
 * Only the last row may be torn, without its newline or with too few fields:
 * the program that wrote it was killed.  Line ends of Windows and a byte order
 * mark of UTF-8 will do.
 */
#ifndef SIM_CSV_H
#define SIM_CSV_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

struct csv {
	char	  **column;   /* the names */
	unsigned    ncolumns; /* 0: the file is empty, or its first row is torn */
	char	  **field;    /* [ncolumns] of this row, without quotes; valid until the next row */
	char	   *line;     /* this row, or the torn one, as it is in the file */
	size_t	    line_bytes; /* with its newline */
	uint64_t    row;	/* its number; the names are row 1 */
	uint64_t    end;	/* offset of the end of the last whole row */
	bool	    torn;	/* set when csv_next() returns 0: a torn row follows */
	const char *name;	/* of the file, for messages */

	FILE  *in;
	char  *text, *names; /* field and column point into them */
	size_t room;	     /* for line, and for text */
};

/*
 * "-" is standard input; path must outlive c.  An empty file is not an error;
 * it has no columns.  Returns 0, or -1 with an error that names the file; c is
 * then closed.
 */
int csv_open(struct csv *c, const char *path, struct error *e);

/* 1: a row; repeated names and empty lines are skipped.  0: the end.  -1: an error that names file and row. */
int csv_next(struct csv *c, struct error *e);

/* The index of the column of that name, or -1. */
int csv_column(const struct csv *c, const char *name);

/* An error that names file and row.  -1. */
int csv_no_memory(const struct csv *c, struct error *e);

void csv_close(struct csv *c);

/* Write one field, in quotes if it needs them, made safe as text.h says: pandas expects UTF-8. */
void csv_text(const char *text, FILE *out);

#endif
