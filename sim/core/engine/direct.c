/*
 * direct.c - calls become requests, wait in the queue, and are served; the
 * device determines how many at a time.
 *
 * A loop is a source of calls: a closed loop thinks and then makes its next
 * call when the one before has ended; the open loop makes each call at its
 * time in the trace.  Calls that find the queue full wait in order of arrival.
 */
#include <stdlib.h>

#include "sim/core/engine/calls.h"
#include "sim/core/engine/clock.h"
#include "sim/core/engine/direct.h"
#include "sim/core/engine/storage.h"

struct direct {
	const struct config *cfg;
	const struct trace  *trace;
	bool		     open;
	struct layout	     layout;
	struct storage	     storage;

	struct calls calls;
	uint32_t    *made;    /* [calls.n] number of calls made by each loop */
	uint32_t    *loop_of; /* [calls of the trace]; NULL: there is one loop */
	struct clock next;    /* the time of the next call of each loop */
	uint32_t    *room;    /* ring: calls that wait for room in the queue */
	size_t	     room_first, nroom, room_max;

	usec_t		 now, counting_since;
	uint64_t	 ended;
	struct responses responses;
	struct stats	 stats;
};

/* ---- calls ---- */

static void
enqueue(struct direct *d, uint32_t call)
{
	const struct access *a = &d->trace->access[call];
	const struct file   *f = &d->trace->file[d->trace->open[a->open].file];
	struct queue	    *q = &d->storage.queue;
	uint64_t	     first = a->offset / SECTOR_BYTES;
	struct request	     r = {
		      .count = (uint32_t)((a->offset + a->length - 1) / SECTOR_BYTES - first + 1),
		      .sector = layout_sector(&d->layout, f->base) + first,
		      .queued = d->responses.us[call], /* when it arrived */
		      .call = call,
		      .demand_end = 1,
		      .write = a->write,
	};

	ASSERT(q->n < q->limit);
	queue_put(q, &r, (struct place){ .how = PLACE_NEW, .i = q->n });
}

static void
arrive(struct direct *d, uint32_t call)
{
	const struct queue *q = &d->storage.queue;

	observe_call(&d->cfg->observer, EVENT_CALL, d->now, d->trace, call, 0);
	response_arrives(&d->responses, call, d->now);
	if (q->n < q->limit) {
		enqueue(d, call);
		return;
	}
	ASSERT(d->nroom < d->room_max);
	d->stats.blocked_requests++;
	d->room[(d->room_first + d->nroom++) % d->room_max] = call;
}

static void
admit(struct direct *d)
{
	const struct queue *q = &d->storage.queue;

	while (d->nroom && q->n < q->limit) {
		enqueue(d, d->room[d->room_first]);
		d->room_first = (d->room_first + 1) % d->room_max;
		d->nroom--;
	}
}

/* After that call the loop makes its next one, or ends. */
static int
go_on(struct direct *d, uint32_t loop, size_t call, struct error *e)
{
	const struct sequence *q = &d->calls.sequence[loop];
	const struct access   *a = d->trace->access;
	size_t		       next;
	usec_t		       us;

	if (++d->made[loop] == q->n)
		return 0;
	next = sequence_call(q, d->made[loop]);
	if (calls_check(&d->calls, next, e))
		return -1;
	us = config_scaled(d->cfg, a[next].time) - config_scaled(d->cfg, a[call].time);
	if (!d->open)
		d->stats.think_us += (uint64_t)us;
	clock_set(&d->next, loop, d->now + us);
	return 0;
}

static int
begin_call(struct direct *d, struct error *e)
{
	usec_t	 before = d->now;
	uint32_t loop = clock_take(&d->next, &d->now);
	size_t	 call = sequence_call(&d->calls.sequence[loop], d->made[loop]);

	ASSERT(d->now >= before);
	arrive(d, (uint32_t)call);
	return d->open ? go_on(d, loop, call, e) : 0;
}

enum { PARTS = 2 };

/* The plug-ins that take part, for their own counters. */
static const struct instance *
parts(const struct direct *d, struct instance part[PARTS])
{
	part[0] = (struct instance){ d->cfg->scheduler.plugin, d->storage.scheduler_self };
	part[1] = (struct instance){ d->cfg->device.plugin, d->storage.device_self };
	return part;
}

static void
start_counting(struct direct *d)
{
	struct instance part[PARTS];

	stats_start(&d->stats, parts(d, part), PARTS);
	d->counting_since = d->now;
	responses_restart(&d->responses, d->now);
}

static void
count(struct stats *st, const struct in_service *i)
{
	st->queue_us += (uint64_t)(i->started - i->request.queued);
	st->read_requests += !i->request.write;
	st->write_requests += i->request.write;
	st->drive_cache_requests += i->service.from_buffer;
}

static void
note_parts(const struct in_service *i, struct response *r)
{
	r->part[0] = i->started - i->request.queued;
	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		r->part[1 + p] = i->service.part[p];
}

/* Complete the request that ends first. */
static const struct in_service *
take_ended(struct direct *d)
{
	uint32_t		 n;
	const struct in_service *i = storage_first(&d->storage, &n);

	ASSERT(d->storage.next >= d->now);
	d->now = d->storage.next;
	if (!n)
		storage_charge(&d->storage, d->counting_since, d->now, &d->stats);
	storage_end(&d->storage, n);
	storage_find_next(&d->storage);
	return i;
}

static int
end_call(struct direct *d, struct error *e)
{
	const struct in_service *i = take_ended(d);
	uint32_t		 call = (uint32_t)i->request.call;

	count(&d->stats, i);
	if (d->responses.detail)
		note_parts(i, &d->responses.detail[call]);
	response_ends(&d->responses, call, d->now);
	observe_call(&d->cfg->observer, EVENT_CALL_DONE, d->now, d->trace, call, 0);
	if (unlikely(++d->ended == d->cfg->warmup_calls))
		start_counting(d);
	return d->open ? 0 : go_on(d, d->loop_of ? d->loop_of[call] : 0, call, e);
}

/* ---- all of it ---- */

static int
start_loops(struct direct *d, struct error *e)
{
	for (uint32_t k = 0; k < d->calls.n; k++) {
		size_t first;

		if (!d->calls.sequence[k].n)
			continue;
		first = sequence_call(&d->calls.sequence[k], 0);
		if (calls_check(&d->calls, first, e))
			return -1;
		clock_set(&d->next, k, config_scaled(d->cfg, d->trace->access[first].time));
	}
	return 0;
}

static int
run(struct direct *d, struct error *e)
{
	struct storage *st = &d->storage;
	struct instance part[PARTS];

	stats_start(&d->stats, parts(d, part), PARTS);
	if (start_loops(d, e))
		return -1;
	while (st->n || d->next.n) {
		bool ends = st->n && st->next <= clock_next(&d->next);

		if (ends ? end_call(d, e) : begin_call(d, e))
			return -1;
		for (; storage_can_start(st); admit(d))
			storage_start(st, d->now);
	}
	return 0;
}

/* The counters of a run without a cache. */
static void
report(struct direct *d, struct stats *out)
{
	struct stats   *st = &d->stats;
	struct instance part[PARTS];

	stats_unknown(out);
	stats_end(out, parts(d, part), PARTS);
	responses_count(&d->responses, d->cfg->warmup_calls, d->now, out);
	out->elapsed_us = (uint64_t)(d->now - d->counting_since);
	if (!d->open)
		out->think_us = st->think_us;
	out->read_requests = st->read_requests;
	out->write_requests = st->write_requests;
	out->blocked_requests = st->blocked_requests;
	out->drive_cache_requests = st->drive_cache_requests;
	out->queue_us = st->queue_us;
	out->device_busy_us = st->device_busy_us;
	out->demand_busy_us = st->demand_busy_us;
	out->prefetch_busy_us = 0;
	out->write_busy_us = st->write_busy_us;
	out->device_idle_us = out->elapsed_us - st->device_busy_us;
	out->device_queue_us = st->device_queue_us;
	out->overhead_us = st->overhead_us;
	out->seek_us = st->seek_us;
	out->rotation_us = st->rotation_us;
	out->transfer_us = st->transfer_us;
	out->bus_us = st->bus_us;
}

/* ---- setting up ---- */

/* The table to find the loop of a call. */
static int
note_loops(struct direct *d, struct error *e)
{
	if (!d->calls.order)
		return 0;
	d->loop_of = calloc(d->trace->naccess, sizeof(*d->loop_of));
	if (!d->loop_of)
		return error_set(e, "out of memory for %zu calls", d->trace->naccess);
	for (uint32_t k = 0; k < d->calls.n; k++)
		for (size_t i = 0; i < d->calls.sequence[k].n; i++)
			d->loop_of[d->calls.sequence[k].order[i]] = k;
	return 0;
}

static int
make_loops(struct direct *d, struct error *e)
{
	const struct trace *t = d->trace;

	if (t->naccess >= UINT32_MAX)
		return error_set(e, "%zu calls are too many for --cache 0", t->naccess);
	if (calls_init(&d->calls, d->cfg, t, e) || note_loops(d, e))
		return -1;
	d->room_max = d->open ? t->naccess : d->calls.n;
	d->made = calloc(d->calls.n, sizeof(*d->made));
	d->room = calloc(d->room_max, sizeof(*d->room));
	if (!d->made || !d->room)
		return error_set(e, "out of memory for %zu calls", t->naccess);
	return clock_init(&d->next, d->calls.n, e);
}

/* Files lie as in a run with a cache, but need no room behind their last sector. */
static int
lay_out(struct direct *d, struct error *e)
{
	const struct trace *t = d->trace;

	d->layout = (struct layout){ .kind = LAYOUT_PACKED,
		.trace = t,
		.block_sectors = t->block_bytes / SECTOR_BYTES,
		.capacity = d->storage.device->capacity(d->storage.device_self) };
	return layout_check(layout_sectors(LAYOUT_PACKED, false, t), d->layout.capacity, e);
}

static int
make_parts(struct direct *d, struct error *e)
{
	return storage_plug_in(&d->storage, d->cfg, e) || lay_out(d, e) || make_loops(d, e) ||
	    storage_init(&d->storage, d->cfg, UINT32_MAX, 1, e) ||
	    responses_init(&d->responses, d->trace->naccess, d->cfg->response, e);
}

static void
release(struct direct *d)
{
	storage_release(&d->storage);
	calls_release(&d->calls);
	clock_release(&d->next);
	responses_release(&d->responses);
	free(d->made);
	free(d->loop_of);
	free(d->room);
}

int
direct_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct direct d = { .cfg = cfg, .trace = t, .open = cfg->replay == REPLAY_OPEN };
	int	      failed = make_parts(&d, e) || run(&d, e);

	if (!failed)
		report(&d, out);
	release(&d);
	return failed ? -1 : 0;
}
