/* clock.c - a binary heap of alarms. */
#include <stdlib.h>

#include "sim/core/engine/clock.h"

int
clock_init(struct clock *c, uint32_t processes, struct error *e)
{
	*c = (struct clock){ .heap = calloc((size_t)processes + 1, sizeof(*c->heap)) };
	return c->heap ? 0 : error_set(e, "out of memory for %u processes", processes);
}

void
clock_release(struct clock *c)
{
	free(c->heap);
	*c = (struct clock){ 0 };
}

static bool
before(const struct alarm *a, const struct alarm *b)
{
	return a->at != b->at ? a->at < b->at : a->sequence < b->sequence;
}

void
clock_set(struct clock *c, uint32_t process, usec_t at)
{
	struct alarm a = { at, c->sequence++, process };
	uint32_t     i = ++c->n;

	for (; i > 1 && before(&a, &c->heap[i / 2]); i /= 2)
		c->heap[i] = c->heap[i / 2];
	c->heap[i] = a;
}

uint32_t
clock_take(struct clock *c, usec_t *at)
{
	struct alarm first = c->heap[1], last = c->heap[c->n--];
	uint32_t     i = 1;

	ASSERT(c->n < UINT32_MAX); /* there was an alarm */
	for (uint32_t child; (child = 2 * i) <= c->n; i = child) {
		if (child < c->n && before(&c->heap[child + 1], &c->heap[child]))
			child++;
		if (!before(&c->heap[child], &last))
			break;
		c->heap[i] = c->heap[child];
	}
	c->heap[i] = last;
	ASSERT(!c->n || !before(&c->heap[1], &first));
	*at = first.at;
	return first.process;
}
