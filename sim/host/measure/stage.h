/*
 * stage.h - the files of a trace, made on a real file system, and its calls
 * made on them.
 *
 * Files are filled, not sparse, and have no name: nothing is left behind,
 * however the program ends.  Linux only; elsewhere stage_make() fails.
 */
#ifndef SIM_STAGE_H
#define SIM_STAGE_H

#include "sim/host/measure/evictions.h"
#include "sim/host/measure/stage_files.h"

struct stage {
	const struct trace *trace; /* blocks of SCRATCH_PAGE bytes */
	struct stage_files  files;
	uint64_t	    bytes; /* of all of them */
	bool		    fifo;  /* the last run had a real-time priority */
};

/* How a run is made. */
struct run_how {
	bool
	    random; /* POSIX_FADV_RANDOM on every descriptor: no readahead, no advice of the trace */
	bool warm;  /* all reads are made once before the clock starts */
	bool reclaim; /* a run counts though pages have left memory; for rounds_make() */
	bool writes;  /* also the writes of the trace; else its reads alone */
	bool
	    by_process; /* each process of the trace is a thread; else one makes all calls in order */
	bool			real_time;   /* try for a real-time priority */
	double			think_scale; /* of the recorded time between calls; 0: none */
	const struct evictions *evict; /* pages that leave before each call, not warm; NULL: none */
};

/* What was measured.  Times in microseconds. */
struct run_times {
	double elapsed_us; /* from the first call to the last end; one thread: without apart_us */
	double calls_us;   /* in calls, of all threads together */
	double waited_us; /* runnable but without a processor; 0 if the kernel does not report it */
	double cpu_us;	  /* processor time of the threads */
	double apart_us;  /* for evictions and for opening files again, of all threads */
	uint64_t pages_read;	 /* from the device, by this program (/proc/self/io) */
	uint64_t resident_pages; /* of the files, at the end */
	/*
	 * Pages that were read and are neither resident at the end nor were evicted by the run: the
	 * system has reclaimed them, so the run has read too much.  0 of runs that do not show it:
	 * warm ones, with writes, or with POSIX_FADV_DONTNEED in the trace.
	 */
	uint64_t lost_pages;
	float	*call_us; /* [naccess], of the caller; may be NULL; writes that are not made: -1 */
};

/*
 * Make and fill the files in that directory, as large as they are in the end;
 * first check the space.
 */
int  stage_make(struct stage *s, const struct trace *t, const char *dir, struct error *e);
void stage_release(struct stage *s);

/* Drop all pages from memory, and make the calls. */
int stage_run(struct stage *s, const struct run_how *how, struct run_times *out, struct error *e);

#endif
