/*
 * setup.h - from what was typed to what is simulated: names become plug-ins,
 * sizes become blocks.
 */
#ifndef SIM_SETUP_H
#define SIM_SETUP_H

#include "sim/core/simulate.h"
#include "sim/setup/options.h"
#include "sim/trace/load.h"

struct setup {
	struct trace_options trace;
	struct config	     config;
};

/* How to load the trace. */
int setup_trace(struct trace_options *t, const struct options *o, struct error *e);

/* A usage error if that option's CSV would replace a trace, or is called as a picture is. */
int setup_output(const struct options *o, const char *option, const char *path, struct error *e);

/* The device alone; s is to be released if that succeeds. */
int setup_device(struct setup *s, const struct options *o, struct error *e);

/* All that does not depend on the trace, so that a slip costs no loading. */
int  setup_init(struct setup *s, const struct options *o, struct error *e);
void setup_release(struct setup *s);

/* What depends on the trace: how long the warm-up is, and a cache that is a share of it. */
int setup_fit(struct setup *s, const struct options *o, struct trace *t, struct error *e);

/* Refuse a cache whose tables would not fit in so much memory. */
int setup_check_memory(uint64_t cache_blocks, uint32_t block_bytes, uint64_t memory_bytes,
    struct error *e);

#endif
