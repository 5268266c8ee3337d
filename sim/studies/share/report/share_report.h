/* share_report.h - the result of a run of shared memory, for a person and for programs. */
#ifndef SIM_REPORT_SHARE_REPORT_H
#define SIM_REPORT_SHARE_REPORT_H

#include <stdio.h>

#include "sim/studies/share/model/share.h"

struct share_report {
	const struct program	  *program;
	const struct share_config *config;
	const struct share_result *result;
	const char *protocol, *allocator, *costs, *order, *from, *cold; /* as typed */
};

/* The time of one processor for all references, against that of the run. */
double share_speedup(const struct share_result *r);

void share_text(const struct share_report *r, FILE *out);

/* "protocol ..., allocator ...", in one line; the result is not needed. */
void share_settings_print(const struct share_report *r, FILE *out);

/* The counters of all protocols whose rows are in one file, each name once.  Zeroed: none. */
enum { SHARE_COLUMNS = 4 * COUNTERS_MAX };
struct share_columns {
	const char *name[SHARE_COLUMNS];
	unsigned    n;
};
void share_columns_add(struct share_columns *c, const struct plugin *protocol);

/* The names of all columns, and a row, with nothing in columns of other protocols. */
void share_csv_names(const struct share_columns *c, FILE *out);
void share_csv(const struct share_report *r, const struct share_columns *c, FILE *out);

/* 0, or -1: out of memory. */
int share_json(const struct share_report *r, FILE *out, struct error *e);

#endif
