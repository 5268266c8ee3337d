/*
 * place_advice.h - advice in a trace: which access each piece of it precedes.
 *
 * A hint is advice as it is recorded.  It precedes the next access of the
 * process that gave it, or the next of any process if that one makes no more.
 * Advice after the last access is dropped, and so is advice about a file that
 * is never read or written.
 */
#ifndef SIM_PLACE_ADVICE_H
#define SIM_PLACE_ADVICE_H

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
	file_t		file;	 /* number + 1; NIL: it is never used */
	uint32_t	process; /* number + 1; NIL: it makes no access */
	uint32_t	next;	 /* of the descriptor's since its last read: place + 1 */
	size_t		place;	 /* breaks ties */
};

int sort_keys_compare(const void *a, const void *b);

/*
 * The accesses were recorded out of order: key[n] has them sorted.  Where that
 * is NULL, they were in order, but the hints perhaps were not.
 */
void advice_place(struct hint *hint, size_t nhints, const struct access *access, size_t n,
    const struct sort_key *key);

/* Sorted accesses get the advice that precedes them: t->advice.  -1: out of memory. */
int advice_settle(struct hint *hint, size_t nhints, struct trace *t, struct access *access,
    struct advice **out);

/* Where a state starts anew, once that is known of reads.  -1: out of memory. */
int advice_freshen(struct advice *advice, size_t nadvice, const struct access *access, size_t n,
    uint32_t nopen);

#endif
