/*
 * sets.h - the common part of prefetchers that read a set of blocks at a time
 * and keep a state for each file.
 */
#ifndef PREFETCH_SETS_H
#define PREFETCH_SETS_H

#include <stdlib.h>

#include "sim/core/prefetch.h"

enum { SET_MAX = UINT16_MAX }; /* blocks */
#define NO_BLOCK UINT32_MAX    /* in place of the index of one */

/* A zeroed state of that size for every file, for free(); NULL: out of memory. */
static inline void *
file_states_new(const struct trace *t, size_t bytes, struct error *e)
{
	void *state = calloc((size_t)t->nfiles + 1, bytes);

	if (!state)
		error_set(e, "out of memory for the streams of %u files", t->nfiles);
	return state;
}

/* Read `count` blocks from block `first` on, as far as the file goes; how many these are. */
static inline uint32_t
plan_set(struct plan *plan, const struct demand *d, uint32_t first, uint32_t count)
{
	uint32_t left = first < d->end ? d->end - first : 0;

	if (left < count)
		plan_note(plan, "cut by the end of the file");
	plan_add(plan, first, left < count ? left : count);
	return left < count ? left : count;
}

/* ---- a set, and the block of it whose reference reads the next one ---- */

struct set {
	uint32_t count;	  /* blocks; 0: none was read */
	uint32_t end;	  /* the last one */
	uint32_t trigger; /* or NO_BLOCK */
};

/* Read a set whose trigger lies so many blocks before its end, but in the set; NO_BLOCK: none does. */
static inline struct set
set_read(struct plan *plan, const struct demand *d, uint32_t first, uint32_t count,
    uint32_t distance)
{
	uint32_t   n = plan_set(plan, d, first, count);
	struct set s = { .count = n, .end = first + n - 1, .trigger = NO_BLOCK };

	if (n && n == count && distance != NO_BLOCK)
		s.trigger = s.end - (distance < n ? distance : n - 1);
	return s;
}

static inline bool
set_triggers(const struct set *s, const struct demand *d)
{
	return s->count && d->index == s->trigger;
}

static inline void
set_state(const struct set *s, int64_t *value)
{
	value[0] = s->count ? (int64_t)s->end : -1;
	value[1] = s->count && s->trigger != NO_BLOCK ? (int64_t)s->trigger : -1;
}

#define SET_STATE_NAMES "end of set", "trigger"

#endif
