/* oracle_rules.c - choose what to read. */
#include <math.h>

#include "prefetch/oracle_rules.h"

uint32_t
oracle_slack(const struct outlook *o)
{
	double	 least = UINT32_MAX;
	uint32_t p = bits_first(o->missing, o->cursor);

	for (uint32_t i = 1; p != BITS_NONE && i <= o->within && least > 0; i++) {
		double slack = (double)(p - o->cursor) - i * o->block;

		least = slack < least ? slack : least;
		p = bits_first(o->missing, p + 1);
	}
	return least <= 0 ? 0 : (uint32_t)ceil(least);
}

/* Does the rule permit to read the block of reference p, if the block of reference `next` leaves? */
static bool
permits(enum oracle_rule rule, const struct outlook *o, uint32_t p, uint32_t next)
{
	if (next <= p) /* do no harm */
		return false;
	if (rule == ORACLE_HORIZON)
		return p - o->cursor <= o->request;
	return rule != ORACLE_CONSERVATIVE || next >= o->victim[p];
}

uint32_t
oracle_choose(enum oracle_rule rule, const struct outlook *o, uint32_t *chosen)
{
	uint32_t n = 0;

	if (rule == ORACLE_FORESTALL && oracle_slack(o))
		return 0;
	for (uint32_t p = bits_first(o->missing, o->cursor); p != BITS_NONE && n < o->batch;
	     p = bits_first(o->missing, p + 1)) {
		uint32_t next = n < o->vacant ? FUTURE_NEVER : o->leaves(o->ctx, n - o->vacant);

		if (!permits(rule, o, p, next))
			break;
		chosen[n++] = p;
	}
	return n;
}
