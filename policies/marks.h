/*
 * marks.h - which references Linux counts as accesses to a page, for policies
 * that follow it.
 *
 * A read counts, unless the page is the last one that was read through the
 * same descriptor: small sequential reads of a page are one access.  A write
 * does not count, since Linux 4.7.  A descriptor that is opened again still has
 * its last page here.  4 bytes a descriptor.
 */
#ifndef POLICIES_MARKS_H
#define POLICIES_MARKS_H

#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/policy.h"

enum { MARKS_KERNEL, MARKS_ALL };

struct marks {
	uint64_t  which; /* MARKS_*, a parameter */
	uint32_t *last;	 /* by descriptor: 1 + the block of the file that was read last, or 0 */
};

static const char *const marks_words[] = { "kernel", "all", NULL };

/* The parameter, for a state with a member `marks`. */
#define MARKS_PARAM(state)                                                                            \
	{                                                                                             \
		"marks", PARAM_WORD, MARKS_KERNEL, 0, MARKS_ALL, offsetof(state, marks.which),        \
		    "accesses: reads of another block than the descriptor's last; or all references", \
		    marks_words                                                                       \
	}

static inline int
marks_init(struct marks *m, const struct trace *t, struct error *e)
{
	m->last = memory_table((size_t)t->nopen + 1, sizeof(*m->last));
	return m->last ? 0 : error_set(e, "out of memory for %u descriptors", t->nopen);
}

static inline void
marks_release(struct marks *m)
{
	free(m->last);
}

/* A write needs no data, so that it is no refault of what it overwrites. */
ALWAYS_INLINE bool
marks_rewrites(const struct marks *m, const struct use *u)
{
	return m->which == MARKS_KERNEL && u->write;
}

/* A demand reference: does it count? */
ALWAYS_INLINE bool
marks_count(struct marks *m, const struct use *u)
{
	bool again;

	if (m->which == MARKS_ALL)
		return true;
	if (u->write)
		return false;
	ASSERT(u->index < UINT32_MAX);
	again = m->last[u->open] == u->index + 1;
	m->last[u->open] = u->index + 1;
	return !again;
}

#endif
