/*
 * nearest.c - edit distance between words.
 *
 * Counts insertions, deletions, substitutions and swaps of neighbours
 * (optimal string alignment) and ignores case: up to a third of the letters may be
 * wrong.  A word that is the beginning of a candidate is near it at any length.
 * O(length * length), on errors only.
 *
 *	F. J. Damerau.  A technique for computer detection and correction of
 *	spelling errors.  Communications of the ACM 7(3), 1964.
 */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "sim/base/nearest.h"

enum { WORD_MAX = 40, FAR = 1000 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned char
lower(const char *s, size_t i)
{
	return (unsigned char)tolower((unsigned char)s[i]);
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
	return (struct nearest){ .word = word, .distance = FAR, .remark = "" };
}

static bool
begins(const char *word, const char *candidate)
{
	size_t length = strlen(word);

	return length >= 2 && !strncasecmp(word, candidate, length);
}

void
nearest_offer(struct nearest *n, const char *candidate)
{
	unsigned d = distance(n->word, candidate), length = (unsigned)strlen(n->word);
	unsigned most = length == 2 ? 1 : length / 3;

	if (begins(n->word, candidate))
		d = least(d, 1);
	if (d < n->distance && (d <= most || begins(n->word, candidate))) {
		n->best = candidate;
		n->distance = d;
	}
}

static bool
same_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	for (;;) {
		a += strcspn(a, digits);
		b += strcspn(b, digits);
		if (*a != *b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

/* Does the long word contain the short one, whatever the case? */
static bool
contains(const char *longer, const char *shorter)
{
	size_t n = strlen(shorter);

	for (; strlen(longer) >= n; longer++)
		if (!strncasecmp(longer, shorter, n))
			return true;
	return false;
}

/* Have words of equal length equal letters?  Those of a swap are. */
static bool
same_letters(const char *a, const char *b)
{
	int count[UCHAR_MAX + 1] = { 0 };

	for (size_t i = 0; a[i]; i++)
		count[lower(a, i)]++;
	for (size_t i = 0; b[i]; i++)
		count[lower(b, i)]--;
	for (size_t i = 0; i <= UCHAR_MAX; i++)
		if (count[i])
			return false;
	return true;
}

/*
 * lfu, s3fifo, raid6 and sstf are names of their own, not slips of lru, fifo,
 * raid5 and sptf: acronyms lie close together.
 */
static bool
is_another_name(const char *word, const char *candidate)
{
	size_t n = strlen(word), m = strlen(candidate);

	if (!strcasecmp(word, candidate) || begins(word, candidate))
		return false;
	return contains(word, candidate) || !same_digits(word, candidate) ||
	    (n <= 4 && n == m && !same_letters(word, candidate));
}

void
nearest_offer_name(struct nearest *n, const char *candidate)
{
	if (!is_another_name(n->word, candidate))
		nearest_offer(n, candidate);
}

void
nearest_translate(struct nearest *n, const struct synonym *s)
{
	size_t length = strlen(s->word) - 1;
	bool   same = s->word[length] == '*' ? !n->best && !strncasecmp(n->word, s->word, length)
					     : !strcasecmp(n->word, s->word);

	if (!same)
		return;
	n->best = s->means;
	n->remark = s->remark ? s->remark : "";
	n->distance = 0;
}

int
nearest_error(const struct nearest *n, const char *what, const char *otherwise, struct error *e)
{
	if (n->best)
		return error_usage(e, "unknown %s '%s'; did you mean '%s'?%s%s", what, n->word,
		    n->best, *n->remark ? " " : "", n->remark);
	return error_usage(e, "unknown %s '%s'; %s", what, n->word,
	    *n->remark ? n->remark : otherwise);
}
