/*
 * probe.h - measure the storage of a directory and the processor: a time for
 * each point in each round.  Linux only; elsewhere probe_run() fails.
 *
 * A round goes through all points, so that a machine that becomes slower does
 * so for all of them.  One round before the first is not counted: the machine
 * wakes up, and a host supplies memory.
 */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include "sim/base/error.h"
#include "sim/host/live/host.h"
#include "sim/host/measure/fit.h"

struct probe_facts {
	struct host host;
	uint64_t    bytes;	  /* of the file */
	uint64_t    device_bytes; /* of the file system */
	bool	    fifo;	  /* with a real-time priority */
	bool	    huge;	  /* contiguous memory was to be had */
	double	    elapsed_s;	  /* of the counted rounds */
	double	    waited_s;	  /* of these, runnable but without a processor */
};

/* Can times be measured there?  *bytes: size of the file; 0 becomes the usual one. */
int probe_check(const char *dir, uint64_t *bytes, struct error *e);

/* Fill in the times of the points for that many rounds. */
int probe_run(struct point *point, unsigned npoints, uint32_t rounds, const char *dir,
    uint64_t bytes, struct probe_facts *out, struct error *e);

#endif
