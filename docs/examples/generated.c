/*
 * generated.c - simulate a trace generated in memory: a file read twice, in calls of 16 KB.
 *
 * Its argument is another policy than lru: "arc", or one that is compiled apart, "./mine.so".
 *
 * docs/embedding.md says how to compile it.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "sim/trace/load.h"

enum { CALLS = 2048, CALL_BYTES = 16384, FILE_BYTES = CALLS / 2 * CALL_BYTES };

/* The next call of the program: 1; after the last one: 0.  No file is read: in is NULL. */
static int
next_call(void *self, struct input *in, struct record *r, struct error *e)
{
	unsigned n = (*(unsigned *)self)++;

	r->time = n * 2000; /* microseconds */
	r->pid = 1;
	r->fd = 3;
	r->op = OP_READ;
	r->inode = 1; /* which file */
	r->file_size = FILE_BYTES;
	r->offset = (uint64_t)n * CALL_BYTES % FILE_BYTES;
	r->length = CALL_BYTES;
	return n < CALLS;
}

int
main(int argc, char **argv)
{
	const struct trace_options options = { .block_bytes = 4096 };
	struct config		   c;
	struct trace		   t;
	struct stats		   s;
	struct error		   e;
	unsigned		   n = 0;

	config_defaults(&c);
	c.cache_blocks = 1024;
	if (registry_choose(PLUGIN_POLICY, argc > 1 ? argv[1] : "lru", &c.policy, &e) ||
	    registry_choose(PLUGIN_PREFETCHER, "iprp+ondemand", &c.prefetcher, &e) ||
	    registry_choose(PLUGIN_SCHEDULER, "fifo", &c.scheduler, &e) ||
	    registry_choose(PLUGIN_DEVICE, "fixed", &c.device, &e) ||
	    trace_make(&t, "twice", &options, next_call, &n, &e) || simulate(&c, &t, &s, &e)) {
		fprintf(stderr, "generated: %s\n", e.text);
		return 1;
	}
	printf("%llu misses, %.3f s, of which %.3f s waiting\n", (unsigned long long)s.misses,
	    s.elapsed_us / 1e6, s.stall_us / 1e6);
	trace_release(&t);
	choice_release(&c.prefetcher); /* the others need no release */
	return 0;
}
