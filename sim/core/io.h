/*
 * io.h - the device's side of a simulation: submitting blocks, serving
 * requests, writing dirty blocks back.
 */
#ifndef SIM_IO_H
#define SIM_IO_H

#include "sim/core/sim.h"

enum block_use { USE_DEMAND, USE_PREFETCH, USE_WRITE, USE_WRITE_FILL };

/* Queue one block; the caller has checked for room. */
void io_submit(struct sim *s, block_t b, enum block_use use);

/* One of the device, that serves so many requests at once; none is in service. */
int  io_init(struct io *io, uint32_t depth, struct error *e);
void io_release(struct io *io);

/* A request that has left the queue, in the first free place of io->order, is now in service. */
void io_serve(struct io *io, const struct device *d, void *self, uint32_t block_sectors,
    usec_t now);

/* The n-th oldest request is in service no more. */
void io_leave(struct io *io, uint32_t n);

/* Give the device work, as much as it takes, unless the queue is plugged. */
void io_start(struct sim *s);

/* Somebody sleeps, or all is over: what waits behind a plug may go. */
void io_unplug(struct sim *s);

/* The next event of the device or the flush timer. */
ALWAYS_INLINE usec_t
io_next(const struct sim *s)
{
	return s->io.next < s->flush_at ? s->io.next : s->flush_at;
}

/* Let that event happen; time moves to it. */
void io_step(struct sim *s);

/* A frame not in flight, a request for a block, and one for a dirty victim. */
ALWAYS_INLINE bool
io_has_room(const struct sim *s)
{
	return cache_has_room(&s->cache) && queue_has_room(&s->queue, 1, 1);
}

/* When the first n blocks of a request are readable: data arrive at a steady rate. */
usec_t io_ready_at(const struct in_service *i, uint32_t n);

/* The request in service that brings in block b. */
struct request *io_find(const struct io *io, block_t b);

/* What the device has spent its time on until now. */
struct meter io_meter(const struct sim *s);

/* Frame f, readable or not, now holds data the disk has not. */
void io_dirty(struct sim *s, frame_t f);

/* Count the device's time between from and to, when i was the oldest request in service. */
void io_charge(struct stats *st, const struct in_service *i, usec_t from, usec_t to);

/* Count the device's work up to now; unless counting has ended. */
void io_close_account(struct sim *s);

static inline void
observe(const struct sim *s, enum event_kind kind, block_t b, uint32_t count)
{
	const struct observer *o = &s->cfg.observer;

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = s->now, .kind = kind, .block = b, .count = count });
}

#endif
