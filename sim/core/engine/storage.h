/*
 * storage.h - the device and its queue: requests wait, the scheduler chooses,
 * and the device serves up to its depth at once.
 */
#ifndef SIM_STORAGE_H
#define SIM_STORAGE_H

#include "sim/core/config.h"
#include "sim/core/stats.h"

/* The time that the device has worked for each kind of request. */
struct meter {
	usec_t demand, prefetch, write;
};

/* A request the device is working on. */
struct in_service {
	struct request request;
	struct service service;
	usec_t	       started, done_at;
	uint32_t       number;	  /* of its start, modulo 2^32 */
	uint64_t       distance;  /* from the end of the one before: cylinders, or blocks */
	uint32_t       delivered; /* blocks of it that are readable already */
	usec_t	       next;	  /* next delivery, or completion */
	struct meter   meter;	  /* at its start */
};

/* Each moment of the device's time is charged to the oldest request then in service. */
struct storage {
	const struct scheduler *scheduler;
	const struct device    *device;
	void		       *scheduler_self, *device_self;
	struct queue		queue;
	struct in_service      *slot;  /* [depth] */
	struct in_service     **order; /* [depth]: n in service, oldest first; then the free ones */
	uint32_t		n, depth;
	uint32_t		nstarted; /* requests, modulo 2^32 */
	usec_t			next;	  /* the earliest of their events; USEC_MAX when idle */
	usec_t			charged;  /* up to this moment */
	uint64_t		head;	  /* sector after the request started last */
	struct meter		meter;	  /* of the charged time */
};

/* Start the device and the scheduler; the capacity of the device is then known. */
int storage_plug_in(struct storage *st, const struct config *cfg, struct error *e);

/* Create the queue: requests of at most that many blocks, each of that many sectors. */
int storage_init(struct storage *st, const struct config *cfg, uint32_t max_blocks,
    uint32_t block_sectors, struct error *e);

/* To be called also if one of these failed. */
void storage_release(struct storage *st);

/* Can one more request be issued? */
ALWAYS_INLINE bool
storage_can_start(const struct storage *st)
{
	return st->n < st->depth && st->queue.n && !st->queue.plugged;
}

/* Issue the request that the scheduler chooses; it is now the newest in service. */
struct in_service *storage_start(struct storage *st, usec_t now);

/* Set the time of its next event before its end. */
ALWAYS_INLINE void
storage_expect(struct storage *st, struct in_service *i, usec_t at)
{
	i->next = at;
	if (at < st->next)
		st->next = at;
}

/* The request with the earliest event, the oldest among equals; *n is its rank. */
ALWAYS_INLINE struct in_service *
storage_first(const struct storage *st, uint32_t *n)
{
	ASSERT(st->n);
	*n = 0;
	while (st->order[*n]->next > st->next)
		++*n;
	return st->order[*n];
}

/* Take the n-th oldest request out of service; its slot is valid until the next start. */
void storage_end(struct storage *st, uint32_t n);

/* An event of a request in service has passed: find the next one. */
ALWAYS_INLINE void
storage_find_next(struct storage *st)
{
	st->next = USEC_MAX;
	for (uint32_t n = 0; n < st->n; n++)
		if (st->order[n]->next < st->next)
			st->next = st->order[n]->next;
}

/* The request in service that brings in block b. */
struct request *storage_find(const struct storage *st, block_t b);

/* When the first n blocks of a request are readable: data arrive at a steady rate. */
ALWAYS_INLINE usec_t
in_service_ready_at(const struct in_service *i, uint32_t n)
{
	usec_t begin = i->started + i->service.data_begin;

	ASSERT(n <= i->request.count);
	return begin + (i->done_at - begin) * n / i->request.count;
}

/* The time that the device has worked for each kind of request until now. */
struct meter storage_meter(const struct storage *st, usec_t now);

/*
 * The oldest request has ended, or counting ends: count the time since the
 * last charge, but not before counting began.
 */
void storage_charge(struct storage *st, usec_t counting_since, usec_t now, struct stats *stats);

#endif
