/* against.h - bufsim run --against oracle: the best that is possible, as far as it is known. */
#ifndef SIM_CLI_AGAINST_H
#define SIM_CLI_AGAINST_H

#include "sim/report/run/report.h"

/* 0, or a usage error if the options exclude it. */
int against_check(const struct config *c, const struct options *o, struct error *e);

/* Simulate c with each of the oracle's settings. */
int against_find(const struct config *c, const struct trace *t, struct possible *out,
    struct error *e);

#endif
