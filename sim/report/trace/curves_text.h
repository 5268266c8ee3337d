/* curves_text.h - miss-ratio curves as a table, as CSV, or as JSON. */
#ifndef SIM_CURVES_TEXT_H
#define SIM_CURVES_TEXT_H

#include <stdio.h>

#include "sim/analysis/curves.h"

struct curves_report {
	const struct curves *curves;
	const struct trace  *trace;
	char *const	    *policy; /* as typed */
	const uint64_t	    *blocks; /* the sizes of the caches */
	size_t		     n;
	double		     sample; /* as given; 1: exact */
};

/* A row for each policy and size, the sizes of a policy together. */
void curves_csv(const struct curves_report *r, FILE *out);

/* The same rows, each an object on one line. */
int curves_json(const struct curves_report *r, FILE *out, struct error *e);

/* A row for each size: misses and miss ratio, or the miss ratios of several policies. */
void curves_text(const struct curves_report *r, FILE *out);

#endif
