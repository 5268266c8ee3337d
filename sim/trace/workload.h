/*
 * workload.h - workloads that are made instead of traced: sequential,
 * strided, random, ... reads of one file.
 *
 *	for (const struct workload *p = workloads; p->name; p++)
 *		if (workload_selected(p, names) && !workload_load(&t, p, 4096, e)) ...
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include "sim/base/error.h"
#include "sim/trace/trace.h"

struct record;

struct workload {
	const char *name, *group, *summary;
	/* Where call i reads, how much, and through which descriptor. */
	void (*shape)(const struct workload *p, uint32_t i, struct record *r);
	uint64_t file_bytes, start;
	int64_t	 step;
	uint32_t length, calls;
	int64_t	 n, m; /* the shape's own */
};

extern const struct workload workloads[]; /* group by group; ends with a NULL name */

/*
 * Is it one of these?  "all", or names of workloads and of groups with commas
 * between them, that workload_check() has found right: a usage error if not.
 */
bool workload_selected(const struct workload *p, const char *names);
int  workload_check(const char *names, struct error *e);

/* Its calls as a trace, a second apart; trace_release() it. */
int workload_load(struct trace *t, const struct workload *p, uint32_t block_bytes, struct error *e);

#endif
