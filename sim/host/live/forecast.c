/*
 * forecast.c - an observer of the simulation records the blocks that come into
 * the cache, or leave it, in each step.
 *
 * The device takes no time and the cache holds all files, so a block comes
 * once, and again only after DONTNEED.  Written blocks are written to the
 * device at once: DONTNEED finds none that it must keep.  The prefetcher is
 * the one of any other simulation.
 */
#include <stdlib.h>

#include "sim/core/simulate.h"
#include "sim/host/live/forecast.h"
#include "sim/registry.h"

enum { REQUESTS = 1 << 16 };

struct notebook {
	struct forecast	   *f;
	const struct trace *trace;
	size_t		    call, step; /* the current ones */
	bool		    full;	/* out of memory */
};

static bool
make_room(struct forecast *f, size_t more)
{
	size_t	 room = f->room > more ? 2 * f->room : f->room + more;
	block_t *block;

	if (f->room - f->n >= more)
		return true;
	block = realloc(f->block, room * sizeof(*block));
	if (!block)
		return false;
	f->block = block;
	f->room = room;
	return true;
}

static void
note(struct notebook *n, block_t first, uint32_t count)
{
	struct forecast *f = n->f;

	n->full = n->full || !make_room(f, count);
	for (uint32_t i = 0; !n->full && i < count; i++)
		f->block[f->n++] = first + i;
	f->end[n->step] = f->n;
}

/* Advice precedes its call, and ends with the call's first reference. */
static void
see(void *ctx, const struct event *e)
{
	struct notebook *n = ctx;

	switch (e->kind) {
	case EVENT_CALL:
		n->call = n->step =
		    live_step_of_call(n->trace, (size_t)(e->call - n->trace->access));
		break;
	case EVENT_ADVICE:
		n->step = live_step_of_advice(n->trace, e->advice);
		break;
	case EVENT_MISS:
		n->step = n->call;
		note(n, e->block, 1);
		break;
	case EVENT_FETCH:
	case EVENT_PREFETCH:
	case EVENT_FORGET:
		note(n, e->block, e->count);
		break;
	default: /* another reference */
		n->step = n->call;
	}
}

static int
ascending(const void *a, const void *b)
{
	const block_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

const block_t *
forecast_of(const struct forecast *f, size_t i, size_t *n)
{
	size_t first = i ? f->end[i - 1] : 0;

	*n = f->end[i] - first;
	return &f->block[first];
}

/* Steps in which nothing moves end where the step before does; then each is put into order. */
static void
settle(struct forecast *f, size_t nsteps)
{
	for (size_t i = 1; i < nsteps; i++)
		if (f->end[i] < f->end[i - 1])
			f->end[i] = f->end[i - 1];
	for (size_t i = 0, n; i < nsteps; i++) {
		block_t *block = f->block + (forecast_of(f, i, &n) - f->block);

		qsort(block, n, sizeof(*block), ascending);
	}
}

static int
run(struct forecast *f, const struct trace *t, const struct prefetcher *p, const char *params,
    struct error *e)
{
	struct notebook n = { .f = f, .trace = t };
	struct stats	ignored;
	struct config	c;

	config_defaults(&c);
	c.cache_blocks = t->nblocks;
	c.queue_requests = REQUESTS;
	c.wait = WAIT_BLOCK;
	c.writes = WRITES_THROUGH;
	if (registry_choose(PLUGIN_POLICY, "lru", &c.policy, e) ||
	    registry_choose(PLUGIN_SCHEDULER, "fifo", &c.scheduler, e) ||
	    registry_choose(PLUGIN_DEVICE, "null", &c.device, e))
		return -1;
	c.prefetcher = (struct choice){ .plugin = &p->plugin, .params = params };
	c.observer = (struct observer){
		.mask = 1u << EVENT_CALL | 1u << EVENT_ADVICE | 1u << EVENT_MISS |
		    1u << EVENT_FETCH | 1u << EVENT_PREFETCH | 1u << EVENT_FORGET |
		    1u << EVENT_HIT | 1u << EVENT_FIRST_HIT | 1u << EVENT_LATE |
		    1u << EVENT_DELAYED | 1u << EVENT_REACH,
		.see = see,
		.ctx = &n,
	};
	if (simulate(&c, t, &ignored, e))
		return -1;
	return n.full ? error_no_memory(e) : 0;
}

int
forecast_init(struct forecast *f, const struct trace *t, const struct prefetcher *p,
    const char *params, struct error *e)
{
	*f = (struct forecast){
		.block = malloc(t->nblocks * sizeof(*f->block)),
		.end = calloc(live_steps_of(t), sizeof(*f->end)),
		.room = t->nblocks,
	};
	if (!f->block || !f->end)
		error_no_memory(e);
	else if (!run(f, t, p, params, e)) {
		settle(f, live_steps_of(t));
		return 0;
	}
	forecast_release(f);
	return -1;
}

void
forecast_release(struct forecast *f)
{
	free(f->block);
	free(f->end);
	*f = (struct forecast){ 0 };
}
