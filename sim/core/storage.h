/*
 * storage.h - the device behind its queue: requests wait, the scheduler
 * picks, the device serves as many at once as it can.
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
	uint32_t       delivered; /* blocks of it that are readable already */
	usec_t	       next;	  /* next delivery, or completion */
	struct meter   meter;	  /* as it stood when this started */
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
	usec_t			next;	 /* the earliest of theirs; USEC_MAX when idle */
	usec_t			charged; /* up to this moment */
	uint64_t		head;	 /* sector after the one started last */
	struct meter		meter;	 /* of what is charged */
};

/* The device and the scheduler; the device can then say how much it holds. */
int storage_plug_in(struct storage *st, const struct config *cfg, struct error *e);

/* The queue: requests of at most that many blocks, each of that many sectors. */
int storage_init(struct storage *st, const struct config *cfg, uint32_t max_blocks,
    uint32_t block_sectors, struct error *e);

/* Also after one of these failed. */
void storage_release(struct storage *st);

/* Can the device begin with one more request? */
ALWAYS_INLINE bool
storage_can_start(const struct storage *st)
{
	return st->n < st->depth && st->queue.n && !st->queue.plugged;
}

/* It begins with the request that the scheduler picks, which is now the newest in service. */
struct in_service *storage_start(struct storage *st, usec_t now);

/* Something happens to it before it ends. */
ALWAYS_INLINE void
storage_expect(struct storage *st, struct in_service *i, usec_t at)
{
	i->next = at;
	if (at < st->next)
		st->next = at;
}

/* What happens first; of several at the same time, that of the oldest: *n is its rank. */
ALWAYS_INLINE struct in_service *
storage_first(const struct storage *st, uint32_t *n)
{
	*n = 0;
	while (st->order[*n]->next > st->next)
		++*n;
	return st->order[*n];
}

/* The n-th oldest request is in service no more; its slot keeps it until the next start. */
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

	return begin + (i->done_at - begin) * n / i->request.count;
}

/* What the device has spent its time on until now. */
struct meter storage_meter(const struct storage *st, usec_t now);

/*
 * The oldest request has ended, or counting ends: count the time since the
 * last charge, but not before counting began.
 */
void storage_charge(struct storage *st, usec_t counting_since, usec_t now, struct stats *stats);

#endif
