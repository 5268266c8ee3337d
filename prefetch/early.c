/* early.c - the queue of plans. */
#include "prefetch/early.h"

/* Looked at to find a victim, so that an eviction is O(1); the next one goes on from there. */
enum {
	LOOKS = 2 * PROBE_BLOCKS, /* blocks, and plans that have left */
	PLANS = 2		  /* plans that wait: they go to the end of the queue */
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

/* What later uses are worth, of the file that was asked for last: plans next to each other are mostly of one. */
struct worth {
	const struct prices *prices;
	bool		     known;
	file_t		     file;
	double		     saves, frame;
};

/* Later uses of a block of the file are worth more than that part of a frame. */
static bool
pays_later(const struct early *q, const struct cache *c, file_t file, struct worth *w, double part)
{
	const struct reuse *reuse = q->probes->reuse;

	if (!w->known)
		w->frame = reuse_frame(reuse, c, w->prices);
	if (!w->known || w->file != file)
		w->saves = reuse_seen(reuse, c, file, w->prices);
	w->known = true;
	w->file = file;
	return w->saves > part * w->frame;
}

enum fate { WAITS, LEAVES, FORGOTTEN };

static enum fate
fate_of(const struct early *q, const struct early_plan *p, const struct cache *c, struct worth *w)
{
	if (p->leaving)
		return p->n ? LEAVES : FORGOTTEN;
	if (q->known)
		return LEAVES;
	if (probes_has_come(reuse_clock(q->probes->reuse, c), p->end.clock))
		return pays_later(q, c, p->file, w, 1) ? FORGOTTEN : LEAVES;
	if (probes_is_past(q->probes, p->file, p->end, c) &&
	    !pays_later(q, c, p->file, w, 1.0 / PROBE_PART))
		return LEAVES;
	return WAITS;
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
	if (q->known && known_until(q->known, b) < known_stay(c))
		return 0;
	return f && c->frame[f].flags & FRAME_PREFETCHED ? b : 0;
}

block_t
early_victim(struct early *q, const struct cache *c, const struct prices *prices)
{
	struct worth worth = { .prices = prices };
	uint32_t     end = q->newest;

	for (unsigned i = 0, waiting = 0; i < LOOKS && waiting < PLANS && q->oldest != end; i++) {
		struct early_plan *p = &q->plan[q->oldest % EARLY_PLANS];
		enum fate	   fate = fate_of(q, p, c, &worth);
		block_t		   b = fate == LEAVES ? next_block(q, c, p) : 0;

		if (b)
			return b;
		q->oldest += fate != LEAVES;
		if (fate == WAITS) {
			add(q, *p);
			waiting++;
		}
	}
	return 0;
}
