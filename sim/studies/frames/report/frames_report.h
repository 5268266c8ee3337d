/* frames_report.h - measured allocators of page frames, for a person and for programs. */
#ifndef SIM_REPORT_FRAMES_REPORT_H
#define SIM_REPORT_FRAMES_REPORT_H

#include <stdio.h>

#include "sim/studies/frames/model/trial.h"

struct frames_report {
	const char	   *allocator, *workload, *machine; /* as typed */
	struct frames_shape shape;
	unsigned	    repeat;
	bool		    latency, fragments; /* measured too */
	struct trial_result result;
};

/* ---- for programs ---- */

/* A number of a result, and its name in CSV and JSON. */
enum frames_unit { FRAMES_COUNT, FRAMES_TIME /* printed in us */, FRAMES_NS, FRAMES_RATE };
struct frames_figure {
	const char	*name;
	enum frames_unit unit;
	size_t		 offset; /* in struct trial_result, but of a rate */
};
extern const struct frames_figure frames_figures[];   /* of every result; ends with a NULL name */
extern const struct frames_figure frames_latencies[]; /* the same, of --latency */

double frames_value(const struct trial_result *r, const struct frames_figure *f);

/* The names of all columns, and a row: nothing in columns of what is not measured. */
void frames_csv_names(FILE *out);
void frames_csv(const struct frames_report *r, FILE *out);

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
