/* fragments.h - how much of the free memory of a pool is in large runs, during a load and after it. */
#ifndef SIM_FRAMES_FRAGMENTS_H
#define SIM_FRAMES_FRAGMENTS_H

#include "sim/studies/frames/model/player.h"
#include "sim/studies/frames/model/trial.h"

/* The load of t, with the players that were opened for it (trial.h).  0 or -1. */
int fragments_measure(struct trial_fragments *r, const struct trial *t, struct players *p,
    struct error *e);

#endif
