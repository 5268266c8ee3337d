/*
 * course.h - does a call through an open file go on backwards?
 *
 * It does if it begins before the call before it began, and
 *
 *	- ends where that one began: with the block before it, or inside it,
 *	- or begins as many blocks below it as that one below its predecessor.
 *
 * The first is a file that is read from its end, the second every n-th page of
 * one.  A call that stays at the place of the call before, as those of lines of
 * one block do, goes where that one went.
 */
#ifndef SIM_COURSE_H
#define SIM_COURSE_H

#include "sim/base/types.h"

struct course {		      /* of an open file; zero before its first call */
	uint32_t first, last; /* blocks of its last call */
	int64_t	 step;	      /* from the call before that to it */
	uint32_t blocks;      /* distinct ones of its backward run so far; 0: it is in none */
	bool	 begun;
};

/* Enter the next call.  The blocks of the backward run that it goes on with, or 0. */
ALWAYS_INLINE uint32_t
course_update(struct course *c, uint32_t first, uint32_t count)
{
	uint32_t last = first + count - 1;
	int64_t	 step = (int64_t)first - c->first;
	uint32_t before = c->blocks ? c->blocks : c->last - c->first + 1;

	if (c->begun && !step && last <= c->last)
		return c->blocks;
	if (!c->begun || step >= 0)
		c->blocks = 0;
	else if (last + 1 >= c->first && last <= c->last)
		c->blocks = before + (c->first - first);
	else
		c->blocks = step == c->step ? before + count : 0;
	*c = (struct course){ first, last, c->begun ? step : 0, c->blocks, true };
	return c->blocks;
}

#endif
