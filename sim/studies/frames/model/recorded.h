/*
 * recorded.h - a recording while it is read: what is common to all kinds.
 *
 * A run is 2^order pages that were taken together.  It is known by its first page, which has a number of its own.
 */
#ifndef SIM_FRAMES_RECORDED_H
#define SIM_FRAMES_RECORDED_H

#include "sim/base/map.h"
#include "sim/studies/frames/model/recording.h"

enum {
	PROCESS_BITS = 27,
	GIVEN = (1 << PROCESS_BITS) - 1, /* in the place of the process: the run is given back */
};

struct run_event {
	uint32_t run;
	uint32_t process : PROCESS_BITS; /* that takes it, or GIVEN */
	uint32_t order : 32 - PROCESS_BITS;
};

/* Runs and processes have the numbers of their first takes, from 0. */
struct recording {
	uint64_t	       rounds;
	struct recording_facts facts;
	uint32_t	       runs;
	unsigned	       order; /* the highest */
	struct run_event      *event;
	size_t		       n, room;
};

struct run {
	uint32_t process; /* that took it, GIVEN: it is not held */
	uint32_t order;
	uint64_t left; /* pages that have not been given back */
};

struct recorded {
	struct recording *to;
	struct input	 *in;
	struct map	  page;	   /* number from 1 of the run that begins there */
	struct map	  process; /* number from 1 */
	struct run	 *run;
	uint32_t	  room;
	uint64_t	  held; /* pages */
};

/* The run that begins at that page and is held, or NULL.  Valid until the next take. */
struct run *recorded_run(const struct recorded *r, uint64_t page);

/* Nothing of it is held. */
int recorded_take(struct recorded *r, uint64_t page, unsigned order, uint64_t process,
    struct error *e);

/* All of a run that is held. */
int recorded_give(struct recorded *r, struct run *run, struct error *e);

/* The number of a process, from 0; GIVEN: it has taken nothing. */
uint32_t recorded_process(const struct recorded *r, uint64_t process);

/* Read all of a file, of each kind. */
typedef int	recorded_reader(struct recorded *r, struct error *e);
recorded_reader read_cache, read_kernel;

/* Do these first bytes of a file have an event of the kernel's page allocator? */
bool kernel_recognises(const char *head, size_t n);

#endif
