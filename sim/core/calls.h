/*
 * calls.h - which calls of a trace follow each other.
 *
 * A sequence is the calls that one process, one program of a merged trace, or
 * the whole trace makes, one after the other.  Open replay has a single one.
 */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

#include "sim/core/config.h"

struct sequence {
	const uint32_t *order; /* [n] its calls; NULL: all of the trace */
	size_t		n;
	uint32_t	most_blocks; /* no call of it has more */
};

struct calls {
	const struct trace *trace;
	struct sequence	   *sequence; /* [n]; one may be empty */
	uint32_t	    n;
	uint32_t	   *order;   /* the calls, sequence by sequence; or NULL */
	size_t		    checked; /* accesses known to be intact */
};

/* Four bytes a call where there is more than one sequence; nothing else. */
int  calls_init(struct calls *c, const struct config *cfg, const struct trace *t, struct error *e);
void calls_release(struct calls *c);

/* The number of a sequence's i-th call in the trace. */
ALWAYS_INLINE size_t
sequence_call(const struct sequence *q, size_t i)
{
	return q->order ? q->order[i] : i;
}

/* Before a call is made: is it intact?  Calls of a single sequence are made in order. */
int calls_check_more(struct calls *c, struct error *e);

ALWAYS_INLINE int
calls_check(struct calls *c, size_t call, struct error *e)
{
	return likely(call < c->checked) ? 0 : calls_check_more(c, e);
}

#endif
