/*
 * plot_responses.c - draw response times.
 *
 * A file may have millions of rows, and a picture has hundreds of columns.
 * For a distribution a few hundred ranks are drawn; for the calls under way,
 * the average and the maximum in each column of time.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/core/responses.h"
#include "sim/draw/legend.h"
#include "sim/draw/plot_responses.h"

enum {
	WIDTH = 780,
	PLOT_H = 300,
	LEFT = 88,
	RIGHT = 24,
	MARGIN = 18,
	TOP = 8,
	BOTTOM = 70,
	GAP = 24,
	RANKS = 2000,
	MOMENTS = 400,
	COMPARED = 4, /* files, at most, in a heading */
	DASHES = 5,
};

/* ---- reading ---- */

bool
response_plot_recognises(const struct csv *c)
{
	return csv_column(c, RESPONSE_ARRIVAL) >= 0 && csv_column(c, RESPONSE_US) >= 0;
}

int
response_plot_start(struct response_plot *p, const char *y, struct error *e)
{
	*p = (struct response_plot){ .outstanding = y && !strcmp(y, "outstanding") };
	if (!y || p->outstanding || !strcmp(y, "response"))
		return 0;
	return error_usage(e, "--y %s: a file of run --responses can show response or outstanding",
	    y);
}

void
response_plot_free(struct response_plot *p)
{
	for (size_t i = 0; i < p->nlines; i++)
		free(p->line[i].call);
	free(p->line);
	*p = (struct response_plot){ 0 };
}

static int
read_time(const struct csv *c, int column, uint64_t *us, struct error *e)
{
	if (number_whole(c->field[column], us) && *us <= (uint64_t)SPAN_MAX_US)
		return 0;
	return error_set(e, "%s: row %" PRIu64 ": %s: '%s' is not a time in us", c->name, c->row,
	    c->column[column], c->field[column]);
}

static int
read_rows(struct response_line *line, struct csv *c, struct error *e)
{
	int arrival = csv_column(c, RESPONSE_ARRIVAL), response = csv_column(c, RESPONSE_US), more;

	if (arrival < 0 || response < 0)
		return error_set(e,
		    "%s: no column %s: all files must be of bufsim run --responses, or none",
		    c->name, arrival < 0 ? RESPONSE_ARRIVAL : RESPONSE_US);
	while ((more = csv_next(c, e)) == 1) {
		struct call_times *all =
		    array_grow(line->call, line->n, &line->room, sizeof(*line->call));

		if (!all)
			return csv_no_memory(c, e);
		line->call = all;
		if (read_time(c, arrival, &all[line->n].arrival_us, e) ||
		    read_time(c, response, &all[line->n].us, e))
			return -1;
		line->n++;
	}
	if (more < 0)
		return -1;
	if (c->torn)
		return error_set(e, "%s: row %" PRIu64 " is torn: its end is missing", c->name,
		    c->row);
	if (line->n)
		return 0;
	return error_set(e, "%s: there are no rows to draw", c->name);
}

/* "csq-open" of "results/csq-open.csv". */
static void
name_line(struct response_line *line, const char *path)
{
	const char *name = text_file_name(path);
	size_t	    n = strlen(name);

	if (text_ends_in(name, n, ".csv"))
		n -= strlen(".csv");
	text_clean(line->name, n + 1 < sizeof(line->name) ? n + 1 : sizeof(line->name), name);
}

static int
by_time(const void *a, const void *b)
{
	const struct call_times *x = a, *y = b;

	return (x->us > y->us) - (x->us < y->us);
}

int
response_plot_read(struct response_plot *p, struct csv *c, struct error *e)
{
	struct response_line *all = array_grow(p->line, p->nlines, &p->room, sizeof(*p->line));
	struct response_line *line;

	if (!all)
		return error_set(e, "%s: out of memory", c->name);
	p->line = all;
	line = &all[p->nlines++];
	*line = (struct response_line){ 0 };
	name_line(line, c->name);
	if (read_rows(line, c, e))
		return -1;
	qsort(line->call, line->n, sizeof(*line->call), by_time);
	return 0;
}

/* ---- a distribution ---- */

/* The least time that a logarithm can show. */
static double
least_ms(const struct response_plot *p)
{
	uint64_t least = UINT64_MAX;

	for (const struct response_line *l = p->line; l < p->line + p->nlines; l++)
		for (size_t i = 0; i < l->n; i++)
			if (l->call[i].us) {
				least = l->call[i].us < least ? l->call[i].us : least;
				break;
			}
	return least == UINT64_MAX ? 0.001 : pow(10, floor(log10((double)least / 1000)));
}

static void
send_distribution(const struct response_line *l, double least, FILE *to)
{
	size_t ranks = l->n < RANKS ? l->n : RANKS;

	for (size_t k = 1; k <= ranks; k++) {
		size_t rank = l->n * k / ranks;

		fprintf(to, "%.9g %.9g\n", fmax((double)l->call[rank - 1].us / 1000, least),
		    (double)rank / (double)l->n);
	}
}

/* Did a call take no time?  Each line is sorted. */
static bool
any_took_none(const struct response_plot *p)
{
	size_t i = 0;

	while (i < p->nlines && p->line[i].call->us)
		i++;
	return i < p->nlines;
}

static void
send_distributions(const struct response_plot *p, FILE *to)
{
	double	    least = least_ms(p);
	const char *edge = any_took_none(p) ? "; calls that took no time are at the left edge" : "";

	if (p->linear)
		least = 0;
	for (size_t i = 0; i < p->nlines; i++) {
		fprintf(to, "$data%zu << END\n%.9g 0\n", i, least);
		send_distribution(&p->line[i], least, to);
		fputs("END\n", to);
	}
	fprintf(to,
	    "%sset xrange [%.9g : *]\nset yrange [0 : 1.02]\n"
	    "set xlabel 'response time (ms%s)'\nset ylabel 'share of the calls'\n",
	    p->linear ? "" : "set logscale x\n", least, p->linear ? "" : edge);
}

/* ---- calls under way ---- */

struct change { /* of their number */
	uint64_t at;
	int	 by;
};

struct moment_column { /* of the picture */
	double	 area; /* calls, times microseconds */
	uint64_t most;
};

/* Ends before arrivals. */
static int
by_moment(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->by - y->by;
}

/* Calls that took no time were never under way.  *all is the number of changes. */
static size_t
collect_changes(const struct response_line *l, struct change *all)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct call_times *c = &l->call[i];

		if (!c->us)
			continue;
		all[n++] = (struct change){ c->arrival_us, 1 };
		all[n++] = (struct change){ c->arrival_us + c->us, -1 };
	}
	qsort(all, n, sizeof(*all), by_moment);
	return n;
}

/* Enter the number of calls under way between two moments, in columns of that width. */
static void
fill(struct moment_column *m, double width, double from, double to, uint64_t level)
{
	for (size_t k = (size_t)(from / width); k < MOMENTS && (double)k * width < to; k++) {
		m[k].area += (double)level *
		    (fmin(to, (double)(k + 1) * width) - fmax(from, (double)k * width));
		m[k].most = level > m[k].most ? level : m[k].most;
	}
}

static void
send_changes(const struct change *c, size_t n, FILE *to)
{
	struct moment_column m[MOMENTS] = { { 0 } };
	double		     start = (double)c[0].at;
	double		     width = ((double)c[n - 1].at - start) / MOMENTS;
	uint64_t	     level = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		level += (uint64_t)c[i].by;
		fill(m, width, (double)c[i].at - start, (double)c[i + 1].at - start, level);
	}
	for (size_t k = 0; k < MOMENTS; k++)
		fprintf(to, "%.9g %.9g %" PRIu64 "\n", (start + ((double)k + 0.5) * width) / 1e6,
		    m[k].area / width, m[k].most);
}

/* No call was ever under way: draw 0 from the first arrival to the last. */
static void
send_nothing(const struct response_line *l, FILE *to)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < l->n; i++) {
		uint64_t at = l->call[i].arrival_us;

		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	fprintf(to, "%.9g 0 0\n%.9g 0 0\n", (double)first / 1e6, (double)last / 1e6);
}

static int
send_outstanding(const struct response_plot *p, FILE *to, struct error *e)
{
	for (size_t i = 0; i < p->nlines; i++) {
		struct change *all = calloc(2 * p->line[i].n, sizeof(*all));
		size_t	       n;

		if (!all)
			return error_set(e, "out of memory for the plot");
		fprintf(to, "$data%zu << END\n", i);
		n = collect_changes(&p->line[i], all);
		if (n)
			send_changes(all, n, to);
		else
			send_nothing(&p->line[i], to);
		fputs("END\n", to);
		free(all);
	}
	fputs("set yrange [0 : *]\nset xlabel 'time (s)'\n"
	      "set ylabel 'calls under way (line: average, shade: most)'\n",
	    to);
	return 0;
}

/* ---- the heading ---- */

/* 99 of 100 calls take no longer. */
static double
slow_ms(const struct response_line *l)
{
	return (double)l->call[(l->n * 99 + 99) / 100 - 1].us / 1000;
}

/* The most calls under way at a time. */
static uint64_t
most_outstanding(const struct response_line *l)
{
	struct change *all = calloc(2 * l->n, sizeof(*all));
	uint64_t       level = 0, most = 0;
	size_t	       n = all ? collect_changes(l, all) : 0;

	for (size_t i = 0; i < n; i++) {
		level += (uint64_t)all[i].by;
		most = level > most ? level : most;
	}
	free(all);
	return most;
}

static void
print_heading(const void *self, FILE *to)
{
	const struct response_plot *p = self;

	if (p->nlines > COMPARED) {
		fputs(p->outstanding ? "calls under way" : "response times of calls", to);
		return;
	}
	fputs(p->outstanding ? "calls under way at a time, at most: "
			     : "99 % of the calls take at most ",
	    to);
	for (size_t i = 0; i < p->nlines; i++) {
		const struct response_line *l = &p->line[i];

		fputs(i ? ", " : "", to);
		if (p->outstanding)
			fprintf(to, "%" PRIu64 " (", most_outstanding(l));
		else
			fprintf(to, "%.4g ms (", slow_ms(l));
		text_print(l->name, to);
		putc(')', to);
	}
}

char *
response_plot_heading(const struct response_plot *p, struct error *e)
{
	return picture_heading_text(p->title, print_heading, p, e);
}

/* ---- the script ---- */

/* In characters, gnuplot places the legend. */
static void
set_text_canvas(unsigned columns, unsigned rows, FILE *to)
{
	fprintf(to,
	    "set terminal dumb noenhanced size %u, %u\nset encoding utf8\n"
	    "set tics nomirror out scale 0.7\nset format '%%g'\nset border 3\n"
	    "set key bottom\n",
	    columns, rows);
}

static void
set_canvas(enum plot_target target, const char *heading, struct legend *l, FILE *to)
{
	unsigned	   wide = WIDTH - 2 * MARGIN;
	unsigned	   top = TOP + picture_heading_height(heading, wide) + 12;
	struct canvas_size of = { WIDTH, top + PLOT_H + BOTTOM };

	legend_measure(l, wide, 0); /* below */
	of.height += l->height + GAP;
	picture_canvas(target, of.width, of.height, to);
	fputs("set tics nomirror out scale 0.7\nset format '%g'\nunset key\n"
	      "set border 3 linecolor rgb '#606060'\nset tics textcolor rgb '#303030'\n"
	      "set grid xtics ytics linecolor rgb '#e0e0e0' linetype 1 linewidth 0.6\n",
	    to);
	picture_place(of, (struct picture_box){ LEFT, top, WIDTH - LEFT - RIGHT, PLOT_H }, to);
	picture_heading(of, heading, MARGIN, TOP, wide, target, to);
	legend_draw(l, of, MARGIN, top + PLOT_H + BOTTOM + 4, to);
}

static void
set_styles(const struct response_plot *p, FILE *to)
{
	for (size_t i = 0; i < p->nlines; i++)
		fprintf(to,
		    "set style line %zu linecolor rgb '%s' linewidth 1.8 dashtype %zu pointtype 0\n",
		    i + 1, picture_colour(i), i / PICTURE_COLOURS % DASHES + 1);
}

static void
draw_lines(const struct response_plot *p, enum plot_target target, FILE *to)
{
	const char *before = "plot";
	const char *how = p->outstanding ? "lines" : "steps";

	for (size_t i = 0; p->outstanding && target != PLOT_DUMB && i < p->nlines; i++) {
		fprintf(to,
		    "%s $data%zu using 1:2:3 with filledcurves fillstyle transparent solid 0.2 "
		    "noborder linecolor rgb '%s' notitle",
		    before, i, picture_colour(i));
		before = ", \\\n ";
	}
	for (size_t i = 0; i < p->nlines; i++) {
		fprintf(to, "%s $data%zu using 1:2 with %s linestyle %zu title ", before, i, how,
		    i + 1);
		picture_text(p->line[i].name, to);
		before = ", \\\n ";
	}
	putc('\n', to);
}

/* A canvas with the names of the lines. */
static int
begin(const struct response_plot *p, enum plot_target target, FILE *to, struct error *e)
{
	char	     *heading = response_plot_heading(p, e);
	const char  **name = calloc(p->nlines, sizeof(*name));
	unsigned     *style = calloc(p->nlines, sizeof(*style));
	struct legend l = { .title = "", .name = name, .style = style, .n = p->nlines };

	for (size_t i = 0; name && style && i < p->nlines; i++) {
		name[i] = p->line[i].name;
		style[i] = (unsigned)i + 1;
	}
	if (heading && name && style)
		set_canvas(target, heading, &l, to);
	else if (heading)
		error_set(e, "out of memory for the plot");
	free(heading);
	free(name);
	free(style);
	return heading && name && style ? 0 : -1;
}

int
response_plot_script(const struct response_plot *p, enum plot_target target, unsigned columns,
    unsigned rows, FILE *to, struct error *e)
{
	set_styles(p, to);
	if (target == PLOT_DUMB)
		set_text_canvas(columns, rows, to);
	else if (begin(p, target, to, e))
		return -1;
	if (!p->outstanding)
		send_distributions(p, to);
	else if (send_outstanding(p, to, e))
		return -1;
	draw_lines(p, target, to);
	return 0;
}
