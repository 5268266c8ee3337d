/*
 * place_advice.h - find the access that each piece of advice precedes.
 *
 * A hint is advice as recorded.  It precedes the next access of its process,
 * or the next access of any process if its own makes no more.  Advice after
 * the last access is dropped, and so is advice about a file that is never read
 * or written.
 */
#ifndef SIM_PLACE_ADVICE_H
#define SIM_PLACE_ADVICE_H

#include "sim/trace/trace.h"

struct sort_key { /* a place in time */
	usec_t time;
	size_t index; /* of the access there, or of the next one */
};

struct hint {
	struct advice	advice; /* its open file is set when a read follows */
	struct sort_key at;
	uint64_t	identity; /* of its file; and pid: for look-ups by the loader */
	uint32_t	pid;
	file_t		file;	 /* number + 1; NIL: a file that is never used */
	uint32_t	process; /* number + 1; NIL: a process without accesses */
	uint32_t	next;	 /* next hint of the descriptor since its last read: place + 1 */
	size_t		place;	 /* breaks ties */
};

int sort_keys_compare(const void *a, const void *b);

/*
 * The index of the first access behind a place.  key[n]: the accesses in sorted order, if they
 * were recorded out of order; else NULL.
 */
size_t sort_keys_place(const struct sort_key *at, const struct access *access, size_t n,
    const struct sort_key *key);

/* Find the places of the hints; key: as above. */
void advice_place(struct hint *hint, size_t nhints, const struct access *access, size_t n,
    const struct sort_key *key);

/* Set t->advice: the advice that precedes the sorted accesses.  -1: out of memory. */
int advice_settle(struct hint *hint, size_t nhints, struct trace *t, struct access *access,
    struct advice **out);

/* Set advice.fresh from access.fresh of the reads.  -1: out of memory. */
int advice_freshen(struct advice *advice, size_t nadvice, const struct access *access, size_t n,
    uint32_t nopen);

#endif
