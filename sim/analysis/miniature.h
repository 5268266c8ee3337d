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
 * The blocks of each file move together, in order, and of the blocks that are
 * never used the same share is left between them.  So a call for consecutive
 * blocks is still one, and a policy that looks for sequences finds those that
 * were there.
 */
#ifndef SIM_MINIATURE_H
#define SIM_MINIATURE_H

#include "sim/analysis/sample.h"

enum { MINIATURES = 1 + SAMPLE_PARTS };

/*
 * All calls that reference a block of the sample, with no other blocks, and the same for each part
 * of it; *references is the number of references of t.  The miniatures borrow from t.
 */
int miniatures_init(struct trace m[MINIATURES], const struct trace *t, const struct sample *s,
    uint64_t *references, struct error *e);

/* Also after a failure. */
void miniatures_release(struct trace m[MINIATURES]);

#endif
