/*
 * sched_noop.c - the noop elevator of Linux 2.4, for drives that sort by
 * themselves: it plugs and merges as linus does, but a block that touches no
 * request goes to the end, and no request loses patience.
 */
#include "sim/block/sched_linus.h"

static struct place
noop_place(void *self, struct queue *q, const struct request *r)
{
	for (uint32_t i = queue_may_merge(q, r) ? q->n : 0; i-- > queue_first(q);) {
		const struct request *w = &q->request[i];

		if (!queue_mergeable(q, w, r))
			continue;
		if (queue_follows(q, w, r))
			return linus_merge(self, q, PLACE_BACK, i, r);
		if (queue_follows(q, r, w))
			return linus_merge(self, q, PLACE_FRONT, i, r);
	}
	return (struct place){ .i = q->n };
}

SCHEDULER(noop,
    .plugin = { .name = "noop",
	.summary = "merges and plugs as linus, but serves in order of arrival",
	.source = "Linux 2.4, as observed",
	.state_size = sizeof(struct linus),
	.params = linus_params },
    .init = linus_init, .place = noop_place, .pick = linus_pick);
