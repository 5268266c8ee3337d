/*
 * panels_draw.c - panels of stacked bars or of lines, for gnuplot and in characters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/legend.h"
#include "sim/draw/panels.h"

enum {
	WIDTH = 900,
	NARROW = 560,
	FEW_BARS = 12,
	MARGIN = 18,
	TOP = 8,
	LEFT = 70, /* of a plot: numbers and their title */
	RIGHT = 14,
	ABOVE = 34, /* a plot: the name of the program */
	BELOW = 34, /* it: the axis; bars have names as well */
	PLOT_H = 220,
	BAR_WIDTH = 26, /* at least */
	PANELS_BESIDE = 3,
	NAME_LINE = 128, /* the longest name below a bar */
	POINTS = 7,
	TICKS_MAX = 24, /* of an axis x */
};

/* ---- the sheet ---- */

struct sheet {
	const struct panels *p;
	struct canvas_size   of;
	unsigned	     beside, panel_w, below, top;
};

static size_t
bars_of(const struct panels *p, uint32_t panel)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nbars; i++)
		n += p->bar[i].panel == panel;
	return n;
}

static size_t
most_bars(const struct panels *p)
{
	size_t most = 0;

	for (uint32_t i = 0; i < p->panel.n; i++)
		most = bars_of(p, i) > most ? bars_of(p, i) : most;
	return most;
}

/* As many panels beside each other as leave room for their bars; four make a square. */
static unsigned
choose_beside(const struct panels *p)
{
	unsigned beside = p->panel.n == 4 ? 2
	    : p->panel.n < PANELS_BESIDE  ? p->panel.n
					  : PANELS_BESIDE;

	while (beside > 1 && !*p->x &&
	    most_bars(p) * BAR_WIDTH > (WIDTH - 2 * MARGIN) / beside - LEFT - RIGHT)
		beside--;
	return beside;
}

/* One small panel needs no wide sheet. */
static unsigned
width_of(const struct panels *p)
{
	return p->panel.n == 1 && (*p->x || most_bars(p) <= FEW_BARS) ? NARROW : WIDTH;
}

static unsigned
longest_name(const struct panels *p)
{
	unsigned longest = 0;
	char	 name[PANEL_NAME];

	for (size_t i = 0; i < p->nbars; i++) {
		panels_bar_name(p, &p->bar[i], name);
		longest = picture_width(name) > longest ? picture_width(name) : longest;
	}
	return longest < NAME_LINE ? longest : NAME_LINE;
}

static void
lay_out(struct sheet *s, const struct panels *p, unsigned top)
{
	unsigned rows;

	*s = (struct sheet){ .p = p, .beside = choose_beside(p), .top = top };
	s->panel_w = (width_of(p) - 2 * MARGIN) / s->beside;
	s->below = BELOW + (*p->x ? 26 : longest_name(p));
	rows = (p->panel.n + s->beside - 1) / s->beside;
	s->of = (struct canvas_size){ width_of(p), top + rows * (ABOVE + PLOT_H + s->below) + 8 };
}

/* Numbers of an axis are short. */
struct unit {
	double	    size;
	const char *name;
};

static double
highest(const struct panels *p, uint32_t panel)
{
	double most = 0;

	for (size_t i = 0; i < p->nbars; i++)
		if (p->bar[i].panel == panel)
			most = fmax(most, p->bar[i].sum);
	return most;
}

static struct unit
unit_of(const struct panels *p, uint32_t panel)
{
	double most = highest(p, panel);

	if (p->time && !p->relative)
		return most < 1 ? (struct unit){ 1e-3, " (ms)" } : (struct unit){ 1, " (s)" };
	return most >= 1e6 ? (struct unit){ 1e6, " (millions)" }
	    : most >= 1e3  ? (struct unit){ 1e3, " (thousands)" }
			   : (struct unit){ 1, "" };
}

static void
place_panel(const struct sheet *s, uint32_t panel, FILE *to)
{
	unsigned x = MARGIN + panel % s->beside * s->panel_w;
	unsigned y = s->top + panel / s->beside * (ABOVE + PLOT_H + s->below) + ABOVE;
	char	 name[PANEL_NAME], text[PICTURE_SHORT];

	panels_panel_name(s->p, panel, name);
	picture_place(s->of, (struct picture_box){ x + LEFT, y, s->panel_w - LEFT - RIGHT, PLOT_H },
	    to);
	picture_shorten(text, name, s->panel_w - RIGHT - 20);
	picture_label(s->of, text, x + 20, y - 17, "left", to);
	panels_y_text(s->p, name);
	snprintf(name + strlen(name), PANEL_NAME - strlen(name), "%s", unit_of(s->p, panel).name);
	picture_label(s->of, name, x + 12, y + PLOT_H / 2, "center rotate", to);
}

/* ---- colours ---- */

static const char *
part_colour(const struct panels *p, unsigned part)
{
	static const unsigned classes[] = { 4, 3, 1, 0 };

	if (p->nparts == 1)
		return picture_colour(0);
	if (p->time)
		return part + 1 == p->nparts ? "#c8c8c8" : picture_colour(part);
	return picture_colour(classes[part % 4]);
}

static bool
has_part(const struct panels *p, unsigned part)
{
	for (size_t i = 0; i < p->nbars; i++)
		if (p->bar[i].part[part] > 0)
			return true;
	return false;
}

/* A line of squares with the names of what is stacked. */
static void
set_part_legend(const struct sheet *s, unsigned y, FILE *to)
{
	const struct panels *p = s->p;
	unsigned	     x = MARGIN, rgb;
	char		     name[PANEL_NAME];

	for (unsigned i = 0; p->nparts > 1 && i < p->nparts; i++) {
		if (!has_part(p, i))
			continue;
		rgb = (unsigned)strtoul(part_colour(p, i) + 1, NULL, 16);
		picture_swatch(s->of, PICTURE_RGB(rgb), x, y, to);
		panels_part_name(p, i, name);
		picture_label(s->of, name, x + PICTURE_SWATCH + 6, y, "left", to);
		x += PICTURE_SWATCH + 30 + picture_width(name);
	}
}

/* ---- bars ---- */

static void
set_names(const struct panels *p, uint32_t panel, FILE *to)
{
	const char *before = "set xtics rotate by 90 right scale 0 (";
	char	    name[PANEL_NAME], line[PICTURE_SHORT];
	size_t	    at = 0;

	for (size_t i = 0; i < p->nbars; i++) {
		if (p->bar[i].panel != panel)
			continue;
		panels_bar_name(p, &p->bar[i], name);
		fputs(before, to);
		picture_text(picture_shorten(line, name, NAME_LINE), to);
		fprintf(to, " %zu", at++);
		before = ", ";
	}
	fprintf(to, ")\nset xrange [-0.7 : %.1f]\n", (double)at - 0.3);
}

/* Each part from where the one before it ends; the bar is drawn as boxes, the whole first. */
static void
send_bars(const struct panels *p, uint32_t panel, FILE *to)
{
	size_t at = 0;

	fprintf(to, "$bars%u << END\n", panel);
	for (size_t i = 0; i < p->nbars; i++) {
		double sum = 0;

		if (p->bar[i].panel != panel)
			continue;
		fprintf(to, "%zu", at++);
		for (unsigned k = 0; k < p->nparts; k++) {
			sum += p->bar[i].part[k];
			fprintf(to, " %.9g", sum / unit_of(p, panel).size);
		}
		putc('\n', to);
	}
	fputs("END\n", to);
}

static void
draw_bars(const struct panels *p, uint32_t panel, FILE *to)
{
	const char *before = "plot ";

	send_bars(p, panel, to);
	set_names(p, panel, to);
	for (unsigned k = p->nparts; k-- > 0;) {
		fprintf(to,
		    "%s$bars%u using 1:%u with boxes fillstyle solid noborder "
		    "linecolor rgb '%s' notitle",
		    before, panel, k + 2, part_colour(p, k));
		before = ", ";
	}
	putc('\n', to);
}

/* ---- lines ---- */

static int
by_line_and_x(const void *a, const void *b)
{
	const struct panel_bar *x = a, *y = b;

	return (x->x > y->x) - (x->x < y->x);
}

/* The points of one line in one panel, by x; how many. */
static size_t
send_line(const struct panels *p, uint32_t panel, uint32_t line, struct panel_bar *room, FILE *to)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nbars; i++)
		if (p->bar[i].panel == panel && p->bar[i].line == line)
			room[n++] = p->bar[i];
	qsort(room, n, sizeof(*room), by_line_and_x);
	fprintf(to, "$line%u_%u << END\n", panel, line);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "%.9g %.9g\n", room[i].x, room[i].sum / unit_of(p, panel).size);
	fputs("END\n", to);
	return n;
}

static double
least_x(const struct panels *p)
{
	double least = INFINITY;

	for (size_t i = 0; i < p->nbars; i++)
		least = fmin(least, p->bar[i].x);
	return least;
}

static double
most_x(const struct panels *p)
{
	double most = 0;

	for (size_t i = 0; i < p->nbars; i++)
		most = fmax(most, p->bar[i].x);
	return most;
}

static bool
is_logarithmic(const struct panels *p)
{
	return !p->linear && least_x(p) > 0 && most_x(p) >= 8 * least_x(p);
}

/* Is it the first of its x? */
static bool
is_new_x(const struct panels *p, size_t i)
{
	size_t first = 0;

	while (p->bar[first].x < p->bar[i].x || p->bar[first].x > p->bar[i].x)
		first++;
	return first == i;
}

static size_t
count_x(const struct panels *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nbars; i++)
		n += is_new_x(p, i);
	return n;
}

/* A tick at each x that there is, if they have room. */
static void
set_x_ticks(const struct panels *p, FILE *to)
{
	const char *before = "set xtics norotate (";
	char	    text[NUMBER_TEXT];

	if (count_x(p) > TICKS_MAX) {
		fprintf(to, "set xtics norotate autofreq\nset xrange [%.9g : %.9g]\n", least_x(p),
		    most_x(p));
		return;
	}
	for (size_t i = 0; i < p->nbars; i++) {
		if (!is_new_x(p, i))
			continue;
		panels_x_value(p, p->bar[i].x, text);
		fprintf(to, "%s'%s' %.9g", before, text, p->bar[i].x);
		before = ", ";
	}
	fputs(")\n", to);
}

static void
set_x_axis(const struct panels *p, FILE *to)
{
	char name[PANEL_NAME];

	set_x_ticks(p, to);
	panels_x_text(p, name);
	fputs("set xlabel ", to);
	picture_text(name, to);
	fprintf(to, "\n%sset offsets graph 0.04, graph 0.04, 0, 0\n",
	    is_logarithmic(p) ? "set logscale x 2\n" : "");
}

static void
draw_lines(const struct panels *p, uint32_t panel, uint32_t nlines, struct panel_bar *room,
    FILE *to)
{
	const char *before = "plot ";
	size_t	    every = count_x(p) / TICKS_MAX * 4 + 1; /* has a marker */

	set_x_axis(p, to);
	for (uint32_t line = 0; line < nlines; line++)
		send_line(p, panel, line, room, to);
	for (uint32_t line = 0; line < nlines; line++) {
		fprintf(to,
		    "%s$line%u_%u using 1:2 with linespoints linestyle %u pointinterval %zu notitle",
		    before, panel, line, line + 1, every);
		before = ", ";
	}
	putc('\n', to);
}

/* ---- the script ---- */

static void
set_frame(const struct sheet *s, enum plot_target target, const char *heading, FILE *to)
{
	picture_canvas(target, s->of.width, s->of.height, to);
	fputs("set multiplot\nunset key\nset tics nomirror out scale 0.7\n"
	      "set border 3 linecolor rgb '#606060'\nset tics textcolor rgb '#303030'\n"
	      "set grid ytics linecolor rgb '#e0e0e0' linetype 1 linewidth 0.6\n"
	      "set boxwidth 0.72\nset format y '%.4g'\nset yrange [0 : *]\n",
	    to);
	picture_heading(s->of, heading, MARGIN, TOP, s->of.width - 2 * MARGIN, target, to);
}

/* The grid lies below the bars. */
static void
draw_panels(const struct sheet *s, uint32_t nlines, struct panel_bar *room, FILE *to)
{
	for (uint32_t panel = 0; panel < s->p->panel.n; panel++) {
		/* labels and squares of the sheet belong to the first plot */
		if (panel)
			fputs("unset label\nunset object\n", to);
		place_panel(s, panel, to);
		if (*s->p->x)
			draw_lines(s->p, panel, nlines, room, to);
		else
			draw_bars(s->p, panel, to);
	}
	fputs("unset multiplot\n", to);
}

static void
set_line_styles(uint32_t nlines, FILE *to)
{
	for (uint32_t i = 0; i < nlines; i++)
		fprintf(to,
		    "set style line %u linecolor rgb '%s' linewidth 1.8 dashtype %u pointtype %u "
		    "pointsize 0.8\n",
		    i + 1, picture_colour(i), i / PICTURE_COLOURS % 5 + 1, 4 + i % POINTS);
}

struct line_names {
	char (*text)[PANEL_NAME];
	const char **name;
	unsigned    *style;
};

static int
name_lines(struct line_names *n, const struct panels *p, uint32_t nlines, struct error *e)
{
	*n = (struct line_names){ calloc(nlines + 1, sizeof(*n->text)),
		calloc(nlines + 1, sizeof(*n->name)), calloc(nlines + 1, sizeof(*n->style)) };
	if (!n->text || !n->name || !n->style)
		return error_set(e, "out of memory for the plot");
	for (size_t i = 0; i < p->nbars; i++) {
		uint32_t line = p->bar[i].line;

		if (line >= nlines)
			continue;
		panels_bar_name(p, &p->bar[i], n->text[line]);
		n->name[line] = n->text[line];
		n->style[line] = line + 1;
	}
	return 0;
}

static void
write_sheet(const struct panels *p, enum plot_target target, const char *heading, struct legend *l,
    struct panel_bar *room, FILE *to)
{
	unsigned     top = TOP + picture_heading_height(heading, width_of(p) - 2 * MARGIN) + 6;
	struct sheet s;

	if (*p->x)
		legend_measure(l, width_of(p) - 2 * MARGIN, 0);
	lay_out(&s, p, top + (*p->x ? l->height : PICTURE_LINE));
	set_frame(&s, target, heading, to);
	set_line_styles((uint32_t)l->n, to);
	if (*p->x)
		legend_draw(l, s.of, MARGIN, top + 4, to);
	else
		set_part_legend(&s, top + PICTURE_LINE / 2, to);
	if (p->behind.n == 1)
		picture_label(s.of, p->behind.name[1], s.of.width - MARGIN,
		    *p->x ? TOP + 12 : top + PICTURE_LINE / 2, "right textcolor rgb '#606060'", to);
	draw_panels(&s, (uint32_t)l->n, room, to);
}

int
panels_script(const struct panels *p, enum plot_target target, FILE *to, struct error *e)
{
	uint32_t	  nlines = *p->x ? p->nlines : 0;
	char		 *heading = panels_heading(p, e);
	struct panel_bar *room = calloc(p->nbars, sizeof(*room));
	struct line_names names = { 0 };
	int		  failed = !heading;

	if (!failed && !room)
		failed = error_set(e, "out of memory for the plot");
	if (!failed)
		failed = name_lines(&names, p, nlines, e);
	if (!failed)
		write_sheet(p, target, heading,
		    &(struct legend){ .title = "",
			.name = names.name,
			.style = names.style,
			.n = nlines },
		    room, to);
	free(heading);
	free(room);
	free(names.text);
	free(names.name);
	free(names.style);
	return failed ? -1 : 0;
}

/* ---- in characters ---- */

enum { TEXT_NAME = 24 };

static void
print_number(const struct panels *p, double n, FILE *to)
{
	char text[NUMBER_TEXT];

	if (p->time || p->relative || n < 10)
		fprintf(to, " %.4g", n);
	else
		fprintf(to, " %s", number_group(text, (uint64_t)(n + 0.5)));
}

static const char marks[PANEL_PARTS + 1] = "#=-+*o%&.:";

static void
print_bar(const struct panels *p, const struct panel_bar *b, double scale, FILE *to)
{
	char	 name[PANEL_NAME], x[NUMBER_TEXT] = "";
	double	 sum = 0;
	unsigned at = 0;

	panels_bar_name(p, b, name);
	if (*p->x)
		panels_x_value(p, b->x, x);
	snprintf(name + strlen(name), PANEL_NAME - strlen(name), "%s%s", *x ? " " : "", x);
	fprintf(to, "  %-*.*s ", TEXT_NAME, TEXT_NAME, name);
	for (unsigned k = 0; k < p->nparts; k++) {
		sum += b->part[k];
		for (; at < (unsigned)(sum * scale + 0.5); at++)
			putc(marks[k], to);
	}
	print_number(p, b->sum, to);
	putc('\n', to);
}

static void
print_marks(const struct panels *p, FILE *to)
{
	char name[PANEL_NAME];

	for (unsigned k = 0; p->nparts > 1 && k < p->nparts; k++) {
		panels_part_name(p, k, name);
		if (has_part(p, k))
			fprintf(to, "  %c %s", marks[k], name);
	}
	fputs(p->nparts > 1 ? "\n" : "", to);
}

void
panels_text(const struct panels *p, unsigned columns, FILE *to)
{
	unsigned wide = columns > TEXT_NAME + 30 ? columns - TEXT_NAME - 18 : 12;
	char	 y[PANEL_NAME];

	panels_y_text(p, y);
	for (uint32_t panel = 0; panel < p->panel.n; panel++) {
		double most = highest(p, panel);
		char   name[PANEL_NAME];

		panels_panel_name(p, panel, name);
		fputs("\n", to);
		text_print(name, to);
		fprintf(to, ": %s%s\n", y, p->time && !p->relative ? " (s)" : "");
		for (size_t i = 0; i < p->nbars; i++)
			if (p->bar[i].panel == panel)
				print_bar(p, &p->bar[i], most > 0 ? wide / most : 0, to);
	}
	print_marks(p, to);
}
