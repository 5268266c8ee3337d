/* costs_cacheline.c - caches in hardware: a page is a line, and the directory answers in 80 ns. */
#include "sim/studies/share/model/cost_set.h"

/* Our choice, for --page 64: nothing but the way there and back, and 5 GB/s. */
static const struct param params[] = {
	COST_PARAMS(1, 0, 0, 0, 40, 0, 200, 0, 0, 0, 0, 20, 20, 0, 20),
	{ 0 },
};

COST_SET(cacheline,
    .plugin = { .name = "cacheline",
	.summary = "lines of caches in hardware, for --page 64",
	.state_size = sizeof(struct action_costs),
	.params = params },
    .other_ns = 1);
