/*
 * machine_shows WORD... - can these be seen on this machine, in this
 * directory?  pages, counts, stay, ahead, willneed, inflight, direct,
 * memory, recorded.  Prints why not.
 */
#define _GNU_SOURCE
#include "tests/machine_shows.h"

static const struct word {
	const char *word;
	bool (*shows)(struct shows *);
} words[] = { { "pages", shows_pages }, { "counts", shows_counts }, { "stay", shows_stay },
	{ "ahead", shows_ahead }, { "willneed", shows_willneed }, { "inflight", shows_inflight },
	{ "direct", shows_direct }, { "memory", shows_memory }, { "recorded", shows_recorded },
	{ NULL, NULL } };

int
main(int n, char **word)
{
	static struct shows s;
	bool		    good = shows_make(&s, ".");

	for (int i = 1; good && i < n; i++) {
		const struct word *w = words;

		while (w->word && strcmp(w->word, word[i]) != 0)
			w++;
		if (!w->word) {
			fprintf(stderr, "machine_shows: unknown word '%s'\n", word[i]);
			return 2;
		}
		good = w->shows(&s);
	}
	if (!good)
		puts(s.why);
	return good ? 0 : 1;
}
