/*
 * queue.h - requests that wait for the device, merged where they touch.
 *
 * Idea.  A request costs positioning + blocks x transfer.  At 9 ms and 0.8 ms
 * four blocks take 39.2 ms as requests of their own, and 12.2 ms as one.  So what
 * waits is merged: a block joins a waiting request of its direction that ends
 * right before it or starts right after it, on disk and in the numbering of
 * blocks, as long as the request stays within its limits; else it starts a
 * request of its own.
 *
 *	comes	queue, oldest first
 *	10	[10]
 *	12	[10]  [12]
 *	11	[10]  [11 12]		in front of the newest that it touches
 *	13	[10]  [11 12 13]	behind
 *
 * [10] and [11 12 13] touch now, but stay two requests, unless the rule `joins`
 * is set.  The search looks from the newest request to the oldest: blocks of a
 * stream come after each other, and the newest is most often the one.
 *
 * A struct place says where a block goes.  By default it is that of
 * queue_place(); a scheduler may choose others.  Writes that fill their blocks
 * (--writes accusim) join only requests of the same call.
 *
 * A process that needs block 11 waits only until that is there, not for 12 and 13:
 * demand_end is one behind the last block that a process waits for, and 0 if the
 * request is only read ahead.  A block that joins in front moves it:
 *
 *	ahead 10, demand 11, ahead 12	[- D -]		demand_end 2
 *	ahead 9				[- - D -]	demand_end 3
 *
 * Further properties of the request queue of Linux 2.4 are rules, which are
 * off unless a scheduler sets them: plugging (nothing is served until a
 * process sleeps, so that requests can grow), joining, segments, separate free
 * requests for reads and writes, and a driver that leaves its request in the
 * queue.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { QUEUE_MIN = 3 }; /* requests: a read, the dirty block it evicts, one of a flush */

struct request {
	block_t	 block; /* first of count consecutive blocks */
	uint32_t count;
	uint64_t sector;      /* of the first block */
	usec_t	 queued;      /* time when its first block was submitted */
	uint64_t call;	      /* number of the call that submitted it */
	uint32_t demand_end;  /* 1 + position of the last demanded block; 0: prefetch only */
	uint32_t nprefetched; /* blocks read ahead of need */
	uint32_t segments;    /* of memory, a block each; the queue counts them */
	uint32_t continued;   /* of these, those that lie behind the one before in memory */
	int32_t	 patience;    /* of the scheduler: how often others may still go before it */
	bool	 write;
	bool	 fills;	   /* its blocks become readable when it completes */
	bool	 promoted; /* a prefetch for which a process now waits */
};

struct queue_rules {
	bool	 plugs;	       /* a request that enters an empty queue plugs it */
	bool	 joins;	       /* a request that grows up to its neighbour is merged with it */
	bool	 halves;       /* half of the requests are for reads, half for writes */
	bool	 in_place;     /* the driver works on the first request where it stands */
	bool	 contiguous;   /* blocks that touch on disk touch in memory: one segment */
	uint32_t max_segments; /* of a request; 0: any number */
	uint32_t batch;	       /* a process that lacks a request waits until this many are free */
};

struct queue {
	struct request	  *request;    /* [n], oldest first unless the scheduler sorts */
	uint32_t	   n, limit;   /* requests */
	uint32_t	   writes;     /* of these, writes */
	uint32_t	   max_blocks; /* in one request */
	uint32_t	   block_sectors;
	struct queue_rules rules;
	bool		   plugged;  /* nothing may be taken */
	bool		   serving;  /* the driver works on the first request in place */
	bool		   lacks[2]; /* a process waits for a free read, write */

	/* Of queue.c. */
	struct request *room_end;
	struct request *room; /* request lies in it, and moves on as the first ones leave */
	uint8_t	       *mark; /* table of the edges of requests */
	size_t		last_mark, nmarks;
};

int  queue_init(struct queue *q, uint32_t limit, uint32_t max_blocks, uint32_t block_sectors,
     struct error *e);
void queue_release(struct queue *q);

/* The first thing that is wrong with the queue, or NULL: for tests. */
const char *queue_check(const struct queue *q);

/* ---- adding ---- */

enum placing { PLACE_NEW, PLACE_BACK, PLACE_FRONT };

struct place {
	enum placing how;      /* a new request, or behind or in front of the blocks of request i */
	uint32_t     i;	       /* of a new request, the index that it gets */
	enum placing refused;  /* the merge refused for too many segments, else PLACE_NEW */
	int32_t	     patience; /* of a new request */
};

enum queued {
	QUEUE_NEW,
	QUEUE_MERGED,
	QUEUE_JOINED, /* merged, and then with the neighbour as well */
	QUEUE_FULL,   /* no request is free; nothing has changed */
};

/* False: no request that touches r can grow.  It takes no search. */
bool queue_may_merge(const struct queue *q, const struct request *r);

/* The default place of the one-block request r. */
struct place queue_place(const struct queue *q, const struct request *r);

enum queued queue_put(struct queue *q, const struct request *r, struct place at);

ALWAYS_INLINE enum queued
queue_add(struct queue *q, const struct request *r)
{
	return queue_put(q, r, queue_place(q, r));
}

/* May r be merged into w, at either end? */
ALWAYS_INLINE bool
queue_mergeable(const struct queue *q, const struct request *w, const struct request *r)
{
	return w->write == r->write && w->fills == r->fills &&
	    (!r->write || !r->fills || w->call == r->call) && w->count + r->count <= q->max_blocks;
}

/* Does b start right where a ends? */
ALWAYS_INLINE bool
queue_follows(const struct queue *q, const struct request *a, const struct request *b)
{
	return a->block + a->count == b->block &&
	    a->sector + (uint64_t)a->count * q->block_sectors == b->sector;
}

/* May w grow by this many segments, of blocks that touch its own? */
ALWAYS_INLINE bool
queue_has_segments(const struct queue *q, const struct request *w, uint32_t more)
{
	return !q->rules.max_segments ||
	    w->segments + more - q->rules.contiguous <= q->rules.max_segments;
}

/* The first request that may still change: the driver may work on the one before. */
ALWAYS_INLINE uint32_t
queue_first(const struct queue *q)
{
	return q->rules.in_place && !q->plugged && q->n;
}

/* The waiting request that holds block b, or NULL. */
struct request *queue_find(struct queue *q, block_t b);

/* ---- serving ---- */

struct request queue_remove(struct queue *q, uint32_t i);

/* The driver starts request i, which is the first one if it works in place; and finishes it. */
struct request queue_take(struct queue *q, uint32_t i);
void	       queue_finish(struct queue *q);

/* ---- room ---- */

/* Free requests for reads, or for writes. */
ALWAYS_INLINE uint32_t
queue_free(const struct queue *q, bool write)
{
	ASSERT(q->writes <= q->n && q->n <= q->limit);
	if (!q->rules.halves)
		return q->limit - q->n;
	return write ? q->limit / 2 - q->writes : (q->limit + 1) / 2 - (q->n - q->writes);
}

ALWAYS_INLINE bool
queue_has_room(const struct queue *q, uint32_t reads, uint32_t writes)
{
	if (!q->rules.halves)
		return q->n + reads + writes <= q->limit;
	return reads <= queue_free(q, false) && writes <= queue_free(q, true);
}

/* Note that there was no room for a read and a write.  Is a batch of requests free again? */
void queue_lack(struct queue *q);
bool queue_recovered(struct queue *q);

/* The pieces of memory that request r fills, or empties. */
ALWAYS_INLINE uint32_t
queue_segments(const struct queue *q, const struct request *r)
{
	return q->rules.contiguous ? 1 : r->segments - r->continued;
}

ALWAYS_INLINE bool
request_holds(const struct request *r, block_t b)
{
	return b - r->block < r->count;
}

#endif
