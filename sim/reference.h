/* reference.h - what one call does to the cache. */
#ifndef SIM_REFERENCE_H
#define SIM_REFERENCE_H

#include "sim/sim.h"

/*
 * Go on with reader r's current call.  True: it has all its blocks.  False:
 * the reader sleeps and the call goes on when it wakes.
 */
bool call_run(struct sim *s, struct reader *r, const struct access *a);

#endif
