/*
 * hints.h - advice as it is recorded, and which accesses it precedes.
 *
 * Advice precedes the next access of the process that gave it, or of anybody
 * if that one makes no more; what follows the last access is dropped, and
 * what is about a file that nobody reads or writes.
 */
#ifndef SIM_HINTS_H
#define SIM_HINTS_H

#include "sim/trace/trace.h"

struct sort_key { /* a place in time */
	usec_t time;
	size_t index; /* of the access there, or of the next one */
};

struct hint {
	struct advice	advice; /* its own open file is known once a read has followed */
	struct sort_key at;
	uint64_t	identity; /* of its file; pid: for the loader to look up */
	uint32_t	pid;
	file_t		file;	 /* number + 1; NIL: nobody uses it */
	uint32_t	process; /* number + 1; NIL: it makes no access */
	uint32_t	next;	 /* of the descriptor's since its last read: place + 1 */
	size_t		place;	 /* breaks ties */
};

int sort_keys_compare(const void *a, const void *b);

/*
 * The accesses were recorded out of order: key[n] has them sorted.  Where that
 * is NULL, they were in order, but the hints perhaps were not.
 */
void hints_place(struct hint *hint, size_t nhints, const struct access *access, size_t n,
    const struct sort_key *key);

/* Sorted accesses get the advice that precedes them: t->advice.  -1: out of memory. */
int hints_settle(struct hint *hint, size_t nhints, struct trace *t, struct access *access,
    struct advice **out);

/* Where a state starts anew, once that is known of reads.  -1: out of memory. */
int hints_freshen(struct advice *advice, size_t nadvice, const struct access *access, size_t n,
    uint32_t nopen);

#endif
