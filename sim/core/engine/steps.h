/*
 * steps.h - processes that start other processes and wait for them.
 *
 * In process replay of a trace with steps (sim/trace/trace.h), a process takes
 * its steps between its calls.  A child begins when its parent starts it, and
 * not at its time in the trace; a wait ends when the other process has come so
 * far, however long that took in the trace.  Think time is what is left of the
 * recorded time.
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include "sim/core/engine/processes.h"

/* What a process has to do with others.  Numbers of processes are from 1; 0: none. */
struct kin {
	const struct step *step, *end; /* the steps that are not taken yet */
	uint32_t	   parent;
	uint32_t	   living;	/* children that have not ended */
	uint32_t	   first_ended; /* children that have, and were not waited for: a list */
	uint32_t	   last_ended, next_ended;
	uint32_t	   waiters; /* processes that wait for this one: a list */
	uint32_t	   next_waiter;
	uint32_t	   sent;		     /* steps of kind STEP_SEND */
	uint32_t	   held_before, held_behind; /* neighbours in the list of those held */
	bool		   held;		     /* not started, or waits for another process */
	bool		   child;		     /* a step starts it */
	bool		   ended, reaped;	     /* and its parent has waited for it */
};

/* The relatives of all processes, if the replay and the trace have steps; else nothing. */
int  steps_init(struct processes *ps, const struct config *cfg, const struct trace *t,
     struct error *e);
void steps_release(struct processes *ps);

/* Start the processes that no other one starts: their clocks are set. */
void steps_start(struct engine *g);

/* p has made a call, and does not make another one before its next step or its end. */
void steps_come(struct engine *g, struct process *p);

/* The moment of that step, or end, has come. */
void steps_run(struct engine *g, struct process *p);

/* All processes wait for each other, as in a damaged trace: the longest wait ends. */
void steps_break(struct engine *g);

#endif
