/*
 * sharing.h - the degree of false sharing of a word i on page j: F = 1 - |W| / |P|, of the
 * processors W that referenced the word and P that referenced any word of the page.
 *
 *	B. Han, S. Cho.  Memory allocation scheme for reducing false sharing on
 *	multiprocessor systems.  Journal of KIISE: Systems and Theory 27(3), 2000.
 */
#ifndef SIM_SHARE_SHARING_H
#define SIM_SHARE_SHARING_H

#include "sim/studies/share/model/heap.h"

enum { SHARING_BINS = 10 };

struct sharing {
	uint64_t words;		    /* referenced */
	uint64_t none;		    /* of these with F = 0 */
	uint64_t bin[SHARING_BINS]; /* of the others, F up to 0.1, 0.2, ... */
	double	 mean;		    /* of all words referenced */
};

/* referenced: [nwords] the processors that referenced each word.  0, or -1: out of memory. */
int sharing_measure(struct sharing *s, const struct heap *h, const uint64_t *referenced,
    struct error *e);

#endif
