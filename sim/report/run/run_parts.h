/*
 * run_parts.h - what a run did with each file, and for each process.
 *
 * A run_parts is an observer (sim/core/observer.h) of a whole run; what happens in the warm-up is
 * not counted.  A prefetched block belongs to its file, and to the process whose call planned it.
 * A wait belongs to the call that waits: to its file and to its process.
 *
 * Memory: 128 bytes a file and a process; for processes, 8 bytes a block of the files as well.
 */
#ifndef SIM_RUN_PARTS_H
#define SIM_RUN_PARTS_H

#include "sim/core/engine/outcomes.h"
#include "sim/core/observer.h"
#include "sim/trace/slots.h"

struct part {
	uint64_t references, hits, misses;
	uint64_t prefetched, outcome[FATES];
	uint64_t victim_misses, polluted, covered;
	uint64_t stall_us;
};

enum parts_of { PARTS_OF_FILES, PARTS_OF_PROCESSES, PARTS_KINDS };

struct run_parts {
	const struct trace *t;
	struct part	   *part[PARTS_KINDS]; /* by file, by process of the trace; or NULL */
	struct slots	    slots;
	uint32_t	   *planner; /* by block: the process that planned its last prefetch */
	uint32_t	   *evictor; /* by block: the process for which it was evicted last */
	block_t		    victim;  /* of a prefetch, missed last */
	file_t		    file;    /* looked up last */
	uint64_t	    warmup, ndone; /* calls */
};

/* The events that run_parts_see() is to be given. */
extern const uint32_t run_parts_mask;

/* 0, or -1: no memory.  Release p even then. */
int  run_parts_init(struct run_parts *p, const struct trace *t, bool files, bool processes,
     uint64_t warmup_calls, struct error *e);
void run_parts_release(struct run_parts *p);

/* See an observer's event; p is a struct run_parts. */
void run_parts_see(void *p, const struct event *e);

/* How many files or processes there are. */
uint32_t run_parts_number(const struct run_parts *p, enum parts_of kind);

/* Prefetched blocks that were used, and that were evicted unused. */
uint64_t part_used(const struct part *p);
uint64_t part_wasted(const struct part *p);

#endif
