/*
 * recording.h - the frames that a cache, or a kernel, takes and gives back: a file, as a load.
 *
 * That of a cache is written by bufsim run --frames, in the format of sim/report/run/recorder.h: a page
 * is taken when a block is brought into the cache, and given back when the block leaves.  A full
 * cache evicts a block, then brings one in, both for the process that needs the room.  Pages come
 * one at a time, as in the page cache; where a kernel works in batches (readahead, reclaim), they
 * follow each other, and nothing marks a batch.  That of a kernel has the events of its page
 * allocator (recording_kernel.c), also of 2^order pages.
 *
 * As a load, events are dealt to threads.  Of n processes that take pages, numbered by their first
 * take, process p has the threads p, p + n, p + 2n ..., among which its pages are dealt by number;
 * with fewer threads than processes it has thread p modulo the threads.  A page is given back by
 * the thread that took it.  Each thread keeps the order of its events.  What is held at the end is
 * given back there, so that the recording can be repeated.
 */
#ifndef SIM_FRAMES_RECORDING_H
#define SIM_FRAMES_RECORDING_H

#include "sim/studies/frames/model/load.h"

#define RECORDING_TITLE "# bufsim frames "
enum { RECORDING_FORMAT = 1, RECORDING_NOTES = 8 };

struct recording_facts {
	uint64_t takes, gives;
	uint64_t most;	       /* pages held at once; threads that are out of step may hold more */
	uint64_t cache_blocks; /* of a kernel: 0 */
	uint32_t processes;    /* that take pages */

	/* Of a kernel. */
	bool	 is_kernel;
	uint64_t before;   /* frees of pages that were taken before the recording */
	uint64_t missed;   /* runs that were taken again: an event of their free is missing */
	uint64_t foreign;  /* frees by another process than took the pages */
	uint64_t failures; /* requests that were not met */
	uint64_t refilled; /* pages that went from the buddy lists to the lists of a processor */
	uint64_t drained;  /* and back */

	/* What the user should know, and how often; 0: once.  NULL: no more. */
	const char *note[RECORDING_NOTES];
	uint64_t    noted[RECORDING_NOTES];
	uint64_t    skipped; /* lines that are no events */
};

/*
 * The recording in a file, plain or packed, as a load; "-" is standard input.  Its parameter
 * `rounds` repeats it: params_set(load->plugin, load->self, "rounds=10", e).  0, or -1: the error
 * names file and line, and nothing is to be released.
 *
 * Memory: 8 bytes an event, and about 40 bytes a page.
 */
int  recording_load(struct instance *load, const char *path, struct error *e);
void recording_release(struct instance *load);

const struct recording_facts *recording_facts(const struct instance *load);

#endif
