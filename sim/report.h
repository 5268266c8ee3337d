/*
 * report.h - what came out of a run: for a person, as JSON, as CSV.
 *
 * Machine-readable forms hold what identifies the run, then every counter in
 * the order of stats.def, then every ratio in that of ratios.def.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdio.h>

#include "sim/option.h"
#include "sim/sim.h"

struct report {
	const struct options *options;
	const struct config  *config;
	const struct trace   *trace;
	const struct stats   *stats;
	const struct stats   *without; /* the same run without prefetching, or NULL */
};

void report_text(const struct report *r, FILE *out);
int  report_json(const struct report *r, FILE *out, struct error *e);
void report_csv(const struct report *r, FILE *out);

#endif
