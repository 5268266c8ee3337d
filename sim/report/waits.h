/* waits.h - the causes of stalls, and the processor, in the words of the reports. */
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "sim/core/stats.h"

struct wait_info {
	const char *what, *word; /* in full, and for a column of a table */
	size_t	    offset;	 /* of its counter in struct stats */
};

/* The waits, and what else takes the time of a call. */
enum { WAITS = 10, CAUSE_CPU = WAITS, CAUSES };

extern const struct wait_info wait_info[CAUSES];

static inline uint64_t
wait_us(const struct stats *s, unsigned i)
{
	return *(const uint64_t *)(const void *)((const char *)s + wait_info[i].offset);
}

#endif
