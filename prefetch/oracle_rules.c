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

struct selection {
	enum oracle_rule      rule;
	const struct outlook *o;
	uint32_t	     *chosen, n;
};

/* False: the batch is full, or it is not permitted. */
static bool
selection_add(struct selection *s, uint32_t p)
{
	const struct outlook *o = s->o;
	uint32_t	      next;

	if (s->n == o->batch)
		return false;
	next = s->n < o->vacant ? FUTURE_NEVER : o->leaves(o->ctx, s->n - o->vacant);
	if (!permits(s->rule, o, p, next))
		return false;
	bits_clear(o->missing, p);
	s->chosen[s->n++] = p;
	return true;
}

/* Missing blocks beside that of p, in one direction. */
static void
take_beside(struct selection *s, uint32_t p, int direction)
{
	const struct outlook *o = s->o;

	for (int64_t i = direction;; i += direction) {
		uint32_t q = o->beside(o->ctx, p, i);

		if (q == FUTURE_NEVER || q < o->cursor || !bits_has(o->missing, q) ||
		    !selection_add(s, q))
			return;
	}
}

uint32_t
oracle_choose(enum oracle_rule rule, const struct outlook *o, uint32_t *chosen)
{
	struct selection s = { rule, o, chosen, 0 };
	bool		 widens = o->batch > 1 && rule != ORACLE_CONSERVATIVE;

	if (rule == ORACLE_FORESTALL && oracle_slack(o))
		return 0;
	for (uint32_t p = bits_first(o->missing, o->cursor); p != BITS_NONE && selection_add(&s, p);
	     p = bits_first(o->missing, p + 1)) {
		if (widens) {
			take_beside(&s, p, 1);
			take_beside(&s, p, -1);
		}
	}
	return s.n;
}
