/*
 * report.h - the results of a run: as text, as JSON, as CSV.
 *
 * JSON and CSV hold the identity of the run, then every counter in the order
 * of stats.def, the counters of all plug-ins in the order of the registry, and
 * every ratio in the order of ratios.def.  Counters that the kind of replay
 * does not have are null or "-", and so are the counters of a plug-in that
 * took no part in the run.  JSON ends with an array of the programs and the
 * time of each, if several ran at once.
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

	/* The time of each program, if several ran at once; or NULL. */
	const uint64_t *program_us, *program_us_without;
};

void report_text(const struct report *r, FILE *out);
int  report_json(const struct report *r, FILE *out, struct error *e);
void report_csv(const struct report *r, FILE *out);

/* A text from the trace, printed on one line: control characters are replaced. */
void report_name(const char *name, FILE *out);

/* The two parts of report_csv(). */
void report_csv_header(FILE *out);
void report_csv_row(const struct report *r, FILE *out);

/*
 * The key of the row of a run: all settings that affect the simulation.  From
 * the run, or from the n fields of a row that has been read.
 */
void report_key(const struct report *r, FILE *out);
void report_key_of(char *const *field, unsigned n, FILE *out);

#endif
