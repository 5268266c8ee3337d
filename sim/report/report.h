/*
 * report.h - what came out of a run: for a person, as JSON, as CSV.
 *
 * Machine-readable forms hold what identifies the run, then every counter in
 * the order of stats.def, those of all plug-ins in the order of the registry,
 * and every ratio in the order of ratios.def; those that an untimed replay
 * cannot tell are null or "-", and so are the counters of a plug-in that took
 * no part in the run.  JSON ends with an array of
 * the programs, if several ran at once, and how long each took.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdio.h>

#include "sim/core/simulate.h"
#include "sim/setup/options.h"

struct report {
	const struct options *options;
	const struct config  *config;
	const struct trace   *trace;
	const struct stats   *stats;
	const struct stats   *without; /* the same run without prefetching, or NULL */

	/* How long each program ran, of those that ran at once; or NULL. */
	const uint64_t *program_us, *program_us_without;
};

void report_text(const struct report *r, FILE *out);
int  report_json(const struct report *r, FILE *out, struct error *e);
void report_csv(const struct report *r, FILE *out);

/* A text of the trace's, on one line whatever it contains. */
void report_name(const char *name, FILE *out);

/* The two parts of report_csv(). */
void report_csv_header(FILE *out);
void report_csv_row(const struct report *r, FILE *out);

/*
 * What tells the row of a run from all others: all that says what was
 * simulated, of the run or of the n fields of a row that has been read.
 */
void report_key(const struct report *r, FILE *out);
void report_key_of(char *const *field, unsigned n, FILE *out);

#endif
