/*
 * nearest.h - a suggestion for an unknown word.
 *
 * Offer every known word, then make the error.
 */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

#include "sim/base/error.h"

struct nearest {
	const char *word, *best; /* best: NULL if nothing offered comes near */
	unsigned    distance;	 /* to the best one */
};

struct nearest nearest_to(const char *word);
void	       nearest_offer(struct nearest *n, const char *candidate);

/* Usage error: "unknown <what> 'wrod'; did you mean 'word'?", or else: "...; <otherwise>". */
int nearest_error(const struct nearest *n, const char *what, const char *otherwise,
    struct error *e);

#endif
