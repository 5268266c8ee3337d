/*
 * plot_hover.c - names that a browser shows over lines and points.
 *
 * They belong to elements that cannot be seen and lie over gnuplot's lines.
 */
#include <math.h>

#include "sim/report/plot_sheet.h"

enum { REACH = 6 }; /* of a point, in pixels */

struct spot {
	double x, y;
};

static struct spot
spot_of(const struct sheet *s, const struct plot_row *r)
{
	const struct panel *n = &s->panel[r->panel];

	return (struct spot){ n->left + sheet_part(&n->x, r->x / s->scale_x) * s->panel_w,
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
	struct spot at = spot_of(s, r);
	char	    x[NUMBER_TEXT];

	fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" pointer-events=\"all\"><title>", at.x,
	    at.y, REACH);
	print_name(s, r, to);
	fputs(" at ", to);
	if (s->p->x_kind != X_CACHE) {
		picture_xml(s->x, to);
		putc(' ', to);
	}
	fprintf(to, "%s: ", plot_x_text(s->p, r->x / s->scale_x, x));
	picture_xml(s->y, to);
	fprintf(to, " %.6g", r->y / s->scale);
	if (s->p->base == SETTINGS)
		plot_print_difference(s->p, r, to);
	fputs("</title></circle>\n", to);
}

static void
print_series(const struct sheet *s, const struct plot_series *n, FILE *to)
{
	const struct plot_row *row = &s->p->row[n->first];

	fputs("<g><title>", to);
	print_name(s, row, to);
	fputs("</title>\n<polyline stroke-width=\"8\" pointer-events=\"stroke\" points=\"", to);
	for (size_t i = 0; i < n->n; i++)
		if (!isnan(row[i].y))
			fprintf(to, "%.1f,%.1f ", spot_of(s, &row[i]).x, spot_of(s, &row[i]).y);
	fputs("\"/>\n", to);
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
