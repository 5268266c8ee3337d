/*
 * idle.h - reads of a prefetcher while the device has nothing to do.
 *
 * Only prefetchers with idle() pay for it: others are not asked.
 */
#ifndef SIM_IDLE_H
#define SIM_IDLE_H

#include "sim/core/engine/engine.h"

/* If the device could start a request and none waits, ask the prefetcher, which has idle(). */
void idle_read(struct engine *g);

#endif
