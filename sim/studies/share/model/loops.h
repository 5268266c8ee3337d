/*
 * loops.h - the loops that are open where a pass over the code of a processor is, which does not
 * run them.
 *
 * A pass begins with .total = { 1 }; at CODE_CLOSE it takes one off the depth.
 */
#ifndef SIM_SHARE_LOOPS_H
#define SIM_SHARE_LOOPS_H

#include "sim/studies/share/model/program.h"

struct loops {
	uint32_t times[LOOPS_MAX];
	uint64_t total[LOOPS_MAX + 1]; /* times of all open loops, from 1; at most UINT64_MAX */
	unsigned depth;
};

/* At CODE_LOOP or CODE_RUN. */
static inline void
loops_open(struct loops *l, uint32_t times)
{
	uint64_t all = l->total[l->depth];

	l->times[l->depth++] = times;
	l->total[l->depth] = times && all > UINT64_MAX / times ? UINT64_MAX : all * times;
}

/* How often an instruction is executed here. */
static inline uint64_t
loops_total(const struct loops *l)
{
	return l->total[l->depth];
}

/* Count n more, up to UINT64_MAX. */
static inline void
loops_count(uint64_t *to, uint64_t n)
{
	*to = *to > UINT64_MAX - n ? UINT64_MAX : *to + n;
}

#endif
