/*
 * io.h - the device's side of a simulation: submitting blocks, serving
 * requests, writing dirty blocks back.
 */
#ifndef SIM_IO_H
#define SIM_IO_H

#include "sim/sim.h"

enum block_use { USE_DEMAND, USE_PREFETCH, USE_WRITE, USE_WRITE_FILL };

/* Queue one block; the caller has checked for room. */
void io_submit(struct sim *s, block_t b, enum block_use use);

/* Give the device work, if it has none and the queue is not plugged. */
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

/* When the first n blocks of the request in service are readable. */
usec_t io_ready_at(const struct io *io, uint32_t n);

/* What the device has spent its time on until now. */
struct meter io_meter(const struct sim *s);

/* Frame f, readable or not, now holds data the disk has not. */
void io_dirty(struct sim *s, frame_t f);

/* Count the request being served up to now; what follows is not counted. */
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
