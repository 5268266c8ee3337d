/* waits.h - the causes of stalls, in the words of the reports. */
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "sim/core/stats.h"

struct wait_info {
	const char *what, *word; /* in full, and for a column of a table */
	size_t	    offset;	 /* of its counter in struct stats */
};

enum { WAITS = 10 };

extern const struct wait_info wait_info[WAITS];

static inline uint64_t
wait_us(const struct stats *s, unsigned i)
{
	return *(const uint64_t *)(const void *)((const char *)s + wait_info[i].offset);
}

#endif
