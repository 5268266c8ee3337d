/*
 * fold.h - text for a person, with long lines folded to the width of the output.
 *
 * A line is broken at a blank, if possible behind a comma, and goes on below its last column that begins in
 * the left half, else two columns further in than it began.  A word that has no
 * room on a line is broken at a comma, else shortened in the middle.
 */
#ifndef SIM_FOLD_H
#define SIM_FOLD_H

#include <stdio.h>

#include "sim/base/memo.h"

struct fold {
	FILE	   *out; /* print here */
	FILE	   *to;
	struct memo memo;
	unsigned    width;
};

/* 0, or -1: out of memory, and there is nothing to close. */
int fold_open(struct fold *f, FILE *to, struct error *e);

/* Pass on the rest.  Returns -1 if the work that printed has failed, with its error, or memory. */
int fold_close(struct fold *f, int failed, struct error *e);

/* Pass on what has been printed so far, which must end with a whole line. */
void fold_flush(struct fold *f);

/*
 * Pass on what has been printed, and behind `before` a command that can be typed as it stands: it is
 * broken between options, with a backslash, and no word is shortened.
 */
void fold_command(struct fold *f, const char *before, const char *command);

/* Print one line of n bytes folded to that width. */
void fold_line(const char *line, size_t n, unsigned width, FILE *to);

/* Columns of n bytes of UTF-8; escape sequences that colour have none. */
unsigned fold_columns(const char *text, size_t n);

/* Print n bytes in at most that many columns, and replace the middle by "...". */
void fold_shorten(const char *text, size_t n, unsigned columns, FILE *to);

#endif
