/*
 * workload.h - generated traces: sequential, strided, random and other reads
 * of one file.
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
	/* Set offset, length and descriptor of call i. */
	void (*shape)(const struct workload *p, uint32_t i, struct record *r);
	uint64_t file_bytes, start;
	int64_t	 step;
	uint32_t length, calls;
	int64_t	 n, m; /* parameters of the shape */
};

extern const struct workload workloads[]; /* group by group; ends with a NULL name */

/*
 * Does names contain the workload?  names: "all", or names of workloads and
 * groups, separated by commas.  workload_check() gives a usage error for a
 * name that does not exist; check before.
 */
bool workload_selected(const struct workload *p, const char *names);
int  workload_check(const char *names, struct error *e);

/* Its calls as a trace, one second apart; to be released by trace_release(). */
int workload_load(struct trace *t, const struct workload *p, uint32_t block_bytes, struct error *e);

#endif
