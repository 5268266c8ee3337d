/*
 * io.h - blocks on their way between the node and the device: submitted,
 * served, delivered, written back.
 */
#ifndef SIM_IO_H
#define SIM_IO_H

#include "sim/core/engine/engine.h"

enum block_use { USE_DEMAND, USE_PREFETCH, USE_WRITE, USE_WRITE_FILL };

/* Queue one block; the caller has checked for room. */
void io_submit(struct engine *g, block_t b, enum block_use use);

/* The same; does it lie behind the block before in memory, too? */
void io_submit_part(struct engine *g, block_t b, enum block_use use, bool continues);

/* Issue requests to the device, as many as it takes, unless the queue is plugged. */
void io_start(struct engine *g);

/* Remove the plug: a process sleeps, or all have ended. */
void io_unplug(struct engine *g);

/* The next event of the device or the flush timer. */
ALWAYS_INLINE usec_t
io_next(const struct engine *g)
{
	return g->storage.next < g->flush_at ? g->storage.next : g->flush_at;
}

/* Advance time to that event and handle it. */
void io_step(struct engine *g);

/* Frame f, readable or not, becomes dirty. */
void io_dirty(struct engine *g, frame_t f);

#endif
