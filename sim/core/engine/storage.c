/* storage.c - the device at work. */
#include <stdlib.h>
#include <string.h>

#include "sim/core/engine/storage.h"

/* ---- setting up ---- */

int
storage_plug_in(struct storage *st, const struct config *cfg, struct error *e)
{
	*st = (struct storage){
		.scheduler = config_scheduler(cfg),
		.device = config_device(cfg),
		.next = USEC_MAX,
	};
	st->device_self = device_start(&cfg->device, e);
	if (!st->device_self)
		return -1;
	st->scheduler_self = plugin_state(cfg->scheduler.plugin, cfg->scheduler.params, e);
	return st->scheduler_self ? 0 : -1;
}

/* A driver that leaves its request in the queue has only one at the device. */
static uint32_t
depth(const struct storage *st)
{
	return st->device->depth && !st->queue.rules.in_place ? st->device->depth(st->device_self)
							      : 1;
}

int
storage_init(struct storage *st, const struct config *cfg, uint32_t max_blocks,
    uint32_t block_sectors, struct error *e)
{
	if (queue_init(&st->queue, cfg->queue_requests, max_blocks, block_sectors, e))
		return -1;
	if (st->scheduler->init)
		st->scheduler->init(st->scheduler_self, &st->queue);
	st->depth = depth(st);
	st->slot = calloc(st->depth, sizeof(*st->slot));
	st->order = calloc(st->depth, sizeof(*st->order));
	if (!st->slot || !st->order)
		return error_set(e, "out of memory for %u requests at once", st->depth);
	for (uint32_t i = 0; i < st->depth; i++)
		st->order[i] = &st->slot[i];
	return 0;
}

void
storage_release(struct storage *st)
{
	if (st->device)
		device_stop(st->device, st->device_self);
	free(st->scheduler_self);
	queue_release(&st->queue);
	free(st->slot);
	free(st->order);
	*st = (struct storage){ 0 };
}

/* ---- requests in service ---- */

/* The arm is still where the last sector was; what follows it is not far. */
static uint64_t
distance(const struct storage *st, uint64_t to)
{
	uint64_t from = st->head;

	if (from == to)
		return 0;
	if (!st->device->cylinder)
		return (from > to ? from - to : to - from) / st->queue.block_sectors;
	from = st->device->cylinder(st->device_self, from ? from - 1 : 0);
	to = st->device->cylinder(st->device_self, to);
	return from > to ? from - to : to - from;
}

struct in_service *
storage_start(struct storage *st, usec_t now)
{
	struct moment	   m = { st->head, now, st->device, st->device_self };
	struct in_service *i = st->order[st->n];
	struct transfer	   t;

	ASSERT(storage_can_start(st));
	i->request =
	    queue_take(&st->queue, st->scheduler->pick(st->scheduler_self, &st->queue, &m));
	t = (struct transfer){
		.sector = i->request.sector,
		.sectors = i->request.count * st->queue.block_sectors,
		.segments = queue_segments(&st->queue, &i->request),
		.write = i->request.write,
		.now = now,
	};
	st->device->service(st->device_self, &t, &i->service);
	ASSERT(service_is_sound(&i->service));
	if (!st->n++)
		st->charged = now;
	i->started = now;
	i->number = ++st->nstarted;
	i->done_at = now + service_us(&i->service);
	i->distance = distance(st, t.sector);
	i->delivered = 0;
	i->meter = storage_meter(st, now);
	st->head = t.sector + t.sectors;
	storage_expect(st, i, i->done_at);
	return i;
}

void
storage_end(struct storage *st, uint32_t n)
{
	struct in_service *i = st->order[n];

	ASSERT(n < st->n && i->delivered <= i->request.count);
	st->n--;
	memmove(&st->order[n], &st->order[n + 1], (st->n - n) * sizeof(*st->order));
	st->order[st->n] = i;
	queue_finish(&st->queue);
}

struct request *
storage_find(const struct storage *st, block_t b)
{
	uint32_t i = 0;

	while (!st->order[i]->request.fills || !request_holds(&st->order[i]->request, b))
		i++;
	ASSERT(i < st->n);
	return &st->order[i]->request;
}

/* ---- its time ---- */

struct meter
storage_meter(const struct storage *st, usec_t now)
{
	const struct request *oldest = &st->order[0]->request;
	struct meter	      m = st->meter;
	usec_t		      current = st->n ? now - st->charged : 0;

	if (oldest->write)
		m.write += current;
	else if (oldest->demand_end)
		m.demand += current;
	else
		m.prefetch += current;
	return m;
}

/* The parts of a service that lie between two moments. */
static void
count_parts(const struct in_service *i, usec_t from, usec_t to, struct stats *stats)
{
	uint64_t *part[SERVICE_PARTS] = { &stats->device_queue_us, &stats->overhead_us,
		&stats->seek_us, &stats->rotation_us, &stats->transfer_us, &stats->bus_us };
	usec_t	  at = i->started;

	stats->device_busy_us += (uint64_t)(to - from);
	for (unsigned k = 0; k < SERVICE_PARTS; k++) {
		usec_t begin = at > from ? at : from;
		usec_t end = (at += i->service.part[k]) < to ? at : to;

		if (end > begin)
			*part[k] += (uint64_t)(end - begin);
	}
}

static uint64_t *
busy_of(const struct request *r, struct stats *stats)
{
	return r->write	    ? &stats->write_busy_us
	    : r->demand_end ? &stats->demand_busy_us
			    : &stats->prefetch_busy_us;
}

void
storage_charge(struct storage *st, usec_t counting_since, usec_t now, struct stats *stats)
{
	usec_t from = st->charged > counting_since ? st->charged : counting_since;

	ASSERT(st->n && st->charged <= now);
	count_parts(st->order[0], from, now, stats);
	*busy_of(&st->order[0]->request, stats) += (uint64_t)(now - from);
	st->meter = storage_meter(st, now);
	st->charged = now;
}
