/*
 * stats.h - the counters of one run.
 *
 * Each counter of the core is one line of stats.def and then appears in this
 * struct, the CSV, the JSON and the manual page.  So does a counter of a
 * plug-in, which is one line beside its code.  Ratios are derived when a
 * report is made.
 */
#ifndef SIM_STATS_H
#define SIM_STATS_H

#include <stdio.h>

#include "sim/base/plugin.h"

enum { SIZE_CLASSES = 8 }; /* requests of 1, 2, 3-4, 5-8, 9-16, 17-32, 33-64, more blocks */

enum {
	SEEK_CLASSES = 18
}; /* requests 0, 1, 2-3, 4-7, ... 65,536 or more cylinders or blocks away */

enum { PLUGIN_STATS_MAX = 8 }; /* plug-ins that take part in a run and have counters */

/* The counters of one plug-in, in the order of plugin->counters. */
struct plugin_stats {
	const struct plugin *plugin;
	uint64_t	     value[COUNTERS_MAX];
};

struct stats {
#define STAT(name, unit, meaning) uint64_t name;
#include "sim/core/stats.def"
#undef STAT
	struct plugin_stats own[PLUGIN_STATS_MAX]; /* ends with a NULL plugin, or full */
};

/* The value of a counter that this kind of run does not have. */
#define STAT_UNKNOWN UINT64_MAX

extern const struct counter stat_info[]; /* those of stats.def; ends with a NULL name */

/* Counting starts: set all counters to 0, also those of the n plug-ins and their inner ones. */
void stats_start(struct stats *s, const struct instance *part, unsigned n);

/* Counting ends: copy the counters of the plug-ins. */
void stats_end(struct stats *s, const struct instance *part, unsigned n);

/* One of a plug-in's counters; STAT_UNKNOWN: the plug-in did not take part in the run. */
uint64_t stats_own(const struct stats *s, const struct plugin *p, const struct counter *c);

/* A ratio of counters: defined is false where it is 0/0 or unknown. */
struct ratio_info {
	const char *name, *unit, *meaning;
	bool (*value)(const struct stats *s, uint32_t block_bytes, double *out);
};
extern const struct ratio_info *const ratio_info; /* ends with a NULL name */

/* to += what: two parts of one run, with different counters. */
void stats_add(struct stats *to, const struct stats *what);

/* Set all counters of the core to STAT_UNKNOWN; no plug-in has taken part. */
void stats_unknown(struct stats *s);

/* The class, of SIZE_CLASSES, of a request of that many blocks. */
unsigned size_class(uint32_t blocks);

/* The class, of SEEK_CLASSES, of that distance. */
unsigned seek_class(uint64_t distance);

#endif
