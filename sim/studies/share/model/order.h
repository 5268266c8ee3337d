/*
 * order.h - whose event is next, by time: a tournament of the processors.
 *
 * Each leaf is a processor with the time of its next event, each other place the earlier of the two
 * below, of equal times the lower number.
 */
#ifndef SIM_SHARE_ORDER_H
#define SIM_SHARE_ORDER_H

#include "sim/studies/share/model/program.h"

#define ORDER_NEVER UINT64_MAX

struct order {
	uint64_t key[PROCESSORS_MAX];
	uint8_t	 winner[PROCESSORS_MAX]; /* of place 1, the root, to n - 1; leaf i is place n + i */
	unsigned n;			 /* a power of two */
};

/* No processor has an event. */
static inline void
order_init(struct order *o, unsigned processors)
{
	o->n = 1;
	while (o->n < processors)
		o->n *= 2;
	for (unsigned i = 0; i < o->n; i++) {
		o->key[i] = ORDER_NEVER;
		o->winner[i] = 0;
	}
	for (unsigned i = o->n; i-- > 1;)
		o->winner[i] = 2 * i < o->n ? o->winner[2 * i] : (uint8_t)(2 * i - o->n);
}

/* The winner below a place. */
ALWAYS_INLINE unsigned
order_at(const struct order *o, unsigned place)
{
	return place < o->n ? o->winner[place] : place - o->n;
}

ALWAYS_INLINE void
order_set(struct order *o, unsigned processor, uint64_t key)
{
	o->key[processor] = key;
	for (unsigned place = (o->n + processor) / 2; place; place /= 2) {
		unsigned a = order_at(o, 2 * place), b = order_at(o, 2 * place + 1);

		o->winner[place] = (uint8_t)(o->key[b] < o->key[a] ? b : a);
	}
}

/* The processor with the earliest event. */
ALWAYS_INLINE unsigned
order_first(const struct order *o)
{
	return order_at(o, 1);
}

#endif
