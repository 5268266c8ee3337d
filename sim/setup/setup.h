/*
 * setup.h - turn options into the settings of a simulation: names become
 * plug-ins, sizes become blocks.
 */
#ifndef SIM_SETUP_H
#define SIM_SETUP_H

#include "sim/core/simulate.h"
#include "sim/setup/options.h"
#include "sim/trace/load.h"

struct setup {
	struct trace_options trace;
	struct config	     config;
	uint64_t	     device_sectors;
};

/* The options for loading the trace. */
int setup_trace(struct trace_options *t, const struct options *o, struct error *e);

/*
 * An error if a file that the command is to write cannot be written, or would
 * replace one that it reads (a trace, a table, a data sheet, a plug-in) or the
 * other one that it writes.  Called for every command.
 */
int setup_outputs(enum command_id command, const struct options *o, struct error *e);

/* Set *jobs to the number of processes at once: --jobs, or one for each processor. */
int setup_jobs(unsigned *jobs, const struct options *o, struct error *e);

/* Set up the device alone; release s if this succeeds. */
int setup_device(struct setup *s, const struct options *o, struct error *e);

/* Set up all that does not depend on the trace, so that errors are found before loading. */
int  setup_init(struct setup *s, const struct options *o, struct error *e);
void setup_release(struct setup *s);

/* Set up the rest: the length of the warm-up, and a cache that is a share of the footprint. */
int setup_fit(struct setup *s, const struct options *o, struct trace *t, struct error *e);

/* All settings of a run of that trace but the plug-ins, of which *c has none. */
int setup_values(struct config *c, const struct options *o, struct trace *t, struct error *e);

/* An error if the tables of the cache do not fit in that much memory. */
int setup_check_memory(uint64_t cache_blocks, uint32_t block_bytes, uint64_t memory_bytes,
    struct error *e);

#endif
