/*
 * miniature.h - the references to some of the blocks of a trace, as a trace.
 *
 * A policy in a small cache treats this trace as it treats the whole trace in
 * a cache that is larger by the share of the blocks that were left out.
 *
 *	C. Waldspurger, T. Saemundsson, I. Ahmad, N. Park.  Cache modeling and
 *	optimization using miniature simulations.  USENIX Annual Technical
 *	Conference (ATC), 2017.
 *
 * The blocks of each file move together, in order.  A call that goes through
 * consecutive blocks so goes through consecutive ones here too, and a policy
 * that looks for sequences finds them.
 */
#ifndef SIM_MINIATURE_H
#define SIM_MINIATURE_H

#include "sim/analysis/sample.h"

/*
 * All calls that reference a block of the sample, with no other blocks; *references is the number
 * of references of t.  Block i + 1 is that of place i.  Opens and processes are borrowed from t.
 */
int miniature_init(struct trace *m, const struct trace *t, const struct sample *s,
    uint64_t *references, struct error *e);

/* The same of a part of the sample; whole is the miniature of the sample. */
int miniature_part(struct trace *m, const struct trace *whole, const struct sample *s,
    unsigned part, struct error *e);

void miniature_release(struct trace *m);

#endif
