/*
 * plot_scale.c - the script for a picture of speed-ups: a panel for each program, two in a row.
 *
 * The dashed line is linear speed-up; it leaves the panel where the others end far below.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/base/text.h"
#include "sim/studies/scale/plot_scale.h"
#include "sim/studies/scale/scale_report.h"

enum { /* in pixels of the canvas */
	ALONE_W = 860,
	PANEL_W = 560,
	PANEL_H = 400,
	LEFT = 74,
	RIGHT = 24,
	ABOVE = 4, /* of the panel's texts */
	BELOW = 72,
	KEY = 34, /* below all panels */
	KEY_LINE = 32,
	KEY_GAP = 26,
	LAW_POINTS = 200,
	NAME_ROOM = 160,
};

enum line { LINEAR, LAW, WHOLE, REGION, LINES };

/* point: "": a line alone. */
static const struct {
	const char *name, *line, *point;
} lines[LINES] = {
	[LINEAR] = { "linear", "linecolor rgb '#8a8a8a' linewidth 1.2 dashtype 2", "" },
	[LAW] = { "law that fits the region", "linecolor rgb '#56b4e9' linewidth 2.4", "" },
	[WHOLE] = { "the whole program", "linecolor rgb '#d55e00' linewidth 1.6",
	    "pointtype 5 pointsize 0.6" },
	[REGION] = { "the region, with its spread", "linecolor rgb '#0072b2' linewidth 1.4",
	    "pointtype 7 pointsize 0.7" },
};

struct sheet {
	const struct scale_plot *p;
	struct canvas_size	 of;
	unsigned		 columns, panel_w, text_h, panel_h;
	char		       **title, **law; /* of each program */
};

/* ---- texts ---- */

static char *
title_of(const struct scale *s, struct error *e)
{
	struct memo m;
	char	    name[NAME_ROOM];

	if (memo_open(&m, e))
		return NULL;
	fprintf(m.out, "%s: ", text_clean(name, sizeof(name), s->program->name));
	scale_answer(s, m.out);
	return memo_close(&m, e) ? NULL : m.text;
}

static char *
law_of(const struct scale *s, struct error *e)
{
	struct memo m;

	if (memo_open(&m, e))
		return NULL;
	scale_law(s, ", ", m.out);
	return memo_close(&m, e) ? NULL : m.text;
}

static int
make_texts(struct sheet *s, struct error *e)
{
	size_t n = s->p->n;

	s->title = calloc(n, sizeof(*s->title));
	s->law = calloc(n, sizeof(*s->law));
	if (!s->title || !s->law)
		return error_set(e, "out of memory for the picture");
	for (size_t i = 0; i < n; i++) {
		s->title[i] = title_of(&s->p->scale[i], e);
		s->law[i] = s->title[i] ? law_of(&s->p->scale[i], e) : NULL;
		if (!s->law[i])
			return -1;
	}
	return 0;
}

static unsigned
texts_height(const struct sheet *s, size_t i)
{
	unsigned wide = s->panel_w - LEFT - RIGHT;

	return picture_heading_height(s->title[i], wide) +
	    (picture_lines(s->law[i], wide) + 1) * PICTURE_LINE;
}

static void
measure(struct sheet *s)
{
	size_t n = s->p->n, rows;

	s->columns = n > 1 ? 2 : 1;
	s->panel_w = n > 1 ? PANEL_W : ALONE_W;
	for (size_t i = 0; i < n; i++) {
		unsigned height = texts_height(s, i);

		s->text_h = height > s->text_h ? height : s->text_h;
	}
	s->panel_h = ABOVE + s->text_h + PANEL_H + BELOW;
	rows = (n + s->columns - 1) / s->columns;
	s->of = (struct canvas_size){ s->columns * s->panel_w, (unsigned)rows * s->panel_h + KEY };
}

static void
sheet_release(struct sheet *s)
{
	for (size_t i = 0; i < s->p->n; i++) {
		free(s->title ? s->title[i] : NULL);
		free(s->law ? s->law[i] : NULL);
	}
	free(s->title);
	free(s->law);
}

/* ---- data ---- */

static uint32_t
most_threads(const struct scale *s)
{
	return s->program->level[s->program->nlevels - 1].threads;
}

static double
highest(const struct scale *s)
{
	double top = 1;

	for (size_t i = 0; i < s->program->nlevels; i++) {
		const struct scale_level *l = &s->level[i];

		top = fmax(top, fmax(l->region_speedup, fmax(l->speedup, l->law)));
		if (s->has_spread)
			top = fmax(top, l->region_spread.high);
	}
	return top;
}

/* $m3: threads, region, lowest, highest, whole; $l3: threads, law. */
static void
send_data(const struct scale *s, size_t i, FILE *to)
{
	const struct timed_level *t = s->program->level;
	double			  last = most_threads(s);

	fprintf(to, "$m%zu << EOD\n", i);
	for (size_t k = 0; k < s->program->nlevels; k++) {
		const struct scale_level *l = &s->level[k];
		double			  own = l->region_speedup;

		fprintf(to, "%" PRIu32 " %.6g %.6g %.6g %.6g\n", t[k].threads, own,
		    s->has_spread ? l->region_spread.low : own,
		    s->has_spread ? l->region_spread.high : own, l->speedup);
	}
	fprintf(to, "EOD\n$l%zu << EOD\n", i);
	for (unsigned k = 0; k <= LAW_POINTS; k++) {
		double n = 1 + (last - 1) * k / LAW_POINTS;

		fprintf(to, "%.6g %.6g\n", n, usl_speedup(&s->law, n));
	}
	fputs("EOD\n", to);
}

/* ---- drawing ---- */

static void
draw_texts(const struct sheet *s, size_t i, unsigned x, unsigned y, FILE *to)
{
	unsigned wide = s->panel_w - LEFT - RIGHT;

	picture_heading(s->of, s->title[i], x + LEFT, y, wide, s->p->target, to);
	picture_paragraph(s->of, s->law[i], x + LEFT,
	    y + picture_heading_height(s->title[i], wide) + PICTURE_LINE / 2, wide,
	    "left textcolor rgb '#606060'", to);
}

/* The key, below all panels, in one row. */
static void
draw_key(const struct sheet *s, FILE *to)
{
	unsigned x = LEFT, y = s->of.height - KEY / 2;
	double	 w = s->of.width, at = 1 - y / (double)s->of.height;

	for (enum line i = 0; i < LINES; i++) {
		if (i != REGION)
			fprintf(to,
			    "set arrow from screen %.5f, screen %.5f rto screen %.5f, 0 nohead %s\n",
			    x / w, at, KEY_LINE / w, lines[i].line);
		if (*lines[i].point)
			fprintf(to, "set label '' at screen %.5f, screen %.5f point %s %s\n",
			    (x + KEY_LINE / 2) / w, at, lines[i].line, lines[i].point);
		picture_label(s->of, lines[i].name, x + KEY_LINE + 8, y, "left", to);
		x += KEY_LINE + 8 + picture_width(lines[i].name) + KEY_GAP;
	}
}

static void
draw_panel(const struct sheet *s, size_t i, FILE *to)
{
	const struct scale *one = &s->p->scale[i];
	double		    w = s->of.width, h = s->of.height, most = most_threads(one);
	unsigned	    x = (unsigned)(i % s->columns) * s->panel_w;
	unsigned	    y = ABOVE + (unsigned)(i / s->columns) * s->panel_h;
	unsigned	    top = y + s->text_h;

	fputs("unset label\nunset arrow\n", to);
	if (i == 0)
		draw_key(s, to);
	draw_texts(s, i, x, y, to);
	fprintf(to,
	    "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
	    "set tmargin at screen %.5f\nset bmargin at screen %.5f\n"
	    "set xrange [0 : %.6g]\nset yrange [0 : %.6g]\n",
	    (x + LEFT) / w, (x + s->panel_w - RIGHT) / w, 1 - top / h, 1 - (top + PANEL_H) / h,
	    most * 1.04, highest(one) * 1.15);
	picture_ticks('x', most < 8 ? 0 : 1, (uint64_t)(most * 1.04), to);
	fprintf(to,
	    "plot $l%zu using 1:1 with lines %s, $l%zu using 1:2 with lines %s, "
	    "$m%zu using 1:5 with linespoints %s %s, $m%zu using 1:2:3:4 with yerrorbars %s %s\n",
	    i, lines[LINEAR].line, i, lines[LAW].line, i, lines[WHOLE].line, lines[WHOLE].point, i,
	    lines[REGION].line, lines[REGION].point);
}

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct scale_plot *p = self;
	struct sheet		 s = { .p = p };
	int			 failed = make_texts(&s, e);

	if (!failed) {
		measure(&s);
		picture_canvas(p->target, s.of.width, s.of.height, to);
		fputs("set encoding utf8\nset border 3 linecolor rgb '#606060'\n"
		      "set tics nomirror out scale 0.7 textcolor rgb '#303030'\n"
		      "set grid linecolor rgb '#e0e0e0' linewidth 0.6\nunset key\n"
		      "set xlabel 'threads'\nset ylabel 'speed-up S, against 1 thread'\n",
		    to);
		for (size_t i = 0; i < p->n; i++)
			send_data(&p->scale[i], i, to);
		fputs("set multiplot\n", to);
		for (size_t i = 0; i < p->n; i++)
			draw_panel(&s, i, to);
		fputs("unset multiplot\n", to);
	}
	sheet_release(&s);
	return failed;
}

int
scale_plot_draw(const struct scale_plot *p, struct picture *to, struct error *e)
{
	const struct drawing it = { .target = p->target,
		.title = "how far programs scale",
		.script = write_script,
		.self = p };

	return picture_draw(to, &it, e);
}
