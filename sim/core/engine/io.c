/* io.c - requests on their way to the device and back. */
#include "sim/core/engine/io.h"

/* ---- submitting ---- */

/* The kernel's flush daemon runs at multiples of an interval. */
static usec_t
next_tick(const struct engine *g, usec_t from)
{
	usec_t every = g->cfg.flush_interval_us;

	return (from + every - 1) / every * every;
}

/* Every merge, of a block or of two requests, saves a request. */
static void
merged(struct engine *g, block_t b, enum queued what)
{
	g->stats.merges += what == QUEUE_JOINED ? 2 : 1;
	observe(g, EVENT_MERGE, b, 1);
}

/* The queue was empty: it is plugged until a process sleeps, or until the next tick. */
static void
plugged(struct engine *g, block_t b)
{
	usec_t tick = next_tick(g, g->now + 1);

	if (tick < g->flush_at)
		g->flush_at = tick;
	observe(g, EVENT_PLUG, b, 1);
}

void
io_submit_part(struct engine *g, block_t b, enum block_use use, bool continues)
{
	struct storage *st = &g->storage;
	struct request	r = {
		 .block = b,
		 .count = 1,
		 .sector = layout_sector(&g->layout, b),
		 .queued = g->now,
		 .call = g->calls,
		 .demand_end = use == USE_DEMAND,
		 .continued = continues,
		 .nprefetched = use == USE_PREFETCH,
		 .write = use >= USE_WRITE,
		 .fills = use != USE_WRITE,
	};
	struct place at = scheduler_place(st->scheduler, st->scheduler_self, &st->queue, &r);
	enum queued  what;

	ASSERT(
	    !r.fills || g->node.cache.frame[cache_find(&g->node.cache, b)].flags & FRAME_INFLIGHT);
	what = queue_put(&st->queue, &r, at);
	ASSERT(what < QUEUE_FULL);
	if (what != QUEUE_NEW)
		merged(g, b, what);
	else if (st->queue.n == 1 && st->queue.plugged)
		plugged(g, b);
}

void
io_submit(struct engine *g, block_t b, enum block_use use)
{
	io_submit_part(g, b, use, false);
}

/* ---- serving ---- */

static void
count_size(struct stats *st, const struct in_service *i)
{
	const struct request *r = &i->request;
	uint64_t	     *all = &st->size_1_requests;
	uint64_t	     *kind = r->write ? &st->write_size_1_requests
			: r->demand_end	      ? &st->demand_size_1_requests
					      : &st->prefetch_size_1_requests;

	all[size_class(r->count)]++;
	kind[size_class(r->count)]++;
	(&st->seek_0_requests)[seek_class(i->distance)]++;
}

static void
count_request(struct stats *st, const struct in_service *i, usec_t now)
{
	const struct request *r = &i->request;

	count_size(st, i);
	ASSERT(r->queued <= now && r->demand_end <= r->count);
	st->queue_us += (uint64_t)(now - r->queued);
	if (r->write) {
		st->write_requests++;
		st->written_blocks += r->count;
		return;
	}
	st->read_requests++;
	st->read_blocks += r->count;
	if (r->demand_end) {
		st->demand_requests++;
		st->ride_along_blocks += r->nprefetched;
	} else {
		st->prefetch_requests++;
		st->promoted_requests += r->promoted;
	}
}

static bool
delivers_piecewise(const struct engine *g, const struct in_service *i)
{
	return g->cfg.complete == COMPLETE_BUFFER && !i->request.write;
}

static void
observe_service(const struct engine *g, enum event_kind kind, const struct in_service *i)
{
	const struct observer *o = &g->cfg.observer;

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = g->now,
			.kind = kind,
			.block = i->request.block,
			.count = i->request.count,
			.service = i });
}

void
io_start(struct engine *g)
{
	struct storage *st = &g->storage;

	while (storage_can_start(st)) {
		struct in_service *i = storage_start(st, g->now);

		ASSERT(st->head <= g->layout.capacity);
		if (delivers_piecewise(g, i))
			storage_expect(st, i, in_service_ready_at(i, 1));
		g->stats.drive_cache_requests += i->service.from_buffer;
		count_request(&g->stats, i, g->now);
		observe_service(g, EVENT_IO_START, i);
	}
}

static void
unplug(struct engine *g)
{
	struct queue *q = &g->storage.queue;

	if (!q->plugged)
		return;
	q->plugged = false;
	observe(g, EVENT_UNPLUG, q->request[0].block, q->request[0].count);
}

void
io_unplug(struct engine *g)
{
	unplug(g);
	io_start(g);
}

/* ---- completion ---- */

static void
deliver(struct engine *g, struct in_service *served, uint32_t to)
{
	struct cache *c = &g->node.cache;
	uint32_t      from = served->delivered;

	ASSERT(from < to && to <= served->request.count);
	for (uint32_t i = from; served->request.fills && i < to; i++) {
		frame_t f = cache_find(c, served->request.block + i);

		ASSERT(
		    f && c->npinned && c->frame[f].flags & FRAME_INFLIGHT); /* so it was pinned */
		c->frame[f].flags &= (uint8_t)~FRAME_INFLIGHT;
		c->npinned--;
	}
	served->delivered = to;
	processes_deliver(g, served, from, to);
}

static void
tell_prefetcher(const struct engine *g, const struct in_service *i)
{
	const struct node *node = &g->node;
	const usec_t	  *part = i->service.part;

	node->prefetcher->finished(node->prefetcher_self,
	    &(struct finished){ .block = i->request.block,
		.count = i->request.count,
		.write = i->request.write,
		.demand = i->request.demand_end,
		.queued = i->request.queued,
		.started = i->started,
		.done = i->done_at,
		.transfer = part[SERVICE_TRANSFER] + part[SERVICE_BUS] });
}

/* The n-th oldest request has ended. */
static void
complete(struct engine *g, struct in_service *i, uint32_t n)
{
	ASSERT(i->done_at == g->now);
	if (g->node.prefetcher->finished)
		tell_prefetcher(g, i);
	if (n == 0 && !g->ended)
		storage_charge(&g->storage, g->counting_since, g->now, &g->stats);
	storage_end(&g->storage, n);
	observe_service(g, EVENT_IO_DONE, i);
}

/* The earliest event of the device or the flush timer. */
static void
advance(struct engine *g)
{
	struct storage	  *st = &g->storage;
	uint32_t	   n;
	struct in_service *i = storage_first(st, &n);

	ASSERT(st->n && st->next >= g->now);
	g->now = st->next;
	deliver(g, i, delivers_piecewise(g, i) ? i->delivered + 1 : i->request.count);
	if (i->delivered < i->request.count)
		i->next = in_service_ready_at(i, i->delivered + 1);
	else
		complete(g, i, n);
	storage_find_next(st);
}

/* ---- writing back ---- */

/* The first tick that finds an old block; earlier ticks would only unplug. */
static usec_t
next_flush(const struct engine *g)
{
	const struct writeback *w = &g->node.writeback;
	usec_t			due;

	if (g->ended || !w->n)
		return USEC_MAX;
	due = w->frame[w->oldest].since + g->cfg.flush_age_us;
	return next_tick(g, due > g->now ? due : g->now + 1);
}

/* Queue old dirty blocks; if the queue is full, continue after the next completion. */
static void
flush_old(struct engine *g)
{
	struct writeback *w = &g->node.writeback;

	while (w->oldest && w->frame[w->oldest].since <= g->now - g->cfg.flush_age_us) {
		struct frame *f = &g->node.cache.frame[w->oldest];

		/* leave room for a process */
		g->flushing = !queue_has_room(&g->storage.queue, 1, 2);
		if (g->flushing)
			return;
		ASSERT(f->block && f->flags & FRAME_DIRTY);
		f->flags &= (uint8_t)~FRAME_DIRTY;
		writeback_remove(w, w->oldest);
		io_submit(g, f->block, USE_WRITE);
	}
	g->flushing = false;
}

static void
flush(struct engine *g)
{
	flush_old(g);
	unplug(g);
	if (!g->flushing)
		g->flush_at = next_flush(g);
}

void
io_dirty(struct engine *g, frame_t f)
{
	struct frame *frame = &g->node.cache.frame[f];

	if (frame->flags & FRAME_DIRTY)
		return;
	ASSERT(frame->block && !(frame->flags & (FRAME_PREFETCHED | FRAME_AWAITED)));
	frame->flags |= FRAME_DIRTY;
	writeback_add(&g->node.writeback, f, g->now);
	if (g->flush_at == USEC_MAX && !g->flushing)
		g->flush_at = next_flush(g);
}

void
io_step(struct engine *g)
{
	if (g->flush_at < g->storage.next) {
		ASSERT(g->flush_at >= g->now);
		g->now = g->flush_at;
		g->flush_at = USEC_MAX;
		flush(g);
	} else {
		advance(g);
		if (g->flushing && !g->ended)
			flush(g);
	}
	io_start(g);
	if (!processes_admit(g))
		io_unplug(g);
}
