/*
 * csv.h - read comma-separated values (RFC 4180), row by row.
 *
 * The first row names the columns, and every other has a field for each.
 * Only the last row may be torn, as a program leaves it that dies while it
 * writes: without its newline, or with too few fields.
 */
#ifndef SIM_CSV_H
#define SIM_CSV_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

struct csv {
	char	  **column;   /* the names */
	unsigned    ncolumns; /* 0: the file is empty, or its first row is torn */
	char	  **field;    /* of this row, without quotes, as many as columns; until the next */
	char	   *line;     /* this row, or the torn one, as it is in the file */
	size_t	    line_bytes; /* with its newline */
	uint64_t    row;	/* its number; the names are row 1 */
	uint64_t    end;	/* where the last whole row ends, in bytes */
	bool	    torn;	/* known once csv_next() has returned 0: more follows, but no row */
	const char *name;	/* of the file, for messages */

	FILE  *in;
	char  *text, *names; /* what field and column point into */
	size_t room;	     /* for line, and for text */
};

/*
 * "-" is standard input; path must outlive c.  An empty file is no error, and
 * has no columns.  0, or -1 with an error that names the file, and then c is
 * closed.
 */
int csv_open(struct csv *c, const char *path, struct error *e);

/* 1: a row, other than the names once more.  0: no more.  -1: an error that names the file and the
 * row. */
int csv_next(struct csv *c, struct error *e);

/* The index of the column of that name, or -1. */
int csv_column(const struct csv *c, const char *name);

void csv_close(struct csv *c);

/* Write one field, in quotes if need be. */
void csv_text(const char *text, FILE *out);

#endif
