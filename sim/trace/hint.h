/*
 * hint.h - what to type for a file of columns that no format recognises.
 */
#ifndef SIM_HINT_H
#define SIM_HINT_H

#include "sim/trace/format.h"

enum { HINT_TEXT = 512 };

/* Words of operations that csv knows without being told: a hint does not name them. */
#define HINT_READS "r read reads pread readv rd rs ra rm rsm ram"
#define HINT_WRITES "w write writes pwrite writev wr ws wm wsm wfs"

/*
 * --format csv:... by the heading and the first rows of the n bytes, as the shell takes it.  It has
 * been tried: the rows are read by it.  False: the file has no such columns.
 */
bool hint_columns(const char *head, size_t n, char text[HINT_TEXT]);

/* Is it the format that hints are parameters of? */
bool hint_is_of(const struct format *f);

#endif
