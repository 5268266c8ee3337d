/*
 * hits.c - the miss ratio of every policy on a trace, and what readahead is worth there.
 *
 * MIT license, as bufsim.  docs/embedding.md says how to compile it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/core/sim.h"
#include "sim/registry.h"
#include "sim/trace/trace.h"

static struct error e; /* why something failed, in one line; the library prints nothing */

/* What is typed behind --policy, --prefetch, ...: "linux24:max=31", "./mine.so". */
static const void *
find(enum plugin_kind kind, const char *text, const char **params)
{
	return registry_find(kind, text, params, &e);
}

int
main(int argc, char **argv)
{
	const struct trace_options options = { .block_bytes = 4096 };
	static const char *const   prefetchers[] = { "none", "linux24:max=31", "ondemand", NULL };
	struct config		   c;
	struct trace		   t;
	struct stats		   s;
	int			   failed = argc != 3 || trace_load(&t, argv[1], &options, &e);

	if (failed)
		return fprintf(stderr, "usage: hits TRACE BLOCKS; %s\n", e.text), 1;
	config_defaults(&c);
	c.cache_blocks = strtoull(argv[2], NULL, 10);
	c.prefetcher = find(PLUGIN_PREFETCHER, "none", &c.prefetcher_params);
	c.scheduler = find(PLUGIN_SCHEDULER, "fifo", &c.scheduler_params);
	c.device = find(PLUGIN_DEVICE, "fixed:latency=5ms", &c.device_params);

	c.replay = REPLAY_UNTIMED; /* hits and misses only */
	for (const struct plugin *const *p = registry_list(PLUGIN_POLICY); *p && !failed; p++) {
		c.policy = find(PLUGIN_POLICY, (*p)->name, &c.policy_params);
		if (!(failed = simulate(&c, &t, &s, &e)))
			printf("%-14s misses %4.1f %%\n", (*p)->name,
			    100. * s.misses / s.references);
	}
	c.replay = REPLAY_SERIAL; /* with time: one call after the other */
	c.policy = find(PLUGIN_POLICY, "lru", &c.policy_params);
	for (int i = 0; prefetchers[i] && !failed; i++) {
		c.prefetcher = find(PLUGIN_PREFETCHER, prefetchers[i], &c.prefetcher_params);
		if (!(failed = simulate(&c, &t, &s, &e)))
			printf("%-14s takes %.3f s\n", prefetchers[i], s.elapsed_us / 1e6);
	}
	if (failed)
		fprintf(stderr, "hits: %s\n", e.text);
	trace_release(&t);
	return failed != 0;
}
