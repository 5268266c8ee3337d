/*
 * terminal.h - what a terminal adds to output: its width, and colour.
 *
 * Output into a pipe or a file is the same everywhere: 80 columns, no colour.
 */
#ifndef SIM_TERMINAL_H
#define SIM_TERMINAL_H

#include <stdio.h>

#include "sim/base/types.h"

enum { TERMINAL_COLUMNS = 80 };

/* Is the descriptor a terminal that follows escape sequences (not TERM=dumb)? */
bool terminal_is(int fd);

/* Columns of the terminal out, by COLUMNS or as it reports; 80 if it is none. */
unsigned terminal_width(FILE *out);

/* May text to out be coloured?  Not if NO_COLOR is set and not empty (no-color.org). */
bool terminal_colours(FILE *out);

#endif
