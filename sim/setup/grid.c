/* grid.c - split lists, and count through their combinations. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/setup/grid.h"
#include "sim/setup/range.h"

/*
 * The end of a list's first value.  A comma ends it, unless another parameter
 * follows: "linux24:max=31,min=3,none" has two values.
 */
static size_t
value_length(const char *list)
{
	size_t n = strcspn(list, ",");

	if (!memchr(list, ':', n))
		return n;
	while (list[n]) {
		const char *next = list + n + 1;

		if (next[strcspn(next, ",:=+")] != '=')
			break;
		n += 1 + strcspn(next, ",");
	}
	return n;
}

static int
split(const char *list, char ***value, unsigned *nvalues, struct error *e)
{
	uint32_t capacity = 0;

	for (;;) {
		size_t n = value_length(list);
		char **grown = array_grow(*value, *nvalues, &capacity, sizeof(**value));

		if (!grown)
			return error_set(e, "out of memory");
		*value = grown;
		if (!n)
			return error_usage(e, "a value is missing in the list");
		grown[*nvalues] = strndup(list, n);
		if (!grown[(*nvalues)++])
			return error_set(e, "out of memory");
		if (!list[n])
			return 0;
		list += n + 1;
	}
}

int
grid_init(struct grid *g, const struct options *o, struct error *e)
{
	*g = (struct grid){ .npoints = 1 };
	for (const struct option_info *i = option_info; i->name; i++) {
		enum option_id id = (enum option_id)(i - option_info);
		int	       failed;

		if (!option_is_list(i))
			continue;
		failed = (option_is_size(i) ? range_expand : split)(o->text[id], &g->value[id],
		    &g->nvalues[id], e);
		if (!failed && __builtin_mul_overflow(g->npoints, g->nvalues[id], &g->npoints))
			failed = error_usage(e, "too many combinations");
		if (failed) {
			grid_release(g);
			return error_prefix(e, "--%s", i->name);
		}
	}
	return 0;
}

void
grid_release(struct grid *g)
{
	for (unsigned id = 0; id < OPTIONS; id++) {
		for (unsigned v = 0; v < g->nvalues[id]; v++)
			free(g->value[id][v]);
		free(g->value[id]);
	}
	*g = (struct grid){ 0 };
}

int
grid_point(const struct grid *g, uint64_t i, struct options *o, struct error *e)
{
	for (unsigned id = 0; id < OPTIONS; id++) {
		if (!g->nvalues[id])
			continue;
		if (option_set(o, &option_info[id], g->value[id][i % g->nvalues[id]], e))
			return -1;
		i /= g->nvalues[id];
	}
	return 0;
}

unsigned
grid_value(const struct grid *g, uint64_t i, enum option_id id)
{
	for (enum option_id before = 0; before < id; before++)
		i /= g->nvalues[before] ? g->nvalues[before] : 1;
	return (unsigned)(i % g->nvalues[id]);
}

const char *
grid_text(const struct grid *g, uint64_t i, enum option_id id)
{
	return g->value[id][grid_value(g, i, id)];
}
