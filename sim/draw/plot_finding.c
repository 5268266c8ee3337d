/*
 * plot_finding.c - the heading of a picture.
 *
 * It says the largest loss and the largest gain that the picture shows.  Each
 * point is compared with the point of the same x whose settings differ in one
 * only: the prefetcher none, or else the first value of the first setting that
 * differs.  Differences up to 2 %, or within an error, are no finding.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/text.h"
#include "sim/draw/plot.h"
#include "sim/registry.h"

#define LEAST (0.02 + 1e-9)

/* ---- comparing ---- */

unsigned
plot_comparison(const struct plot *p, uint32_t *base)
{
	const struct names *prefetchers = &p->value[OPTION_prefetch];
	const struct names *words = &p->value[SETTING_X];

	*base = 1;
	if (p->base < SETTINGS) {
		*base = p->base_value;
		return p->base;
	}
	for (uint32_t i = 1; plot_varies(p, OPTION_prefetch) && i <= prefetchers->n; i++)
		if (!strcmp(prefetchers->name[i], "none")) {
			*base = i;
			return OPTION_prefetch;
		}
	if (p->x_setting == OPTION_prefetch)
		for (uint32_t i = 1; i <= words->n; i++)
			if (!strcmp(words->name[i], "none")) {
				*base = i;
				return SETTING_X;
			}
	for (unsigned s = 0; s < OPTIONS; s++)
		if (plot_varies(p, s) && s != OPTION_cache)
			return s;
	return plot_varies(p, SETTING_X) && p->x_kind != X_TRACE ? SETTING_X : SETTINGS;
}

/* The value of a point and of the one that it is compared with.  False: there is none. */
static bool
compare(const struct plot *p, const struct plot_row *r, double *y, double *base, double *error)
{
	uint32_t	       value;
	unsigned	       setting = plot_comparison(p, &value);
	const struct plot_row *other;

	*y = r->y;
	*base = 1;
	*error = r->error;
	if (p->base < SETTINGS)
		return !isnan(*y);
	if (setting == SETTINGS || r->value[setting] == value)
		return false;
	other = plot_beside(p, r, setting, value);
	if (!other || isnan(other->y) || isnan(*y))
		return false;
	*base = other->y;
	*error += other->error;
	return true;
}

/* By how much a point differs: a part of the base, or of the whole if it is a ratio; 0: within
 * the error, or unknown. */
static double
change_of(const struct plot *p, const struct plot_row *r, const struct quantity *q)
{
	double y, base, error, change;

	if (!compare(p, r, &y, &base, &error) || fabs(y - base) <= error)
		return 0;
	if (q->ratio && p->base == SETTINGS)
		return y - base;
	change = base > 0 ? y / base - 1 : 0;
	return isfinite(change) ? change : 0;
}

/* "44 % slower", "7.5 points above". */
static void
print_change(const struct plot *p, const struct quantity *q, double change, FILE *to)
{
	double size = 100 * fabs(change);
	bool   time = !strcmp(p->column, "elapsed_us");

	fprintf(to, "%.*f %s %s", size < 9.95, size,
	    q->ratio && p->base == SETTINGS ? "points" : "%",
	    change > 0 ? time ? "slower" : "above"
		: time ? "faster"
		       : "below");
}

typedef void print_text(const char *text, FILE *to);

/* " than none". */
static void
print_base(const struct plot *p, print_text *print, FILE *to)
{
	uint32_t value;
	unsigned setting = plot_comparison(p, &value);

	fputs(strcmp(p->column, "elapsed_us") ? " " : " than ", to);
	print(p->value[setting].name[value], to);
}

void
plot_print_difference(const struct plot *p, const struct plot_row *r, FILE *to)
{
	struct quantity q;
	double		change;

	plot_quantity(p->column, &q);
	change = change_of(p, r, &q);
	if (fabs(change) <= LEAST)
		return;
	fputs(", ", to);
	print_change(p, &q, change, to);
	print_base(p, picture_xml, to);
}

/* ---- the heading ---- */

/* "linux24", or "linux24 (clock, 64 MiB)" if other settings differ as well. */
static void
print_line(const struct plot *p, const struct plot_row *r, FILE *to)
{
	uint32_t value;
	unsigned setting = plot_comparison(p, &value);
	char	 others[PLOT_TEXT] = "";

	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (s != setting && plot_varies(p, s))
			plot_join(others, plot_value(p, r, s));
	text_print(plot_value(p, r, setting), to);
	if (*others)
		fprintf(to, " (%s)", others);
}

/* " on csq at 64 MiB", " at pages 16". */
static void
print_place(const struct plot *p, const struct plot_row *r, FILE *to)
{
	uint32_t ignored;
	bool	 compared = plot_comparison(p, &ignored) == SETTING_X;
	bool	 of_x = !compared && p->x_kind != X_CACHE && p->x_kind != X_RESULT;
	char	 x[PLOT_TEXT], name[PLOT_TEXT];

	if (p->trace.n > 1) {
		fputs(" on ", to);
		text_print(p->trace.name[r->panel + 1], to);
	}
	if (of_x && !r->level && (p->x_kind == X_TRACE || p->x_setting == OPTION_device)) {
		fputs(" on ", to);
		text_print(plot_x_text(p, r->x, x), to);
	} else if (of_x && !r->level) {
		fprintf(to, " %s %s ", plot_has_bars(p) ? "with" : "at", plot_x_name(p, name));
		text_print(plot_x_text(p, r->x, x), to);
	} else if (!of_x && !compared && !r->level && r->size > 0) {
		fprintf(to, " at %s", plot_size_text(r->size, x));
	}
}

struct extreme {
	const struct plot_row *row;
	double		       change;
};

/* "linux24 is 44 % slower than none at 64 MiB". */
static void
print_first(const struct plot *p, const struct quantity *q, const struct extreme *it, FILE *to)
{
	print_line(p, it->row, to);
	fputs(" is ", to);
	print_change(p, q, it->change, to);
	print_base(p, text_print, to);
	if (strcmp(p->column, "elapsed_us") != 0)
		fprintf(to, " in %s", q->name);
	print_place(p, it->row, to);
}

/* "; 12 % faster at 128 MiB", "; iprp 12 % faster at 128 MiB". */
static void
print_second(const struct plot *p, const struct quantity *q, const struct extreme *it,
    const struct extreme *first, FILE *to)
{
	uint32_t base;
	unsigned setting = plot_comparison(p, &base);

	fputs("; ", to);
	if (it->row->line != first->row->line ||
	    it->row->value[setting] != first->row->value[setting]) {
		print_line(p, it->row, to);
		putc(' ', to);
	}
	print_change(p, q, it->change, to);
	print_place(p, it->row, to);
}

static void
find_extremes(const struct plot *p, const struct quantity *q, struct extreme *loss,
    struct extreme *gain)
{
	*loss = *gain = (struct extreme){ p->row, 0 };
	for (const struct plot_row *r = p->row; r < p->row + p->nrows; r++) {
		double change = r->size > 0 || !p->uncached ? change_of(p, r, q) : 0;

		if (change > loss->change)
			*loss = (struct extreme){ r, change };
		if (change < gain->change)
			*gain = (struct extreme){ r, change };
	}
}

static void
print_heading(const void *self, FILE *to)
{
	const struct plot *p = self;
	struct quantity	   q;
	struct extreme	   loss, gain;

	plot_quantity(p->column, &q);
	find_extremes(p, &q, &loss, &gain);
	if (p->trace.n == 1 && *p->trace.name[1]) {
		text_print(p->trace.name[1], to);
		fputs(": ", to);
	}
	if (loss.change > LEAST)
		print_first(p, &q, &loss, to);
	if (loss.change > LEAST && gain.change < -LEAST)
		print_second(p, &q, &gain, &loss, to);
	else if (gain.change < -LEAST)
		print_first(p, &q, &gain, to);
	else if (loss.change <= LEAST)
		fputs(q.name, to);
}

char *
plot_heading(const struct plot *p, struct error *e)
{
	return picture_heading_text(p->title, print_heading, p, e);
}
