/*
 * place_steps.h - find the place of each step of a process among its calls.
 *
 * A mark is a step as recorded.  It follows the calls of its process that are
 * earlier, or as early and recorded before it.
 */
#ifndef SIM_PLACE_STEPS_H
#define SIM_PLACE_STEPS_H

#include "sim/trace/place_advice.h"

struct mark {
	struct step	step; /* at first, process and other are lives: builder.c */
	struct sort_key at;
	size_t		place; /* breaks ties */
};

/* Sort the marks by time; key: as of sort_keys_place(). */
void steps_place(struct mark *mark, size_t nmarks, const struct access *access, size_t n,
    const struct sort_key *key);

/* Set t->nsteps and *out: the steps among the sorted accesses, by time.  -1: out of memory. */
int steps_settle(const struct mark *mark, size_t nmarks, struct trace *t,
    const struct access *access, struct step **out);

/* Put steps in the order of processes; of one process, they keep theirs.  -1: out of memory. */
int steps_sort(struct step *step, size_t n, uint32_t nprocesses);

/* Are the steps in order, do they refer to existing processes, and are their times possible? */
bool steps_sound(const struct trace *t);

#endif
