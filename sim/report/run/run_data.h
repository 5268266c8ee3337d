/*
 * run_data.h - the results of a run for programs: JSON, CSV.
 *
 * Both hold the identity of the run, then every counter in the order of
 * stats.def, the counters of all plug-ins in the order of the registry, every
 * ratio in the order of ratios.def, then the other settings and the
 * fingerprints.  What is unknown or not given is null, or an empty field:
 * counters that the kind of replay does not have, and those of a plug-in that
 * took no part in the run.  A column holds numbers or words, never both.
 *
 * JSON ends with the programs and the time of each, if several ran at once,
 * and with the same run without prefetching, if r->without has it, and what is
 * possible, if r->possible has it.
 */
#ifndef SIM_REPORT_RUN_DATA_H
#define SIM_REPORT_RUN_DATA_H

#include "sim/report/identity.h"
#include "sim/report/run/report.h"

int report_json(const struct report *r, FILE *out, struct error *e);
int report_csv(const struct report *r, FILE *out, struct error *e);

/* The two parts of report_csv(). */
void report_csv_header(FILE *out);
int  report_csv_row(const struct report *r, FILE *out, struct error *e);

/* The columns of such a row, and nothing else, as an object on one line. */
int report_json_row(const struct report *r, FILE *out, struct error *e);

/*
 * The key of the row of a run.  KEY_WHOLE: rows with the same key are of the
 * same point.  KEY_NAMES leaves out the contents of the trace and of files:
 * another key is then another point, but the same key is the same point only
 * if they have not changed.  From the run, or from the n fields of a row.
 */
enum key_kind { KEY_WHOLE, KEY_NAMES };
void report_key(const struct trace *t, const struct identity *id, enum key_kind kind, FILE *out);
void report_key_of(char *const *field, unsigned n, enum key_kind kind, FILE *out);

/* Does the option affect the simulation, and is it not part of the identity? */
bool report_setting(const struct option_info *i);

#endif
