/*
 * engine.h - a run with a clock: time, processes, the device, and the node with
 * the shared cache.
 *
 * engine_init() allocates everything, engine_run() nothing.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/core/engine/cpu.h"
#include "sim/core/engine/node.h"
#include "sim/core/engine/processes.h"

/* Open replay: calls that have arrived, and processes without a call. */
struct open_loop {
	size_t	  arrived, taken; /* numbers of calls: arrived, and given to a process */
	uint32_t *idle;
	uint32_t  nidle;
};

/* What happened before counting started. */
struct before {
	uint64_t references, busy_us;
};

enum { COMING = 32 }; /* a power of two above AHEAD */

struct engine {
	struct config	    cfg;
	const struct trace *trace;
	struct node	    node;
	struct layout	    layout;
	struct storage	    storage;
	struct processes    processes;
	struct cpu	    cpu;
	struct responses    responses; /* recorded in open replay, or if cfg has room for them */
	struct stats	    stats;
	struct before	    before;

	usec_t	 now;
	usec_t	 counting_since; /* start of the statistics */
	uint64_t calls;		 /* calls that have ended */
	usec_t	 flush_at;
	bool	 flushing; /* a flush found the queue full and is to be continued */
	bool	 ended;

	uint32_t	 nlive; /* closed loops that have not ended */
	struct open_loop open;
	block_t		 coming[COMING]; /* ring: first blocks of a serial process's next calls */
};

/* cfg's strings and the trace are borrowed until engine_release(). */
int engine_init(struct engine *g, const struct config *cfg, const struct trace *t, struct error *e);
int engine_run(struct engine *g, struct error *e); /* fails only if the trace is damaged */
void engine_release(struct engine *g);

/* When p acts next if it thinks from now on, as it did in the trace until that time. */
static inline usec_t
engine_think(struct engine *g, struct process *p, usec_t recorded)
{
	usec_t us = config_scaled(&g->cfg, recorded) - config_scaled(&g->cfg, p->recorded);

	ASSERT(us >= 0);
	p->recorded = recorded;
	process_start_call(p);
	g->stats.think_us += (uint64_t)us;
	return g->now + us;
}

/* What a process of the trace has done. */
static inline void
observe_by(const struct engine *g, enum event_kind kind, block_t b, uint32_t count,
    uint32_t process)
{
	const struct observer *o = &g->cfg.observer;

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = g->now,
			.kind = kind,
			.block = b,
			.count = count,
			.process = process });
}

static inline void
observe(const struct engine *g, enum event_kind kind, block_t b, uint32_t count)
{
	observe_by(g, kind, b, count, 0);
}

#endif
