/*
 * marks.h - which references a kernel counts as accesses to a page, for
 * policies that follow one.
 *
 * A read counts, unless the last page that was read through the same
 * descriptor is that page: small sequential reads of a page are one access.
 * A write does not count (Linux since 4.7).  A policy sees no descriptors, so
 * that those of one process for one file are one here.  8 bytes for each such
 * pair and 8 a file.
 */
#ifndef SIM_MARKS_H
#define SIM_MARKS_H

#include "sim/core/policy.h"

struct mark {
	uint32_t process, last; /* the index of its last block of the file, or MARK_NONE */
};
#define MARK_NONE UINT32_MAX

struct marks {
	struct mark *mark;   /* by file, then by process */
	uint32_t    *first;  /* [nfiles + 1] of a file: index of mark */
	uint32_t    *recent; /* [nfiles] the one that was used last */
	file_t	     nfiles;
};

/* For the descriptors of that trace. */
int  marks_init(struct marks *m, const struct trace *t, struct error *e);
void marks_release(struct marks *m);

/* The mark of that process and file, or NULL: the trace has no such descriptor. */
struct mark *marks_find(struct marks *m, const struct use *u);

/* A demand reference: does it count?  It does if its descriptor is not in the trace. */
ALWAYS_INLINE bool
marks_count(struct marks *m, const struct use *u)
{
	struct mark *mark = NULL;
	bool	     counts;

	if (u->write)
		return false;
	if (likely(u->file < m->nfiles))
		mark = &m->mark[m->recent[u->file]];
	if (unlikely(!mark || mark->process != u->process))
		mark = marks_find(m, u);
	if (unlikely(!mark))
		return true;
	counts = mark->last != u->index;
	mark->last = u->index;
	return counts;
}

#endif
