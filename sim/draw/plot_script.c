/* plot_script.c - the script for a picture of results. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/draw/plot_sheet.h"

enum {
	TICK_LABEL = 66,
	TEXT_ROWS = 18, /* in characters: a panel without legend */
	TEXT_LEFT = 8,
	MARKERS = 24, /* most on one line */
	LETTERS = 26,
	WIDE = 300,	  /* axis that has labels at powers of ten only */
	VALUE_WIDTH = 40, /* of a bar with its value above it */
};

static const unsigned markers[] = { 7, 5, 9, 13, 11, 6, 4, 8, 12, 10 };
enum { MARKER_KINDS = sizeof(markers) / sizeof(*markers) };

/* ---- points ---- */

/* x, y, the ends of the error, and for bars the colour. */
static void
send_points(const struct sheet *s, FILE *to)
{
	const struct plot *p = s->p;

	for (size_t i = 0; i < p->nseries; i++) {
		const struct plot_series *n = &p->series[i];

		fprintf(to, "$data%zu << END\n", i);
		for (const struct plot_row *r = &p->row[n->first]; r < &p->row[n->first + n->n];
		     r++) {
			if (isnan(r->y)) {
				fprintf(to, "%.12g NaN NaN NaN", sheet_x(s, r));
			} else {
				fprintf(to, "%.12g %.9g %.9g %.9g", sheet_x(s, r), r->y / s->scale,
				    sheet_low(s, r), sheet_high(s, r));
			}
			if (plot_has_bars(p))
				fprintf(to, " %" PRIu32, plot_style_of(p, r)->rgb);
			putc('\n', to);
		}
		fputs("END\n", to);
	}
}

static void
set_styles(const struct sheet *s, enum plot_target target, FILE *to)
{
	for (unsigned i = 0; i < s->p->nlines; i++) {
		const struct plot_style *style = &s->p->style[i];

		fprintf(to,
		    "set style line %u linecolor rgb '#%06" PRIx32
		    "' pointtype %u linewidth 1.8 dashtype %u\n",
		    i + 1, style->rgb,
		    target == PLOT_DUMB ? i % LETTERS + 1 : markers[style->marker % MARKER_KINDS],
		    style->dash + 1);
	}
}

/* ---- axes ---- */

/* The label of a tick is a format of gnuplot. */
static const char *
tick_format(const char *text, char buf[2 * PICTURE_SHORT])
{
	char *at = buf;

	for (; *text; text++) {
		*at++ = *text;
		if (*text == '%')
			*at++ = '%';
	}
	*at = '\0';
	return buf;
}

static const char *
tick_text(const struct plot *p, double x, char buf[2 * PICTURE_SHORT])
{
	char text[PLOT_TEXT];

	return tick_format(plot_x_text(p, x, text), buf);
}

/* Ticks at powers of two; those with labels are the powers of 2^step. */
static void
set_log_x(const struct sheet *s, const struct panel *n, unsigned labels, FILE *to)
{
	int	    first = (int)floor(log2(n->min_x)), last = (int)ceil(log2(n->max_x));
	int	    step = (last - first) / (int)labels + 1;
	const char *before = "";
	char	    text[2 * PICTURE_SHORT];

	fputs("set logscale x 2\nset xtics (", to);
	for (int i = first; i <= last; i++, before = ", ") {
		bool major = i % step == 0;

		fprintf(to, "%s'%s' %.12g %d", before,
		    major ? tick_text(s->p, ldexp(1, i), text) : "", ldexp(1, i), !major);
	}
	fputs(")\n", to);
}

/* Ticks at 1, 2, 5, 10, or where they are many, at powers of ten. */
static void
set_decimal_x(const struct sheet *s, const struct panel *n, FILE *to)
{
	bool	    wide = n->x.to / n->x.from > WIDE;
	const char *before = "";
	char	    text[2 * PICTURE_SHORT];

	fputs("set logscale x\nset xtics (", to);
	for (double v = sheet_round(n->x.from * 1.1, false); v <= n->x.to;
	     v = sheet_round(v * 1.5, true), before = ", ") {
		bool major = !wide || v < pow(10, floor(log10(v) + 1e-9)) * 1.5;

		fprintf(to, "%s'%s' %.9g %d", before, major ? tick_text(s->p, v, text) : "", v,
		    !major);
	}
	fputs(")\n", to);
}

/* Sizes, and whole numbers that are set, are mostly powers of two. */
static bool
is_binary(const struct sheet *s)
{
	const struct plot *p = s->p;
	bool		   whole = p->x_kind == X_SETTING || p->x_kind == X_PARAMETER;

	for (size_t i = 0; i < p->nrows; i++)
		whole &= !(fabs(p->row[i].x - round(p->row[i].x)) > 0);
	return p->x_kind == X_CACHE || p->measure == MEASURE_BYTES ||
	    (whole && p->measure == MEASURE_PLAIN);
}

/* The distance of labels: a power of two of bytes, or a round number. */
static double
tick_step(const struct sheet *s, const struct panel *n, unsigned labels)
{
	double least = (n->x.to - n->x.from) / labels;

	return s->p->x_kind == X_CACHE || s->p->measure == MEASURE_BYTES
	    ? ldexp(1, (int)ceil(log2(least)))
	    : sheet_round(least, true);
}

static void
set_linear_x(const struct sheet *s, const struct panel *n, unsigned labels, FILE *to)
{
	double	    step = tick_step(s, n, labels);
	const char *before = "";
	char	    text[2 * PICTURE_SHORT];

	fputs("unset logscale x\nset xtics (", to);
	for (double i = ceil(n->x.from / step); i * step <= n->x.to; i++, before = ", ")
		fprintf(to, "%s'%s' %.12g", before, tick_text(s->p, i * step + 0., text), i * step);
	fputs(")\n", to);
}

static void
set_words(const struct sheet *s, FILE *to)
{
	const struct names *words = &s->p->value[SETTING_X];
	char		    text[PICTURE_SHORT], format[2 * PICTURE_SHORT];

	fprintf(to, "set xtics %s scale 0 (", s->below ? "rotate by 90 right" : "norotate");
	for (uint32_t i = 1; i <= words->n; i++) {
		fputs(i > 1 ? ", " : "", to);
		picture_shorten(text, words->name[i], s->below ? SHEET_WORD : sheet_group_width(s));
		picture_text(tick_format(text, format), to);
		fprintf(to, " %" PRIu32, i);
	}
	fputs(")\n", to);
}

static void
set_x(const struct sheet *s, const struct panel *n, unsigned labels, FILE *to)
{
	if (plot_has_bars(s->p))
		set_words(s, to);
	else if (n->x.log && !is_binary(s))
		set_decimal_x(s, n, to);
	else
		(n->x.log ? set_log_x : set_linear_x)(s, n, labels, to);
	fprintf(to, "set xrange [%.12g : %.12g]\n", n->x.from, n->x.to);
}

static void
set_log_y(const struct axis *y, FILE *to)
{
	bool	    wide = y->to / y->from > WIDE;
	const char *before = "";

	fputs("set logscale y\nset ytics (", to);
	for (double v = sheet_round(y->from * 1.1, false); v <= y->to;
	     v = sheet_round(v * 1.5, true)) {
		double power = pow(10, floor(log10(v) + 1e-9));
		bool   major = !wide || v < power * 1.5;

		if (major)
			fprintf(to, "%s'%g' %.9g", before, v, v);
		else
			fprintf(to, "%s'' %.9g 1", before, v);
		before = ", ";
	}
	fputs(")\n", to);
}

static void
set_y(const struct axis *y, FILE *to)
{
	if (y->log)
		set_log_y(y, to);
	else
		fputs("unset logscale y\nset ytics autofreq\n", to);
	fprintf(to, "set yrange [%.9g : %.9g]\n", y->from, y->to);
}

/* ---- lines ---- */

static void
plot_bands(const struct sheet *s, uint32_t panel, FILE *to)
{
	for (size_t i = 0; i < s->p->nseries; i++) {
		const struct plot_series *n = &s->p->series[i];
		bool			  error = false;

		for (size_t k = n->first; k < n->first + n->n; k++)
			error |= s->p->row[k].error > 0;
		if (n->panel == panel && error)
			fprintf(to,
			    ", \\\n  $data%zu using 1:3:4 with filledcurves fillstyle "
			    "transparent solid 0.2 noborder linecolor rgb '#%06" PRIx32 "' notitle",
			    i, s->p->style[n->line].rgb);
	}
}

static void
plot_lines(const struct sheet *s, uint32_t panel, FILE *to)
{
	for (size_t i = 0; i < s->p->nseries; i++) {
		const struct plot_series *n = &s->p->series[i];

		if (n->panel == panel)
			fprintf(to,
			    ", \\\n  $data%zu using 1:2 with linespoints linestyle %u "
			    "pointinterval %zu notitle",
			    i, n->line + 1, n->n / MARKERS + 1);
	}
}

/* Bars, their errors if there are any, and their values if these have room. */
static void
plot_bars(const struct sheet *s, uint32_t panel, FILE *to)
{
	double pixels = sheet_bar_width(s) * s->panel_w / s->p->value[SETTING_X].n;

	for (size_t i = 0; i < s->p->nseries; i++) {
		const struct plot_series *n = &s->p->series[i];
		bool			  error = false;

		if (n->panel != panel)
			continue;
		for (size_t k = n->first; k < n->first + n->n; k++)
			error |= s->p->row[k].error > 0;
		fprintf(to,
		    ", \\\n  $data%zu using 1:2:(%.6g):5 with boxes fillstyle solid noborder "
		    "linecolor rgb variable notitle",
		    i, sheet_bar_width(s) * 0.94);
		if (error)
			fprintf(to,
			    ", \\\n  $data%zu using 1:2:3:4 with yerrorbars pointtype 0 "
			    "linecolor rgb '#303030' notitle",
			    i);
		if (pixels >= VALUE_WIDTH)
			fprintf(to,
			    ", \\\n  $data%zu using 1:2:(sprintf('%%.3g', $2)) with labels "
			    "%soffset 0,0.6 textcolor rgb '#303030' notitle",
			    i, s->p->base < SETTINGS ? "boxed " : "");
	}
}

static void
plot_panel(const struct sheet *s, uint32_t panel, FILE *to)
{
	/* The line at 1, or nothing: what follows begins with a comma. */
	fprintf(to, "plot %s with lines linecolor rgb '#606060' linewidth 1.5 dashtype 2 notitle",
	    s->p->base < SETTINGS ? "1" : "NaN");
	if (plot_has_bars(s->p)) {
		plot_bars(s, panel, to);
	} else {
		plot_bands(s, panel, to);
		plot_lines(s, panel, to);
	}
	putc('\n', to);
}

/* ---- a picture ---- */

static void
set_frame(const struct sheet *s, enum plot_target target, FILE *to)
{
	struct canvas_size of = { s->width, s->height };
	unsigned	   middle = s->plots_w / 2 + 20, wide = s->width - 2 * SHEET_MARGIN;
	unsigned	   y = SHEET_TOP + picture_heading_height(s->heading, wide) + 8;
	char		   label[PICTURE_SHORT];

	picture_axes(to);
	fputs("set format y '%g'\n", to);
	fprintf(to,
	    "set grid %sytics linecolor rgb '#e0e0e0' linetype 1 linewidth 0.6\n"
	    "set pointsize 0.65\nunset key\n",
	    plot_has_bars(s->p) ? "" : "xtics ");
	if (plot_has_bars(s->p) && s->p->base < SETTINGS) /* the line at 1 passes behind values */
		fputs("set style textbox opaque fillcolor rgb 'white' noborder margins 0.2,0.2\n",
		    to);
	picture_heading(of, s->heading, SHEET_MARGIN, SHEET_TOP, wide, target, to);
	picture_paragraph(of, s->shared, SHEET_MARGIN, y, wide, "left textcolor rgb '#606060'", to);
	picture_label(of, picture_shorten(label, s->y, s->bottom - s->top + 40), SHEET_MARGIN,
	    (s->top + s->bottom) / 2, "center rotate", to);
	picture_label(of, picture_shorten(label, s->x, s->plots_w - 60), middle,
	    s->bottom + s->below + 46, "center", to);
	if (s->legend.below)
		legend_draw(&s->legend, of, SHEET_MARGIN, s->bottom + s->below + 46 + 30, to);
	else
		legend_draw(&s->legend, of, s->plots_w, s->top + 6, to);
}

static void
draw_picture(const struct sheet *s, enum plot_target target, FILE *to)
{
	char title[PICTURE_SHORT];

	picture_canvas(target, s->width, s->height, to);
	set_frame(s, target, to);
	fputs("set multiplot\n", to);
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		const struct panel *n = &s->panel[i];

		picture_place((struct canvas_size){ s->width, s->height },
		    (struct picture_box){ n->left, n->top, s->panel_w, s->panel_h }, to);
		if (s->p->trace.n > 1 || s->p->title) {
			fputs("set title ", to);
			picture_text(picture_shorten(title, s->p->trace.name[i + 1], s->panel_w),
			    to);
			fputs(" offset 0,-0.4\n", to);
		}
		set_x(s, n, s->panel_w / TICK_LABEL, to);
		set_y(&n->y, to);
		plot_panel(s, i, to);
		if (i == 0)
			fprintf(to, "unset label\nunset arrow\n%s",
			    plot_has_bars(s->p) ? "unset object\n" : "");
	}
	fputs("unset multiplot\n", to);
}

/* ---- in characters ---- */

/* The bytes of the first n characters. */
static size_t
first_characters(const char *text, unsigned n)
{
	size_t bytes = 0;

	while (text[bytes] && n--)
		for (bytes++; (text[bytes] & 0xc0) == 0x80;)
			bytes++;
	return bytes;
}

static unsigned
legend_rows(const struct sheet *s, unsigned columns)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->legend.n; i++)
		for (const char *at = s->name[i]; n++, *(at += first_characters(at, columns));)
			;
	return n;
}

/* The legend of the letters in the plot, "A none", in the lowest rows. */
static void
explain_letters(const struct sheet *s, unsigned columns, unsigned row, FILE *to)
{
	char text[PLOT_TEXT + 8];

	for (size_t i = 0; i < s->legend.n; i++) {
		const char *at = s->name[i];

		do {
			size_t n = first_characters(at, columns);

			snprintf(text, sizeof(text), "%c %.*s",
			    at == s->name[i] ? (char)('A' + i % LETTERS) : ' ', (int)n, at);
			fputs("set label ", to);
			picture_text(text, to);
			fprintf(to, " at character %d, %u\n", TEXT_LEFT, --row);
			at += n;
		} while (*at);
	}
}

/* One panel below the other, each with its legend. */
static void
draw_text(const struct sheet *s, unsigned columns, unsigned rows, FILE *to)
{
	unsigned room = columns - TEXT_LEFT - 3, legend = legend_rows(s, room);

	fprintf(to,
	    "set terminal dumb noenhanced size %u, %u\nset encoding utf8\n"
	    "set format y '%%g'\nset tics nomirror\nset border 3\nunset key\n"
	    "set bmargin %u\n",
	    columns, rows > legend + TEXT_ROWS ? rows : legend + TEXT_ROWS, legend + 3);
	explain_letters(s, room, legend, to);
	fputs("set xlabel ", to);
	picture_text(s->x, to);
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		const char *name = s->p->trace.name[i + 1];
		char	    title[2 * PLOT_TEXT + 8];

		snprintf(title, sizeof(title), "%.*s: %s", (int)first_characters(name, columns / 2),
		    name, s->y);
		fputs("\nset title ", to);
		picture_text(title, to);
		putc('\n', to);
		set_x(s, &s->panel[i], columns > 32 ? (columns - 12) / 10 : 2, to);
		set_y(&s->panel[i].y, to);
		plot_panel(s, i, to);
	}
}

int
plot_script(const struct plot *p, enum plot_target target, unsigned columns, unsigned rows,
    FILE *to, struct error *e)
{
	struct sheet s;
	int	     failed = sheet_init(&s, p, e);

	if (!failed) {
		send_points(&s, to);
		set_styles(&s, target, to);
	}
	if (!failed && target == PLOT_DUMB)
		draw_text(&s, columns, rows, to);
	else if (!failed)
		draw_picture(&s, target, to);
	sheet_release(&s);
	return failed;
}
