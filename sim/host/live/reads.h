/*
 * reads.h - the reads of a trace, as calls that can be made on real files:
 * files have their final size from the start.
 */
#ifndef SIM_READS_H
#define SIM_READS_H

#include "sim/trace/load.h"

/*
 * *reads: a new trace of the reads of t, in blocks of SCRATCH_PAGE bytes.  Call
 * number i is made at i times the spacing, or as in t if the spacing is 0.
 */
int reads_select(struct trace *reads, const struct trace *t, usec_t spacing, struct error *e);

#endif
