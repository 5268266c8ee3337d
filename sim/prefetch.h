/*
 * prefetch.h - what a prefetcher must say.
 *
 * A prefetcher decides and the simulator acts: told of each block that a
 * read call references, it writes a plan, a short list of extents it would
 * like read.  The simulator skips what is resident, fetches what belongs to
 * the current call as demand, cuts at the end of the file and drops what
 * finds no frame.  Writes are not shown to it, as in Linux.
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "sim/plugin.h"
#include "sim/trace.h"

enum reference {       /* how a block reference was met */
	REF_HIT,       /* resident */
	REF_FIRST_HIT, /* resident thanks to a prefetch */
	REF_LATE,      /* prefetched, but still in flight */
	REF_JOINED,    /* in flight for another reason */
	REF_MISS,      /* neither; also: planned for this very call */
};

struct demand {			   /* one block reference, in context */
	const struct access *call; /* bytes, file size, fresh */
	file_t		     file;
	uint32_t	     index; /* the block within the file */
	uint32_t	     first; /* first block of the call: index == first starts a call */
	uint32_t	     left;  /* blocks left in this call, with this one */
	enum reference	     how;
	bool		     locked; /* its I/O has not completed (a miss was submitted just now) */
	usec_t		     now;
};

enum { PLAN_MAX = 16 };

struct extent {
	uint32_t index, count; /* blocks of the demand's file */
};

struct plan {
	unsigned      n;
	struct extent extent[PLAN_MAX];
};

enum outcome { PREFETCH_USED, PREFETCH_LATE, PREFETCH_WASTED };

struct prefetcher {
	struct plugin plugin;

	/* May be NULL. */
	int (*init)(void *self, const struct trace *t, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	void (*access)(void *self, const struct demand *d, struct plan *plan);

	/* What became of a block it asked for.  May be NULL. */
	void (*outcome)(void *self, block_t b, enum outcome how);
};

static inline void
plan_add(struct plan *plan, uint32_t index, uint32_t count)
{
	if (count && plan->n < PLAN_MAX)
		plan->extent[plan->n++] = (struct extent){ index, count };
}

#endif
