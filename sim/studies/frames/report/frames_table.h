/* frames_table.h - several measured allocators of page frames beside each other. */
#ifndef SIM_REPORT_FRAMES_TABLE_H
#define SIM_REPORT_FRAMES_TABLE_H

#include "sim/studies/frames/report/frames_report.h"

/* "ondemand is 5.3 times as fast as buddy (threads 8)": the largest ratio. */
void frames_finding(const struct frames_report *r, size_t n, FILE *out);

/* The finding, a row for each result, and what all have in common. */
void frames_table(const struct frames_report *r, size_t n, FILE *out);

#endif
