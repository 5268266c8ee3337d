/* advice.h - the effect of posix_fadvise() on the cache and the prefetcher. */
#ifndef SIM_ADVICE_H
#define SIM_ADVICE_H

#include "sim/core/engine/engine.h"

/* Apply the advice that precedes call a of process p, which begins now. */
void advice_apply(struct engine *g, const struct process *p, const struct access *a);

#endif
