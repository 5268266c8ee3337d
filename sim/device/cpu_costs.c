/* cpu_costs.c - the costs as a table, for options, data sheets and reports. */
#include "sim/device/cpu_costs.h"

#define CALL_MOST_NS 1e7
#define BYTE_MOST_NS 1e5

const struct cpu_cost_info cpu_cost_info[] = {
	{ "call", "each call", offsetof(struct cpu_costs, call_ps), CALL_MOST_NS },
	{ "page", "each block reference", offsetof(struct cpu_costs, page_ps), CALL_MOST_NS },
	{ "byte", "each byte of a call", offsetof(struct cpu_costs, byte_ps), BYTE_MOST_NS },
	{ "read_page", "each block read", offsetof(struct cpu_costs, read_page_ps), CALL_MOST_NS },
	{ "single_page", "each block reference without readahead",
	    offsetof(struct cpu_costs, single_page_ps), CALL_MOST_NS },
	{ 0 },
};

bool
cpu_costs_any(const struct cpu_costs *c)
{
	return c->call_ps || c->page_ps || c->byte_ps || c->read_page_ps || c->single_page_ps;
}

uint64_t
cpu_cost_of_ns(double ns)
{
	return (uint64_t)(ns * 1000 + 0.5);
}
