/*
 * trial.h - a load on a pool, measured: on threads of this machine, or on modelled cores.
 *
 * Threads start together behind a barrier.  Each repetition has an arena of its own, and takes from
 * when the first thread leaves the barrier to when the last one ends.  Counts and time are of the
 * repetition with the median time, of an even number the lower one.  Modelled cores need no
 * repetition.
 */
#ifndef SIM_FRAMES_TRIAL_H
#define SIM_FRAMES_TRIAL_H

#include "sim/studies/frames/model/load.h"
#include "sim/studies/frames/model/pool.h"

enum { TRIAL_REPEATS_MAX = 1000, FRAGMENT_SAMPLES = 64 };

struct trial {
	struct frames_shape shape;
	struct choice	    pool, cores;
	struct instance	    load;     /* a load and its state */
	unsigned	    repeat;   /* 1 to TRIAL_REPEATS_MAX */
	bool		    latency;  /* time each operation, in a repetition of its own */
	bool		    fragment; /* measure fragmentation, in a repetition of its own */
};

/* Percentiles of the time of one operation, in ns.  On real cores the time of the clock itself is included. */
struct trial_latency {
	double p50, p90, p99, p999, max, mean;
};

/*
 * The threads take turns, a move each, on one core, so that it does not depend on time. largest[i]
 * is the order of the largest run that a request would get at i / FRAGMENT_SAMPLES of the moves.
 *
 * met[k]: thread 0 makes requests of order k until one fails; the share of them that was met, of as
 * many as the free pages would be enough for were they together; 0 if not for one.  The pages are
 * given back then, and the next order is lower.  It is measured at the moment when most pages are
 * taken, the last of several, and after the load, when all are free but a pool may keep some for a
 * thread.
 */
struct trial_fragments {
	int	 largest[FRAGMENT_SAMPLES + 1]; /* -1: none */
	uint64_t free_pages, total_pages;	/* at the moment of met */
	double	 met[FRAME_ORDERS];		/* 0 to 1; orders up to that of a block */
	double	 met_after[FRAME_ORDERS];	/* the same after the load */
	unsigned orders;
};

struct trial_result {
	struct frames_counts   counts;
	double		       elapsed_ns;
	double		       elapsed_min_ns, elapsed_max_ns; /* of the repetitions */
	uint64_t	       script_operations; /* takes and gives of all rounds and threads */
	struct trial_latency   latency;
	struct trial_fragments fragments;
};

static inline double
trial_rate(const struct trial_result *r) /* operations per second */
{
	return r->elapsed_ns > 0 ? (double)r->counts.operations * 1e9 / r->elapsed_ns : 0;
}

/* -1: bad settings, or no memory; r is zeroed. */
int trial_run(struct trial_result *r, const struct trial *t, struct error *e);

#endif
