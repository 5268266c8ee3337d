/*
 * plot_script.c - the script for a picture of results.
 *
 * Everything is placed here, in pixels, because gnuplot computes neither the
 * width of the legend nor common scales of the panels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/core/stats.h"
#include "sim/registry.h"
#include "sim/report/plot.h"

enum {
	LEFT = 78, /* of the figure: axis label and numbers */
	GAP_X = 66,
	GAP_Y = 68,
	RIGHT = 24,
	TOP = 34,
	BOTTOM = 62,
	LINE = 19, /* of text */
	LETTER = 7,
	SAMPLE = 36, /* of a line, in the legend */
	TICK_LABEL = 66,
	TEXT_ROWS = 18, /* in characters: a panel without legend */
	MARKERS = 24,	/* most on one line */
};

static const unsigned markers[] = { 7, 5, 9, 13, 11, 6, 4, 8, 12, 10 };
enum {
	MARKER_KINDS = sizeof(markers) / sizeof(*markers),
};

struct panel {
	double min_x, max_x, min_y, max_y; /* of its points */
};

struct sheet {
	const struct plot *p;
	FILE		  *to;
	enum plot_target   target;
	struct panel	  *panel;
	double		   scale;	/* y is divided by it */
	bool		   logy, ratio; /* ratio: y is a part of a whole */
	char		   y[PLOT_TEXT], x[PLOT_TEXT], title[PLOT_TEXT], shared[PLOT_TEXT];
	unsigned	   across, down, panel_w, panel_h, legend_w, top, width, height;
};

static unsigned
max_of(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* ---- the contents ---- */

static double
low(const struct sheet *s, const struct plot_row *r)
{
	return fmax(r->y - r->error, fmin(r->y, 0)) / s->scale;
}

static double
high(const struct sheet *s, const struct plot_row *r)
{
	double y = r->y + r->error;

	return (s->ratio ? fmin(y, fmax(r->y, 1)) : y) / s->scale;
}

static void
measure_panels(struct sheet *s)
{
	for (uint32_t i = 0; i < s->p->trace.n; i++)
		s->panel[i] = (struct panel){ INFINITY, 0, INFINITY, -INFINITY };
	for (const struct plot_row *r = s->p->row; r < s->p->row + s->p->nrows; r++) {
		struct panel *n = &s->panel[r->panel];

		n->min_x = fmin(n->min_x, r->x);
		n->max_x = fmax(n->max_x, r->x);
		if (isnan(r->y))
			continue;
		n->min_y = fmin(n->min_y, low(s, r));
		n->max_y = fmax(n->max_y, high(s, r));
	}
	for (uint32_t i = 0; s->p->base < SETTINGS && i < s->p->trace.n; i++) {
		s->panel[i].min_y = fmin(s->panel[i].min_y, 1);
		s->panel[i].max_y = fmax(s->panel[i].max_y, 1);
	}
}

/* ---- scales ---- */

/* "stall_miss_us": "stall miss". */
static void
plain_name(const char *column, char name[PLOT_TEXT / 4])
{
	size_t n;

	n = (size_t)snprintf(name, PLOT_TEXT / 4, "%.100s",
	    strcmp(column, "elapsed_us") ? column : "execution_time_us");
	for (char *c = name; (c = strchr(c, '_'));)
		*c = ' ';
	if (n > 3 && !strcmp(name + n - 3, " us"))
		name[n - 3] = '\0';
}

/* Does the name contain the unit already? */
static bool
ends_in(const char *name, const char *unit)
{
	size_t n = strlen(name), tail = strlen(unit);

	return n >= tail && !strcmp(name + n - tail, unit);
}

/* The word for large values: "thousand" from 100,000 on. */
static const char *
choose_multiple(struct sheet *s)
{
	static const char *const many[] = { "", "thousand", "million", "billion", "trillion" };
	double			 top = 0;
	unsigned		 k = 0;

	for (size_t i = 0; i < s->p->nrows; i++)
		top = isnan(s->p->row[i].y) ? top : fmax(top, s->p->row[i].y);
	for (; k < 4 && top >= 1e5 && top / s->scale >= 1e3; k++)
		s->scale *= 1e3;
	return many[k];
}

/* "stall (s)", "misses (million blocks)", "execution time relative to none". */
static void
label_y(struct sheet *s, const char *unit)
{
	const struct plot *p = s->p;
	char		   name[PLOT_TEXT / 4];
	const char	  *multiple = "";
	bool		   time = !strcmp(unit, "us");

	plain_name(p->column, name);
	s->scale = time && p->base == SETTINGS ? 1e6 : 1;
	if (p->base < SETTINGS) {
		snprintf(s->y, sizeof(s->y), "%s relative to %.100s", name,
		    p->value[p->base].name[p->base_value]);
		return;
	}
	if (time || ends_in(name, unit))
		unit = time ? "s" : "";
	if (!time)
		multiple = choose_multiple(s);
	snprintf(s->y, sizeof(s->y), *unit || *multiple ? "%s (%s%s%s)" : "%s", name, multiple,
	    *multiple && *unit ? " " : "", unit);
}

static const char *
unit_of(const char *column, bool *ratio)
{
	*ratio = false;
	for (const struct counter *i = stat_info; i->name; i++)
		if (!strcmp(i->name, column))
			return i->unit;
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		if (!strcmp(i.name, column))
			return i.counter->unit;
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		if (!strcmp(i->name, column)) {
			*ratio = !*i->unit;
			return i->unit;
		}
	return "";
}

/* Sizes are in bytes; the label also gives the size of a block. */
static void
label_x(struct sheet *s)
{
	const struct names *block = &s->p->value[OPTION_block];
	double		    bytes = s->p->block_bytes;

	if (block->n != 1)
		snprintf(s->x, sizeof(s->x), "cache size");
	else if (bytes < 1 << 20)
		snprintf(s->x, sizeof(s->x), "cache size (1 MiB: %.9g blocks)", (1 << 20) / bytes);
	else
		snprintf(s->x, sizeof(s->x), "cache size (1 block: %.9g MiB)", bytes / (1 << 20));
}

/* Panels that can be compared have the same scale. */
static void
share_scale(struct sheet *s)
{
	struct panel all = s->panel[0];

	for (uint32_t i = 1; i < s->p->trace.n; i++) {
		all.min_y = fmin(all.min_y, s->panel[i].min_y);
		all.max_y = fmax(all.max_y, s->panel[i].max_y);
	}
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		s->panel[i].min_y = all.min_y;
		s->panel[i].max_y = all.max_y;
	}
}

/* Logarithmic where a panel spans more than a factor of 20, except for ratios. */
static void
choose_scales(struct sheet *s)
{
	const struct plot *p = s->p;
	label_y(s, unit_of(p->column, &s->ratio));
	measure_panels(s);
	if (s->ratio || p->base < SETTINGS)
		share_scale(s);
	for (uint32_t i = 0; i < p->trace.n; i++)
		s->logy |= s->panel[i].max_y > 20 * s->panel[i].min_y;
	s->logy &= !s->ratio || p->base < SETTINGS;
	for (uint32_t i = 0; i < p->trace.n; i++)
		s->logy &= s->panel[i].min_y > 0;
	label_x(s);
}

/* ---- words of the script ---- */

/* set <what> '<text>' <rest> */
static void
set_text(const struct sheet *s, const char *what, const char *text, const char *rest)
{
	fprintf(s->to, "set %s ", what);
	picture_text(text, s->to);
	fprintf(s->to, " %s\n", rest);
}

static void
send_points(const struct sheet *s)
{
	const struct plot *p = s->p;

	for (size_t i = 0; i < p->nseries; i++) {
		const struct plot_series *n = &p->series[i];

		fprintf(s->to, "$data%zu << END\n", i);
		for (const struct plot_row *r = &p->row[n->first]; r < &p->row[n->first + n->n];
		     r++)
			if (isnan(r->y))
				fprintf(s->to, "%.0f NaN NaN NaN\n", r->x);
			else
				fprintf(s->to, "%.0f %.9g %.9g %.9g\n", r->x, r->y / s->scale,
				    low(s, r), high(s, r));
		fputs("END\n", s->to);
	}
}

static void
set_styles(const struct sheet *s)
{
	for (unsigned i = 0; i < s->p->nlines; i++)
		fprintf(s->to,
		    "set style line %u linecolor rgb '%s' pointtype %u linewidth 1.8 dashtype %u\n",
		    i + 1, picture_colour(i),
		    s->target == PLOT_DUMB ? i + 1 : markers[i % MARKER_KINDS],
		    i / PICTURE_COLOURS % 4 + 1);
}

/* ---- axes ---- */

/* Ticks of sizes at powers of two; those with labels are the powers of 2^step. */
static void
set_x(const struct sheet *s, const struct panel *n, unsigned labels)
{
	int	    from = (int)floor(log2(n->min_x)), to = (int)ceil(log2(n->max_x));
	int	    step = (to - from) / (int)labels + 1;
	const char *before = "";
	char	    text[NUMBER_TEXT];

	fprintf(s->to, "set xrange [%.0f : %.0f]\nset xtics (", floor(ldexp(1, from) / 1.25),
	    ldexp(1, to) * 1.25);
	for (int i = from; i <= to; i++, before = ", ") {
		bool   major = i % step == 0;
		size_t end;

		number_bytes(text, (uint64_t)1 << i);
		end = strcspn(text, ".");
		if (text[end])
			memmove(text + end, text + end + 2, strlen(text + end + 2) + 1);
		fprintf(s->to, "%s'%s' %.0f %d", before, major ? text : "", ldexp(1, i), !major);
	}
	fputs(")\n", s->to);
}

/* The next of 1, 2, 5, 10, ... that is at most x, or at least x if up. */
static double
round_number(double x, bool up)
{
	static const double digit[] = { 1, 2, 5, 10 };
	double		    power = pow(10, floor(log10(x)));
	unsigned	    i = 0;

	while (
	    i < 3 && (up ? digit[i] * power < x * 0.999999 : digit[i + 1] * power <= x * 1.000001))
		i++;
	return digit[i] * power;
}

static void
set_log_y(const struct sheet *s, const struct panel *n)
{
	double	    from = round_number(n->min_y, false), to = round_number(n->max_y, true);
	bool	    wide = to / from > 300;
	const char *before = "";

	if (from == to)
		to = round_number(to * 1.5, true);
	fprintf(s->to, "set logscale y\nset yrange [%.9g : %.9g]\nset ytics (", from / 1.1,
	    to * 1.1);
	for (double y = from; y <= to * 1.000001; y = round_number(y * 1.5, true)) {
		double power = pow(10, floor(log10(y) + 1e-9));
		bool   major = !wide || y < power * 1.5;

		if (major)
			fprintf(s->to, "%s'%g' %.9g", before, y, y);
		else
			fprintf(s->to, "%s'' %.9g 1", before, y);
		before = ", ";
	}
	fputs(")\n", s->to);
}

/* From 0, unless all values would lie in the upper half. */
static void
set_y(const struct sheet *s, const struct panel *n)
{
	double margin = (n->max_y - n->min_y) * 0.08;

	if (!(n->max_y >= n->min_y) || n->max_y <= 0)
		fputs("set yrange [0 : 1]\nset ytics autofreq\n", s->to);
	else if (s->logy)
		set_log_y(s, n);
	else if (n->min_y > n->max_y / 2 && margin > 0)
		fprintf(s->to, "set yrange [%.9g : %.9g]\nset ytics autofreq\n", n->min_y - margin,
		    n->max_y + margin);
	else
		fprintf(s->to, "set yrange [%.9g : %.9g]\nset ytics autofreq\n", fmin(n->min_y, 0),
		    n->max_y * 1.06);
}

/* ---- lines ---- */

static void
plot_bands(const struct sheet *s, uint32_t panel)
{
	for (size_t i = 0; i < s->p->nseries; i++) {
		const struct plot_series *n = &s->p->series[i];
		bool			  error = false;

		for (size_t k = n->first; k < n->first + n->n; k++)
			error |= s->p->row[k].error > 0;
		if (n->panel == panel && error)
			fprintf(s->to,
			    ", \\\n  $data%zu using 1:3:4 with filledcurves fillstyle "
			    "transparent solid 0.2 noborder linecolor rgb '%s' notitle",
			    i, picture_colour(n->line));
	}
}

static void
plot_lines(const struct sheet *s, uint32_t panel)
{
	for (size_t i = 0; i < s->p->nseries; i++) {
		const struct plot_series *n = &s->p->series[i];

		if (n->panel == panel)
			fprintf(s->to,
			    ", \\\n  $data%zu using 1:2 with linespoints linestyle %u "
			    "pointinterval %zu notitle",
			    i, n->line + 1, n->n / MARKERS + 1);
	}
}

static void
plot_panel(const struct sheet *s, uint32_t panel)
{
	/* The line at 1, or nothing: what follows begins with a comma. */
	fprintf(s->to,
	    "plot %s with lines linecolor rgb '#606060' linewidth 1.5 dashtype 2 notitle",
	    s->p->base < SETTINGS ? "1" : "NaN");
	plot_bands(s, panel);
	plot_lines(s, panel);
	putc('\n', s->to);
}

/* ---- a picture ---- */

static unsigned
text_width(const char *text)
{
	return picture_letters(text) * LETTER;
}

static void
measure_legend(struct sheet *s)
{
	const struct plot *p = s->p;
	char		   name[PLOT_TEXT];

	s->legend_w = 0;
	if (!*s->title)
		return;
	s->legend_w = text_width(s->title);
	for (size_t i = 0; i < p->nseries; i++)
		s->legend_w = max_of(s->legend_w,
		    SAMPLE + 10 + text_width(plot_line_name(p, &p->row[p->series[i].first], name)));
	s->legend_w += 16;
}

/* Where the lowest panel ends. */
static unsigned
plots_end(const struct sheet *s)
{
	return s->top + s->down * s->panel_h + (s->down - 1) * GAP_Y;
}

static void
place(struct sheet *s)
{
	unsigned n = s->p->trace.n;

	s->across = n == 1 ? 1 : n <= 4 ? 2 : n <= 9 ? 3 : 4;
	s->down = (n + s->across - 1) / s->across;
	s->panel_w = n == 1 ? 520 : n <= 4 ? 340 : 250;
	s->panel_h = n == 1 ? 340 : n <= 4 ? 230 : 170;
	measure_legend(s);
	s->width = LEFT + s->across * s->panel_w + (s->across - 1) * GAP_X + RIGHT + s->legend_w;
	s->top = TOP + (*s->shared ? LINE + 4 : 0);
	s->height = plots_end(s) + BOTTOM;
	if (*s->title)
		s->height = max_of(s->height, s->top + (s->p->nlines + 2) * LINE);
}

/* A text at so many pixels from the left and the top. */
static void
set_label(const struct sheet *s, const char *text, unsigned x, unsigned y, const char *how)
{
	fputs("set label ", s->to);
	picture_text(text, s->to);
	fprintf(s->to, " at screen %.5f, screen %.5f %s\n", x / (double)s->width,
	    1 - y / (double)s->height, how);
}

/* gnuplot's own legend omits entries that are lower than its panel. */
static void
set_legend(const struct sheet *s)
{
	const struct plot *p = s->p;
	unsigned	   x = s->width - s->legend_w, y = s->top + 6;
	char		   name[PLOT_TEXT], how[64];

	if (!*s->title)
		return;
	set_label(s, s->title, x, y, "left");
	for (size_t i = 0, line = 0; i < p->nseries; i++) {
		if (p->series[i].line != line)
			continue;
		y += LINE;
		snprintf(how, sizeof(how), "point linestyle %zu", ++line);
		set_label(s, "", x + SAMPLE / 2, y, how);
		fprintf(s->to,
		    "set arrow from screen %.5f, screen %.5f rto screen %.5f, screen 0 nohead linestyle %zu\n",
		    x / (double)s->width, 1 - y / (double)s->height, SAMPLE / (double)s->width,
		    line);
		plot_line_name(p, &p->row[p->series[i].first], name);
		set_label(s, name, x + SAMPLE + 10, y, "left");
	}
}

static void
set_frame(const struct sheet *s)
{
	unsigned right = s->width - RIGHT - s->legend_w, bottom = plots_end(s);

	fputs("set encoding utf8\nset border 3 linecolor rgb '#606060'\n"
	      "set tics nomirror out scale 0.7 textcolor rgb '#303030'\nset format y '%g'\n"
	      "set grid xtics ytics linecolor rgb '#e0e0e0' linetype 1 linewidth 0.6\n"
	      "set logscale x 2\nset pointsize 0.65\nunset key\n",
	    s->to);
	set_label(s, s->y, 18, (s->top + bottom) / 2, "center rotate");
	set_label(s, s->x, (LEFT + right) / 2, bottom + 46, "center");
	if (*s->shared)
		set_label(s, s->shared, LEFT, 16, "left textcolor rgb '#606060'");
}

/* A name, without its middle if there is not enough room. */
static void
set_panel_title(const struct sheet *s, const char *name)
{
	char	 title[PLOT_TEXT];
	unsigned letters = text_width(name) / LETTER, half = s->panel_w / LETTER / 2 - 2;

	if (letters > s->panel_w / LETTER) {
		snprintf(title, sizeof(title), "%.*s...%s", (int)(picture_skip(name, half) - name),
		    name, picture_skip(name, letters - half));
		name = title;
	}
	set_text(s, "title", name, "offset 0,-0.4");
}

static void
draw_picture(const struct sheet *s)
{
	double w = s->width, h = s->height;

	picture_canvas(s->target, s->width, s->height, s->to);
	set_frame(s);
	set_legend(s);
	fputs("set multiplot\n", s->to);
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		unsigned left = LEFT + i % s->across * (s->panel_w + GAP_X);
		unsigned top = s->top + i / s->across * (s->panel_h + GAP_Y);

		fprintf(s->to,
		    "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
		    "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		    left / w, (left + s->panel_w) / w, 1 - top / h, 1 - (top + s->panel_h) / h);
		set_panel_title(s, s->p->trace.name[i + 1]);
		set_x(s, &s->panel[i], s->panel_w / TICK_LABEL);
		set_y(s, &s->panel[i]);
		plot_panel(s, i);
		if (i == 0)
			fputs("unset label\nunset arrow\n", s->to);
	}
	fputs("unset multiplot\n", s->to);
}

/* ---- in characters ---- */

/* The legend of the letters in the plot, "A none", in legend_h rows at the bottom. */
static void
explain_letters(const struct sheet *s, unsigned legend_h)
{
	const struct plot *p = s->p;
	char		   name[PLOT_TEXT], text[PLOT_TEXT + 8];

	for (size_t i = 0, line = 0; legend_h && i < p->nseries; i++) {
		if (p->series[i].line != line)
			continue;
		plot_line_name(p, &p->row[p->series[i].first], name);
		snprintf(text, sizeof(text), "%c %s", (char)('A' + line % 26), name);
		fputs("set label ", s->to);
		picture_text(text, s->to);
		fprintf(s->to, " at character 8, %zu\n", legend_h - ++line);
	}
}

/* One panel below the other, each with its legend. */
static void
draw_text(const struct sheet *s, unsigned columns, unsigned rows)
{
	char	 title[2 * PLOT_TEXT + 8];
	unsigned legend_h = *s->title ? s->p->nlines : 0;

	fprintf(s->to,
	    "set terminal dumb noenhanced size %u, %u\nset encoding utf8\nset logscale x 2\n"
	    "set format y '%%g'\nset tics nomirror\nset border 3\nunset key\n"
	    "set bmargin %u\n",
	    columns, max_of(rows, legend_h + TEXT_ROWS), legend_h + 3);
	explain_letters(s, legend_h);
	set_text(s, "xlabel", s->x, "");
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		snprintf(title, sizeof(title), "%s: %s", s->p->trace.name[i + 1], s->y);
		set_text(s, "title", title, "");
		set_x(s, &s->panel[i], max_of((columns - 12) / 10, 1));
		set_y(s, &s->panel[i]);
		plot_panel(s, i);
	}
}

int
plot_script(const struct plot *p, enum plot_target target, unsigned columns, unsigned rows,
    FILE *to, struct error *e)
{
	struct sheet s = { .p = p, .to = to, .target = target };

	s.panel = calloc(p->trace.n, sizeof(*s.panel));
	if (!s.panel)
		return error_set(e, "out of memory for the plot");
	plot_legend_title(p, s.title);
	plot_shared(p, s.shared);
	choose_scales(&s);
	send_points(&s);
	set_styles(&s);
	if (target == PLOT_DUMB) {
		draw_text(&s, columns, rows);
	} else {
		place(&s);
		draw_picture(&s);
	}
	free(s.panel);
	return 0;
}
