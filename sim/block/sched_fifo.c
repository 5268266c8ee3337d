/* sched_fifo.c - first come, first served. */
#include "sim/block/scheduler.h"

static uint32_t
fifo_pick(void *self, const struct queue *q, const struct moment *m)
{
	return 0;
}

const struct scheduler scheduler_fifo = {
	.plugin = { .name = "fifo", .summary = "first come, first served" },
	.pick = fifo_pick,
};
