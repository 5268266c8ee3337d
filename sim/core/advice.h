/* advice.h - what posix_fadvise() does to the prefetcher and the cache. */
#ifndef SIM_ADVICE_H
#define SIM_ADVICE_H

#include "sim/core/sim.h"

/* Act upon the advice that precedes reader r's call a, which begins now. */
void advice_apply(struct sim *s, const struct reader *r, const struct access *a);

#endif
