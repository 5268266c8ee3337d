/*
 * crowd.h - direct reads at random places, many at a time: a thread for each,
 * as programs do that do not wait for one another.
 */
#ifndef SIM_CROWD_H
#define SIM_CROWD_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { CROWD_MAX = 32 };

struct crowd {
	int	 fd;
	char	*buffer; /* depth * length bytes */
	uint64_t bytes;	 /* of the file */
	uint32_t length, depth;
	double	 budget_us;
	uint64_t key; /* of the places */
};

/* Time / number of reads, in microseconds; below 0 with an error. */
double crowd_run(const struct crowd *c, struct error *e);

/* Microseconds, from any moment on. */
double clock_us(void);

#endif
