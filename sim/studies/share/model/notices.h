/*
 * notices.h - which pages were written in which interval, and who has seen that: the table of
 * write notices and the vector timestamps of lazy release consistency.
 *
 * The notices of a process are numbered from 0, in the order in which its intervals close.  A
 * timestamp has for each process the number of its notices that are seen: that of an interval is the
 * number behind its last.  A process has one, and so have locks, flags and barriers, which take it
 * from who releases to who acquires.  Notices that all processes have seen are
 * reclaimed, so that the table follows what happens between barriers, not the length of the run:
 * the columns of the table that the least timestamp of all processes has passed are used again.
 */
#ifndef SIM_SHARE_NOTICES_H
#define SIM_SHARE_NOTICES_H

#include "sim/studies/share/model/program.h"

struct notice {
	uint32_t page;
	uint64_t turn; /* when the home had what was written */
};

struct written {	       /* by one process */
	struct notice *notice; /* [room] */
	size_t	       room;
	uint64_t       first, n; /* the notices first to n - 1 are there */
};

struct notices {
	struct written written[PROCESSORS_MAX];
	uint64_t       seen[PROCESSORS_MAX][PROCESSORS_MAX]; /* timestamps of the processes */
	uint64_t      *stamp[SYNC_SETS];		     /* [number][process] */
	unsigned       processors;
};

enum { NOTICE_BYTES = 4 }; /* in a message, and in the table */

int  notices_init(struct notices *t, const struct program *p, unsigned processors, struct error *e);
void notices_release(struct notices *t);

/* Room for n more notices of a process.  0, or -1: out of memory. */
int notices_reserve(struct notices *t, unsigned process, size_t n, struct error *e);

/* There is room. */
static inline void
notices_add(struct notices *t, unsigned process, struct notice n)
{
	struct written *w = &t->written[process];

	w->notice[w->n++ - w->first] = n;
	t->seen[process][process] = w->n;
}

/* What is in the table, as not all have seen it: notices of all processes, intervals of one. */
uint64_t notices_held(const struct notices *t);
uint64_t notices_intervals(const struct notices *t, unsigned process);

/* What the process has seen is known to who acquires it from there. */
void notices_post(struct notices *t, enum sync_set set, uint32_t number, unsigned process);

static inline const uint64_t *
notices_stamp(const struct notices *t, enum sync_set set, uint32_t number)
{
	return t->stamp[set] + (size_t)number * t->processors;
}

/* The process sees nothing any more. */
void notices_leave(struct notices *t, unsigned process);

#endif
