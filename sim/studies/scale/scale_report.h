/* scale_report.h - how far programs scale, for a person and for programs. */
#ifndef SIM_SCALE_REPORT_H
#define SIM_SCALE_REPORT_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/studies/scale/scale.h"

/* "the region scales to 15 threads: S = 5.81; with 120 threads it is 1.79 (group A)" */
void scale_answer(const struct scale *s, FILE *out);

/* "a = 0.05 [0.0493, 0.0507], b = 0.0042 [0.00414, 0.00425]", between, "peak 15.0 [14.9, 15.2], R2 0.9998" */
void scale_law(const struct scale *s, const char *between, FILE *out);

/* A table of several programs, then of each the answer, the law and the speed-ups. */
void scale_text(const struct scale *s, size_t n, FILE *out);

/* A row for each program and number of threads. */
void scale_csv(const struct scale *s, size_t n, FILE *out);

/* An object on one line. */
int scale_json(const struct scale *s, FILE *out, struct error *e);

/* The runs, a row each, as timings_read() takes them. */
void scale_runs_csv(const struct timed_program *p, FILE *out);

#endif
