/* share_report.h - the result of a run of shared memory, for a person and for programs. */
#ifndef SIM_REPORT_SHARE_REPORT_H
#define SIM_REPORT_SHARE_REPORT_H

#include <stdio.h>

#include "sim/share/share.h"

struct share_report {
	const struct program	  *program;
	const struct share_config *config;
	const struct share_result *result;
	const char		  *protocol, *allocator, *from, *cold; /* as typed */
};

void share_text(const struct share_report *r, FILE *out);

/* The names of the columns, and a row.  The counters are those of the protocol. */
void share_csv_names(const struct plugin *protocol, FILE *out);
void share_csv(const struct share_report *r, FILE *out);

/* 0, or -1: out of memory. */
int share_json(const struct share_report *r, FILE *out, struct error *e);

#endif
