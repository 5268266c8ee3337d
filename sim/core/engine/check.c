/* check.c - compare what is stored twice: counts with lists, flags with requests. */
#include "sim/core/engine/check.h"

/* ---- nodes ---- */

/* The list of dirty frames, oldest first, has each once. */
static const char *
check_dirty(const struct node *n)
{
	const struct writeback *w = &n->writeback;
	frame_t			dirty = 0, before = NIL;

	for (frame_t f = 1; f <= n->cache.nused; f++)
		dirty += (n->cache.frame[f].flags & FRAME_DIRTY) != 0;
	if (dirty != w->n)
		return "the count of dirty frames is wrong";
	for (frame_t f = w->oldest; f; before = f, f = w->frame[f].newer) {
		if (!dirty-- || !(n->cache.frame[f].flags & FRAME_DIRTY) ||
		    w->frame[f].older != before)
			return "the list of dirty frames is damaged";
		if (before && w->frame[before].since > w->frame[f].since)
			return "the dirty frames are not in the order of their age";
	}
	return dirty || w->newest != before ? "a dirty frame is not in its list" : NULL;
}

/* Blocks that were read early, and whose reference, or end, is still to be counted. */
static const char *
check_counters(const struct node *n)
{
	const struct stats *st = &n->stats;
	uint64_t	    unused = 0, awaited = 0;

	for (frame_t f = 1; f <= n->cache.nused; f++) {
		unsigned flags = n->cache.frame[f].flags;

		awaited += (flags & FRAME_AWAITED) != 0;
		unused += (flags & (FRAME_PREFETCHED | FRAME_UNCOUNTED)) == FRAME_PREFETCHED;
	}
	if (st->references + awaited != st->hits + st->misses + st->late_hits + st->delayed_hits)
		return "the references are not the sum of hits and misses";
	if (st->prefetched_blocks - unused !=
	    st->prefetch_used_blocks + st->prefetch_late_blocks + st->prefetch_wasted_blocks)
		return "the prefetched blocks are not the sum of their outcomes";
	return NULL;
}

const char *
node_check(const struct node *n)
{
	const char *wrong = frame_check(&n->cache);

	if (!wrong && n->shadow.policy)
		wrong = frame_check(&n->shadow.cache);
	if (!wrong)
		wrong = check_dirty(n);
	return wrong ? wrong : check_counters(n);
}

/* ---- the device ---- */

static const char *
check_service(const struct storage *st, uint32_t i)
{
	const struct in_service *s = st->order[i];

	if (s < st->slot || s >= st->slot + st->depth)
		return "a request in service is in no slot";
	for (uint32_t k = 0; k < i; k++)
		if (st->order[k] == s)
			return "two requests in service share a slot";
	if (i >= st->n)
		return NULL;
	if (s->delivered > s->request.count)
		return "more blocks are delivered than were read";
	if (s->started > s->next || s->next > s->done_at || s->next < st->next)
		return "a request in service has an event at a wrong time";
	return NULL;
}

const char *
storage_check(const struct storage *st)
{
	const char *wrong = queue_check(&st->queue);
	bool	    found = !st->n && st->next == USEC_MAX; /* the earliest event */

	if (!wrong && st->n > st->depth)
		wrong = "the device has more requests than it takes";
	for (uint32_t i = 0; i < st->depth && !wrong; i++) {
		wrong = check_service(st, i);
		found = found || (!wrong && i < st->n && st->order[i]->next == st->next);
	}
	return wrong || found ? wrong : "no request has the earliest event";
}

/* ---- both ---- */

/* Blocks from .. of a request are in flight.  Their number; UINT32_MAX: one is not. */
static uint32_t
in_flight(const struct cache *c, const struct request *r, uint32_t from)
{
	for (uint32_t i = from; r->fills && i < r->count; i++)
		if (!(c->frame[cache_find(c, r->block + i)].flags & FRAME_INFLIGHT))
			return UINT32_MAX;
	return r->fills ? r->count - from : 0;
}

/* Each block in flight is in one request, waiting or in service. */
static const char *
check_requests(const struct engine *g)
{
	const struct storage *st = &g->storage;
	const struct cache   *c = &g->node.cache;
	uint64_t	      sum = 0;

	for (uint32_t i = st->queue.serving; i < st->queue.n; i++)
		sum += in_flight(c, &st->queue.request[i], 0);
	for (uint32_t i = 0; i < st->n; i++)
		sum += in_flight(c, &st->order[i]->request, st->order[i]->delivered);
	return sum == c->npinned ? NULL : "the frames in flight are not those of the requests";
}

/* Those that sleep are in the lists that wake them. */
static const char *
check_processes(const struct processes *ps)
{
	uint32_t expecting = 0, room = 0;

	for (const struct process *p = ps->process; p < ps->process + ps->n; p++) {
		expecting += p->expecting;
		room += p->waiting == WAITS_FOR_ROOM;
		if (p->waiting == WAITS_FOR_BLOCK && !(p->expecting && process_expects(p)))
			return "a process waits for a block that does not come";
	}
	return expecting == ps->nexpecting && room == ps->nroom
	    ? NULL
	    : "a process that sleeps is in no list, or in two";
}

const char *
engine_check(const struct engine *g)
{
	const char *wrong = node_check(&g->node);

	if (!wrong)
		wrong = storage_check(&g->storage);
	if (!wrong)
		wrong = check_requests(g);
	return wrong ? wrong : check_processes(&g->processes);
}
