/*
 * engine.c - replay a trace against a node and a device.
 *
 *	access -> block references -> cache -> prefetcher -> queue
 *	       -> scheduler -> device -> completion -> statistics
 *
 * A process is a closed loop: it thinks, calls, waits for the blocks of its
 * call, and pays for the processor (cpu.h).  Serial replay has one process
 * that makes all calls in the order of the trace, as AccuSim, or one per
 * program of a merged trace; process replay has the processes of the trace,
 * which may start each other and wait for each other (steps.h).  Only
 * completions and processes are events, so a hit costs no operation on the heap.
 *
 * Open replay is not a closed loop: calls arrive at their times in the trace
 * and are given to idle processes.  A process whose call does not wait stays
 * idle.  If all processes are busy, calls wait for one.
 */
#include <stdlib.h>

#include "sim/core/engine/advice.h"
#include "sim/core/engine/engine.h"
#include "sim/core/engine/idle.h"
#include "sim/core/engine/io.h"
#include "sim/core/engine/reference.h"
#include "sim/core/engine/steps.h"
#include "sim/device/pace.h"

/* For a prefetcher that reads while the device has nothing to do. */
static inline void
read_if_idle(struct engine *g)
{
	if (unlikely(g->node.prefetcher->idle))
		idle_read(g);
}

/* The next event of the device or of the flusher. */
static void
step(struct engine *g)
{
	io_step(g);
	read_if_idle(g);
}

/* ---- calls ---- */

static size_t
current(const struct process *p)
{
	return sequence_call(p->calls, p->next);
}

/* The start of the process's next call, this one, if the previous one ends now. */
static usec_t
think(struct engine *g, struct process *p, size_t call)
{
	return engine_think(g, p, g->trace->access[call].time);
}

enum { PARTS = 4 };

/* The plug-ins that take part, for their own counters. */
static const struct instance *
parts(const struct engine *g, struct instance part[PARTS])
{
	part[0] = (struct instance){ g->cfg.policy.plugin, g->node.policy_self };
	part[1] = (struct instance){ g->cfg.prefetcher.plugin, g->node.prefetcher_self };
	part[2] = (struct instance){ g->cfg.scheduler.plugin, g->storage.scheduler_self };
	part[3] = (struct instance){ g->cfg.device.plugin, g->storage.device_self };
	return part;
}

/* The warm-up ends and statistics start. */
static void
start_counting(struct engine *g)
{
	struct instance part[PARTS];

	g->before.references += g->node.stats.references;
	g->before.busy_us += g->stats.think_us + g->stats.cpu_us;
	stats_start(&g->stats, parts(g, part), PARTS);
	g->node.stats = (struct stats){ 0 };
	g->cpu.reads = 0;
	g->counting_since = g->now;
	processes_restart_waits(g);
	if (g->responses.us)
		responses_restart(&g->responses, g->now);
	node_forget_outcomes(&g->node);
}

/* Prefetch memory for a serial process's next calls.  Inline: gcc drops calls of pure functions. */
ALWAYS_INLINE void
look_ahead(struct engine *g, const struct process *p)
{
	const struct cache *c = &g->node.cache;
	size_t		    i = p->next;
	block_t		   *coming = g->coming;

	if (unlikely(p->calls->order || c->slots.group || i + AHEAD >= g->processes.calls.checked))
		return;
	coming[(i + AHEAD) % COMING] = access_block(g->trace, &g->trace->access[i + AHEAD]);
	cache_expect(c, coming[(i + AHEAD) % COMING]);
	cache_expect_frame(c, coming[(i + AHEAD_FRAME) % COMING]);
	if (g->node.policy->on_hit == HIT_MOVES)
		cache_expect_links(c, coming[(i + AHEAD_LINKS) % COMING]);
}

ALWAYS_INLINE void
begin_call(struct engine *g, const struct process *p, size_t call)
{
	const struct access *a = &g->trace->access[call];

	if (unlikely(g->responses.us) && g->cfg.replay != REPLAY_OPEN)
		response_arrives(&g->responses, call, g->now);
	observe_call(&g->cfg.observer, EVENT_CALL, g->now, g->trace, call,
	    process_number(&g->processes, p));
	if (unlikely(a->advised))
		advice_apply(g, p, a);
}

ALWAYS_INLINE void
end_call(struct engine *g, const struct process *p, size_t call)
{
	if (unlikely(g->responses.us))
		response_ends(&g->responses, call, g->now);
	observe_call(&g->cfg.observer, EVENT_CALL_DONE, g->now, g->trace, call,
	    process_number(&g->processes, p));
	if (unlikely(++g->calls == g->cfg.warmup_calls))
		start_counting(g);
}

/* The process has paid for its call, which ends. */
static bool
pay_up(struct engine *g, struct process *p, size_t call)
{
	cpu_paid(g, p);
	end_call(g, p, call);
	return true;
}

/* Continue the process's current call.  True: it has ended.  False: the process sleeps, or pays. */
ALWAYS_INLINE bool
run_call(struct engine *g, struct process *p, size_t call, bool resumed)
{
	bool done;

	if (likely(!resumed))
		begin_call(g, p, call);
	else if (unlikely(p->waiting == ON_PROCESSOR))
		return pay_up(g, p, call);
	else
		process_resume(g, p);
	look_ahead(g, p);
	done = call_run(g, p, &g->trace->access[call]);
	if (unlikely(g->processes.admitted == p) && !processes_dismiss(g))
		io_unplug(g);
	read_if_idle(g);
	if (unlikely(g->cpu.charges) && !cpu_charge(g, p, call, done))
		return false;
	if (done)
		end_call(g, p, call);
	return done;
}

/* ---- closed loops ---- */

/* The process makes calls until it sleeps, takes a step, ends, or another process is earlier. */
static int
run_process(struct engine *g, struct process *p, struct error *e)
{
	bool   resumed = p->waiting != WAITS_NOT;
	size_t call;

	if (unlikely(!resumed && p->next == p->stop)) {
		steps_run(g, p);
		return 0;
	}
	call = current(p);
	for (;; resumed = false) {
		usec_t at;

		if (!run_call(g, p, call, resumed))
			return 0;
		if (unlikely(++p->next == p->stop)) {
			steps_come(g, p);
			return 0;
		}
		call = current(p);
		if (calls_check(&g->processes.calls, call, e))
			return -1;
		at = think(g, p, call);
		if (io_next(g) <= at || clock_next(&g->processes.clock) <= at) {
			clock_set(&g->processes.clock, process_number(&g->processes, p), at);
			return 0;
		}
		ASSERT(at >= g->now);
		g->now = at;
	}
}

static int
start_processes(struct engine *g, struct error *e)
{
	struct processes *ps = &g->processes;

	if (ps->kin) {
		steps_start(g);
		return 0;
	}
	for (uint32_t i = 0; i < ps->n; i++) {
		struct process *p = &ps->process[i];
		size_t		call;

		if (!p->calls->n)
			continue;
		call = current(p);
		if (calls_check(&ps->calls, call, e))
			return -1;
		/* A process starts at its first call, a single process at the start of the trace. */
		p->recorded = p->calls->order ? g->trace->access[call].time : 0;
		clock_set(&ps->clock, i, config_scaled(&g->cfg, p->recorded) + think(g, p, call));
		g->nlive++;
	}
	return 0;
}

static int
run_closed(struct engine *g, struct error *e)
{
	struct processes *ps = &g->processes;

	if (start_processes(g, e))
		return -1;
	read_if_idle(g);
	while (g->nlive) {
		if (unlikely(ps->nheld == g->nlive)) {
			steps_break(g);
		} else if (io_next(g) <= clock_next(&ps->clock)) {
			step(g);
		} else {
			uint32_t i;

			ASSERT(clock_next(&ps->clock) >= g->now);
			i = clock_take(&ps->clock, &g->now);
			if (run_process(g, &ps->process[i], e))
				return -1;
		}
	}
	return 0;
}

/* ---- the open loop ---- */

/* The call that has arrived first becomes that of p, for which it has waited until now. */
static void
take_call(struct engine *g, struct process *p)
{
	usec_t arrival = g->responses.us[g->open.taken];

	ASSERT(p->waiting == WAITS_NOT && arrival <= g->now);
	p->next = g->open.taken++;
	p->since = arrival > g->counting_since ? arrival : g->counting_since;
	if (p->since < g->now)
		process_account_room(g, p);
	process_start_call(p);
}

/* Idle processes make the calls that have arrived; a process that does not sleep stays idle. */
static void
take_up(struct engine *g)
{
	struct open_loop *o = &g->open;

	while (o->nidle && o->taken < o->arrived) {
		struct process *p = &g->processes.process[o->idle[o->nidle - 1]];

		take_call(g, p);
		o->nidle -= !run_call(g, p, p->next, false);
	}
}

static int
arrive(struct engine *g, usec_t at, struct error *e)
{
	if (calls_check(&g->processes.calls, g->open.arrived, e))
		return -1;
	ASSERT(at >= g->now);
	g->now = at;
	response_arrives(&g->responses, g->open.arrived++, at);
	take_up(g);
	return 0;
}

/* A woken process continues. */
static void
go_on(struct engine *g, uint32_t i)
{
	struct process *p = &g->processes.process[i];

	if (!run_call(g, p, p->next, true))
		return;
	ASSERT(g->open.nidle < g->processes.n);
	g->open.idle[g->open.nidle++] = i;
	take_up(g);
}

static usec_t
next_arrival(const struct engine *g)
{
	if (g->open.arrived == g->trace->naccess)
		return USEC_MAX;
	return config_scaled(&g->cfg, g->trace->access[g->open.arrived].time);
}

static int
run_open(struct engine *g, struct error *e)
{
	struct processes *ps = &g->processes;

	while (g->open.arrived < g->trace->naccess || g->open.nidle < ps->n) {
		usec_t arrival = next_arrival(g), turn = clock_next(&ps->clock);

		ASSERT(turn >= g->now && g->open.taken <= g->open.arrived);
		if (io_next(g) <= arrival && io_next(g) <= turn)
			step(g);
		else if (turn <= arrival)
			go_on(g, clock_take(&ps->clock, &g->now));
		else if (arrive(g, arrival, e))
			return -1;
	}
	return 0;
}

/* ---- the end ---- */

static void
end_counting(struct engine *g)
{
	struct stats   *st = &g->stats;
	struct instance part[PARTS];

	if (g->storage.n)
		storage_charge(&g->storage, g->counting_since, g->now, st);
	stats_end(st, parts(g, part), PARTS);
	g->ended = true;
	g->flush_at = USEC_MAX;
	st->elapsed_us = (uint64_t)(g->now - g->counting_since);
	ASSERT(g->now >= g->counting_since && st->device_busy_us <= st->elapsed_us);
	st->device_idle_us = st->elapsed_us - st->device_busy_us;
	if (g->cfg.replay == REPLAY_OPEN)
		st->think_us = STAT_UNKNOWN;
	if (!g->cfg.shadow)
		st->pollution_misses = st->covered_references = st->shadow_misses = STAT_UNKNOWN;
	responses_count(&g->responses, g->cfg.warmup_calls, g->now, st);
	node_count_prefetched(&g->node);
}

static void
drain(struct engine *g)
{
	usec_t end = g->now;

	io_unplug(g);
	while (g->storage.n)
		step(g);
	ASSERT(!g->node.cache.npinned && !g->storage.queue.n);
	g->stats.drain_us = (uint64_t)(g->now - end);
}

int
engine_run(struct engine *g, struct error *e)
{
	struct instance part[PARTS];

	stats_start(&g->stats, parts(g, part), PARTS);
	if (g->cfg.replay == REPLAY_OPEN ? run_open(g, e) : run_closed(g, e))
		return -1;
	end_counting(g);
	drain(g);
	stats_add(&g->stats, &g->node.stats);
	return 0;
}

/* ---- setting up ---- */

/* All processes are idle. */
static int
open_init(struct open_loop *o, uint32_t processes, struct error *e)
{
	o->idle = calloc(processes, sizeof(*o->idle));
	if (!o->idle)
		return error_set(e, "out of memory for %u processes", processes);
	for (o->nidle = 0; o->nidle < processes; o->nidle++)
		o->idle[o->nidle] = processes - 1 - o->nidle;
	return 0;
}

static int
storage_and_layout(struct engine *g, struct error *e)
{
	const struct config *c = &g->cfg;
	uint32_t	     sectors = g->trace->block_bytes / SECTOR_BYTES;

	return storage_plug_in(&g->storage, c, e) ||
	    layout_init(&g->layout, c->layout, g->trace,
		g->storage.device->capacity(g->storage.device_self), e) ||
	    storage_init(&g->storage, c, c->request_blocks, sectors, e);
}

static int
tell_pace(const struct engine *g, struct error *e)
{
	const struct config *c = &g->cfg;
	struct pace	     pace;

	if (!config_wants_pace(c))
		return 0;
	if (pace_measure(&pace, &c->device, g->trace->block_bytes / SECTOR_BYTES, e))
		return -1;
	g->node.prefetcher->pace(g->node.prefetcher_self, pace.switch_us, pace.block_us);
	return 0;
}

static int
make_parts(struct engine *g, struct error *e)
{
	const struct config *c = &g->cfg;
	bool		     open = c->replay == REPLAY_OPEN;

	if (node_init(&g->node, g, c, g->trace, e) || storage_and_layout(g, e) ||
	    processes_init(&g->processes, &g->node, c, g->trace, e) || tell_pace(g, e))
		return -1;
	if ((open || c->response) &&
	    responses_init(&g->responses, g->trace->naccess, c->response, e))
		return -1;
	return open ? open_init(&g->open, g->processes.n, e) : 0;
}

int
engine_init(struct engine *g, const struct config *cfg, const struct trace *t, struct error *e)
{
	*g = (struct engine){ .cfg = *cfg, .trace = t, .flush_at = USEC_MAX };
	cpu_init(&g->cpu, cfg);
	if (!make_parts(g, e))
		return 0;
	engine_release(g);
	return -1;
}

void
engine_release(struct engine *g)
{
	node_release(&g->node);
	storage_release(&g->storage);
	processes_release(&g->processes);
	responses_release(&g->responses);
	free(g->open.idle);
	*g = (struct engine){ 0 };
}
