/* live_table.h - the steps of `bufsim live` compared, counted and printed. */
#ifndef SIM_LIVE_TABLE_H
#define SIM_LIVE_TABLE_H

#include <stdio.h>

#include "sim/host/live/forecast.h"
#include "sim/host/live/scratch.h"

/* One step: the pages that have come (of DONTNEED: that have left), and the prediction. */
struct live_outcome {
	const struct live_step *step;
	const struct scratch   *file;
	const block_t	       *predicted; /* n blocks, ascending */
	size_t			n;
	block_t			base; /* the file's first block */
	bool			drops;
	uint32_t		moved, gone; /* pages; gone: that have left though not advised */
	bool			agreed;
	bool			lossy; /* the file has lost pages, now or before */
};

struct live_count {
	uint64_t steps, agreed;
	uint64_t busy, predicted; /* of these: pages have moved; and as predicted */
};

struct live_tally {
	struct live_count kind[LIVE_KINDS];
	uint64_t	  gone, stray; /* pages */
	uint64_t	  lossy; /* steps that have not agreed, of files that have lost pages */
};

/* Step i, which has just been made; of: its file, and the first block of that. */
struct live_outcome live_compare(const struct live_step *s, struct scratch *of, block_t base,
    const struct forecast *f, size_t i);

void live_tally_step(struct live_tally *t, const struct live_outcome *p);
void live_tally_add(struct live_tally *t, const struct live_tally *more);

struct live_view {
	FILE	   *out;
	const char *name, *group; /* of the workload or trace; group: "" if it has none */
	bool	    csv;
	bool	    kinds; /* a column for the kind of each step, for traces of more than reads */
};

void live_print_columns(FILE *out);					 /* of CSV */
void live_print_heading(const struct live_view *v, const char *summary); /* not of CSV */

/* A step in which no page moved, as predicted, is left out; not of CSV.  -1: out of memory. */
int live_print_step(const struct live_view *v, size_t i, file_t file, const struct live_outcome *p,
    struct error *e);

/* With a line for each kind of step if there are several. */
void live_print_tally(FILE *out, const char *what, const struct live_tally *t);

#endif
