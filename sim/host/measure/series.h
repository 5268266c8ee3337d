/*
 * series.h - a file in use for measurements, and the time of a point there.
 */
#ifndef SIM_SERIES_H
#define SIM_SERIES_H

#include "sim/host/measure/ground.h"
#include "sim/host/measure/meter.h"
#include "sim/host/measure/probe.h"

struct probe {
	struct ground	    ground;
	int		    direct, plain, random; /* descriptors */
	char		   *huge, *small;	   /* buffers: contiguous, and of scattered pages */
	void		   *arena;		   /* that huge is in */
	uint64_t	    span;		   /* bytes in front of the tail */
	uint64_t	    large, single;	   /* bytes of the areas in memory */
	uint32_t	    round, rounds;
	uint64_t	    tier_key; /* of the first reads */
	unsigned	    tier_reads;
	struct meter	    meter;
	struct probe_facts *facts;
};

/* Microseconds; below 0 with an error. */
double series_measure(struct probe *p, const struct point *t);

#endif
