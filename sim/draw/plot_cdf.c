/*
 * plot_cdf.c - the script for a picture of distributions.
 *
 * A line has as many points as can be distinguished.  Colours are those of
 * plot_classes.c.
 */
#include "sim/draw/plot_cdf.h"

enum { WIDTH = 900, HEIGHT = 540, POINTS = 1000, MARGIN = 18 };

#define LEAST_MS 0.001 /* on a logarithmic axis */

/* The first line is the reference for the others: wide and pale, behind them. */
static const struct {
	const char *colour;
	double	    width;
} style[CDF_LINES] = { { "#ddaa33", 5 }, { "#004488", 1.6 }, { "#bb5566", 1.6 } };

static const char *
block_name(unsigned line)
{
	static const char *const name[CDF_LINES] = { "$a", "$b", "$c" };

	return name[line];
}

static void
send_point(const struct cdf_plot *p, double ms, double percent, FILE *to)
{
	if (p->orders)
		fprintf(to, "%.5f %.4f\n", ms < LEAST_MS ? LEAST_MS : ms, percent);
	else
		fprintf(to, "%.3f %.4f\n", ms, percent);
}

static void
send_line(const struct cdf_plot *p, unsigned line, FILE *to)
{
	const double *sorted = p->line[line].sorted;
	size_t	      step = p->n / POINTS + 1;

	fprintf(to, "%s << EOD\n", block_name(line));
	send_point(p, sorted[0], 0, to);
	for (size_t i = 0; i < p->n; i += step)
		send_point(p, sorted[i], 100 * (double)(i + 1) / (double)p->n, to);
	send_point(p, sorted[p->n - 1], 100, to);
	fputs("EOD\n", to);
}

/* The right edge: nearly all times do not exceed it; the slowest would compress the picture. */
static double
right_end(const struct cdf_plot *p)
{
	double end = 0;
	size_t last = p->n - 1 - (p->orders ? 0 : p->n / 500);

	for (unsigned i = 0; i < p->nlines; i++) {
		double x = p->line[i].sorted[last];

		end = x > end ? x : end;
	}
	return end > 0 ? 1.05 * end : 1;
}

static void
send_axes(const struct cdf_plot *p, FILE *to)
{
	fprintf(to,
	    "set grid linecolor rgb '#e0e0e0' linewidth 0.6\n"
	    "set key bottom right Left reverse samplen 3 spacing 1.3\n"
	    "set xlabel 'response time, ms'\nset ylabel '%s that took no longer, %%'\n",
	    p->what ? p->what : "requests");
	if (p->orders)
		fprintf(to, "set logscale x\nset format x '%%g'\nset xrange [%g : %.3f]\n",
		    LEAST_MS, right_end(p) > 2 * LEAST_MS ? right_end(p) : 2 * LEAST_MS);
	else
		fprintf(to, "set xrange [0 : %.3f]\n", right_end(p));
	fputs("set yrange [0 : 100]\n", to);
}

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct cdf_plot *p = self;
	unsigned	       wide = WIDTH - 2 * MARGIN;
	unsigned	       head = picture_heading_height(p->title, wide) + PICTURE_LINE;
	struct canvas_size     of = { WIDTH, HEIGHT + head };

	picture_canvas(p->target, of.width, of.height, to);
	picture_heading(of, p->title, MARGIN, 8, wide, p->target, to);
	picture_label(of, p->subtitle, MARGIN, head, "left textcolor rgb '#606060'", to);
	fprintf(to,
	    "set lmargin at screen 0.09\nset rmargin at screen 0.97\n"
	    "set tmargin at screen %.3f\nset bmargin at screen 0.12\n",
	    1 - (head + 22.) / of.height);
	picture_axes(to);
	send_axes(p, to);
	for (unsigned i = 0; i < p->nlines; i++)
		send_line(p, i, to);
	for (unsigned i = 0; i < p->nlines; i++) {
		fprintf(to, "%s%s using 1:2 with lines linecolor rgb '%s' linewidth %.1f title ",
		    i ? ", " : "plot ", block_name(i), style[i].colour, style[i].width);
		picture_text(p->line[i].name, to);
	}
	putc('\n', to);
	return 0;
}

int
cdf_plot_draw(const struct cdf_plot *p, struct picture *to, struct error *e)
{
	const struct drawing it = { .target = p->target,
		.title = p->title,
		.script = write_script,
		.self = p };

	return picture_draw(to, &it, e);
}
