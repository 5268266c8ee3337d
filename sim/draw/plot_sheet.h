/*
 * plot_sheet.h - where everything in a picture of results lies, in pixels.
 *
 * Everything is placed here, because gnuplot computes neither the width of the
 * legend nor common scales of the panels.
 */
#ifndef SIM_PLOT_SHEET_H
#define SIM_PLOT_SHEET_H

#include "sim/draw/legend.h"
#include "sim/draw/plot.h"

enum { SHEET_MARGIN = 18, SHEET_TOP = 8 };

struct axis {
	double from, to;
	bool   log;
};

struct panel {
	double	    min_x, max_x, min_y, max_y; /* of its points */
	struct axis x, y;
	unsigned    left, top;
};

struct sheet {
	const struct plot *p;
	struct panel	  *panel;
	struct quantity	   of_y, of_x;
	double		   scale, scale_x; /* y and x are divided by it */
	bool		   logx, logy;
	char		   y[PLOT_TEXT], x[PLOT_TEXT]; /* the labels */
	char		  *heading, shared[PLOT_TEXT], legend_title[PLOT_TEXT];
	char		 **name; /* of each line */
	unsigned	  *style;
	uint32_t	  *swatch; /* of each line */
	struct legend	   legend;
	unsigned	   across, panel_w, panel_h, top, bottom, plots_w, width, height;
	unsigned	   below; /* room for words below an axis, beyond that for numbers */
};

/* Find the scales and place everything; release s even after an error. */
int  sheet_init(struct sheet *s, const struct plot *p, struct error *e);
void sheet_release(struct sheet *s);

/* The ends of an error band, in units of the axis. */
double sheet_low(const struct sheet *s, const struct plot_row *r);
double sheet_high(const struct sheet *s, const struct plot_row *r);

/* The place of a row on the axis: bars of a group are beside each other. */
double sheet_x(const struct sheet *s, const struct plot_row *r);

/* The width of a bar, and the longest word that stands level below a group, in pixels. */
double	 sheet_bar_width(const struct sheet *s);
unsigned sheet_group_width(const struct sheet *s);
enum { SHEET_WORD = 168 }; /* the longest that is turned */

/* The next of 1, 2, 5, 10, ... that is at most x, or at least x if up. */
double sheet_round(double x, bool up);

/* The place of a value on an axis, as a part of its length. */
double sheet_part(const struct axis *a, double value);

#endif
