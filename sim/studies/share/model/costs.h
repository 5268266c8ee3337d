/*
 * costs.h - which objects and pages cost most faults, and who shares them.
 *
 * An observer of a run.  Memory follows the objects, words and pages of the program, not its
 * references.
 */
#ifndef SIM_SHARE_COSTS_H
#define SIM_SHARE_COSTS_H

#include "sim/studies/share/model/share.h"

struct cost {
	uint64_t faults[FAULT_CLASSES];
	uint64_t fetches, diffs; /* of a protocol that copies pages; diffs of pages only */
	uint64_t
	    sample; /* the number of its first false fault, or of its first fault or fetch; 0: none */
	uint64_t read_by, written_by; /* processors that have referenced a word of it */
	uint32_t objects;	      /* of a page: how many have words on it */
	uint32_t head, next, last;    /* of an object: its pages are head, and next to last */
};

struct costs {
	const struct program *program;
	struct cost	     *object; /* [1] to [program->nobjects] */
	struct cost	     *page;   /* [npages] */
	uint32_t	      npages;
	uint64_t	      faults, classes[FAULT_CLASSES], fetches;
	uint32_t	      word[PROCESSORS_MAX]; /* that each references last */
	uint64_t	     *reads, *writes;	    /* [words] processors */
	uint32_t	      room;		    /* pages */
};

/* page_bytes: as of the run.  0, or -1: out of memory. */
int  costs_init(struct costs *c, const struct program *p, uint32_t page_bytes, struct error *e);
void costs_release(struct costs *c);

/* For the configuration of the run; c stays where it is. */
struct share_observer costs_observer(struct costs *c);

/* Has an object words on that page? */
bool costs_on_page(const struct costs *c, uint32_t object, uint32_t page);

/* The page of an object with most false faults, or else most faults or fetches. */
uint32_t costs_worst_page(const struct costs *c, uint32_t object);

/* All faults and fetches of it. */
uint64_t cost_faults(const struct cost *c);

/* The object of a word of the program. */
uint32_t program_object_of(const struct program *p, uint32_t word);

/*
 * The numbers of the items with most faults or fetches, false faults first, the most costly first, at most n;
 * items[0] is not used by objects.  Returns how many have any.
 */
uint32_t costs_rank(const struct cost *items, uint32_t nitems, uint32_t *ranked, uint32_t n);

#endif
