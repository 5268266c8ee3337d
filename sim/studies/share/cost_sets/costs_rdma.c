/*
 * costs_rdma.c - processors of 3 GHz on a network of 100 Gbit/s that reads the memory of another
 * node without its processor.
 */
#include "sim/studies/share/model/cost_set.h"

/*
 * Our choice: a byte at 100 Gbit/s takes 80 ps; a microsecond from node to node; nothing is
 * interrupted, as the card serves; a fault is a signal, its handler and mprotect() on Linux of
 * today; memory is copied at 10 GB/s and compared at 2.5 GB/s.
 */
static const struct param params[] = {
	COST_PARAMS(1, 3000, 700, 300, 1000, 0, 80, 100, 400, 200, 50, 100, 100, 500, 100),
	{ 0 },
};

COST_SET(rdma,
    .plugin = { .name = "rdma",
	.summary = "processors of 3 GHz, 100 Gbit/s, remote reads without an interrupt",
	.state_size = sizeof(struct action_costs),
	.params = params },
    .other_ns = 1);
