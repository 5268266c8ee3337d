/* guard.c - locks, and memory for what threads must not share. */
#include <sched.h>
#include <stdlib.h>

#include "sim/studies/frames/model/guard.h"

enum { SPINS = 100 };

void
guard_wait(struct guard *g)
{
	for (unsigned spins = 0;; spins++) {
		if (!atomic_load_explicit(&g->held, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&g->held, true, memory_order_acquire))
			return;
		if (spins >= SPINS) /* it may wait for this core */
			sched_yield();
	}
}

enum { APART = 2 * LINE_BYTES }; /* processors fetch lines in pairs */

void *
lines_new(size_t n, size_t size)
{
	size_t bytes = n * size;
	char  *whole, *lines;

	if (size && bytes / size != n)
		return NULL;
	bytes = (bytes + APART - 1) / APART * APART;
	whole = calloc(1, bytes + 2 * APART);
	if (!whole)
		return NULL;
	lines = whole + 2 * APART - (uintptr_t)whole % APART;
	((void **)(void *)lines)[-1] = whole;
	return lines;
}

void
lines_free(void *memory)
{
	if (memory)
		free(((void **)memory)[-1]);
}

struct guard *
guard_new(struct error *e)
{
	struct guard *g = lines_new(1, sizeof(*g));

	if (!g)
		error_set(e, "out of memory for a lock");
	return g;
}
