/*
 * record.h - the results of a run for programs: JSON, CSV.
 *
 * Both hold the identity of the run, then every counter in the order of
 * stats.def, the counters of all plug-ins in the order of the registry, and
 * every ratio in the order of ratios.def.  Counters that the kind of replay
 * does not have are null or "-", and so are the counters of a plug-in that
 * took no part in the run.  JSON ends with an array of the programs and the
 * time of each, if several ran at once.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim/report/report.h"

int  report_json(const struct report *r, FILE *out, struct error *e);
void report_csv(const struct report *r, FILE *out);

/* The two parts of report_csv(). */
void report_csv_header(FILE *out);
void report_csv_row(const struct report *r, FILE *out);

/*
 * The key of the row of a run: all settings that affect the simulation.  From
 * the run, or from the n fields of a row that has been read.
 */
void report_key(const struct report *r, FILE *out);
void report_key_of(char *const *field, unsigned n, FILE *out);

/* Does the option affect the simulation, and is it not part of the identity? */
bool report_setting(const struct option_info *i);

#endif
