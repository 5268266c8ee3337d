/*
 * forecast.c - an observer of the simulation records the reads of each call.
 *
 * The device takes no time and the cache holds all files, so a block is read
 * once.  The prefetcher is the one of any other simulation.
 */
#include <stdlib.h>

#include "sim/core/simulate.h"
#include "sim/live/forecast.h"
#include "sim/registry.h"

enum { REQUESTS = 1 << 16 };

struct notebook {
	struct forecast *f;
	size_t		 calls; /* begun */
};

static void
see(void *ctx, const struct event *e)
{
	struct notebook *n = ctx;

	if (e->kind == EVENT_CALL)
		n->calls++;
	else
		n->f->block[n->f->n++] = e->block;
	n->f->end[n->calls - 1] = n->f->n;
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

static int
run(struct forecast *f, const struct trace *t, const struct prefetcher *p, const char *params,
    struct error *e)
{
	struct notebook n = { .f = f };
	struct stats	ignored;
	struct config	c;

	config_defaults(&c);
	c.cache_blocks = t->nblocks;
	c.queue_requests = REQUESTS;
	c.wait = WAIT_BLOCK;
	if (registry_choose(PLUGIN_POLICY, "lru", &c.policy, e) ||
	    registry_choose(PLUGIN_SCHEDULER, "fifo", &c.scheduler, e) ||
	    registry_choose(PLUGIN_DEVICE, "null", &c.device, e))
		return -1;
	c.prefetcher = (struct choice){ .plugin = &p->plugin, .params = params };
	c.observer = (struct observer){
		.mask =
		    1u << EVENT_CALL | 1u << EVENT_MISS | 1u << EVENT_FETCH | 1u << EVENT_PREFETCH,
		.see = see,
		.ctx = &n,
	};
	return simulate(&c, t, &ignored, e);
}

int
forecast_init(struct forecast *f, const struct trace *t, const struct prefetcher *p,
    const char *params, struct error *e)
{
	*f = (struct forecast){
		.block = malloc(t->nblocks * sizeof(*f->block)),
		.end = calloc(t->naccess, sizeof(*f->end)),
	};
	if (!f->block || !f->end)
		error_set(e, "out of memory");
	else if (!run(f, t, p, params, e)) {
		for (size_t i = 0, n; i < t->naccess; i++) {
			block_t *block = f->block + (forecast_of(f, i, &n) - f->block);

			qsort(block, n, sizeof(*block), ascending);
		}
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
