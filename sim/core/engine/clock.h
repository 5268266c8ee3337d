/*
 * clock.h - the process that acts next: a heap of times.  Equal times keep the
 * order in which they were set.  I/O completions are in storage.h.
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct alarm {
	usec_t	 at;
	uint64_t sequence;
	uint32_t process;
};

struct clock {
	struct alarm *heap; /* [1 .. n] */
	uint32_t      n;
	uint64_t      sequence;
};

int  clock_init(struct clock *c, uint32_t processes, struct error *e);
void clock_release(struct clock *c);

void	 clock_set(struct clock *c, uint32_t process, usec_t at); /* once per process */
uint32_t clock_take(struct clock *c, usec_t *at);		  /* not when empty */

/* The time of the next alarm; USEC_MAX: there is none. */
ALWAYS_INLINE usec_t
clock_next(const struct clock *c)
{
	return c->n ? c->heap[1].at : USEC_MAX;
}

#endif
