/*
 * caller.h - a thread that makes the calls of one process of a trace, or of all
 * of them, on real files.
 */
#ifndef SIM_CALLER_H
#define SIM_CALLER_H

#include "sim/host/measure/play.h"

struct caller {
	struct play	      *play;
	uint32_t	       number;
	const struct sequence *calls;
	char		      *buffer;	 /* for the largest call */
	double		       now;	 /* the last act ended, us */
	usec_t		       recorded; /* when it was, in the trace */

	double	     calls_us, waited_us, cpu_us;	      /* as in struct run_times */
	double	     apart_us, apart_waited_us, apart_cpu_us; /* not to be counted */
	int	     schedstat; /* what the kernel counts of this thread; -1: nothing */
	struct error error;
	bool	     failed;
	pthread_t    id;
};

/* The clock, us. */
double caller_clock(void);

/* Make all calls; c->failed, and why, if one fails. */
void caller_run(struct caller *c);

#endif
