/*
 * table.h - rows of typed values, printed for a person, as Markdown, as CSV and as JSON.
 *
 * A column is one row of an array of struct column: its name in each form, its kind, where its value
 * is, and what happens to it when the output is narrow.  A value that is not set is unknown: "-" for a
 * person, an empty field of CSV, null in JSON.
 */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/base/types.h"

enum { TABLE_COLUMNS = 160, CELL_ROOM = 256 };

/* The type of a value, and how a person reads it; programs get whole numbers, or nine digits. */
enum cell_kind {
	CELL_TEXT,    /* const char *: what is safe to print of it */
	CELL_NUMBER,  /* uint64_t: 1462963, a number of something */
	CELL_COUNT,   /* uint64_t: 1,462,963 */
	CELL_TIME,    /* uint64_t, in us: 12.345 ms */
	CELL_DECIMAL, /* double */
	CELL_SHARE,   /* double, 0.5: 50.0 % */
	CELL_CHANGE   /* double, 0.5: -50.0 % */
};

struct cell {
	const char *text;
	uint64_t    count;	     /* UINT64_MAX: unknown */
	double	    number;	     /* NAN: unknown */
	const char *shown;	     /* to a person, in place of the value; or NULL */
	char	    room[CELL_ROOM]; /* for text that is made */
};

struct table;
struct column {
	const char    *key;   /* in CSV and JSON; NULL: not there */
	const char    *title; /* for a person; NULL: not there */
	enum cell_kind kind;
	size_t	       offset; /* of the value in the row, or what cell() takes it for */
	void (*cell)(struct cell *to, const struct table *t, size_t row, const struct column *c);
	unsigned place; /* for a person columns are in this order, else as they were added */
	unsigned width; /* at least */
	unsigned
	    least; /* if there is no room, its text is shortened down to that width; 0: never */
	uint64_t absent; /* bit n: left out in the nth try to find room (GIVES_WAY) */
	bool	 left;	 /* aligned to the left, as all text is */
	bool	 near;	 /* one blank before it, not two */
	bool	 csv_only, json_only;
	bool	 optional; /* not in JSON where it is unknown */
};

/* Left out from the nth try on: 1 is the first to go. */
#define GIVES_WAY(n) (UINT64_MAX << (n))

struct table {
	const void *self;
	const void *(*row)(const struct table *t, size_t i); /* what offsets are in; or NULL */
	size_t	       nrows;
	struct column  column[TABLE_COLUMNS];
	struct column *shown[TABLE_COLUMNS]; /* to a person */
	unsigned       ncolumns, nshown;
};

void table_add(struct table *t, const struct column *c, unsigned n);

/* What a column has in that row; and the field at its offset, as cell() may begin with. */
void table_cell(struct cell *to, const struct table *t, size_t row, const struct column *c);
void table_field(struct cell *to, const struct table *t, size_t row, const struct column *c);

/*
 * Make each column as wide as its widest cell, leave out those in which no row has a value, and then
 * as many as there is no room for.
 */
void table_fit(struct table *t, unsigned width);

/* A line, without its end.  Without table_fit() columns have the width that they were given. */
void table_heading(const struct table *t, FILE *out);
void table_row(const struct table *t, size_t row, FILE *out);

void table_text(const struct table *t, FILE *out);
void table_markdown(const struct table *t, FILE *out);

void table_csv_heading(const struct table *t, FILE *out);
void table_csv_row(const struct table *t, size_t row, FILE *out);

/* The columns of a row as items of an object.  False: out of memory. */
bool table_json_row(const struct table *t, size_t row, cJSON *to);

/* An array of all rows. */
bool table_json(const struct table *t, cJSON *to, const char *key);

/* Text with the characters of Markdown escaped. */
void table_escape(const char *text, FILE *out);

#endif
