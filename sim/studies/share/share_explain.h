/* share_explain.h - bufsim share --explain: what costs most faults, and why one happened. */
#ifndef SIM_CLI_SHARE_EXPLAIN_H
#define SIM_CLI_SHARE_EXPLAIN_H

#include "sim/studies/share/share_points.h"

/* Of each trace with the one setting; lists are a usage error. */
int share_explain(const struct share_points *p, FILE *out, struct error *e);

#endif
