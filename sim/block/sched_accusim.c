/*
 * sched_accusim.c - first come, first served, with the requests of AccuSim
 * (Butt, Gniady, Hu, SIGMETRICS 2005).
 *
 * A block joins only the last request, if that is of the same call and ends
 * right before it; and a demanded block joins no request for prefetched blocks.
 */
#include "sim/block/scheduler.h"

static struct place
accusim_place(void *self, struct queue *q, const struct request *r)
{
	const struct request *last = q->n ? &q->request[q->n - 1] : NULL;

	if (last && last->call == r->call && (last->demand_end || !r->demand_end) &&
	    queue_follows(q, last, r) && queue_mergeable(q, last, r))
		return (struct place){ .how = PLACE_BACK, .i = q->n - 1 };
	return (struct place){ .i = q->n };
}

static uint32_t
accusim_pick(void *self, const struct queue *q, const struct moment *m)
{
	return 0;
}

SCHEDULER(accusim,
    .plugin = { .name = "accusim",
	.summary = "first come, first served; blocks of different calls share no request" },
    .place = accusim_place, .pick = accusim_pick);
