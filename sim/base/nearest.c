/*
 * nearest.c - edit distance between words.
 *
 * Counts insertions, deletions, substitutions and swaps of neighbours
 * (optimal string alignment) and ignores case.  A word that is the beginning
 * of a candidate is near it at any length.  O(length * length), on errors
 * only.
 *
 *	F. J. Damerau.  A technique for computer detection and correction of
 *	spelling errors.  Communications of the ACM 7(3), 1964.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "sim/base/nearest.h"

enum { WORD_MAX = 40, FAR = 1000 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static int
lower(const char *s, size_t i)
{
	return tolower((unsigned char)s[i]);
}

static unsigned
distance(const char *a, const char *b)
{
	unsigned d[WORD_MAX + 1][WORD_MAX + 1];
	size_t	 na = strlen(a), nb = strlen(b);

	if (na > WORD_MAX || nb > WORD_MAX)
		return FAR;
	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++)
		for (size_t j = 1; j <= nb; j++) {
			bool same = lower(a, i - 1) == lower(b, j - 1);

			d[i][j] =
			    least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && lower(a, i - 1) == lower(b, j - 2) &&
			    lower(a, i - 2) == lower(b, j - 1))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[na][nb];
}

struct nearest
nearest_to(const char *word)
{
	return (struct nearest){ .word = word, .distance = FAR };
}

void
nearest_offer(struct nearest *n, const char *candidate)
{
	size_t	 length = strlen(n->word);
	unsigned d = distance(n->word, candidate);
	bool	 starts = length >= 2 && !strncmp(n->word, candidate, length);

	if (starts)
		d = least(d, 1);
	if (d < n->distance && d <= (length + 2) / 3) {
		n->best = candidate;
		n->distance = d;
	}
}

int
nearest_error(const struct nearest *n, const char *what, const char *otherwise, struct error *e)
{
	if (n->best)
		return error_usage(e, "unknown %s '%s'; did you mean '%s'?", what, n->word,
		    n->best);
	return error_usage(e, "unknown %s '%s'; %s", what, n->word, otherwise);
}
