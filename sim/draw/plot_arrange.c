/* plot_arrange.c - sort results into lines and panels, and divide them by a base. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/draw/plot.h"

/* The name of a row in an error. */
static void
describe(const struct plot *p, const struct plot_row *r, char buf[2 * PLOT_TEXT])
{
	char name[PLOT_TEXT], size[NUMBER_TEXT], x[PLOT_TEXT];
	bool both = p->x_kind != X_CACHE && p->x_kind != X_RESULT;

	plot_line_name(p, r, name);
	snprintf(buf, (size_t)2 * PLOT_TEXT, "%.300s%s%s%s%.20s%s%.200s%s%.300s",
	    p->trace.name[r->panel + 1], *p->trace.name[r->panel + 1] ? ", " : "",
	    r->size > 0 ? number_bytes(size, (uint64_t)r->size) : "no cache", both ? ", " : "",
	    both ? p->x : "", both ? " " : "", both ? plot_x_text(p, r->x, x) : "",
	    *name ? ", " : "", name);
}

/* Drop repeated points; points with contradictory values are an error. */
static int
drop_doubles(struct plot *p, struct error *e)
{
	char   what[2 * PLOT_TEXT];
	size_t kept = 0;

	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i], *last = &p->row[kept ? kept - 1 : 0];

		if (!kept || plot_compare_points(last, r)) {
			p->row[kept++] = *r;
			continue;
		}
		if (last->y == r->y || (isnan(last->y) && isnan(r->y)))
			continue;
		describe(p, r, what);
		return error_set(e,
		    "%s is given twice, with another %s: %s, row %" PRIu64 ", and %s, row %" PRIu64,
		    what, p->column, last->file, last->at, r->file, r->at);
	}
	p->nrows = kept;
	return 0;
}

static int
find_base(struct plot *p, const char *base, struct error *e)
{
	char all[PLOT_TEXT] = "";

	for (unsigned s = 0; s < SETTINGS; s++) {
		if (!plot_varies(p, s) || (s == OPTION_cache && p->uncached))
			continue;
		for (uint32_t i = 0; i < p->value[s].n; i++) {
			plot_join(all, p->value[s].name[i + 1]);
			if (strcmp(p->value[s].name[i + 1], base) != 0)
				continue;
			p->base = s;
			p->base_value = i + 1;
			return 0;
		}
	}
	if (!*all)
		return error_usage(e, "--relative %s: there is only one line", base);
	return error_usage(e, "--relative %s: no line has that name; the lines are: %s", base, all);
}

static int
no_base(const struct plot *p, const struct plot_row *r, const char *why, struct error *e)
{
	char what[2 * PLOT_TEXT];

	describe(p, r, what);
	return error_set(e, "%s: there is nothing to compare it with: %s for %s", what, why,
	    p->value[p->base].name[p->base_value]);
}

/* Beside runs with a cache, where the axis is another setting, one without has no counterpart. */
static bool
is_incomparable(const struct plot *p, const struct plot_row *r)
{
	return !(r->size > 0) && !p->uncached && plot_varies(p, OPTION_cache) &&
	    !r->value[p->base] && p->base != SETTING_X;
}

/* Divide each point by the one that differs from it in the base's setting only. */
static int
divide(const struct plot *p, struct plot_row *r, struct error *e)
{
	const struct plot_row *base = plot_beside(p, r, p->base, p->base_value);

	if (!base)
		return no_base(p, r, "no row", e);
	if (!(fabs(base->y) > 0))
		return no_base(p, r, "0 or unknown", e);
	r->y /= base->y;
	r->error = 0; /* the combined error is unknown */
	return 0;
}

static int
make_relative(struct plot *p, const char *base, struct error *e)
{
	size_t kept = 0;

	if (find_base(p, base, e) < 0)
		return -1;
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		if (r->value[p->base] != p->base_value && !is_incomparable(p, r) &&
		    divide(p, r, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];
		bool		 is_base = r->value[p->base] == p->base_value;

		if (is_incomparable(p, r) || (is_base && p->base != SETTING_X))
			continue;
		if (is_base) { /* every word on the axis has a bar */
			r->y /= r->y;
			r->error = 0;
		}
		p->row[kept++] = *r;
	}
	p->nrows = kept;
	return 0;
}

/* Number the lines, and find the beginning of each in each panel. */
static int
make_series(struct plot *p, struct error *e)
{
	p->series = calloc(p->nrows, sizeof(*p->series));
	if (!p->series)
		return error_set(e, "out of memory for the plot");
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];
		bool		 line = !i || plot_compare_lines(r - 1, r);

		p->nlines += line;
		r->line = p->nlines - 1;
		if (line || r[-1].panel != r->panel)
			p->series[p->nseries++] =
			    (struct plot_series){ .line = r->line, .panel = r->panel, .first = i };
		p->series[p->nseries - 1].n++;
	}
	return 0;
}

int
plot_arrange(struct plot *p, const char *base, struct error *e)
{
	bool defined = false;

	for (size_t i = 0; i < p->nrows; i++)
		defined |= !isnan(p->row[i].y);
	if (!p->nrows)
		return error_set(e, "there are no rows to draw");
	if (!defined)
		return error_set(e, "%s is unknown in every row: there is nothing to draw",
		    p->column);
	if (plot_place(p, e) < 0)
		return -1;
	qsort(p->row, p->nrows, sizeof(*p->row), plot_compare_points);
	if (drop_doubles(p, e) < 0 || (base && make_relative(p, base, e) < 0))
		return -1;
	return make_series(p, e) || plot_choose_styles(p, e) ? -1 : 0;
}
