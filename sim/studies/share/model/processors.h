/*
 * processors.h - the turns of the processors.
 *
 * Each turn is one event of one processor: a reference, a request of an object, a
 * synchronisation.  By time, the next turn is that of the processor whose clock is earliest, so that
 * the others go on while one waits for a page.  By turns they go round robin from processor 0;
 * blocked processors are skipped.  Locks and flags are first come first served, and pass
 * to the first who waits; a barrier releases all at once.  Before its C only processor 0
 * runs, and its J waits for the end of all others.
 *
 * The trace has a process for each of its sections.  Several may be on one processor, which has one
 * clock and runs one of them until it has to wait.  The protocol knows processors only.
 */
#ifndef SIM_SHARE_PROCESSORS_H
#define SIM_SHARE_PROCESSORS_H

#include "sim/studies/share/model/allocator.h"
#include "sim/studies/share/model/cursor.h"
#include "sim/studies/share/model/order.h"
#include "sim/studies/share/model/waiting.h"

struct processors {
	const struct program   *program;
	struct heap	       *heap;
	struct world	       *world;
	const struct allocator *allocator;
	void		       *allocator_self;
	const struct protocol  *protocol;
	void		       *protocol_self;

	bool		    counting; /* references are shown to the protocol */
	bool		    created;  /* C is behind */
	uint64_t	    writes;   /* shown */
	struct late_placing late;

	struct error  *error;			/* of the run */
	int	       failed;			/* the protocol has */
	uint64_t       ready, ended, joining;	/* sets of processes */
	uint64_t       of[PROCESSORS_MAX];	/* the processes of each processor */
	uint8_t	       on[PROCESSORS_MAX];	/* the processor of each process */
	uint8_t	       running[PROCESSORS_MAX]; /* the process of each processor */
	struct order   order;
	struct waiting waiting;
	struct cursor  cursor[PROCESSORS_MAX];
};

/* All of the program.  counting: from the start, else from C.  0 or -1: deadlock, with lines. */
int processors_run(struct processors *m, bool counting, struct error *e);

#endif
