/*
 * merge.h - merge several traces into one, as if their programs had run at
 * once.
 *
 * Accesses and advice are in the order of time; equal times are in the order
 * of the arguments.  No two traces share a process, or a file unless
 * share_files is set: an inode or pid that an earlier trace uses is replaced by one past
 * the largest of all.  Shared files are those of the same name; of files
 * without names, those of the same inode.
 * Files, open files and processes are numbered by first use, as in any trace.
 * A merged trace that is written and read again is one of a single program.
 */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

#include "sim/trace/load.h"

enum merge {
	MERGE_BY_TIME,
	MERGE_STRETCHED,  /* multiply the times of each so that all last as long as the longest */
	MERGE_END_TO_END, /* each starts when the one before it has made its last call */
};

/*
 * Make t from n >= 2 traces with the same block size; the caller keeps them.
 * A trace without duration is not stretched.  On failure nothing is left to
 * release.
 */
int trace_merge(struct trace *t, const struct trace *part, unsigned n, bool share_files,
    enum merge how, struct error *e);

/*
 * Load the first of n paths, with those that are files of one trace with it; what has been loaded
 * is taken out of path[].
 */
int trace_load_next(struct trace *t, const char **path, unsigned *n, const struct trace_options *o,
    struct error *e);

/* Load one trace, or load several and merge them; one of them may be "-". */
int trace_load_together(struct trace *t, const char *const *path, unsigned n,
    const struct trace_options *o, enum merge how, struct error *e);

#endif
