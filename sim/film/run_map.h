/*
 * run_map.h - block against time: what became of every block reference and of
 * every prefetched block of a whole run.
 *
 * A run_map is an observer (sim/core/observer.h) of a run whose length is
 * known, because the same run was simulated before.  The time of the run is
 * divided into columns, the blocks of the trace, files end to end, into rows.
 * A reference lies at its time, wasted readahead at the time when its read
 * completed.  What happened before the end of the warm-up is left out.
 *
 * A point has the kind of most of what lies there.  Hits do not count if there
 * is anything else: they are nearly everywhere, and would hide the rest.
 *
 * Memory: 2 bytes a block of the files, and 10 MB.
 */
#ifndef SIM_RUN_MAP_H
#define SIM_RUN_MAP_H

#include "sim/core/observer.h"
#include "sim/draw/raster.h"
#include "sim/trace/slots.h"

enum { RUN_MAP_WIDTH = 1000, RUN_MAP_HEIGHT = 400 };

enum run_map_kind {
	RUN_MAP_HIT,	 /* a cached block, used before */
	RUN_MAP_USED,	 /* the first use of a prefetched block, in time */
	RUN_MAP_LATE,	 /* the first use of a prefetched block that was still being read */
	RUN_MAP_DELAYED, /* being read for another reference, or written */
	RUN_MAP_MISS,
	RUN_MAP_WASTED, /* a prefetched block, evicted or left at the end without a use */
	RUN_MAP_KINDS
};

/* One word each, as in the legend. */
extern const char *const run_map_names[RUN_MAP_KINDS];

struct run_map {
	const struct trace *t;
	usec_t		    begin, end; /* in us from the start of the simulation */
	block_t		    first, last;
	uint64_t	    total[RUN_MAP_KINDS];

	/* The call that was under way when a column of pixels began, or the next one; from 1. */
	uint64_t      call[RUN_MAP_WIDTH];
	struct raster raster; /* RUN_MAP_WIDTH by RUN_MAP_HEIGHT pixels, after run_map_finish() */

	usec_t	     span;
	uint64_t     warmup, ncalls, nopen, ndone; /* calls; nopen: begun and not ended */
	unsigned     nnoted;			   /* columns of `call` */
	uint32_t    *count;			   /* [columns][rows][RUN_MAP_KINDS] of points */
	struct slots slots;
	uint16_t    *ahead; /* of a block that was read ahead of its use */
};

/* The events that run_map_see() is to be given. */
extern const uint32_t run_map_mask;

/*
 * Of a run that takes span us after its first warmup_calls calls.  0, or -1: no memory, or no time.
 * Release m even then.
 */
int  run_map_init(struct run_map *m, const struct trace *t, uint64_t span, uint64_t warmup_calls,
     struct error *e);
void run_map_release(struct run_map *m);

/* See an observer's event; m is a struct run_map. */
void run_map_see(void *m, const struct event *e);

/* After the run. */
void run_map_finish(struct run_map *m);

/* The blocks that were prefetched, and the block references. */
uint64_t run_map_prefetched(const struct run_map *m);
uint64_t run_map_references(const struct run_map *m);

#endif
