/*
 * stats.h - everything counted in one run.
 *
 * Each counter is one line of stats.def and then appears in this struct, the
 * CSV, the JSON and the manual page.  Ratios are derived when a report is
 * made.
 */
#ifndef SIM_STATS_H
#define SIM_STATS_H

#include <stdio.h>

#include "sim/base/types.h"

enum { SIZE_CLASSES = 8 }; /* requests of 1, 2, 3-4, 5-8, 9-16, 17-32, 33-64, more blocks */

struct stats {
#define STAT(name, unit, meaning) uint64_t name;
#include "sim/core/stats.def"
#undef STAT
};

/* The value of a counter that this kind of run cannot tell. */
#define STAT_UNKNOWN UINT64_MAX

/* A counter by its place in stats.def. */
struct stat_info {
	const char *name, *unit, *meaning;
	size_t	    offset; /* of the uint64_t in struct stats */
};
extern const struct stat_info stat_info[]; /* ends with a NULL name */

static inline uint64_t
stat_value(const struct stats *s, const struct stat_info *i)
{
	return *(const uint64_t *)(const void *)((const char *)s + i->offset);
}

/* A ratio of counters: defined is false where it is 0/0 or unknown. */
struct ratio_info {
	const char *name, *unit, *meaning;
	bool (*value)(const struct stats *s, uint32_t block_bytes, double *out);
};
extern const struct ratio_info ratio_info[]; /* ends with a NULL name */

/* to += what: two parts of one run, which count different things. */
void stats_add(struct stats *to, const struct stats *what);

/* All counters. */
void stats_unknown(struct stats *s);

/* Which of the SIZE_CLASSES a request of that many blocks falls in. */
unsigned size_class(uint32_t blocks);

#endif
