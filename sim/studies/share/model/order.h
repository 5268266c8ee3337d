/*
 * order.h - whose event is next, by time.
 *
 * Those that wait are in a tournament: each leaf is a processor with the time of its next event, each
 * other place the earlier of the two below.  Those that make references are in a line sorted by
 * time.  A reference takes as long for all of them, so that who has made one goes to the end of the
 * line, or a few places before it.  Of equal times the lower number is first.
 */
#ifndef SIM_SHARE_ORDER_H
#define SIM_SHARE_ORDER_H

#include "sim/studies/share/model/program.h"

#define ORDER_NEVER UINT64_MAX

struct order {
	uint64_t key[PROCESSORS_MAX];
	uint8_t	 winner[2 * PROCESSORS_MAX]; /* of each place: 1 is the root, n + i the leaf of i */
	unsigned n;			     /* a power of two */
	uint8_t	 line[PROCESSORS_MAX];	     /* a ring */
	uint64_t line_key[PROCESSORS_MAX];   /* of each processor in the line */
	unsigned head, count;
};

/* No processor has an event. */
static inline void
order_init(struct order *o, unsigned processors)
{
	o->head = o->count = 0;
	o->n = 1;
	while (o->n < processors)
		o->n *= 2;
	for (unsigned i = 0; i < o->n; i++) {
		o->key[i] = ORDER_NEVER;
		o->winner[o->n + i] = (uint8_t)i;
	}
	for (unsigned place = o->n - 1; place; place--)
		o->winner[place] = o->winner[2 * place];
}

/* The line is empty, and its processors have no events until they are set. */
static inline void
order_clear_line(struct order *o)
{
	o->count = 0;
}

/* The processor, which is not in the line, has its next event then. */
static inline void
order_set(struct order *o, unsigned processor, uint64_t key)
{
	o->key[processor] = key;
	for (unsigned place = (o->n + processor) / 2; place; place /= 2) {
		uint8_t a = o->winner[2 * place], b = o->winner[2 * place + 1];

		o->winner[place] = o->key[b] < o->key[a] ? b : a;
	}
}

static inline bool
order_is_before(uint64_t key, unsigned processor, uint64_t other_key, unsigned other)
{
	return key < other_key || (key == other_key && processor < other);
}

/* The same, of one that order_take() gave, and whose event took little time. */
ALWAYS_INLINE void
order_set_soon(struct order *o, unsigned processor, uint64_t key)
{
	unsigned at = o->head + o->count++;

	while (at != o->head) {
		unsigned before = o->line[(at - 1) % PROCESSORS_MAX];

		if (!order_is_before(key, processor, o->line_key[before], before))
			break;
		o->line[at-- % PROCESSORS_MAX] = (uint8_t)before;
	}
	o->line[at % PROCESSORS_MAX] = (uint8_t)processor;
	o->line_key[processor] = key;
}

/* The processor with the earliest event, which it has no more. */
ALWAYS_INLINE unsigned
order_take(struct order *o)
{
	unsigned waiting = o->winner[1], first = o->line[o->head % PROCESSORS_MAX];

	if (likely(
		o->count && order_is_before(o->line_key[first], first, o->key[waiting], waiting))) {
		o->head++;
		o->count--;
		return first;
	}
	order_set(o, waiting, ORDER_NEVER);
	return waiting;
}

#endif
