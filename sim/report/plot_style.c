/*
 * plot_style.c - colours, markers and dashes by the names of the lines.
 *
 * The colour shows one setting: the prefetcher where the file has several,
 * else the policy, else the first setting in which rows differ.  A plug-in of
 * bufsim has the colour of its place in `bufsim list`, behind the prefetchers
 * that the figures have always drawn; other names have free colours in the
 * order of the file.  The marker and the dash also show the
 * other settings, so that nothing depends on colours alone.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/registry.h"
#include "sim/report/plot.h"

enum { DASHES = 5, FREE = -1 };

/* The setting that has the colours. */
static unsigned
coloured(const struct plot *p)
{
	if (plot_varies(p, OPTION_prefetch))
		return OPTION_prefetch;
	if (plot_varies(p, OPTION_policy))
		return OPTION_policy;
	for (unsigned s = 0; s < SETTINGS; s++)
		if (plot_varies(p, s))
			return s;
	return OPTION_prefetch;
}

/* These keep their colours, whatever is listed before them. */
static const char *const settled[] = { "none", "linux24", "linux26", "ondemand", "obl", "amp",
	"iprp", "ledger" };
enum { SETTLED = sizeof(settled) / sizeof(*settled) };

static bool
is_called(const char *plugin, const char *name, size_t n)
{
	return !strncmp(plugin, name, n) && !plugin[n];
}

/* The place of the first n letters of a name among those, or FREE. */
static int
settled_place(const char *name, size_t n)
{
	for (int i = 0; i < SETTLED; i++)
		if (is_called(settled[i], name, n))
			return i;
	return FREE;
}

/* The place of a prefetcher: that one, or behind them in the order of the list. */
static int
prefetcher_place(const struct plugin *const *all, const char *name, size_t n)
{
	int place = settled_place(name, n), next = SETTLED;

	for (int i = 0; all[i] && place == FREE; i++) {
		if (is_called(all[i]->name, name, n))
			place = next;
		next += settled_place(all[i]->name, strlen(all[i]->name)) == FREE;
	}
	return place;
}

/* The place of the first n letters of a name in the list of its kind, or FREE. */
static int
place_in_list(unsigned setting, const char *name, size_t n)
{
	const struct plugin *const *all = registry_list(PLUGIN_POLICY);

	if (setting == OPTION_prefetch)
		return prefetcher_place(registry_list(PLUGIN_PREFETCHER), name, n);
	for (int i = 0; setting == OPTION_policy && all[i]; i++)
		if (is_called(all[i]->name, name, n))
			return i;
	return FREE;
}

static bool
is_taken(const int *number, uint32_t n, int wanted)
{
	uint32_t i = 1;

	while (i <= n && number[i] != wanted)
		i++;
	return i <= n;
}

static int
next_free(const int *number, uint32_t n)
{
	int next = 0;

	while (is_taken(number, n, next))
		next++;
	return next;
}

/*
 * The number of each name, from 1 on, and of rows without one: first those of plug-ins as they are in
 * the list, then variants such as "ondemand:pages=64", which take the number
 * of their plug-in if it is free.
 */
static void
number_names(const struct names *names, unsigned setting, int *number)
{
	for (uint32_t i = 1; i <= names->n; i++)
		number[i] = place_in_list(setting, names->name[i], strlen(names->name[i]));
	for (uint32_t i = 1; i <= names->n; i++) {
		if (number[i] != FREE)
			continue;
		number[i] = place_in_list(setting, names->name[i], strcspn(names->name[i], ":+"));
		if (number[i] != FREE && !is_taken(number, i - 1, number[i]) &&
		    !is_taken(number + i, names->n - i, number[i]))
			continue;
		number[i] = FREE;
		number[i] = next_free(number, names->n);
	}
	number[0] = next_free(number, names->n);
}

/* Do two lines differ in no other setting? */
static bool
same_besides(const struct plot_row *a, const struct plot_row *b, unsigned setting)
{
	unsigned s = 0;

	while (s < SETTINGS && (s == setting || a->value[s] == b->value[s]))
		s++;
	return s == SETTINGS;
}

/* The number of each line's other settings, in order of appearance. */
static void
number_variants(const struct plot *p, const struct plot_row **first, unsigned setting,
    unsigned *variant)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < p->nlines; i++) {
		uint32_t k = 0;

		while (k < i && !same_besides(first[i], first[k], setting))
			k++;
		variant[i] = k < i ? variant[k] : n++;
	}
}

int
plot_choose_styles(struct plot *p, struct error *e)
{
	unsigned		setting = coloured(p);
	int		       *number = calloc(p->value[setting].n + 1, sizeof(*number));
	const struct plot_row **first = calloc(p->nlines, sizeof(*first));
	unsigned	       *variant = calloc(p->nlines, sizeof(*variant));

	p->style = calloc(p->nlines, sizeof(*p->style));
	if (number && first && variant && p->style) {
		for (size_t i = p->nseries; i-- > 0;)
			first[p->series[i].line] = &p->row[p->series[i].first];
		number_names(&p->value[setting], setting, number);
		number_variants(p, first, setting, variant);
		for (uint32_t i = 0; i < p->nlines; i++) {
			unsigned n = (unsigned)number[first[i]->value[setting]];

			p->style[i] = (struct plot_style){ .colour = n % PICTURE_COLOURS,
				.marker = n + 3 * variant[i],
				.dash = (n / PICTURE_COLOURS + variant[i]) % DASHES };
		}
	} else {
		error_set(e, "out of memory for the plot");
	}
	free(number);
	free(first);
	free(variant);
	return p->style && number && first && variant ? 0 : -1;
}
