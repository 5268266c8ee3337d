/* sched_fifo.c - first come, first served. */
#include "sim/block/scheduler.h"

static uint32_t
fifo_pick(void *self, const struct queue *q, const struct moment *m)
{
	return 0;
}

SCHEDULER(fifo, .plugin = { .name = "fifo", .summary = "first come, first served" },
    .pick = fifo_pick);
