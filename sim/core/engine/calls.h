/*
 * calls.h - the sequences of calls of a trace.
 *
 * A sequence is the calls of one process, of one program of a merged trace, or
 * of the whole trace, each made after the one before.  Open replay has a
 * single sequence.
 */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

#include "sim/core/config.h"

struct sequence {
	const uint32_t *order; /* [n] its calls; NULL: all calls of the trace */
	size_t		n;
	uint32_t	most_blocks; /* of its largest call */
};

struct calls {
	const struct trace *trace;
	struct sequence	   *sequence; /* [n]; one may be empty */
	uint32_t	    n;
	uint32_t	   *order;   /* the calls, sequence by sequence; or NULL */
	size_t		    checked; /* accesses known to be intact */
};

/* Takes four bytes a call if there is more than one sequence, else nothing. */
int  calls_init(struct calls *c, const struct config *cfg, const struct trace *t, struct error *e);
void calls_release(struct calls *c);

/* The number of a sequence's i-th call in the trace. */
ALWAYS_INLINE size_t
sequence_call(const struct sequence *q, size_t i)
{
	return q->order ? q->order[i] : i;
}

/* Check a call before it is made.  Calls of a single sequence are made in order. */
int calls_check_more(struct calls *c, struct error *e);

ALWAYS_INLINE int
calls_check(struct calls *c, size_t call, struct error *e)
{
	return likely(call < c->checked) ? 0 : calls_check_more(c, e);
}

#endif
