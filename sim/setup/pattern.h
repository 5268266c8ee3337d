/*
 * pattern.h - workloads by their text: "zipf:alpha=0.9", "zipf+sequential".
 *
 *	A+B	A and B at once: two processes
 *	A/B	B when A has ended
 *	A+B/C	C when A and B have ended
 *	A,B	two workloads
 *
 * A and B are shapes with parameters, or names of workload.h.
 */
#ifndef SIM_SETUP_PATTERN_H
#define SIM_SETUP_PATTERN_H

#include "sim/trace/load.h"

/* Think times of shapes that are given none, in microseconds. */
enum { PATTERN_THINK_US = 100, PATTERN_SLOW_US = 1000000 };

/* A list: groups are replaced by their names, ranges by their values.  Each is checked. */
struct patterns {
	char   **text;
	unsigned n;
};

int  patterns_init(struct patterns *p, const char *list, struct error *e);
void patterns_release(struct patterns *p);

/* The trace of one workload, which has its name.  On failure nothing is left to release. */
int pattern_load(struct trace *t, const char *text, const struct trace_options *o, usec_t think,
    struct error *e);

#endif
