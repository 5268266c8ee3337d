/*
 * files.h - which paths of a recording lead to one file.
 *
 * A path is looked up when it is first seen.  Hard and symbolic links of one
 * file get the name that was seen first.  A path that is gone by then is a
 * file of its own.
 */
#ifndef SIM_RECORD_FILES_H
#define SIM_RECORD_FILES_H

#include "sim/base/map.h"
#include "sim/trace/trace.h"

struct known_file;

struct files {
	struct names	   paths;
	struct known_file *known; /* [1 .. paths.n] */
	uint32_t	   capacity;
	struct map	   by_inode;
};

/* The number of the file, from 1; *name and *size are set, the size to UINT64_MAX if it is unknown. */
uint32_t files_find(struct files *f, const char *path, const char **name, uint64_t *size,
    struct error *e);

/*
 * Files of the trace, which have names, get the inodes of this machine; those that are unknown or
 * taken get numbers past the largest.
 */
int files_number(struct files *f, struct trace *t, struct error *e);

void files_release(struct files *f);

#endif
