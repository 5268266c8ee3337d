/*
 * merge.h - several traces made one, as if their programs had run at once.
 *
 * Accesses and advice are in the order of time, that of the arguments where
 * times are the same.  No two traces share a file or a process, whatever
 * their numbers: an inode or pid that an earlier trace has already is
 * replaced by one past the largest of all.  Files, open files and processes
 * are numbered by first use, as in any trace; written and read again, it is
 * one of a single program.
 */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

#include "sim/trace/load.h"

/*
 * Make t of n >= 2 traces with blocks of the same size, which stay the
 * caller's.  stretch: the time of each is multiplied so that all last as
 * long as the longest; one that takes no time stays so.  On failure nothing
 * is left to release.
 */
int trace_merge(struct trace *t, const struct trace *part, unsigned n, bool stretch,
    struct error *e);

/* Load one trace, or several and merge them; "-" may be one of them. */
int trace_load_together(struct trace *t, const char *const *path, unsigned n,
    const struct trace_options *o, bool stretch, struct error *e);

#endif
