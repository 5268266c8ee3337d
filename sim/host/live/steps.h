/*
 * steps.h - what `bufsim live` does with a trace, one step after the other:
 * its calls, and the advice before each.
 */
#ifndef SIM_STEPS_OF_LIVE_H
#define SIM_STEPS_OF_LIVE_H

#include "sim/core/prefetch.h"

enum live_kind { LIVE_READ, LIVE_FAULT, LIVE_WRITE, LIVE_ADVICE, LIVE_KINDS };

struct live_step {
	enum live_kind	     kind;
	const struct access *call;   /* NULL: advice */
	const struct advice *advice; /* NULL: a call */
	uint32_t	     open;
	uint64_t	     offset, length; /* bytes; of advice: a length of 0 is to the end */
	uint64_t	     size;	     /* bytes of the file when the step begins */
};

struct live_steps {
	const struct trace *trace;
	bool		    faults;	   /* reads are page faults on a mapping */
	size_t		    calls, advice; /* so many have been taken */
};

static inline size_t
live_steps_of(const struct trace *t)
{
	return t->naccess + t->nadvice;
}

/* The next step; false: there is none. */
bool live_steps_next(struct live_steps *s, struct live_step *next);

/* The numbers of the steps that a call, and a piece of advice, are; from 0. */
size_t live_step_of_call(const struct trace *t, size_t call);
size_t live_step_of_advice(const struct trace *t, const struct advice *a);

/* "read", "willneed". */
const char *live_step_word(const struct live_step *s);

/*
 * The same trace with its calls a second apart, so that all that a call has
 * started is over before the next one.  It borrows everything else from t.
 */
int  trace_slow(struct trace *slow, const struct trace *t, struct error *e);
void trace_slow_release(struct trace *slow);

#endif
