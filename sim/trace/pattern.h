/*
 * pattern.h - access patterns that are made instead of traced: sequential,
 * strided, random, ... reads of one file.
 *
 *	for (const struct pattern *p = patterns; p->name; p++)
 *		if (pattern_selected(p, names) && !pattern_load(&t, p, 4096, e)) ...
 */
#ifndef SIM_PATTERN_H
#define SIM_PATTERN_H

#include "sim/base/error.h"
#include "sim/trace/trace.h"

struct record;

struct pattern {
	const char *name, *group, *summary;
	/* Where call i reads, how much, and through which descriptor. */
	void (*shape)(const struct pattern *p, uint32_t i, struct record *r);
	uint64_t file_bytes, start;
	int64_t	 step;
	uint32_t length, calls;
	int64_t	 n, m; /* the shape's own */
};

extern const struct pattern patterns[]; /* group by group; ends with a NULL name */

/*
 * Is it one of these?  "all", or names of patterns and of groups with commas
 * between them, that pattern_check() has found right: a usage error if not.
 */
bool pattern_selected(const struct pattern *p, const char *names);
int  pattern_check(const char *names, struct error *e);

/* Its calls as a trace, a second apart; trace_release() it. */
int pattern_load(struct trace *t, const struct pattern *p, uint32_t block_bytes, struct error *e);

#endif
