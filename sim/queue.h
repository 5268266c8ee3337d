/*
 * queue.h - requests that wait for the device, merged where they touch.
 *
 * A block joins a waiting request of its direction that ends right before it
 * or starts right after it, on disk and in the numbering of blocks, as long
 * as the request stays within its limit.  Scanned from the newest request to
 * the oldest, as in Linux 2.4.  Writes that fill their blocks (--writes
 * accusim) join only those of the same call.  The order of service is the
 * scheduler's.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "sim/error.h"
#include "sim/types.h"

enum { QUEUE_MIN = 3 }; /* requests: a read, the dirty block it evicts, one of a flush */

struct request {
	block_t	 block; /* first of count consecutive blocks */
	uint32_t count;
	uint64_t sector; /* where the first block lies */
	usec_t	 queued; /* when its first block was submitted */
	uint64_t call;	 /* number of the call that did */
	uint32_t
	    demand_end; /* 1 + position of the last block somebody waits for; 0: prefetch only */
	uint32_t nprefetched; /* blocks read ahead of need */
	bool	 write;
	bool	 fills;	   /* its blocks become readable when it completes */
	bool	 promoted; /* a prefetch that somebody came to wait for */
};

struct queue {
	struct request *request;    /* [limit], oldest first */
	uint32_t	n, limit;   /* requests */
	uint32_t	max_blocks; /* in one request */
	uint32_t	block_sectors;
};

int  queue_init(struct queue *q, uint32_t limit, uint32_t max_blocks, uint32_t block_sectors,
     struct error *e);
void queue_release(struct queue *q);

enum queued { QUEUE_NEW, QUEUE_MERGED };

/* Add the one-block request r: the caller has checked for room. */
enum queued    queue_add(struct queue *q, const struct request *r);
struct request queue_remove(struct queue *q, uint32_t i);

/* The waiting request that holds block b, or NULL. */
struct request *queue_find(struct queue *q, block_t b);

ALWAYS_INLINE bool
queue_has_room(const struct queue *q, uint32_t requests)
{
	return q->n + requests <= q->limit;
}

ALWAYS_INLINE bool
request_holds(const struct request *r, block_t b)
{
	return b - r->block < r->count;
}

#endif
