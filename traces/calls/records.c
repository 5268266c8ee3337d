/* records.c - the queue of records that a call makes. */
#include <stdlib.h>

#include "sim/base/assert.h"
#include "traces/calls/syscalls.h"

int
syscalls_reserve(struct syscalls *s, uint32_t n, struct error *e)
{
	struct record *grown;

	if (s->taken == s->queued)
		s->taken = s->queued = 0;
	if (n <= s->capacity - s->queued)
		return 0;
	if (n > UINT32_MAX / 4)
		return error_no_memory(e);
	grown = realloc(s->queue, 2 * (size_t)(s->queued + n) * sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	s->queue = grown;
	s->capacity = 2 * (s->queued + n);
	return 0;
}

void
syscalls_add(struct syscalls *s, const struct record *r)
{
	ASSERT(s->queued < s->capacity);
	s->queue[s->queued++] = *r;
}

bool
syscalls_take(struct syscalls *s, struct record *r)
{
	if (s->taken == s->queued)
		return false;
	*r = s->queue[s->taken++];
	return true;
}
