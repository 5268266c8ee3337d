/* report.h - the results of a run for a person, as text. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdio.h>

#include "sim/core/simulate.h"
#include "sim/report/run/possible.h"
#include "sim/report/run/run_parts.h"
#include "sim/setup/options.h"

struct report {
	const struct options  *options;
	const struct config   *config;
	const struct trace    *trace;
	const struct stats    *stats;
	const struct stats    *without;	 /* the same run without prefetching, or NULL */
	const struct possible *possible; /* what the oracle takes, or NULL */

	/* The time of each program, if several ran at once; or NULL. */
	const uint64_t *program_us, *program_us_without;

	/* By file and by process, if asked for; or NULL. */
	const struct run_parts *parts, *parts_without;

	bool colour; /* of the text */
};

/* The answer in a sentence, where the time went, what was simulated, all the rest. */
void report_text(const struct report *r, FILE *out);

#endif
