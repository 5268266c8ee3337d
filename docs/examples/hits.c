/*
 * hits.c - the miss ratio of every policy on a trace, and its time with and without readahead.
 *
 * docs/embedding.md says how to compile it.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "sim/trace/load.h"

static const char *const prefetchers[] = { "none", "linux24:max=31", "ondemand", NULL };
static struct error	 e; /* the reason of a failure, in one line; the library prints nothing */

/* Choose a plug-in by a text as for --policy or --prefetch: "linux24:max=31", "./mine.so". */
static int
set(struct choice *c, const struct plugin_kind *kind, const char *text)
{
	choice_release(c);
	return registry_choose(kind, text, c, &e);
}

int
main(int argc, char **argv)
{
	const struct trace_options options = { .block_bytes = 4096 };
	struct config		   c;
	struct trace		   t;
	struct stats		   s;
	char			  *end = NULL;
	uint64_t		   blocks = argc == 3 ? strtoull(argv[2], &end, 10) : 0;
	int			   failed;

	if (!blocks || *end)
		return fprintf(stderr, "usage: hits TRACE BLOCKS\n"), 2;
	if (trace_load(&t, argv[1], &options, &e))
		return fprintf(stderr, "hits: %s\n", e.text), 1;
	config_defaults(&c);
	c.cache_blocks = blocks;
	failed = set(&c.prefetcher, PLUGIN_PREFETCHER, "none") ||
	    set(&c.scheduler, PLUGIN_SCHEDULER, "fifo") ||
	    set(&c.device, PLUGIN_DEVICE, "fixed:latency=5ms");

	c.replay = REPLAY_UNTIMED; /* hits and misses only */
	for (const struct plugin *const *p = PLUGIN_POLICY->list; *p && !failed; p++) {
		failed = set(&c.policy, PLUGIN_POLICY, (*p)->name) || simulate(&c, &t, &s, &e);
		if (!failed)
			printf("%-14s misses %4.1f %%\n", (*p)->name,
			    100. * s.misses / s.references);
	}
	c.replay = REPLAY_SERIAL; /* with time: one call after the other */
	failed = failed || set(&c.policy, PLUGIN_POLICY, "lru");
	for (int i = 0; prefetchers[i] && !failed; i++) {
		failed = set(&c.prefetcher, PLUGIN_PREFETCHER, prefetchers[i]) ||
		    simulate(&c, &t, &s, &e);
		if (!failed)
			printf("%-14s takes %.3f s\n", prefetchers[i], s.elapsed_us / 1e6);
	}
	if (failed)
		fprintf(stderr, "hits: %s\n", e.text);
	trace_release(&t);
	return failed != 0;
}
