/* io.c - requests on their way to the device and back. */
#include "sim/io.h"
#include "sim/reader.h"

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
	struct place at = scheduler_place(s->cfg.scheduler, s->scheduler_self, &s->queue, &r);
	enum queued  what = queue_put(&s->queue, &r, at);

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

/* ---- the request in service ---- */

static usec_t
service_time(const struct io *io)
{
	usec_t sum = 0;

	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		sum += io->service.part[i];
	return sum;
}

/* When the first n blocks of the request are readable: data arrive at a steady rate. */
usec_t
io_ready_at(const struct io *io, uint32_t n)
{
	usec_t begin = io->started + io->service.data_begin;

	return begin + (io->done_at - begin) * n / io->request.count;
}

static bool
delivers_piecewise(const struct sim *s)
{
	return s->cfg.complete == COMPLETE_BUFFER && !s->io.request.write;
}

void
io_start(struct sim *s)
{
	struct io      *io = &s->io;
	struct moment	m = { io->head, s->now, s->cfg.device, s->device_self };
	struct transfer t = { .now = s->now };

	if (io->busy || !s->queue.n || s->queue.plugged)
		return;
	io->request =
	    queue_take(&s->queue, s->cfg.scheduler->pick(s->scheduler_self, &s->queue, &m));
	t.sectors = io->request.count * s->queue.block_sectors;
	t.write = io->request.write;
	t.sector = io->request.sector;
	assert(t.sector + t.sectors <= s->layout.capacity);
	s->cfg.device->service(s->device_self, &t, &io->service);
	io->busy = true;
	io->started = s->now;
	io->done_at = s->now + service_time(io);
	io->delivered = 0;
	io->next = delivers_piecewise(s) ? io_ready_at(io, 1) : io->done_at;
	io->head = t.sector + t.sectors;
	s->stats.drive_cache_requests += io->service.from_buffer;
	count_request(&s->stats, &io->request, s->now);
	observe(s, EVENT_IO_START, io->request.block, io->request.count);
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
	struct meter m = s->io.meter;
	usec_t	     current = s->io.busy ? s->now - s->io.started : 0;

	if (s->io.request.write)
		m.write += current;
	else if (s->io.request.demand_end)
		m.demand += current;
	else
		m.prefetch += current;
	return m;
}

/* Count the device's time between from and to, which lie within the service. */
static void
charge(struct sim *s, usec_t from, usec_t to)
{
	uint64_t *part[SERVICE_PARTS] = { &s->stats.overhead_us, &s->stats.seek_us,
		&s->stats.rotation_us, &s->stats.transfer_us, &s->stats.bus_us };
	usec_t	  at = s->io.started;

	s->stats.device_busy_us += (uint64_t)(to - from);
	for (unsigned i = 0; i < SERVICE_PARTS; i++) {
		usec_t begin = at > from ? at : from;
		usec_t end = (at += s->io.service.part[i]) < to ? at : to;

		if (end > begin)
			*part[i] += (uint64_t)(end - begin);
	}
}

void
io_close_account(struct sim *s)
{
	usec_t from = s->io.started;

	if (!s->io.busy || s->ended)
		return;
	charge(s, from > s->counting_since ? from : s->counting_since, s->now);
}

/* ---- completion ---- */

static void
deliver(struct sim *s, uint32_t to)
{
	struct io *io = &s->io;
	uint32_t   from = io->delivered;

	for (uint32_t i = from; io->request.fills && i < to; i++) {
		frame_t f = cache_find(&s->cache, io->request.block + i);

		assert(f); /* in flight means pinned */
		s->cache.frame[f].flags &= (uint8_t)~FRAME_INFLIGHT;
		s->cache.npinned--;
	}
	io->delivered = to;
	readers_deliver(s, from, to);
}

static void
complete(struct sim *s)
{
	const usec_t *part = s->io.service.part;

	io_close_account(s);
	if (s->cfg.prefetcher->served)
		s->cfg.prefetcher->served(s->prefetcher_self,
		    part[SERVICE_OVERHEAD] + part[SERVICE_SEEK] + part[SERVICE_ROTATION],
		    part[SERVICE_TRANSFER] + part[SERVICE_BUS], s->io.request.count);
	s->io.meter = io_meter(s);
	s->io.busy = false;
	s->io.next = USEC_MAX;
	queue_finish(&s->queue);
	observe(s, EVENT_IO_DONE, s->io.request.block, s->io.request.count);
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
	struct io *io = &s->io;

	if (s->flush_at < io->next) {
		s->now = s->flush_at;
		s->flush_at = USEC_MAX;
		flush(s);
	} else {
		s->now = io->next;
		deliver(s, delivers_piecewise(s) ? io->delivered + 1 : io->request.count);
		if (io->delivered < io->request.count)
			io->next = io_ready_at(io, io->delivered + 1);
		else
			complete(s);
		if (s->flushing && !s->ended)
			flush(s);
	}
	io_start(s);
	readers_admit(s);
}
