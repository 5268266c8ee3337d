/*
 * direct.c - calls become requests, wait in the queue, and are served as many
 * at a time as the device can.
 *
 * A loop is a source of calls: a closed one thinks and then makes its next
 * call when the one before has ended; the open one makes each when the trace
 * says.  A call that finds the queue full waits before it, first come first.
 */
#include <stdlib.h>

#include "sim/core/direct.h"
#include "sim/core/io.h"

struct direct {
	const struct config *cfg;
	const struct trace  *trace;
	void		    *device_self, *scheduler_self;
	bool		     open;
	struct layout	     layout;
	struct queue	     queue;

	uint32_t    *loop;    /* [nloops] its next call */
	uint32_t    *follows; /* the call of the same loop behind each; NULL: the next of all */
	uint32_t     nloops;
	struct clock calls; /* when each loop makes its next call */
	uint32_t    *room;  /* ring: calls that wait for room in the queue */
	size_t	     room_first, nroom, room_max;
	struct io    io;
	struct clock ends; /* when each slot of it does */

	size_t		 checked; /* calls known to be intact */
	usec_t		 now, counting_since;
	uint64_t	 ended;
	struct responses responses;
	struct stats	 stats;
};

static void
observe_call(const struct direct *d, enum event_kind kind, uint64_t call)
{
	const struct observer *o = &d->cfg->observer;

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = d->now,
			.kind = kind,
			.call = &d->trace->access[call] });
}

/* ---- the device ---- */

static void
serve(struct direct *d)
{
	const struct config *c = d->cfg;
	struct io	    *io = &d->io;
	struct moment	     m = { io->head, d->now, config_device(c), d->device_self };
	struct in_service   *i = io->order[io->n];

	i->request =
	    queue_take(&d->queue, config_scheduler(c)->pick(d->scheduler_self, &d->queue, &m));
	io_serve(io, config_device(c), d->device_self, d->queue.block_sectors, d->now);
	clock_set(&d->ends, (uint32_t)(i - io->slot), i->done_at);
}

/* Time is charged to the oldest request, up to its end. */
static void
charge(struct direct *d)
{
	io_charge(&d->stats, d->io.order[0], d->io.charged, d->now);
	d->io.charged = d->now;
}

/* The request that ends first is in service no more. */
static struct in_service *
take_ended(struct direct *d)
{
	struct io	  *io = &d->io;
	struct in_service *i = &io->slot[clock_take(&d->ends, &d->now)];
	uint32_t	   n = 0;

	while (io->order[n] != i)
		n++;
	if (!n)
		charge(d);
	io_leave(io, n);
	return i;
}

/* ---- calls ---- */

static void
enqueue(struct direct *d, uint32_t call)
{
	const struct access *a = &d->trace->access[call];
	const struct file   *f = &d->trace->file[d->trace->open[a->open].file];
	uint64_t	     first = a->offset / SECTOR_BYTES;
	struct request	     r = {
		      .count = (uint32_t)((a->offset + a->length - 1) / SECTOR_BYTES - first + 1),
		      .sector = layout_sector(&d->layout, f->base) + first,
		      .queued = d->responses.us[call], /* when it arrived */
		      .call = call,
		      .demand_end = 1,
		      .write = a->write,
	};

	queue_put(&d->queue, &r, (struct place){ .how = PLACE_NEW, .i = d->queue.n });
}

static void
arrive(struct direct *d, uint32_t call)
{
	observe_call(d, EVENT_CALL, call);
	response_arrives(&d->responses, call, d->now);
	if (d->queue.n < d->queue.limit) {
		enqueue(d, call);
		return;
	}
	d->stats.blocked_requests++;
	d->room[(d->room_first + d->nroom++) % d->room_max] = call;
}

static void
admit(struct direct *d)
{
	while (d->nroom && d->queue.n < d->queue.limit) {
		enqueue(d, d->room[d->room_first]);
		d->room_first = (d->room_first + 1) % d->room_max;
		d->nroom--;
	}
}

static uint32_t
loop_of(const struct direct *d, const struct access *a)
{
	uint32_t process = d->trace->open[a->open].process;

	if (!d->follows)
		return 0;
	return d->cfg->replay == REPLAY_PROCESS ? process : d->trace->program_of[process];
}

static int
check_call(struct direct *d, size_t call, struct error *e)
{
	if (likely(call < d->checked))
		return 0;
	if (trace_check(d->trace, d->checked, TRACE_BATCH, e))
		return -1;
	d->checked += TRACE_BATCH;
	return 0;
}

/* What the loop does after that call, from now on. */
static int
go_on(struct direct *d, uint32_t loop, uint32_t call, struct error *e)
{
	const struct access *a = d->trace->access;
	uint32_t	     next = d->follows ? d->follows[call] : call + 1;
	usec_t		     us;

	if (next == d->trace->naccess)
		return 0;
	if (check_call(d, next, e))
		return -1;
	us = config_scaled(d->cfg, a[next].time) - config_scaled(d->cfg, a[call].time);
	if (!d->open)
		d->stats.think_us += (uint64_t)us;
	d->loop[loop] = next;
	clock_set(&d->calls, loop, d->now + us);
	return 0;
}

static int
begin_call(struct direct *d, struct error *e)
{
	uint32_t loop = clock_take(&d->calls, &d->now), call = d->loop[loop];

	arrive(d, call);
	return d->open ? go_on(d, loop, call, e) : 0;
}

enum { PARTS = 2 };

/* The plug-ins that take part, for what they count themselves. */
static const struct instance *
parts(const struct direct *d, struct instance part[PARTS])
{
	part[0] = (struct instance){ d->cfg->scheduler.plugin, d->scheduler_self };
	part[1] = (struct instance){ d->cfg->device.plugin, d->device_self };
	return part;
}

static void
start_counting(struct direct *d)
{
	struct instance part[PARTS];

	stats_start(&d->stats, parts(d, part), PARTS);
	d->counting_since = d->io.charged = d->now;
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

static int
end_call(struct direct *d, struct error *e)
{
	const struct in_service *i = take_ended(d);
	uint32_t		 call = (uint32_t)i->request.call;

	count(&d->stats, i);
	if (d->responses.detail)
		note_parts(i, &d->responses.detail[call]);
	response_ends(&d->responses, call, d->now);
	observe_call(d, EVENT_CALL_DONE, call);
	if (unlikely(++d->ended == d->cfg->warmup_calls))
		start_counting(d);
	return d->open ? 0 : go_on(d, loop_of(d, &d->trace->access[call]), call, e);
}

/* ---- all of it ---- */

static int
start_loops(struct direct *d, struct error *e)
{
	for (uint32_t k = 0; k < d->nloops; k++) {
		if (d->loop[k] == d->trace->naccess)
			continue;
		if (check_call(d, d->loop[k], e))
			return -1;
		clock_set(&d->calls, k, config_scaled(d->cfg, d->trace->access[d->loop[k]].time));
	}
	return 0;
}

static int
run(struct direct *d, struct error *e)
{
	if (start_loops(d, e))
		return -1;
	while (d->ends.n || d->calls.n) {
		bool ends = clock_next(&d->ends) <= clock_next(&d->calls);

		if (ends ? end_call(d, e) : begin_call(d, e))
			return -1;
		for (; d->io.n < d->io.depth && d->queue.n; admit(d))
			serve(d);
	}
	return 0;
}

/* What is known of a run without a cache. */
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
	out->device_idle_us = out->elapsed_us - st->device_busy_us;
	out->device_queue_us = st->device_queue_us;
	out->overhead_us = st->overhead_us;
	out->seek_us = st->seek_us;
	out->rotation_us = st->rotation_us;
	out->transfer_us = st->transfer_us;
	out->bus_us = st->bus_us;
}

/* ---- setting up ---- */

int
direct_check(const struct config *cfg, struct error *e)
{
	if (cfg->replay == REPLAY_UNTIMED)
		return error_usage(e,
		    "--cache 0 leaves only the device, which --replay untimed leaves out: choose "
		    "--replay open, serial or process");
	if (config_prefetcher(cfg)->access)
		return error_usage(e,
		    "--cache 0 has no cache to read ahead into: use --prefetch none with it, not %s",
		    cfg->prefetcher.plugin->name);
	if (config_scheduler(cfg)->place || config_scheduler(cfg)->init)
		return error_usage(e,
		    "--cache 0 neither merges requests nor plugs the queue: use --scheduler fifo, "
		    "scan, sptf or deadline with it, not %s",
		    cfg->scheduler.plugin->name);
	if (cfg->layout != LAYOUT_PACKED)
		return error_usage(e,
		    "--cache 0 sends the sectors that a call names: use --layout packed with it");
	return 0;
}

/* Chain the calls of each loop. */
static void
chain(struct direct *d)
{
	uint32_t n = (uint32_t)d->trace->naccess;

	for (uint32_t k = 0; k < d->nloops; k++)
		d->loop[k] = n;
	for (uint32_t i = n; i-- > 0;) {
		uint32_t k = loop_of(d, &d->trace->access[i]);

		d->follows[i] = d->loop[k];
		d->loop[k] = i;
	}
}

static int
make_loops(struct direct *d, struct error *e)
{
	const struct trace *t = d->trace;
	enum replay	    how = d->cfg->replay;
	bool		    one = d->open || (how == REPLAY_SERIAL && !t->nprograms);

	if (t->naccess >= UINT32_MAX)
		return error_set(e, "%zu calls are too many for --cache 0", t->naccess);
	d->nloops = one ? 1 : how == REPLAY_PROCESS ? t->nprocesses : t->nprograms;
	d->room_max = d->open ? t->naccess : d->nloops;
	d->loop = calloc(d->nloops, sizeof(*d->loop));
	d->room = calloc(d->room_max, sizeof(*d->room));
	d->follows = one ? NULL : calloc(t->naccess, sizeof(*d->follows));
	if (!d->loop || !d->room || (!one && !d->follows))
		return error_set(e, "out of memory for %zu calls", t->naccess);
	if (one)
		return 0;
	if (trace_check(t, 0, t->naccess, e))
		return -1;
	d->checked = t->naccess;
	chain(d);
	return 0;
}

/* Files lie as in a cached run, but need no room behind their last sector. */
static int
lay_out(struct direct *d, struct error *e)
{
	const struct trace *t = d->trace;
	const struct file  *last = &t->file[t->nfiles - 1];

	d->layout = (struct layout){ .kind = LAYOUT_PACKED,
		.trace = t,
		.block_sectors = t->block_bytes / SECTOR_BYTES,
		.capacity = config_device(d->cfg)->capacity(d->device_self) };
	return layout_check(layout_sector(&d->layout, last->base) +
		(last->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES,
	    d->layout.capacity, e);
}

static int
make_parts(struct direct *d, struct error *e)
{
	const struct config *c = d->cfg;
	uint32_t	     depth;

	d->device_self = device_start(&c->device, e);
	d->scheduler_self =
	    d->device_self ? plugin_state(c->scheduler.plugin, c->scheduler.params, e) : NULL;
	if (!d->scheduler_self || lay_out(d, e) || make_loops(d, e))
		return -1;
	depth = config_device(c)->depth ? config_device(c)->depth(d->device_self) : 1;
	return io_init(&d->io, depth, e) || clock_init(&d->ends, depth, e) ||
	    queue_init(&d->queue, c->queue_requests, UINT32_MAX, 1, e) ||
	    clock_init(&d->calls, d->nloops, e) ||
	    responses_init(&d->responses, d->trace->naccess, c->response, e);
}

static void
release(struct direct *d)
{
	device_stop(config_device(d->cfg), d->device_self);
	free(d->scheduler_self);
	queue_release(&d->queue);
	io_release(&d->io);
	clock_release(&d->calls);
	clock_release(&d->ends);
	responses_release(&d->responses);
	free(d->loop);
	free(d->follows);
	free(d->room);
}

int
direct_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct direct d = { .cfg = cfg, .trace = t, .open = cfg->replay == REPLAY_OPEN };
	int	      failed;

	if (direct_check(cfg, e) || config_check(cfg, t, e))
		return -1;
	failed = make_parts(&d, e) || run(&d, e);
	if (!failed)
		report(&d, out);
	release(&d);
	return failed ? -1 : 0;
}
