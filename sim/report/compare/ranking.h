/*
 * ranking.h - runs of a grid of settings as tables, the best first.
 *
 * Each trace has a table.  Runs are ranked by elapsed time, by mean response
 * time if all of them have one, by misses if none has a time; equal runs share
 * a rank.  A run is compared with the one without prefetching and with
 * otherwise the same settings, if `none` is one of several prefetchers, else
 * with the first run of its trace.
 */
#ifndef SIM_RANKING_H
#define SIM_RANKING_H

#include "sim/report/run/report.h"
#include "sim/setup/grid.h"

/* What the tables show of a run; STAT_UNKNOWN: it does not have it. */
struct score {
	uint64_t counter[offsetof(struct stats, own) / sizeof(uint64_t)]; /* all of stats.def */
	uint64_t response_us, requests; /* response_us: on average */
	uint64_t cause_us, all_us;	/* waited for the largest cause, of all time */
	uint64_t cache_blocks;
	unsigned cause; /* of wait_info: of CAUSES */
};

struct ranked {
	unsigned     trace;
	uint64_t     setting; /* of the grid */
	struct score score;
};

struct ranking {
	const struct options *options; /* settings that are not in the grid */
	const struct grid    *grid;
	const struct trace   *trace; /* [ntraces] */
	unsigned	      ntraces;
	struct ranked	     *run; /* [n], by trace, then by setting */
	size_t		      n;
};

enum ranking_form { RANKING_TEXT, RANKING_MARKDOWN, RANKING_JSON, RANKING_CSV };

void score_of(const struct report *r, struct score *s);

int ranking_print(const struct ranking *k, enum ranking_form form, FILE *out, struct error *e);

#endif
