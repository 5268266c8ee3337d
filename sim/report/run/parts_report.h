/* parts_report.h - the files and the processes of a run as tables: text, CSV, JSON. */
#ifndef SIM_PARTS_REPORT_H
#define SIM_PARTS_REPORT_H

#include <cjson/cJSON.h>

#include "sim/report/run/report.h"

/* Those whose stall differs most from the run without prefetching come first; --top of them. */
void parts_text(const struct report *r, FILE *out);

/* All of them, as arrays of the object.  False: out of memory. */
bool parts_json(const struct report *r, cJSON *to);

/* All of the one kind there is. */
int parts_csv(const struct report *r, FILE *out, struct error *e);

#endif
