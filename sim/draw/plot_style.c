/*
 * plot_style.c - colours, markers and dashes by the names of the lines.
 *
 * The colour shows one setting: the prefetcher where the file has several,
 * else the policy, else the first setting in which rows differ.  A plug-in of
 * bufsim has the colour of its place in `bufsim list`, and so have its variants, such as
 * ondemand:pages=64, in other shades.  A plug-in that is not in the list has a colour by its name;
 * other settings have free ones in the order of the file.  The marker and the dash also show the
 * other settings, so that nothing depends on colours alone.  Bars, which have neither, have shades
 * for them.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/draw/plot.h"
#include "sim/registry.h"

enum { DASHES = 5, COLOURS = 20, SHADES = 4, FREE = -1, GREY = 0x808080, GREY_MARKER = 3 };

/* After those of picture.c, for lists that are longer. */
static uint32_t
colour(unsigned n)
{
	static const uint32_t more[COLOURS - PICTURE_COLOURS] = { 0x332288, 0x999933, 0x44aa99,
		0xaa4499, 0x8b5a2b, 0x117733, 0xcc6677, 0x6a3d9a, 0xb8860b, 0x1b4f72, 0x5f9e3f,
		0x7f7f7f };

	n %= COLOURS;
	if (n < PICTURE_COLOURS)
		return (uint32_t)strtoul(picture_colour(n) + 1, NULL, 16);
	return more[n - PICTURE_COLOURS];
}

/* The nth shade: the colour itself, a lighter, a darker and a very light one. */
static uint32_t
shade(uint32_t rgb, unsigned n)
{
	static const struct {
		unsigned with, per_cent;
	} mixed[SHADES] = { { 0, 0 }, { 255, 45 }, { 0, 40 }, { 255, 62 } };
	uint32_t out = 0;

	for (unsigned shift = 0; shift < 24; shift += 8) {
		unsigned part = rgb >> shift & 255, k = mixed[n % SHADES].per_cent;

		out |= (part * (100 - k) + mixed[n % SHADES].with * k) / 100 << shift;
	}
	return out;
}

/* The setting that has the colours. */
static unsigned
coloured(const struct plot *p)
{
	if (plot_varies(p, OPTION_prefetch))
		return OPTION_prefetch;
	if (plot_varies(p, OPTION_policy))
		return OPTION_policy;
	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (plot_varies(p, s) && (s != OPTION_cache || !p->uncached))
			return s;
	return OPTION_prefetch;
}

/* The length of the name without parameters and what is inside. */
static size_t
stem(const char *name)
{
	return strcspn(name, ":+");
}

/* The place of a name in the list of its kind, or FREE. */
static int
place_in_list(const struct plugin_kind *kind, const char *name)
{
	const struct plugin *const *all = kind->list;
	size_t			    n = stem(name);

	for (int i = 0; all[i]; i++)
		if (!strncmp(all[i]->name, name, n) && !all[i]->name[n])
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
next_free(const int *number, uint32_t n, int from)
{
	while (is_taken(number, n, from))
		from++;
	return from;
}

/* FNV-1a: Fowler, Noll and Vo, 1991. */
static int
number_by_name(const char *name)
{
	uint32_t hash = 2166136261;

	for (size_t i = 0; i < stem(name); i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619;
	return (int)(hash % COLOURS);
}

static bool
same_stem(const char *a, const char *b)
{
	return stem(a) == stem(b) && !strncmp(a, b, stem(a));
}

/* The number of each name, from 1 on, and of rows without one. */
static void
number_names(const struct names *names, unsigned setting, int *number)
{
	const bool plugin = setting == OPTION_policy || setting == OPTION_prefetch;

	for (uint32_t i = 1; i <= names->n; i++)
		number[i] = plugin
		    ? place_in_list(setting == OPTION_policy ? PLUGIN_POLICY : PLUGIN_PREFETCHER,
			  names->name[i])
		    : FREE;
	for (uint32_t i = 1; i <= names->n; i++) {
		uint32_t k = 1;

		if (number[i] != FREE)
			continue;
		while (plugin && k < i && !same_stem(names->name[i], names->name[k]))
			k++;
		number[i] = plugin && k < i
		    ? number[k]
		    : next_free(number, names->n, plugin ? number_by_name(names->name[i]) : 0);
	}
	number[0] = next_free(number, names->n, 0);
}

/* Names of one number are variants: 0 is the one without parameters, or else the first. */
static void
number_shades(const struct names *names, const int *number, unsigned *nth)
{
	for (uint32_t i = 1; i <= names->n; i++) {
		bool plain = !names->name[i][stem(names->name[i])];

		nth[i] = 0;
		for (uint32_t k = 1; k <= names->n && !plain; k++)
			nth[i] += (k < i || (k > i && !names->name[k][stem(names->name[k])])) &&
			    number[k] == number[i];
	}
}

/* Do two lines differ in no other setting? */
static bool
same_besides(const struct plot_row *a, const struct plot_row *b, unsigned setting)
{
	unsigned s = 0;

	while (s < LINE_SETTINGS && (s == setting || a->value[s] == b->value[s]))
		s++;
	return s == LINE_SETTINGS;
}

/* Do lines differ in another setting, and have only colours to show it? */
static bool
needs_shades(const struct plot *p, const struct plot_row **first, unsigned setting)
{
	uint32_t i = 1;

	while (i < p->nlines && same_besides(first[0], first[i], setting))
		i++;
	return plot_has_bars(p) && i < p->nlines;
}

/* The number of each line's other settings and shade, in order of appearance. */
static void
number_variants(const struct plot *p, const struct plot_row **first, unsigned setting,
    const unsigned *nth, unsigned *variant)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < p->nlines; i++) {
		uint32_t k = 0;

		while (k < i &&
		    (!same_besides(first[i], first[k], setting) ||
			nth[first[i]->value[setting]] != nth[first[k]->value[setting]]))
			k++;
		variant[i] = k < i ? variant[k] : n++;
	}
}

static struct plot_style
style_of(int number, unsigned nth, unsigned variant)
{
	unsigned n = (unsigned)number;

	return (struct plot_style){ .colour = n % COLOURS,
		.rgb = shade(colour(n), nth),
		.marker = n + 3 * variant,
		.dash = (n / PICTURE_COLOURS + variant) % DASHES };
}

struct names_room {
	int	 *number;
	unsigned *nth; /* shade */
};

static int
choose_by_names(struct names_room *room, const struct names *names, unsigned setting)
{
	*room = (struct names_room){ calloc(names->n + 1, sizeof(*room->number)),
		calloc(names->n + 1, sizeof(*room->nth)) };
	if (!room->number || !room->nth)
		return -1;
	number_names(names, setting, room->number);
	number_shades(names, room->number, room->nth);
	return 0;
}

static void
release(struct names_room *room)
{
	free(room->number);
	free(room->nth);
}

/* Bars of one line each have the colour of their plug-in. */
static int
choose_bars(struct plot *p)
{
	const struct names *names = &p->value[SETTING_X];
	struct names_room   room = { 0 };
	int		    failed = 0;

	if (!plot_has_bars(p) || p->nlines > 1 ||
	    (p->x_setting != OPTION_prefetch && p->x_setting != OPTION_policy))
		return 0;
	p->bar_style = calloc(names->n + 1, sizeof(*p->bar_style));
	failed = !p->bar_style || choose_by_names(&room, names, p->x_setting);
	for (uint32_t i = 1; !failed && i <= names->n; i++)
		p->bar_style[i] = style_of(room.number[i], room.nth[i], 0);
	release(&room);
	return failed;
}

static int
choose_lines(struct plot *p)
{
	unsigned		setting = coloured(p);
	const struct plot_row **first = calloc(p->nlines, sizeof(*first));
	unsigned	       *variant = calloc(p->nlines, sizeof(*variant));
	struct names_room	room = { 0 };
	int failed = choose_by_names(&room, &p->value[setting], setting) || !first || !variant;

	p->style = calloc(p->nlines, sizeof(*p->style));
	failed |= !p->style;
	for (size_t i = p->nseries; !failed && i-- > 0;)
		first[p->series[i].line] = &p->row[p->series[i].first];
	if (!failed)
		number_variants(p, first, setting, room.nth, variant);
	for (uint32_t i = 0; !failed && i < p->nlines; i++) {
		uint32_t name = first[i]->value[setting];
		bool	 shades = needs_shades(p, first, setting);

		p->style[i] =
		    style_of(room.number[name], shades ? variant[i] : room.nth[name], variant[i]);
		if (p->uncached && first[i]->value[OPTION_cache]) {
			p->style[i].rgb = GREY;
			p->style[i].marker = GREY_MARKER + variant[i];
			p->style[i].dash = 1;
		}
	}
	release(&room);
	free(first);
	free(variant);
	return failed;
}

int
plot_choose_styles(struct plot *p, struct error *e)
{
	if (choose_lines(p) || choose_bars(p))
		return error_set(e, "out of memory for the plot");
	return 0;
}

const struct plot_style *
plot_style_of(const struct plot *p, const struct plot_row *r)
{
	return p->bar_style ? &p->bar_style[r->value[SETTING_X]] : &p->style[r->line];
}
