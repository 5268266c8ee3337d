/* idle.c - ask what to read, and read it. */
#include "sim/core/engine/idle.h"
#include "sim/core/engine/io.h"
#include "sim/core/engine/reference.h"

static bool
is_idle(const struct engine *g)
{
	const struct storage *st = &g->storage;

	return !g->ended && !st->queue.n && st->n < st->depth &&
	    process_has_room(g, &g->processes.process[0]);
}

static struct idle
describe(const struct engine *g)
{
	const struct node *n = &g->node;
	uint64_t	   references = g->before.references + n->stats.references;
	uint64_t	   us = g->before.busy_us + g->stats.think_us + g->stats.cpu_us;

	return (struct idle){
		.reference = (uint32_t)references,
		.think = references ? (double)us / (double)references : 0,
		.cache = &n->cache,
		.future = &n->future,
		.policy = n->policy,
		.policy_self = n->policy_self,
	};
}

static void
read_run(struct engine *g, const struct demand *d, struct block_run r)
{
	struct node	     *n = &g->node;
	const struct process *p = &g->processes.process[0];

	n->stats.planned_blocks += r.count;
	for (; r.count; r.block++, r.count--) {
		if (cache_find(&n->cache, r.block)) {
			n->stats.prefetch_resident_blocks++;
		} else if (process_has_room(g, p)) {
			block_read_ahead(n, d, r.block);
		} else {
			n->stats.prefetch_dropped_blocks += r.count;
			observe(g, EVENT_DROP, r.block, r.count);
			return;
		}
	}
}

void
idle_read(struct engine *g)
{
	struct node	       *n = &g->node;
	const struct block_run *run;
	unsigned		nruns;
	uint64_t		before = UINT64_MAX;

	while (is_idle(g) && before != n->stats.prefetched_blocks) {
		struct idle   now = describe(g);
		struct demand d = { .now = g->now, .cache = &n->cache };

		nruns = n->prefetcher->idle(n->prefetcher_self, &now, &run);
		before = n->stats.prefetched_blocks;
		for (unsigned i = 0; i < nruns; i++)
			read_run(g, &d, run[i]);
		io_unplug(g);
	}
}
