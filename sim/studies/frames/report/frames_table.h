/* frames_table.h - several measured allocators of page frames beside each other. */
#ifndef SIM_REPORT_FRAMES_TABLE_H
#define SIM_REPORT_FRAMES_TABLE_H

#include "sim/studies/frames/report/frames_report.h"

/* What a result is of. */
enum frames_setting {
	FRAMES_ALLOCATOR,
	FRAMES_WORKLOAD,
	FRAMES_BLOCKS,
	FRAMES_BLOCK_PAGES,
	FRAMES_THREADS,
	FRAMES_MACHINE,
	FRAMES_SETTINGS
};

/* Returns text. */
enum { FRAMES_SETTING = 256 };
char *frames_setting_text(const struct frames_report *r, enum frames_setting s,
    char text[FRAMES_SETTING]);
bool  frames_varies(const struct frames_report *r, size_t n, enum frames_setting s);

/*
 * What a result is compared with: allocators if there are several, else threads, machines, ...; the
 * result with the first of them, and otherwise the same settings.
 */
const struct frames_report *frames_base(const struct frames_report *all, size_t n,
    const struct frames_report *r);

/* "ondemand is 5.3 times as fast as buddy (threads 8)": the largest ratio. */
void frames_finding(const struct frames_report *r, size_t n, FILE *out);

/* The finding, a row for each result, and what all have in common. */
void frames_table(const struct frames_report *r, size_t n, FILE *out);

#endif
