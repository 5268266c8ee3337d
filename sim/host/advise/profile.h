/* profile.h - the files of a run: how long the program waits for them, and what is read in vain. */
#ifndef SIM_ADVISE_PROFILE_H
#define SIM_ADVISE_PROFILE_H

#include "sim/core/simulate.h"

struct profile {
	uint64_t *stall_us; /* [nfiles]: reads of them */
	uint64_t *wasted; /* [nfiles]: prefetched blocks that were evicted before they were used */
};

/* Release p in any case. */
int profile_make(struct profile *p, const struct config *c, const struct trace *t, struct error *e);
void profile_release(struct profile *p);

/*
 * Append the files with the largest values to file[*n], up to most of them in all, and at most
 * add; none twice, none with 0.
 */
void profile_pick(const uint64_t *value, file_t nfiles, unsigned add, file_t *file, unsigned *n,
    unsigned most);

#endif
