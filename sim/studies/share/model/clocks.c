/* clocks.c - the clocks of the processors. */
#include <stdlib.h>

#include "sim/studies/share/model/clocks.h"

const char *const time_part_names[TIME_PARTS] = { "compute", "fault", "fetch", "diff", "lock",
	"barrier", "serve", "local" };

int
clocks_init(struct clocks *t, const struct program *p, unsigned processors, struct error *e)
{
	*t = (struct clocks){ .processors = processors };
	for (unsigned i = 0; i < SYNC_SETS; i++) {
		t->ready_ns[i] = calloc((size_t)p->ids[i].n + 1, sizeof(*t->ready_ns[i]));
		if (!t->ready_ns[i]) {
			clocks_release(t);
			return error_set(e, "out of memory for locks, barriers and flags");
		}
	}
	return 0;
}

void
clocks_release(struct clocks *t)
{
	for (unsigned i = 0; i < SYNC_SETS; i++) {
		free(t->ready_ns[i]);
		t->ready_ns[i] = NULL;
	}
}

void
clocks_ask(struct clocks *t, unsigned processor)
{
	clocks_settle(t, processor);
	t->asked_ns[processor] = t->clock_ns[processor];
}

void
clocks_ready(struct clocks *t, enum sync_set set, uint32_t number, unsigned processor)
{
	uint64_t *ready = &t->ready_ns[set][number];

	clocks_settle(t, processor);
	if (t->clock_ns[processor] > *ready)
		*ready = t->clock_ns[processor];
}

static void
wait_until(struct clocks *t, unsigned processor, enum time_part part, uint64_t ns)
{
	clocks_settle(t, processor);
	if (ns > t->clock_ns[processor])
		clocks_charge(t, processor, part, ns - t->clock_ns[processor]);
}

void
clocks_wait(struct clocks *t, enum sync_set set, uint32_t number, unsigned processor)
{
	wait_until(t, processor, set == SET_BARRIERS ? TIME_BARRIER : TIME_LOCK,
	    t->ready_ns[set][number]);
}

void
clocks_create(struct clocks *t)
{
	clocks_settle(t, 0);
	for (unsigned i = 1; i < t->processors; i++)
		t->clock_ns[i] = t->start_ns[i] = t->clock_ns[0];
}

void
clocks_join(struct clocks *t)
{
	wait_until(t, 0, TIME_BARRIER, clocks_elapsed(t));
}

uint64_t
clocks_elapsed(struct clocks *t)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < t->processors; i++) {
		clocks_settle(t, i);
		if (t->clock_ns[i] > last)
			last = t->clock_ns[i];
	}
	return last;
}

uint64_t
clocks_alone(const struct clocks *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->processors; i++)
		n += t->references[i];
	return n * t->reference_ns;
}
