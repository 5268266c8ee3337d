/* scheduler.h - what a scheduler must say: which waiting request goes next. */
#ifndef SIM_SCHEDULER_H
#define SIM_SCHEDULER_H

#include "sim/plugin.h"
#include "sim/queue.h"

struct scheduler {
	struct plugin plugin;

	/* Index into a queue that is not empty; head: the sector after the last one served. */
	uint32_t (*pick)(void *self, const struct queue *q, uint64_t head, usec_t now);
};

#endif
