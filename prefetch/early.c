/* early.c - the queue of plans. */
#include "prefetch/early.h"

/* Blocks looked at to find a victim, so that an eviction is O(1); the next one goes on from there. */
enum { LOOKS = 2 * PROBE_BLOCKS };

void
early_add(struct early *q, const struct demand *d, const struct absence *a)
{
	if (q->newest - q->oldest == EARLY_PLANS)
		q->oldest++;
	q->plan[q->newest++ % EARLY_PLANS] = (struct early_plan){ .file = d->file,
		.first = a->first,
		.n = a->end - a->first,
		.due = probes_old_at(d->cache, reuse_clock(q->probes->reuse, d->cache) + a->n) };
}

static bool
pays_later(const struct early *q, const struct cache *c, file_t file, const struct prices *p)
{
	const struct reuse *reuse = q->probes->reuse;

	return reuse_saves(reuse, c, file, p, 0) > reuse_frame(reuse, c, p);
}

block_t
early_victim(struct early *q, const struct cache *c, const struct prices *prices)
{
	for (unsigned i = 0; i < LOOKS && early_is_due(q, c); i++) {
		struct early_plan *p = &q->plan[q->oldest % EARLY_PLANS];
		block_t		   b = q->probes->trace->file[p->file].base + p->first;
		frame_t		   f;

		if (!p->n || (!p->leaving && pays_later(q, c, p->file, prices))) {
			q->oldest++;
			continue;
		}
		p->leaving = true;
		f = cache_find(c, b);
		if (f && c->frame[f].flags & FRAME_INFLIGHT)
			return 0;
		p->first++;
		p->n--;
		if (f && c->frame[f].flags & FRAME_PREFETCHED)
			return b;
	}
	return 0;
}
