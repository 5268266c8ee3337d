/* lent.c - the queue of plans. */
#include "prefetch/lent.h"

enum { MOST = 2 * PROBE_BLOCKS }; /* blocks looked at to find one */

void
lent_add(struct lent *l, const struct demand *d, const struct absence *a)
{
	if (l->newest - l->oldest == LENT_PLANS)
		l->oldest++;
	l->plan[l->newest++ % LENT_PLANS] = (struct lent_plan){ .file = d->file,
		.first = a->first,
		.n = a->end - a->first,
		.due = probes_old_at(d->cache, later_clock(l->probes->later, d->cache) + a->n) };
}

static bool
pays_later(const struct lent *l, const struct cache *c, file_t file, const struct prices *p)
{
	const struct later *later = l->probes->later;

	return later_saves(later, c, file, p, 0) > later_frame(later, c, p);
}

block_t
lent_take(struct lent *l, const struct cache *c, const struct prices *prices)
{
	for (unsigned i = 0; i < MOST && lent_is_due(l, c); i++) {
		struct lent_plan *p = &l->plan[l->oldest % LENT_PLANS];
		block_t		  b = l->probes->trace->file[p->file].base + p->first;
		frame_t		  f;

		if (!p->n || (!p->back && pays_later(l, c, p->file, prices))) {
			l->oldest++;
			continue;
		}
		p->back = true;
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
