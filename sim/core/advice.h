/* advice.h - what posix_fadvise() does to the prefetcher and the cache. */
#ifndef SIM_ADVICE_H
#define SIM_ADVICE_H

#include "sim/core/engine.h"

/* Act upon the advice that precedes process p's call a, which begins now. */
void advice_apply(struct engine *g, const struct process *p, const struct access *a);

#endif
