/* outcomes.c - store culprits and victims, and move blocks between the classes. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/core/engine/outcomes.h"

#define HURT UINT32_MAX /* instead of a victim: the victim has been missed */

enum { WAS_UNUSED = 1 << 7 };

int
outcomes_init(struct outcomes *o, struct slots *slots, block_t nblocks, struct error *e)
{
	*o = (struct outcomes){ .nblocks = nblocks, .slots = slots };
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
outcomes_forget(struct outcomes *o)
{
	memset(o->other, 0, slots_used(o->slots, o->nblocks) * sizeof(*o->other));
	memset(o->filter, 0, sizeof(o->filter));
}

/* ---- the filter ---- */

/* The paper's: the lower bits of the number, exclusive or the upper ones. */
static uint64_t *
filter_word(struct outcomes *o, size_t entry, uint64_t *bit)
{
	size_t hash = (entry ^ entry >> FILTER_SHIFT) % FILTER_BITS;

	*bit = UINT64_C(1) << hash % 64;
	return &o->filter[hash / 64];
}

static void
filter_set(struct outcomes *o, size_t entry)
{
	uint64_t bit, *word = filter_word(o, entry, &bit);

	*word |= bit;
}

/* True: it was set. */
static bool
filter_clear(struct outcomes *o, size_t entry)
{
	uint64_t bit, *word = filter_word(o, entry, &bit);
	bool	 was = *word & bit;

	*word &= ~bit;
	return was;
}

/* ---- victims and classes ---- */

void
outcomes_prefetched(struct outcomes *o, block_t b, block_t victim, bool unused)
{
	size_t i = slots_enter(o->slots, b), v;

	ASSERT(b && b != victim);
	o->other[i] = victim;
	filter_clear(o, i);
	if (!victim)
		return;
	v = slots_enter(o->slots, victim);
	o->other[v] = b;
	o->fate[v] = FATE_OPEN | (unused ? WAS_UNUSED : 0);
	if (!unused)
		filter_set(o, v);
}

/* They are declared in the order of enum fate. */
static uint64_t *
counter_of(struct stats *st, enum fate fate)
{
	return &st->outcome_timely_blocks + (fate - FATE_TIMELY);
}

static enum fate
hurt(enum fate fate)
{
	return fate == FATE_USELESS ? FATE_POLLUTING : FATE_COSTLY;
}

bool
outcomes_missed(struct outcomes *o, block_t b, bool leaves, struct stats *st, struct turn *turn)
{
	size_t	  i = slots_enter(o->slots, b);
	block_t	  culprit = o->other[i];
	enum fate fate = o->fate[i] & ~(unsigned)WAS_UNUSED;

	turn->block = NIL;
	st->pollution_filter_misses += filter_clear(o, i);
	if (!culprit)
		return false;
	o->other[i] = NIL;
	st->pollution_victim_misses++;
	st->pollution_thrash_misses += o->fate[i] >= WAS_UNUSED;
	if (fate == FATE_OPEN) {
		o->other[slots_find(o->slots, culprit)] = leaves ? NIL : HURT;
	} else if (!leaves) {
		*turn = (struct turn){ culprit, fate, hurt(fate) };
		ASSERT(*counter_of(st, turn->from));
		--*counter_of(st, turn->from);
		++*counter_of(st, turn->to);
	}
	return true;
}

enum fate
outcomes_resolved(struct outcomes *o, block_t b, enum outcome how, struct stats *st)
{
	static const enum fate fate_of[] = { [PREFETCH_USED] = FATE_TIMELY,
		[PREFETCH_LATE] = FATE_LATE,
		[PREFETCH_WASTED] = FATE_USELESS };
	size_t		       i = slots_enter(o->slots, b);
	block_t		       victim = o->other[i];
	enum fate	       fate = victim == HURT ? hurt(fate_of[how]) : fate_of[how];

	o->other[i] = NIL;
	++*counter_of(st, fate);
	if (victim && victim != HURT) {
		size_t v = slots_find(o->slots, victim);

		if (o->other[v] == b)
			o->fate[v] = (uint8_t)((o->fate[v] & WAS_UNUSED) | fate);
	}
	return fate;
}
