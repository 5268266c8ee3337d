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
	const char *remark;	 /* of the synonym; "" else */
};

/* A word of other programs, and the word for it here. */
struct synonym {
	const char *word;   /* in any case; linux* is every word that begins so */
	const char *means;  /* NULL: there is no word for it */
	const char *remark; /* a sentence for the message, or NULL */
};

struct nearest nearest_to(const char *word);
void	       nearest_offer(struct nearest *n, const char *candidate);

/*
 * The same for names of things that others exist beside, such as policies: a
 * word that differs in a digit, contains the candidate, or is an acronym with
 * another letter is another thing, not a slip.
 */
void nearest_offer_name(struct nearest *n, const char *candidate);

/* Is the word that synonym?  After all offers; one with a * yields to them. */
void nearest_translate(struct nearest *n, const struct synonym *s);

/* Usage error: "unknown <what> 'wrod'; did you mean 'word'?", or else: "...; <otherwise>". */
int nearest_error(const struct nearest *n, const char *what, const char *otherwise,
    struct error *e);

#endif
