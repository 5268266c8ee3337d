/*
 * files.h - which paths of a recording lead to one file.
 *
 * A path is looked up when it is first seen, and when it has come to lead to
 * another file.  Hard and symbolic links of one file get the name that was seen
 * first.  A path that is gone by then is a file of its own.
 */
#ifndef SIM_RECORD_FILES_H
#define SIM_RECORD_FILES_H

#include "sim/base/map.h"
#include "sim/trace/trace.h"

struct known_file;

struct files {
	struct names	   paths;
	uint32_t	  *latest; /* [1 .. paths.n]: the number of the file that it led to last */
	struct known_file *known;  /* [1 .. n] */
	uint32_t	   n, capacity, latest_capacity;
	struct map	   by_inode;
};

/*
 * The number of the file that a path leads to, from 1; again: it may be another than before.  NIL:
 * out of memory.
 */
uint32_t files_find(struct files *f, const char *path, bool again, struct error *e);

/*
 * The number of the file with that key, an inode in the lower half; path: the first one is its name, or
 * NULL.  NIL: out of memory.
 */
uint32_t files_keyed(struct files *f, uint64_t key, const char *path, struct error *e);

/* Its name, and its size, which is UINT64_MAX if it is unknown. */
const char *files_name(const struct files *f, uint32_t file, uint64_t *size);

/*
 * Files of the trace, whose inodes are numbers of files_find(), get those of this machine; those
 * that are unknown or taken get numbers past the largest.
 */
int files_number(struct files *f, struct trace *t, struct error *e);

void files_release(struct files *f);

#endif
