/*
 * waiting.h - locks, flags and barriers: who has them, and who waits for them, first come first
 * served.  A processor waits for one thing at a time.
 */
#ifndef SIM_SHARE_WAITING_H
#define SIM_SHARE_WAITING_H

#include "sim/studies/share/model/protocol.h"

/* Processors in the order in which they came.  Zeroed: empty. */
struct line_up {
	uint8_t first, last; /* + 1; 0: none */
};

struct lock {
	struct line_up waiting;
	uint8_t	       holder, released_by; /* + 1; 0: none */
};

struct flag {
	struct line_up waiting;
	uint64_t       posts;	  /* not yet consumed */
	uint8_t	       posted_by; /* + 1: last; 0: none */
};

struct waiting {
	struct lock *lock;
	struct flag *flag;
	uint64_t    *arrived;		     /* at each barrier: a set of processors */
	uint8_t	     behind[PROCESSORS_MAX]; /* + 1: the next one in its line */
};

int  waiting_init(struct waiting *w, const struct program *p, struct error *e);
void waiting_release(struct waiting *w);

/* Does the processor get it now?  Else it waits. */
bool waiting_lock(struct waiting *w, uint32_t lock, unsigned processor);
bool waiting_flag(struct waiting *w, uint32_t flag, unsigned processor);

/* The processor that gets it now, or NO_PROCESSOR. */
unsigned waiting_unlock(struct waiting *w, uint32_t lock, unsigned processor);
unsigned waiting_post(struct waiting *w, uint32_t flag, unsigned processor);

/* True: it is the last of `all`, and none waits there any more. */
bool waiting_barrier(struct waiting *w, uint32_t barrier, unsigned processor, uint64_t all);

#endif
