/* share_stat.h - what a program of shared memory has, for a person and for programs. */
#ifndef SIM_REPORT_SHARE_STAT_H
#define SIM_REPORT_SHARE_STAT_H

#include <stdio.h>

#include "sim/studies/share/model/summary.h"

void share_stat_text(const struct summary *s, const struct program *p, uint32_t page_bytes,
    FILE *out);

/* 0, or -1: out of memory. */
int share_stat_json(const struct summary *s, const struct program *p, uint32_t page_bytes,
    FILE *out, struct error *e);

#endif
