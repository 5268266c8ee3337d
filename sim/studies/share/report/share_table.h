/* share_table.h - several runs of shared memory beside each other, for a person. */
#ifndef SIM_REPORT_SHARE_TABLE_H
#define SIM_REPORT_SHARE_TABLE_H

#include "sim/setup/grid.h"
#include "sim/studies/share/report/share_report.h"

/* What the table shows of a run. */
struct share_row {
	const struct plugin *protocol;
	uint64_t	     counter[COUNTERS_MAX]; /* of the protocol's table */
	uint64_t	     cost; /* fetches of a protocol that counts them, else faults */
	uint64_t	     pages, elapsed_us;
	double		     speedup;
};

struct share_table {
	const struct grid    *grid;
	const struct program *program;
	unsigned	      nprograms;
	struct share_row     *row; /* of each program, and of these each setting of the grid */
};

void share_row_of(struct share_row *row, const struct share_report *r);

/*
 * A table for each program and protocol, with all parameters of the protocol.  Costs are compared
 * with those of the first allocator, or of the first row if there is one allocator.
 * -1: out of memory.
 */
int share_table_print(const struct share_table *t, FILE *out, struct error *e);

#endif
