/*
 * legend.c - place names beside or below the plots.
 *
 * gnuplot's own legend leaves out entries for which there is no room, and
 * covers the plot.
 */
#include "sim/draw/legend.h"

enum { SAMPLE = 36, GAP = 10, COLUMN_GAP = 24, RIGHT_MOST = 300 };

static unsigned
lines_of(const struct legend *l, size_t i)
{
	unsigned n = picture_lines(l->name[i], l->text_width);

	return n ? n : 1;
}

static unsigned
rows(const struct legend *l)
{
	return ((unsigned)l->n + l->columns - 1) / l->columns;
}

/* The lines of text in a column. */
static unsigned
column_lines(const struct legend *l, unsigned column)
{
	unsigned sum = 0;

	for (size_t i = (size_t)column * rows(l); i < l->n && i < (size_t)(column + 1) * rows(l);
	     i++)
		sum += lines_of(l, i);
	return sum;
}

void
legend_measure(struct legend *l, unsigned width, unsigned height)
{
	unsigned widest = picture_width(l->title), most = 0;

	if (!l->n)
		return;
	l->text_width = 0;
	for (size_t i = 0; i < l->n; i++) {
		unsigned w = picture_width(l->name[i]);

		l->text_width = w > l->text_width ? w : l->text_width;
	}
	l->columns = 1;
	l->column_width = SAMPLE + GAP + l->text_width;
	widest = widest > l->column_width ? widest : l->column_width;
	l->below = widest > RIGHT_MOST || (l->n + 1) * PICTURE_LINE > height;
	l->width = l->below ? 0 : widest;
	if (l->below && l->column_width > width) {
		l->column_width = width;
		l->text_width = width - SAMPLE - GAP;
	}
	if (l->below)
		l->columns = (width + COLUMN_GAP) / (l->column_width + COLUMN_GAP);
	for (unsigned c = 0; c < l->columns; c++)
		most = column_lines(l, c) > most ? column_lines(l, c) : most;
	l->title_width = l->below ? width : widest;
	l->height = (most + picture_lines(l->title, l->title_width)) * PICTURE_LINE;
}

static void
draw_sample(const struct legend *l, struct canvas_size of, size_t i, unsigned x, unsigned y,
    FILE *to)
{
	char how[64];

	if (l->swatch) {
		picture_swatch(of, PICTURE_RGB(l->swatch[i]), x + SAMPLE - PICTURE_SWATCH, y, to);
		return;
	}
	snprintf(how, sizeof(how), "point linestyle %u", l->style[i]);
	picture_label(of, "", x + SAMPLE / 2, y, how, to);
	fprintf(to,
	    "set arrow from screen %.5f, screen %.5f rto screen %.5f, screen 0 nohead linestyle %u\n",
	    x / (double)of.width, 1 - y / (double)of.height, SAMPLE / (double)of.width,
	    l->style[i]);
}

void
legend_draw(const struct legend *l, struct canvas_size of, unsigned x, unsigned y, FILE *to)
{
	unsigned top = y + picture_lines(l->title, l->title_width) * PICTURE_LINE;

	picture_paragraph(of, l->title, x, y, l->title_width, "left textcolor rgb '#606060'", to);
	for (size_t i = 0; i < l->n; i++) {
		if (i && i % rows(l) == 0)
			x += l->column_width + COLUMN_GAP;
		y = i % rows(l) ? y + PICTURE_LINE * lines_of(l, i - 1) : top;
		draw_sample(l, of, i, x, y, to);
		picture_paragraph(of, l->name[i], x + SAMPLE + GAP, y, l->text_width, "left", to);
	}
}
