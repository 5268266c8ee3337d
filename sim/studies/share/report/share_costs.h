/* share_costs.h - the faults of objects and pages, and the history of one fault, for a person. */
#ifndef SIM_REPORT_SHARE_COSTS_H
#define SIM_REPORT_SHARE_COSTS_H

#include <stdio.h>

#include "sim/studies/share/model/costs.h"
#include "sim/studies/share/model/history.h"

/* The objects and pages with most faults, at most `top` of each.  0, or -1: out of memory. */
int share_costs_print(const struct costs *c, uint32_t top, FILE *out, struct error *e);

/* Why a fault happened, with the last references to its page, at most `top`. */
void share_history_print(const struct history *h, const struct program *p, enum cold_rule cold,
    uint64_t top, FILE *out);

#endif
