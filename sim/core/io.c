/* io.c - requests on their way to the device and back. */
#include <stdlib.h>
#include <string.h>

#include "sim/core/io.h"
#include "sim/core/reader.h"

/* ---- submitting ---- */

/* The kernel's flush daemon runs at multiples of an interval. */
static usec_t
next_tick(const struct sim *s, usec_t from)
{
	usec_t every = s->cfg.flush_interval_us;

	return (from + every - 1) / every * every;
}

static void
count_size(struct stats *st, const struct request *r)
{
	uint64_t *all = &st->size_1_requests;
	uint64_t *kind = r->write ? &st->write_size_1_requests
	    : r->demand_end	  ? &st->demand_size_1_requests
				  : &st->prefetch_size_1_requests;

	all[size_class(r->count)]++;
	kind[size_class(r->count)]++;
}

/* Every merge, of a block or of two requests, saves a request. */
static void
merged(struct sim *s, block_t b, enum queued what)
{
	s->stats.merges += what == QUEUE_JOINED ? 2 : 1;
	observe(s, EVENT_MERGE, b, 1);
}

/* The queue was empty: what has come now waits until somebody does, or for the next tick. */
static void
plugged(struct sim *s, block_t b)
{
	usec_t tick = next_tick(s, s->now + 1);

	if (tick < s->flush_at)
		s->flush_at = tick;
	observe(s, EVENT_PLUG, b, 1);
}

void
io_submit(struct sim *s, block_t b, enum block_use use)
{
	struct request r = {
		.block = b,
		.count = 1,
		.sector = layout_sector(&s->layout, b),
		.queued = s->now,
		.call = s->calls,
		.demand_end = use == USE_DEMAND,
		.nprefetched = use == USE_PREFETCH,
		.write = use >= USE_WRITE,
		.fills = use != USE_WRITE,
	};
	struct place at =
	    scheduler_place(config_scheduler(&s->cfg), s->scheduler_self, &s->queue, &r);
	enum queued what = queue_put(&s->queue, &r, at);

	assert(what < QUEUE_FULL);
	if (what != QUEUE_NEW)
		merged(s, b, what);
	else if (s->queue.n == 1 && s->queue.plugged)
		plugged(s, b);
}

static void
count_request(struct stats *st, const struct request *r, usec_t now)
{
	count_size(st, r);
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

/* ---- requests in service ---- */

int
io_init(struct io *io, uint32_t depth, struct error *e)
{
	*io = (struct io){ .depth = depth, .next = USEC_MAX };
	io->slot = calloc(depth, sizeof(*io->slot));
	io->order = calloc(depth, sizeof(*io->order));
	if (!io->slot || !io->order)
		return error_set(e, "out of memory for %u requests at once", depth);
	for (uint32_t i = 0; i < depth; i++)
		io->order[i] = &io->slot[i];
	return 0;
}

void
io_release(struct io *io)
{
	free(io->slot);
	free(io->order);
}

struct request *
io_find(const struct io *io, block_t b)
{
	uint32_t i = 0;

	while (!io->order[i]->request.fills || !request_holds(&io->order[i]->request, b))
		i++;
	assert(i < io->n);
	return &io->order[i]->request;
}

usec_t
io_ready_at(const struct in_service *i, uint32_t n)
{
	usec_t begin = i->started + i->service.data_begin;

	return begin + (i->done_at - begin) * n / i->request.count;
}

static bool
delivers_piecewise(const struct sim *s, const struct in_service *i)
{
	return s->cfg.complete == COMPLETE_BUFFER && !i->request.write;
}

void
io_serve(struct io *io, const struct device *d, void *self, uint32_t block_sectors, usec_t now)
{
	struct in_service *i = io->order[io->n];
	struct transfer	   t = {
		   .sector = i->request.sector,
		   .sectors = i->request.count * block_sectors,
		   .write = i->request.write,
		   .now = now,
	};

	d->service(self, &t, &i->service);
	if (!io->n++)
		io->charged = now;
	i->started = now;
	i->done_at = now + service_us(&i->service);
	io->head = t.sector + t.sectors;
}

void
io_leave(struct io *io, uint32_t n)
{
	struct in_service *i = io->order[n];

	io->n--;
	memmove(&io->order[n], &io->order[n + 1], (io->n - n) * sizeof(*io->order));
	io->order[io->n] = i;
}

/* The device begins with a request that has left the queue. */
static void
start(struct sim *s, struct in_service *i)
{
	struct io *io = &s->io;

	assert(i->request.sector + (uint64_t)i->request.count * s->queue.block_sectors <=
	    s->layout.capacity);
	io_serve(io, config_device(&s->cfg), s->device_self, s->queue.block_sectors, s->now);
	i->delivered = 0;
	i->next = delivers_piecewise(s, i) ? io_ready_at(i, 1) : i->done_at;
	i->meter = io_meter(s);
	if (i->next < io->next)
		io->next = i->next;
	s->stats.drive_cache_requests += i->service.from_buffer;
	count_request(&s->stats, &i->request, s->now);
	observe(s, EVENT_IO_START, i->request.block, i->request.count);
}

void
io_start(struct sim *s)
{
	struct io *io = &s->io;

	while (io->n < io->depth && s->queue.n && !s->queue.plugged) {
		struct moment	   m = { io->head, s->now, config_device(&s->cfg), s->device_self };
		struct in_service *i = io->order[io->n];

		i->request = queue_take(&s->queue,
		    config_scheduler(&s->cfg)->pick(s->scheduler_self, &s->queue, &m));
		start(s, i);
	}
}

static void
unplug(struct sim *s)
{
	if (!s->queue.plugged)
		return;
	s->queue.plugged = false;
	observe(s, EVENT_UNPLUG, s->queue.request[0].block, s->queue.request[0].count);
}

void
io_unplug(struct sim *s)
{
	unplug(s);
	io_start(s);
}

struct meter
io_meter(const struct sim *s)
{
	const struct request *oldest = &s->io.order[0]->request;
	struct meter	      m = s->io.meter;
	usec_t		      current = s->io.n ? s->now - s->io.charged : 0;

	if (oldest->write)
		m.write += current;
	else if (oldest->demand_end)
		m.demand += current;
	else
		m.prefetch += current;
	return m;
}

void
io_charge(struct stats *st, const struct in_service *i, usec_t from, usec_t to)
{
	uint64_t *part[SERVICE_PARTS] = { &st->device_queue_us, &st->overhead_us, &st->seek_us,
		&st->rotation_us, &st->transfer_us, &st->bus_us };
	usec_t	  at = i->started;

	st->device_busy_us += (uint64_t)(to - from);
	for (unsigned k = 0; k < SERVICE_PARTS; k++) {
		usec_t begin = at > from ? at : from;
		usec_t end = (at += i->service.part[k]) < to ? at : to;

		if (end > begin)
			*part[k] += (uint64_t)(end - begin);
	}
}

void
io_close_account(struct sim *s)
{
	usec_t from = s->io.charged;

	if (!s->io.n || s->ended)
		return;
	io_charge(&s->stats, s->io.order[0], from > s->counting_since ? from : s->counting_since,
	    s->now);
}

/* ---- completion ---- */

static void
deliver(struct sim *s, struct in_service *served, uint32_t to)
{
	uint32_t from = served->delivered;

	for (uint32_t i = from; served->request.fills && i < to; i++) {
		frame_t f = cache_find(&s->cache, served->request.block + i);

		assert(f); /* in flight means pinned */
		s->cache.frame[f].flags &= (uint8_t)~FRAME_INFLIGHT;
		s->cache.npinned--;
	}
	served->delivered = to;
	readers_deliver(s, served, from, to);
}

/* The n-th oldest request has ended. */
static void
complete(struct sim *s, uint32_t n)
{
	struct io	  *io = &s->io;
	struct in_service *i = io->order[n];
	const usec_t	  *part = i->service.part;

	if (config_prefetcher(&s->cfg)->served)
		config_prefetcher(&s->cfg)->served(s->prefetcher_self,
		    i->done_at - i->started - part[SERVICE_TRANSFER] - part[SERVICE_BUS],
		    part[SERVICE_TRANSFER] + part[SERVICE_BUS], i->request.count);
	if (n == 0) {
		io_close_account(s);
		io->meter = io_meter(s);
		io->charged = s->now;
	}
	io_leave(io, n);
	queue_finish(&s->queue);
	observe(s, EVENT_IO_DONE, i->request.block, i->request.count);
}

/* What happens first; of several at the same time, that of the oldest request. */
static void
advance(struct sim *s)
{
	struct io	  *io = &s->io;
	struct in_service *i;
	uint32_t	   n = 0;

	s->now = io->next;
	while (io->order[n]->next > s->now)
		n++;
	i = io->order[n];
	deliver(s, i, delivers_piecewise(s, i) ? i->delivered + 1 : i->request.count);
	if (i->delivered < i->request.count)
		i->next = io_ready_at(i, i->delivered + 1);
	else
		complete(s, n);
	io->next = USEC_MAX;
	for (n = 0; n < io->n; n++)
		if (io->order[n]->next < io->next)
			io->next = io->order[n]->next;
}

/* ---- writing back ---- */

/* The first tick that finds a block old enough: those before would do nothing but unplug. */
static usec_t
next_flush(const struct sim *s)
{
	const struct writeback *w = &s->writeback;
	usec_t			due;

	if (s->ended || !w->n)
		return USEC_MAX;
	due = w->frame[w->oldest].since + s->cfg.flush_age_us;
	return next_tick(s, due > s->now ? due : s->now + 1);
}

/* Queue what is old enough; with the queue full, go on after the next completion. */
static void
flush_old(struct sim *s)
{
	struct writeback *w = &s->writeback;

	while (w->oldest && w->frame[w->oldest].since <= s->now - s->cfg.flush_age_us) {
		struct frame *f = &s->cache.frame[w->oldest];

		s->flushing = !queue_has_room(&s->queue, 1, 2); /* leave room for a reader */
		if (s->flushing)
			return;
		f->flags &= (uint8_t)~FRAME_DIRTY;
		writeback_remove(w, w->oldest);
		io_submit(s, f->block, USE_WRITE);
	}
	s->flushing = false;
}

static void
flush(struct sim *s)
{
	flush_old(s);
	unplug(s);
	if (!s->flushing)
		s->flush_at = next_flush(s);
}

void
io_dirty(struct sim *s, frame_t f)
{
	if (s->cache.frame[f].flags & FRAME_DIRTY)
		return;
	s->cache.frame[f].flags |= FRAME_DIRTY;
	writeback_add(&s->writeback, f, s->now);
	if (s->flush_at == USEC_MAX && !s->flushing)
		s->flush_at = next_flush(s);
}

void
io_step(struct sim *s)
{
	if (s->flush_at < s->io.next) {
		s->now = s->flush_at;
		s->flush_at = USEC_MAX;
		flush(s);
	} else {
		advance(s);
		if (s->flushing && !s->ended)
			flush(s);
	}
	io_start(s);
	readers_admit(s);
}
