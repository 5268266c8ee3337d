/*
 * play.h - what the threads of a run share: the calls, the descriptors, and the
 * pages that leave.
 */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include <stdatomic.h>

#include "sim/core/engine/calls.h"
#include "sim/host/measure/family.h"
#include "sim/host/measure/stage.h"

struct play {
	const struct trace	 *trace;
	const struct stage_files *files;
	const struct run_how	 *how;
	struct calls		  calls;
	struct family		  family; /* no members: there are no steps */
	int			 *fd;	  /* [nopen], of each open file */
	bool			 *unused; /* [nopen] nothing was read since it was opened */
	bool	   *gone; /* [nblocks] evicted and not used again; NULL: calls do not write */
	float	   *call_us;
	double	    began;   /* us */
	atomic_bool stopped; /* a caller has failed */
};

/* All descriptors are open, if there are enough. */
int  play_init(struct play *p, const struct stage *s, const struct run_how *how, struct error *e);
void play_release(struct play *p);

/* Make the reads once, before the clock starts; descriptors are then as before. */
int play_warm(struct play *p, struct error *e);

/* Is a call, or advice, the first behind an open() that is still to be made? */
bool play_opens(const struct play *p, uint32_t open, bool fresh);

/* Open its file as the program did. */
int play_open(struct play *p, uint32_t open, struct error *e);

/* Where descriptors are scarce: is it the last call through its own?  Close that. */
bool play_closes(const struct play *p, size_t call);
void play_close(struct play *p, size_t call);

/* Do pages leave before a call?  Let them leave, and expect those of the call. */
bool play_evicts(const struct play *p, size_t call);
void play_evict(struct play *p, size_t call);

#endif
