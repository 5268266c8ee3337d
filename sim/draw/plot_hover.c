/*
 * plot_hover.c - names that a browser shows over lines and points.
 *
 * They belong to elements that cannot be seen and lie over gnuplot's lines.
 */
#include <math.h>

#include "sim/draw/plot_sheet.h"

enum { REACH = 6 }; /* of a point, in pixels */

struct spot {
	double x, y;
};

static struct spot
spot_of(const struct sheet *s, const struct plot_row *r)
{
	const struct panel *n = &s->panel[r->panel];

	return (struct spot){ n->left + sheet_part(&n->x, sheet_x(s, r)) * s->panel_w,
		n->top + (1 - sheet_part(&n->y, r->y / s->scale)) * s->panel_h };
}

static void
print_name(const struct sheet *s, const struct plot_row *r, FILE *to)
{
	const char *line = s->name[r->line];

	if (s->p->trace.n > 1 || !*line)
		picture_xml(s->p->trace.name[r->panel + 1], to);
	if (s->p->trace.n > 1 && *line)
		fputs(", ", to);
	picture_xml(line, to);
}

/* "linux24 at 64 MiB: execution time (s) 108.566, 44 % slower than none". */
static void
print_point(const struct sheet *s, const struct plot_row *r, FILE *to)
{
	struct spot	    at = spot_of(s, r);
	const struct panel *n = &s->panel[r->panel];
	double		    half = sheet_bar_width(s) / 2 * s->panel_w / (n->x.to - n->x.from);
	const char	   *shape = plot_has_bars(s->p) ? "rect" : "circle";
	char		    text[PLOT_TEXT];

	if (plot_has_bars(s->p))
		fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
		    at.x - half, at.y, 2 * half, n->top + s->panel_h - at.y);
	else
		fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"", at.x, at.y, REACH);
	fputs(" pointer-events=\"all\"><title>", to);
	print_name(s, r, to);
	fputs(" at ", to);
	if (s->p->x_kind != X_CACHE)
		fprintf(to, "%s ", plot_x_name(s->p, text));
	picture_xml(plot_x_text(s->p, r->x / s->scale_x, text), to);
	fputs(": ", to);
	picture_xml(s->y, to);
	fprintf(to, " %.6g", r->y / s->scale);
	if (s->p->base == SETTINGS)
		plot_print_difference(s->p, r, to);
	fprintf(to, "</title></%s>\n", shape);
}

/* The line itself. */
static void
print_line(const struct sheet *s, const struct plot_series *n, FILE *to)
{
	const struct plot_row *row = &s->p->row[n->first];

	fputs("<title>", to);
	print_name(s, row, to);
	fputs("</title>\n<polyline stroke-width=\"8\" pointer-events=\"stroke\" points=\"", to);
	for (size_t i = 0; i < n->n; i++)
		if (!isnan(row[i].y))
			fprintf(to, "%.1f,%.1f ", spot_of(s, &row[i]).x, spot_of(s, &row[i]).y);
	fputs("\"/>\n", to);
}

static void
print_series(const struct sheet *s, const struct plot_series *n, FILE *to)
{
	const struct plot_row *row = &s->p->row[n->first];

	fputs("<g>", to);
	if (!plot_has_bars(s->p))
		print_line(s, n, to);
	for (size_t i = 0; i < n->n; i++)
		if (!isnan(row[i].y))
			print_point(s, &row[i], to);
	fputs("</g>\n", to);
}

int
plot_hover(const struct plot *p, FILE *to, struct error *e)
{
	struct sheet s;
	int	     failed = sheet_init(&s, p, e);

	if (!failed) {
		fputs("<g id=\"hover\" fill=\"none\" stroke=\"none\">\n", to);
		for (size_t i = 0; i < p->nseries; i++)
			print_series(&s, &p->series[i], to);
		fputs("</g>\n", to);
	}
	sheet_release(&s);
	return failed;
}
