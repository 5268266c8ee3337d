/* outcomes.c - store culprits and victims, and move blocks between the classes. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/core/outcomes.h"

#define HURT UINT32_MAX /* instead of a victim: the victim has been missed */

enum { UNRESOLVED, TIMELY, LATE, USELESS, FATES, WAS_UNUSED = 1 << 7 };

int
outcomes_init(struct outcomes *o, block_t nblocks, struct error *e)
{
	*o = (struct outcomes){ .nblocks = nblocks };
	o->other = memory_table(nblocks, sizeof(*o->other));
	o->fate = memory_table(nblocks, sizeof(*o->fate));
	if (o->other && o->fate)
		return 0;
	outcomes_release(o);
	return error_set(e, "out of memory to follow the prefetches of %u blocks", nblocks);
}

void
outcomes_release(struct outcomes *o)
{
	free(o->other);
	free(o->fate);
	*o = (struct outcomes){ 0 };
}

void
outcomes_forget(struct outcomes *o, size_t used)
{
	memset(o->other, 0, used * sizeof(*o->other));
}

void
outcomes_evicted(struct outcomes *o, block_t culprit, block_t victim, bool unused)
{
	o->other[victim] = culprit;
	o->other[culprit] = victim;
	o->fate[victim] = UNRESOLVED | (unused ? WAS_UNUSED : 0);
}

void
outcomes_prefetched(struct outcomes *o, block_t b)
{
	o->other[b] = NIL;
}

static uint64_t *
harmless(struct stats *st, unsigned fate)
{
	return fate == TIMELY ? &st->outcome_timely_blocks
	    : fate == LATE    ? &st->outcome_late_blocks
			      : &st->outcome_useless_blocks;
}

static uint64_t *
harmful(struct stats *st, unsigned fate)
{
	return fate == USELESS ? &st->outcome_polluting_blocks : &st->outcome_costly_blocks;
}

void
outcomes_missed(struct outcomes *o, block_t b, struct stats *st)
{
	block_t	 culprit = o->other[b];
	unsigned fate = o->fate[b] & ~(unsigned)WAS_UNUSED;

	if (!culprit)
		return;
	o->other[b] = NIL;
	st->pollution_victim_misses++;
	st->pollution_thrash_misses += o->fate[b] >= WAS_UNUSED;
	if (fate == UNRESOLVED) {
		o->other[culprit] = HURT;
		return;
	}
	--*harmless(st, fate);
	++*harmful(st, fate);
}

void
outcomes_resolved(struct outcomes *o, block_t b, enum outcome how, struct stats *st)
{
	static const uint8_t fate_of
	    [] = { [PREFETCH_USED] = TIMELY, [PREFETCH_LATE] = LATE, [PREFETCH_WASTED] = USELESS };
	block_t victim = o->other[b];
	uint8_t fate = fate_of[how];

	o->other[b] = NIL;
	if (victim == HURT) {
		++*harmful(st, fate);
		return;
	}
	++*harmless(st, fate);
	if (victim && o->other[victim] == b)
		o->fate[victim] = (uint8_t)((o->fate[victim] & WAS_UNUSED) | fate);
}
