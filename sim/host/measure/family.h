/*
 * family.h - threads that stand for the processes of a trace: they start each
 * other and wait for each other, as its steps say.
 *
 * The meaning of steps is that of simulated process replay (sim/core/engine/steps.h).
 * One lock guards them all; whatever happens to a member is signalled to those
 * who wait for it.  If all wait for each other, as in a damaged trace, the
 * longest wait ends.
 */
#ifndef SIM_FAMILY_H
#define SIM_FAMILY_H

#include <pthread.h>

#include "sim/trace/trace.h"

struct member {
	pthread_cond_t	   changed;    /* started, sent, ended, or a child of it has ended */
	const struct step *step, *end; /* the steps that are not taken yet */
	struct member	  *parent;     /* that has started it */
	struct member	  *first_ended, *last_ended; /* children that were not waited for: a list */
	struct member	  *next_ended;
	uint32_t	   living; /* children that have not ended */
	uint32_t	   sent;   /* steps of kind STEP_SEND */
	uint64_t	   since;  /* the number of its wait; 0: it does not wait */
	usec_t		   born;   /* the time of the step that has started it, or USEC_MAX */
	bool		   child;  /* a step starts it */
	bool		   started, begun, ended, reaped;
	bool		   let_go; /* its wait ends, whatever it waits for */
};

struct family {
	pthread_mutex_t lock;
	struct member  *member; /* [n] */
	uint32_t	n;
	uint32_t	living, waiting;
	uint64_t	waits; /* so far */
	bool		over;  /* a thread has failed: no wait is left */
};

/*
 * The processes of a trace with steps; process i makes no call unless
 * calls(self, i).
 */
int  family_init(struct family *f, const struct trace	     *t,
     bool (*calls)(const void *self, uint32_t i), const void *self, struct error *e);
void family_release(struct family *f);

/* Wait until process i is started.  True: it is a child, born in the trace at *born or later. */
bool family_begin(struct family *f, uint32_t i, usec_t *born);

/* The next step of process i; NULL: none is left. */
const struct step *family_step(const struct family *f, uint32_t i);

/* Process i takes it. */
void family_take(struct family *f, uint32_t i);

/* Process i has ended. */
void family_end(struct family *f, uint32_t i);

/* All waits end now. */
void family_dismiss(struct family *f);

#endif
