/* scheduler.h - the interface of schedulers: the place of a block, and the next request. */
#ifndef SIM_SCHEDULER_H
#define SIM_SCHEDULER_H

#include "sim/block/queue.h"
#include "sim/device/device.h"

struct moment {			   /* when a request is chosen */
	uint64_t	     head; /* the sector after the last one served */
	usec_t		     now;
	const struct device *device;
	const void	    *device_self;
};

struct scheduler {
	struct plugin plugin;

	/* Set the rules of the queue, which is empty.  NULL: no rules. */
	void (*init)(void *self, struct queue *q);

	/* The place of the one-block request r; may change the patience of waiting requests.
	 * NULL: queue_place(). */
	struct place (*place)(void *self, struct queue *q, const struct request *r);

	/* The index of the next request to serve; the queue is not empty. */
	uint32_t (*pick)(void *self, const struct queue *q, const struct moment *m);
};

#define SCHEDULER_SIZES                                                                            \
	{                                                                                          \
		sizeof(struct scheduler), sizeof(struct queue), sizeof(struct request),            \
		    sizeof(struct moment)                                                          \
	}

/* Define scheduler_<id>. */
#define SCHEDULER(id, ...)                                                                         \
	const struct scheduler	      scheduler_##id = { __VA_ARGS__ };                            \
	const struct plugin_interface scheduler_##id##_interface = { PLUGIN_INTERFACE,             \
		SCHEDULER_SIZES, &scheduler_##id.plugin }

ALWAYS_INLINE struct place
scheduler_place(const struct scheduler *s, void *self, struct queue *q, const struct request *r)
{
	return s->place ? s->place(self, q, r) : queue_place(q, r);
}

#endif
