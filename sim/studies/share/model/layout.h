/* layout.h - how many pages a run will have, for protocols that must know it before. */
#ifndef SIM_SHARE_LAYOUT_H
#define SIM_SHARE_LAYOUT_H

#include "sim/studies/share/model/share.h"

/* Runs all of the program, without a protocol.  0 or -1. */
int layout_count(uint32_t *pages, const struct share_config *c, const struct program *p,
    struct error *e);

#endif
