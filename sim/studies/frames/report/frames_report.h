/* frames_report.h - measured allocators of page frames, for a person and for programs. */
#ifndef SIM_REPORT_FRAMES_REPORT_H
#define SIM_REPORT_FRAMES_REPORT_H

#include <stdio.h>

#include "sim/studies/frames/model/trial.h"
#include "sim/table/table.h"

struct frames_report {
	const char	   *allocator, *workload, *cores; /* as typed */
	struct frames_shape shape;
	uint64_t	    repeat;
	bool		    latency, fragments; /* measured too */
	struct trial_result result;

	const struct frames_report *base; /* compared with it: frames_compare() */
};

/* What a result is of, in the order of a table. */
enum frames_setting {
	FRAMES_ALLOCATOR,
	FRAMES_WORKLOAD,
	FRAMES_BLOCKS,
	FRAMES_BLOCK_PAGES,
	FRAMES_THREADS,
	FRAMES_CORES,
	FRAMES_SETTINGS
};

/* All columns of CSV, JSON and the table for a person.  Those of settings have their place. */
extern const struct column frames_columns[];
extern const unsigned	   frames_ncolumns;

/* A table of results, without columns. */
void frames_table_init(struct table *t, const struct frames_report *r, size_t n);

const struct column *frames_setting_column(enum frames_setting s);

/* Returns text. */
enum { FRAMES_SETTING = 256 };
char *frames_setting_text(const struct frames_report *r, enum frames_setting s,
    char text[FRAMES_SETTING]);
bool  frames_varies(const struct frames_report *r, size_t n, enum frames_setting s);

/* The setting along which results are compared: allocators if there are several, else threads, ... */
enum frames_setting frames_compared(const struct frames_report *r, size_t n);

/* Find what each is compared with: the one with the first of them, and otherwise the same settings. */
void frames_compare(struct frames_report *r, size_t n);

/* 2: twice as fast as that. */
double frames_ratio(const struct frames_report *r);

/* ---- for programs ---- */

/* Is the column a number that was measured?  What it is, in the unit of its name. */
bool   frames_is_figure(const struct column *c);
double frames_value(const struct frames_report *r, const struct column *c);

/* All columns and rows: nothing in columns of what is not measured. */
void frames_csv(const struct frames_report *r, size_t n, FILE *out);

/* 0, or -1: out of memory. */
int frames_json(const struct frames_report *r, FILE *out, struct error *e);

/* ---- for a person ---- */

/* One result; several are a table (frames_table.h). */
void frames_text(const struct frames_report *r, FILE *out);

/* "41.2 M", "950 k".  Returns text. */
enum { FRAMES_TEXT = 64 };
char *frames_rate_text(char text[FRAMES_TEXT], double rate);

/* "45 ns", "1.2 us", "12 ms".  Returns text. */
char *frames_ns_text(char text[FRAMES_TEXT], double ns);

/* "8 threads on real, 4 blocks of 1,024 pages (16.0 MiB)": all but allocator and workload. */
void frames_shape_print(const struct frames_report *r, FILE *out);

#endif
