/*
 * processes.c - the sleep of processes, its ends, and its causes.
 *
 * There are two lists: processes that expect blocks while they do not run, and
 * a queue of processes that wait for room.  The queue is admitted one at a
 * time, so that a completion wakes only processes that can continue.
 *
 * The causes of a wait are found by metering: the device's time is summed by
 * the kind of the oldest request in service.  A process stores the sums when
 * it falls asleep, a request stores them when it starts, and the differences
 * are the causes.  O(1) a wait.
 */
#include <stdlib.h>

#include "sim/core/engine/engine.h"
#include "sim/core/engine/steps.h"

/* ---- setting up ---- */

enum { OPEN_PROCESSES = 1024 };

/* A call may wait for the arrival and the write of each of its blocks. */
static size_t
most_pending(const struct process *p)
{
	return 2 * (size_t)p->calls->most_blocks;
}

static int
make_arena(struct processes *ps, struct error *e)
{
	size_t blocks = 0;

	for (uint32_t i = 0; i < ps->n; i++)
		blocks += most_pending(&ps->process[i]);
	ps->arena = calloc(blocks, sizeof(*ps->arena));
	if (!ps->arena)
		return error_set(e, "out of memory for calls of %zu blocks", blocks);
	blocks = 0;
	for (uint32_t i = 0; i < ps->n; i++) {
		ps->process[i].pending = ps->arena + blocks;
		blocks += most_pending(&ps->process[i]);
	}
	return 0;
}

int
processes_init(struct processes *ps, struct node *node, const struct config *cfg,
    const struct trace *t, struct error *e)
{
	bool open = cfg->replay == REPLAY_OPEN;

	*ps = (struct processes){ 0 };
	if (calls_init(&ps->calls, cfg, t, e))
		return -1;
	ps->n = ps->calls.n;
	if (open)
		ps->n = t->naccess < OPEN_PROCESSES ? (uint32_t)t->naccess : OPEN_PROCESSES;
	ps->process = calloc(ps->n, sizeof(*ps->process));
	ps->expecting = calloc(ps->n, sizeof(*ps->expecting));
	ps->room = calloc(ps->n, sizeof(*ps->room));
	if (!ps->process || !ps->expecting || !ps->room)
		return error_set(e, "out of memory for %u processes", ps->n);
	for (uint32_t i = 0; i < ps->n; i++) {
		ps->process[i].node = node;
		ps->process[i].calls = &ps->calls.sequence[open ? 0 : i];
		ps->process[i].stop = ps->process[i].calls->n;
	}
	if (make_arena(ps, e) || clock_init(&ps->clock, ps->n, e))
		return -1;
	return steps_init(ps, cfg, t, e);
}

void
processes_release(struct processes *ps)
{
	calls_release(&ps->calls);
	clock_release(&ps->clock);
	steps_release(ps);
	free(ps->process);
	free(ps->arena);
	free(ps->expecting);
	free(ps->room);
	*ps = (struct processes){ 0 };
}

/* ---- causes ---- */

static void
account_miss(struct engine *g, const struct process *p, const struct in_service *i, usec_t wait,
    usec_t own)
{
	struct meter before = i->started > p->since ? i->meter : p->meter;
	usec_t	     wanted = in_service_ready_at(i, i->request.demand_end);
	usec_t	     ride = g->now - (wanted > p->since ? wanted : p->since);
	usec_t	     demand = before.demand - p->meter.demand;
	usec_t	     prefetch = before.prefetch - p->meter.prefetch;
	usec_t	     write = before.write - p->meter.write;

	if (ride < 0)
		ride = 0;
	ASSERT(demand >= 0 && prefetch >= 0 && write >= 0);
	ASSERT(ride <= own && own + demand + prefetch + write <= wait);
	g->stats.stall_miss_us += (uint64_t)(own - ride);
	g->stats.stall_ride_us += (uint64_t)ride;
	g->stats.stall_demand_queue_us += (uint64_t)demand;
	g->stats.stall_prefetch_queue_us += (uint64_t)prefetch;
	g->stats.stall_write_queue_us += (uint64_t)write;
	g->stats.stall_idle_us += (uint64_t)(wait - own - demand - prefetch - write);
}

static void
observe_wait(const struct engine *g, const struct process *p, const struct waited *w)
{
	const struct observer *o = &g->cfg.observer;

	o->see(o->ctx,
	    &(struct event){ .when = g->now,
		.kind = EVENT_WAIT,
		.block = w->block,
		.count = w->by != NULL,
		.waited = w,
		.call = &g->trace->access[sequence_call(p->calls, p->next)],
		.process = process_number(&g->processes, p) });
}

static void
observe_block(const struct engine *g, const struct process *p, const struct in_service *i,
    const struct pending *block)
{
	enum waited_for what = block->write ? WAITED_WRITE
	    : block->how == REF_LATE	    ? WAITED_LATE
	    : block->how == REF_DELAYED	    ? WAITED_DELAYED
					    : WAITED_MISS;
	usec_t		wanted =
	     what == WAITED_MISS ? in_service_ready_at(i, i->request.demand_end) : g->now;

	observe_wait(g, p,
	    &(struct waited){ .what = what,
		.since = p->since,
		.served = i->started > p->since ? i->started : p->since,
		.wanted = wanted > p->since ? wanted : p->since,
		.block = block->block,
		.by = i });
}

static void
observe_room(const struct engine *g, const struct process *p)
{
	observe_wait(g, p,
	    &(struct waited){ .what = WAITED_ROOM,
		.since = p->since,
		.served = g->now,
		.wanted = g->now });
}

ALWAYS_INLINE bool
waits_are_observed(const struct engine *g)
{
	return unlikely(g->cfg.observer.mask >> EVENT_WAIT & 1);
}

/* The process has waited until now for a block that request i has delivered. */
static void
account_block(struct engine *g, const struct process *p, const struct in_service *i,
    const struct pending *block)
{
	usec_t wait = g->now - p->since;
	usec_t own = g->now - (i->started > p->since ? i->started : p->since);

	ASSERT(own >= 0 && own <= wait);
	g->stats.stall_us += (uint64_t)wait;
	if (block->write) {
		g->stats.stall_write_us += (uint64_t)wait;
	} else if (block->how == REF_LATE) {
		g->stats.stall_late_us += (uint64_t)wait;
		g->stats.late_service_us += (uint64_t)own;
		g->stats.late_queue_us += (uint64_t)(wait - own);
	} else if (block->how == REF_DELAYED) {
		g->stats.stall_delayed_us += (uint64_t)wait;
	} else {
		account_miss(g, p, i, wait, own);
	}
	if (waits_are_observed(g))
		observe_block(g, p, i, block);
}

void
process_account_room(struct engine *g, const struct process *p)
{
	uint64_t wait = (uint64_t)(g->now - p->since);

	ASSERT(p->since <= g->now);
	g->stats.stall_us += wait;
	g->stats.stall_frame_us += wait;
	if (waits_are_observed(g))
		observe_room(g, p);
}

static void
wait_from_now(const struct engine *g, struct process *p)
{
	p->since = g->now;
	p->meter = storage_meter(&g->storage, g->now);
}

void
processes_restart_waits(struct engine *g)
{
	for (uint32_t i = 0; i < g->processes.n; i++)
		wait_from_now(g, &g->processes.process[i]);
}

/* ---- sleeping and waking ---- */

/* Join the end of the queue; in open replay, a call that has begun joins at the front. */
static void
queue_for_room(struct engine *g, const struct process *p)
{
	struct processes *ps = &g->processes;
	bool		  begun = g->cfg.replay == REPLAY_OPEN && ps->admitted == p;
	uint32_t	  place = begun ? ps->n - 1 : ps->nroom;

	ASSERT(ps->nroom < ps->n);
	place = (ps->room_first + place) % ps->n;
	if (begun)
		ps->room_first = place;
	ps->room[place] = process_number(ps, p);
	ps->nroom++;
	queue_lack(&g->storage.queue);
}

void
process_sleep(struct engine *g, struct process *p, enum waiting why)
{
	struct processes *ps = &g->processes;

	ASSERT(p->waiting == WAITS_NOT && !p->expecting);
	p->waiting = why;
	wait_from_now(g, p);
	if (process_expects(p)) {
		ASSERT(ps->nexpecting < ps->n);
		p->expecting = true;
		ps->expecting[ps->nexpecting++] = process_number(ps, p);
	}
	if (why == WAITS_FOR_ROOM)
		queue_for_room(g, p);
}

static void
wake(struct engine *g, struct process *p)
{
	struct processes *ps = &g->processes;

	ASSERT(p->waiting == WAITS_FOR_BLOCK || p->waiting == WAITS_FOR_ROOM);
	p->waiting = WAITS_FOR_TURN;
	clock_set(&ps->clock, process_number(ps, p), g->now);
}

void
process_resume(struct engine *g, struct process *p)
{
	struct processes *ps = &g->processes;
	uint32_t	  i = 0;

	ASSERT(p->waiting == WAITS_FOR_TURN);
	p->waiting = WAITS_NOT;
	if (!p->expecting)
		return;
	p->expecting = false;
	while (ps->expecting[i] != process_number(ps, p))
		i++;
	ASSERT(i < ps->nexpecting);
	for (ps->nexpecting--; i < ps->nexpecting; i++)
		ps->expecting[i] = ps->expecting[i + 1];
}

/* ---- blocks ---- */

/* The first of the blocks that p expects from b on: its place, or npending. */
static uint32_t
first_pending(const struct process *p, block_t b)
{
	uint32_t low = p->awaited, high = p->npending;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (p->pending[middle].block < b)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Is the request what this block waits for? */
static bool
brings(const struct in_service *served, const struct pending *block)
{
	if (block->write)
		return served->request.write && (int32_t)(served->number - block->after) > 0;
	return served->request.fills;
}

/* Blocks from .. to - 1 of a request in service have arrived: note those that p expects. */
static void
note_delivered(struct engine *g, struct process *p, const struct in_service *served, uint32_t from,
    uint32_t to)
{
	const struct request *done = &served->request;
	block_t		      end = done->block + to;

	for (uint32_t i = first_pending(p, done->block + from);
	     i < p->npending && p->pending[i].block < end; i++) {
		struct pending *block = &p->pending[i];

		if (block->here || !brings(served, block))
			continue;
		if (p->waiting == WAITS_FOR_BLOCK && i == p->awaited) {
			account_block(g, p, served, block);
			wait_from_now(g, p);
		}
		block->here = true;
	}
	while (process_expects(p) && p->pending[p->awaited].here)
		p->awaited++;
}

void
processes_deliver(struct engine *g, const struct in_service *served, uint32_t from, uint32_t to)
{
	struct processes *ps = &g->processes;
	uint32_t	  still = 0;

	for (uint32_t i = 0; i < ps->nexpecting; i++) {
		struct process *p = &ps->process[ps->expecting[i]];

		ASSERT(p->expecting && process_expects(p));
		note_delivered(g, p, served, from, to);
		p->expecting = process_expects(p);
		if (p->expecting)
			ps->expecting[still++] = process_number(ps, p);
		else if (p->waiting == WAITS_FOR_BLOCK)
			wake(g, p);
	}
	ps->nexpecting = still;
}

/* ---- room ---- */

/* For a frame that is not in flight, a request for a block, and one for a dirty victim? */
static bool
has_room(const struct engine *g, const struct node *n)
{
	return cache_has_room(&n->cache) && queue_has_room(&g->storage.queue, 1, 1);
}

bool
process_has_room(const struct engine *g, const struct process *p)
{
	const struct processes *ps = &g->processes;

	return has_room(g, p->node) && (ps->admitted ? ps->admitted == p : !ps->nroom);
}

bool
processes_admit(struct engine *g)
{
	struct processes *ps = &g->processes;
	struct process	 *p;

	if (!ps->nroom || ps->admitted)
		return true;
	p = &ps->process[ps->room[ps->room_first]];
	if (!has_room(g, p->node) || !queue_recovered(&g->storage.queue))
		return false;
	ASSERT(p->waiting == WAITS_FOR_ROOM);
	ps->admitted = p;
	ps->room_first = (ps->room_first + 1) % ps->n;
	ps->nroom--;
	process_account_room(g, p);
	wake(g, p);
	return true;
}

bool
processes_dismiss(struct engine *g)
{
	g->processes.admitted = NULL;
	return processes_admit(g);
}
