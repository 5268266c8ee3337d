/* early.c - the queue of plans. */
#include "prefetch/early.h"

/* Looked at to find a victim, so that an eviction is O(1); the next one goes on from there. */
enum {
	LOOKS = 2 * PROBE_BLOCKS, /* blocks, and plans that have left */
	PLANS = 8		  /* plans whose time has not come */
};

static void
add(struct early *q, struct early_plan p)
{
	if (q->newest - q->oldest == EARLY_PLANS)
		q->oldest++;
	q->plan[q->newest++ % EARLY_PLANS] = p;
}

void
early_add(struct early *q, const struct demand *d, const struct absence *a)
{
	add(q,
	    (struct early_plan){ .file = d->file,
		.first = a->first,
		.n = a->end - a->first,
		.end = probes_horizon(q->probes, d, a->n) });
}

static bool
pays_later(const struct early *q, const struct cache *c, file_t file, const struct prices *p)
{
	const struct reuse *reuse = q->probes->reuse;

	return reuse_saves(reuse, c, file, p, 0) > reuse_frame(reuse, c, p);
}

/* The next block of a plan that leaves, or 0: it was used, has left, or is in flight, and is waited for. */
static block_t
next_block(const struct early *q, const struct cache *c, struct early_plan *p)
{
	block_t b = q->probes->trace->file[p->file].base + p->first;
	frame_t f = cache_find(c, b);

	p->leaving = true;
	if (f && c->frame[f].flags & FRAME_INFLIGHT)
		return 0;
	p->first++;
	p->n--;
	return f && c->frame[f].flags & FRAME_PREFETCHED ? b : 0;
}

block_t
early_victim(struct early *q, const struct cache *c, const struct prices *prices)
{
	uint32_t end = q->newest;

	for (unsigned i = 0, early = 0; i < LOOKS && early < PLANS && q->oldest != end; i++) {
		struct early_plan *p = &q->plan[q->oldest % EARLY_PLANS];
		block_t		   b;

		if (p->n && !probes_is_past(q->probes, p->file, p->end, c)) {
			q->oldest++;
			add(q, *p);
			early++;
		} else if (!p->n || (!p->leaving && pays_later(q, c, p->file, prices))) {
			q->oldest++;
		} else if ((b = next_block(q, c, p))) {
			return b;
		}
	}
	return 0;
}
