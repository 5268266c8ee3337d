/*
 * hint.h - what to type for a file of columns that no format recognises.
 */
#ifndef SIM_HINT_H
#define SIM_HINT_H

#include "sim/trace/format.h"

enum { HINT_TEXT = 512 };

/*
 * --format csv:... by the heading and the first rows of the n bytes, as the shell takes it.  It has
 * been tried: the rows are read by it.  False: the file has no such columns.
 */
bool hint_columns(const char *head, size_t n, char text[HINT_TEXT]);

/* Is it the format that hints are parameters of? */
bool hint_is_of(const struct format *f);

#endif
