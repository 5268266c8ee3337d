/*
 * sched_scan.c - one-way elevator (C-LOOK): the nearest request at or above
 * the head; if there is none, the lowest.  Requests of equal sectors are
 * served in order of arrival.  O(waiting requests).
 *
 *	P. H. Seaman, R. A. Lind, T. L. Wilson.  On teleprocessing system
 *	design, part IV: an analysis of auxiliary-storage activity.
 *	IBM Systems Journal 5(3), 1966.
 */
#include "sim/block/scheduler.h"

static uint32_t
scan_pick(void *self, const struct queue *q, const struct moment *m)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < q->n; i++) {
		bool above = q->request[i].sector >= m->head;
		bool best_above = q->request[best].sector >= m->head;

		if (above != best_above ? above : q->request[i].sector < q->request[best].sector)
			best = i;
	}
	return best;
}

SCHEDULER(scan,
    .plugin = { .name = "scan",
	.summary = "one-way elevator: ascending, then back to the lowest",
	.source =
	    "P. H. Seaman, R. A. Lind, T. L. Wilson: On teleprocessing system design, part IV, IBM Systems Journal 5(3), 1966" },
    .pick = scan_pick);
