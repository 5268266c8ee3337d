/*
 * depend.h - which process waited for which, from a log of system calls.
 *
 * Waits of a parent for a child, and of one end of a pipe for the other.  A
 * wait for any child is for the youngest one if the log shows that: this is a
 * shell that waits for a command, and not for its jobs in the background.  A
 * process that has gone on to start a child after an older one had ended is
 * content with any (make -j).
 */
#ifndef TRACES_DEPEND_H
#define TRACES_DEPEND_H

#include "traces/calls/kernel.h"

/* One side of a pipe: the process that waits there, and what it waited for. */
struct pipe_side {
	uint32_t pid;	 /* that waits; only if `waits` */
	uint32_t cause;	 /* pid of the process that let it go on; only if `number` */
	uint32_t number; /* of its OP_SEND; 0: none yet */
	bool	 waits;
};

struct pipe {
	struct pipe_side reads, writes;
	uint32_t	 closer, closes; /* the last that closed an end: pid, number; 0: none */
	uint32_t	 writer;	 /* the last that wrote */
	bool		 written;
};

struct depend {
	struct map   pipe_map;
	struct pipe *pipe; /* [1 .. npipes] */
	uint32_t     npipes, pipe_capacity;
};

void depend_release(struct depend *d);

/* What a call means to processes that wait: 1: *r is to be added; 0: nothing; -1: no memory. */

/* "read(3</a>", a whole call or its beginning; time: its start. */
int depend_begins(struct depend *d, struct kernel *k, struct task *t, const char *text, usec_t time,
    bool whole, struct record *r, struct error *e);

/* The same call returns that many bytes. */
int depend_ends(struct depend *d, struct kernel *k, const struct task *t, const char *text,
    uint64_t result, struct record *r, struct error *e);

/* t has started a child; thread: no wait ends with that child. */
void depend_starts(struct task *t, uint32_t child, bool thread);

/* A call that waits for children. */
struct wait {
	usec_t	 start, end;
	uint32_t child; /* that has ended, or 0: none has */
	bool	 any;	/* child was wanted */
	bool	 hangs; /* until one has ended: without WNOHANG */
};

/* Is *r to be added? */
bool depend_waits(struct task *t, const struct wait *w, struct record *r);

/* A call of another kind has ended; interrupted by a signal: that may be the end of a child. */
void depend_passes(struct task *t, usec_t start, bool interrupted);

#endif
