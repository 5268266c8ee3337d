/*
 * turns.h - runs with several numbers of threads, which take turns: a machine that becomes slower
 * does so for all of them.
 */
#ifndef SIM_SCALE_TURNS_H
#define SIM_SCALE_TURNS_H

#include "sim/setup/options.h"
#include "sim/studies/scale/timings.h"

enum { TURNS_MAX = 64 };

struct turns {
	uint32_t threads[TURNS_MAX];
	unsigned n;
	unsigned most; /* its place in threads */
	uint64_t repeat;
};

/* As --threads and --repeat say. */
int turns_init(struct turns *t, const struct options *o, struct error *e);

/* Time one run: 0; 1: no more runs with so many threads; -1: no more runs. */
typedef int turns_timer(void *self, uint32_t threads, struct timed_run *r, struct error *e);

/*
 * Time all of them, as the program of that name.  A first run, with the most threads, brings files
 * and memory into use and is not counted.  -1: the timer said so, and `to` has the runs until then.
 */
int turns_time(const struct turns *t, turns_timer *timer, void *self, const char *program,
    struct timings *to, struct error *e);

#endif
