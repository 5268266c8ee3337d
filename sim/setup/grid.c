/* grid.c - count through the combinations of lists. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/setup/grid.h"
#include "sim/setup/range.h"
#include "sim/setup/values.h"

int
grid_init(struct grid *g, enum command_id command, const struct options *o, struct error *e)
{
	*g = (struct grid){ .o = o, .npoints = 1 };
	for (const struct option_info *i = option_info; i->name; i++) {
		enum option_id id = (enum option_id)(i - option_info);
		int	       failed;

		if (!option_takes_list(i, command))
			continue;
		failed = (option_is_size(i) ? range_expand
			: option_is_costs(i)
			? costs_expand
			: values_expand)(o->text[id], &g->value[id], &g->nvalues[id], e);
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
grid_count(const struct grid *g, uint64_t n, uint64_t most, size_t *npoints, struct error *e)
{
	if (__builtin_mul_overflow(g->npoints, n, npoints) || *npoints > most)
		return error_usage(e, "more than %llu points: use shorter lists",
		    (unsigned long long)most);
	return 0;
}

int
grid_point(const struct grid *g, uint64_t i, struct options *o, struct error *e)
{
	*o = *g->o;
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

void
grid_name(const struct grid *g, uint64_t i, char *name, size_t room)
{
	size_t n = strlen(name);

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (g->nvalues[id] > 1 && n < room)
			n += (size_t)snprintf(name + n, room - n, "%s--%s %s", n ? " " : "",
			    option_info[id].name, grid_text(g, i, id));
}
