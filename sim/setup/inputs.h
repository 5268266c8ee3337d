/*
 * inputs.h - the traces that a command works on: files, or workloads that are
 * generated (--pattern).
 */
#ifndef SIM_SETUP_INPUTS_H
#define SIM_SETUP_INPUTS_H

#include "sim/setup/options.h"
#include "sim/setup/pattern.h"
#include "sim/trace/merge.h"

struct inputs {
	const char *const *name; /* of files, or the texts of workloads */
	unsigned	   n;
	bool		   made; /* workloads */
	usec_t		   think;
	struct patterns	   patterns;
};

/*
 * The first nfiles arguments, or the workloads of --pattern; a usage error if
 * there are both or none.  think: of workloads that set none.
 */
int  inputs_init(struct inputs *in, const struct options *o, unsigned nfiles, usec_t think,
     struct error *e);
void inputs_release(struct inputs *in);

int inputs_load(struct trace *t, const struct inputs *in, unsigned i,
    const struct trace_options *how, struct error *e);

/* The first of n names, as trace_load_next() takes it out of name[]. */
int inputs_load_next(struct trace *t, const struct inputs *in, const char **name, unsigned *n,
    const struct trace_options *how, struct error *e);

/* One trace, or several merged, as trace_load_together() does. */
int inputs_load_together(struct trace *t, const struct inputs *in, const struct trace_options *how,
    enum merge merge, struct error *e);

/* All of these. */
int inputs_trace(struct trace *t, const struct options *o, unsigned nfiles,
    const struct trace_options *how, enum merge merge, struct error *e);

#endif
