/*
 * cpu_costs.h - what the processor costs: the figures of a run, and the section
 * [cpu_ns] of a data sheet, which any kind of device may have.
 *
 *	[cpu_ns]
 *	call = 812
 *	page = 410
 *	byte = 0.09
 *	read_page = 2400
 *	single_page = 800
 *
 * A cost that is left out is 0.
 */
#ifndef SIM_CPU_COSTS_H
#define SIM_CPU_COSTS_H

#include <stddef.h>

#include "sim/base/types.h"

/* In picoseconds, so that costs far below a microsecond add up exactly. */
struct cpu_costs {
	uint64_t call_ps;	 /* each read or write call */
	uint64_t page_ps;	 /* each of its block references */
	uint64_t byte_ps;	 /* each of its bytes */
	uint64_t read_page_ps;	 /* each block that is read on its behalf, also ahead of need */
	uint64_t single_page_ps; /* instead of page_ps if nothing is read ahead; 0: page_ps */
};

struct cpu_cost_info {
	const char *name, *what;
	size_t	    offset;
	double	    most_ns; /* so that the costs of a call cannot overflow */
};
extern const struct cpu_cost_info cpu_cost_info[]; /* ends with a NULL name */

static inline uint64_t *
cpu_cost(struct cpu_costs *c, const struct cpu_cost_info *i)
{
	return (uint64_t *)(void *)((char *)c + i->offset);
}

/* Is any of them above 0? */
bool cpu_costs_any(const struct cpu_costs *c);

/* To the nearest picosecond. */
uint64_t cpu_cost_of_ns(double ns);

#endif
