/*
 * summary.h - what a program has, without running it: requests, references and
 * synchronisation of each processor, and by how many processors its objects,
 * words and pages are referenced.
 *
 * Loops are multiplied, not run: a reference whose loops do not move it is
 * one word.  Pages are those of all objects end to end, in the order of their numbers.
 */
#ifndef SIM_SHARE_SUMMARY_H
#define SIM_SHARE_SUMMARY_H

#include "sim/studies/share/model/program.h"

/* Requests of the same size that follow each other. */
struct request_run {
	uint64_t bytes;	     /* with the tag */
	uint64_t processors; /* that request: a set */
	uint32_t first;	     /* object */
	uint32_t length;
};

/* All requests of one size. */
struct request_size {
	uint64_t bytes, processors;
	uint32_t objects;
	uint32_t first_run, nruns; /* in the order of their objects */
};

struct processor_summary {
	uint64_t references, writes; /* with loops expanded; at most UINT64_MAX */
	uint32_t requests;
	uint64_t objects, words, pages; /* referenced */
	uint64_t locks, barriers, posts, waits;
};

struct summary {
	uint64_t		 bytes; /* of all objects */
	uint64_t		 pages;
	uint32_t		 nsizes, nruns;
	struct request_size	*size;			  /* [nsizes] from small to large */
	struct request_run	*run;			  /* [nruns] in the order of sizes */
	struct processor_summary of[PROCESSORS_MAX], all; /* all.barriers: once for all */

	/* By the number of processors that reference them, from 0. */
	uint64_t objects_by[PROCESSORS_MAX + 1];
	uint64_t words_by[PROCESSORS_MAX + 1];
	uint64_t pages_by[PROCESSORS_MAX + 1];
};

/* page_bytes as in heap.h.  0, or -1: out of memory. */
int  summary_make(struct summary *s, const struct program *p, uint32_t page_bytes, struct error *e);
void summary_release(struct summary *s);

#endif
