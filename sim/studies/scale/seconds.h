/* seconds.h - seconds of a clock that never goes back, and of processor time. */
#ifndef SIM_SCALE_SECONDS_H
#define SIM_SCALE_SECONDS_H

#include <sys/time.h>
#include <time.h>

static inline double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double
seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

#endif
