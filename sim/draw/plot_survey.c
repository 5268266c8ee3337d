/*
 * plot_survey.c - three panels, one below the other; the upper two share their
 * horizontal axis.
 *
 * The colours can be distinguished with any colour vision, also in grey:
 * P. Tol, "Colour Schemes", SRON/EPS/TN/09-002, 2021, "high-contrast".
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/text.h"
#include "sim/draw/bands.h"
#include "sim/draw/plot.h"
#include "sim/draw/plot_survey.h"

enum { /* in pixels of the canvas */
	LEFT = 136,
	PLOT_W = 900,
	RIGHT = 190,
	WIDTH = LEFT + PLOT_W + RIGHT,
	BLOCKS_TOP = 62,
	BLOCKS_H = 360,
	FOOTPRINT_TOP = BLOCKS_TOP + BLOCKS_H + 34,
	FOOTPRINT_H = 130,
	REUSE_TOP = FOOTPRINT_TOP + FOOTPRINT_H + 88,
	REUSE_H = 190,
	HEIGHT = REUSE_TOP + REUSE_H + 86,
	SIDE = LEFT + PLOT_W + 8, /* texts beside a panel */
	SIDE_WIDTH = RIGHT - 16,
	LABEL_BELOW = 46, /* from the panel to the label of its axis */
};

enum { RASTER_W = 2 * PLOT_W, RASTER_H = 2 * BLOCKS_H, TEXT_ROOM = 512, TICKS = 10 };

enum kind { KIND_READ, KIND_WRITE, KINDS };

static const unsigned char colour[KINDS][3] = {
	[KIND_READ] = { 0x00, 0x44, 0x88 },
	[KIND_WRITE] = { 0xdd, 0xaa, 0x33 },
};

static const char	       *kind_name[KINDS] = { "reads", "writes" };
static const struct canvas_size canvas = { WIDTH, HEIGHT };
static const char		grey[] = "left textcolor rgb '#606060'";

/* ---- what is drawn ---- */

/* Find the blocks that are referenced. */
static int
frame(struct survey_plot *p, struct error *e)
{
	const struct trace *t = p->t;

	p->first = t->nblocks;
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     b, end;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		b = access_block(t, a);
		end = b + access_count(t, a);
		p->first = b < p->first ? b : p->first;
		p->end = end > p->end ? end : p->end;
	}
	return 0;
}

int
survey_plot_init(struct survey_plot *p, const struct trace *t, struct error *e)
{
	uint64_t duration;

	*p = (struct survey_plot){ .t = t };
	if (frame(p, e))
		return -1;
	duration = (uint64_t)t->access[t->naccess - 1].time;
	p->by_call = !duration;
	p->span = p->by_call ? t->naccess : duration + 1;
	if (raster_init(&p->raster, (struct canvas_size){ RASTER_W, RASTER_H }, raster_point(t),
		p->span, p->end - p->first, KINDS, e))
		return -1;
	p->footprint = calloc(p->raster.columns, sizeof(*p->footprint));
	return p->footprint ? 0 : error_set(e, "out of memory for the picture");
}

void
survey_plot_release(struct survey_plot *p)
{
	raster_release(&p->raster);
	free(p->footprint);
}

void
survey_plot_call(void *self, const struct survey *v, size_t number, block_t b, uint32_t count)
{
	struct survey_plot  *p = self;
	const struct access *a = &p->t->access[number];
	uint64_t	     at = p->by_call ? number : (uint64_t)a->time, row;
	unsigned	     column = (unsigned)(at * p->raster.columns / p->span);

	p->footprint[column] = v->n.footprint_blocks;
	for (uint32_t i = 0; i < count; i++) {
		row = (uint64_t)(b + i - p->first) * p->raster.rows / (p->end - p->first);
		raster_add(&p->raster, column, (unsigned)row, a->write ? KIND_WRITE : KIND_READ);
	}
}

/* ---- time ---- */

static struct picture_unit
time_unit(const struct survey_plot *p)
{
	if (p->by_call)
		return (struct picture_unit){ "call, all at the same time", 1 };
	return picture_time_unit(p->span);
}

/* Calls are counted from 1. */
static double
time_from(const struct survey_plot *p)
{
	return p->by_call ? 1 : 0;
}

static void
set_time_axis(const struct survey_plot *p, bool numbers, FILE *to)
{
	double us = time_unit(p).of;

	fprintf(to, "set xrange [%.12g : %.12g]\n", time_from(p),
	    time_from(p) + (double)p->span / us);
	if (p->by_call && numbers)
		picture_ticks('x', 1, p->span, to);
	else
		fputs(p->by_call ? "set xtics scale 0 autofreq\n" : "set xtics autofreq\n", to);
	fputs(numbers ? "set format x '%g'\n" : "set format x ''\n", to);
}

/* ---- panels ---- */

static void
set_panel(unsigned top, unsigned height, FILE *to)
{
	fputs("set tics nomirror out scale 0.7 textcolor rgb '#303030'\n", to);
	picture_place(canvas, (struct picture_box){ LEFT, top, PLOT_W, height }, to);
}

/* The names of both axes; no name: "". */
static void
set_names(const char *x, const char *y, unsigned top, unsigned height, FILE *to)
{
	if (*x)
		picture_label(canvas, x, LEFT + PLOT_W / 2, top + height + LABEL_BELOW, "center",
		    to);
	picture_label(canvas, y, 16, top + height / 2, "center rotate", to);
}

static void
set_legend(const struct survey *v, FILE *to)
{
	const uint64_t n[KINDS] = { v->n.references - v->n.write_references,
		v->n.write_references };
	unsigned       x = LEFT, y = 42;
	char	       text[TEXT_ROOM];

	for (unsigned kind = 0; kind < KINDS; kind++) {
		if (!n[kind])
			continue;
		picture_swatch(canvas, colour[kind], x, y, to);
		snprintf(text, sizeof(text), "%s %.1f %%", kind_name[kind],
		    100 * (double)n[kind] / (double)v->n.references);
		picture_label(canvas, text, x + PICTURE_SWATCH + 6, y, "left", to);
		x += PICTURE_SWATCH + 30 + picture_width(text);
	}
}

/* The meaning of a point, beside the legend. */
static void
set_caption(const struct survey_plot *p, FILE *to)
{
	char	 text[TEXT_ROOM], wide_text[NUMBER_TEXT], high_text[NUMBER_TEXT];
	uint64_t wide = (p->span - 1) / p->raster.columns + 1;
	uint64_t high = (p->end - p->first - 1) / p->raster.rows + 1;

	if (wide == 1 && high == 1)
		return;
	snprintf(text, sizeof(text),
	    "a point is up to %s%s by %s block%s, and has the colour of most of it",
	    p->by_call ? number_group(wide_text, wide) : number_time(wide_text, wide),
	    !p->by_call	    ? ""
		: wide == 1 ? " call"
			    : " calls",
	    number_group(high_text, high), high == 1 ? "" : "s");
	picture_label(canvas, text, LEFT + PLOT_W, 42, "right textcolor rgb '#606060'", to);
}

static int
draw_blocks(const struct survey_plot *p, const struct survey *v, FILE *to, struct error *e)
{
	const struct bands bands = { p->t, p->first, p->end, canvas, BLOCKS_TOP, BLOCKS_H, SIDE,
		SIDE_WIDTH };
	const struct raster_area area = { time_from(p), (double)p->span / time_unit(p).of,
		(double)p->first, (double)(p->end - p->first) };

	set_panel(BLOCKS_TOP, BLOCKS_H, to);
	set_names("", "block, files end to end", BLOCKS_TOP, BLOCKS_H, to);
	set_legend(v, to);
	set_caption(p, to);
	set_time_axis(p, false, to);
	fprintf(to, "set yrange [%u : %u]\n", p->first, p->end);
	picture_ticks('y', p->first, p->end - 1, to);
	if (bands_draw(&bands, to, e))
		return -1;
	raster_send(&p->raster, &area, colour, to);
	fputs("unset label\nunset arrow\nunset object\n", to);
	return 0;
}

/* ---- the footprint ---- */

static struct picture_unit
size_unit(double bytes)
{
	static const struct picture_unit units[] = { { "TiB", 0x1p40 }, { "GiB", 0x1p30 },
		{ "MiB", 0x1p20 }, { "KiB", 0x1p10 }, { "bytes", 1 } };
	size_t				 i = 0;

	while (units[i].of > 1 && bytes < 2 * units[i].of)
		i++;
	return units[i];
}

static void
send_footprint(const struct survey_plot *p, double scale, FILE *to)
{
	uint64_t so_far = 0;
	double	 step = (double)p->span / time_unit(p).of / p->raster.columns;

	fputs("$footprint << EOD\n", to);
	for (unsigned i = 0; i < p->raster.columns; i++) {
		so_far = p->footprint[i] ? p->footprint[i] : so_far;
		fprintf(to, "%.9g %.9g\n", time_from(p) + i * step, (double)so_far * scale);
	}
	fprintf(to, "%.9g %.9g\nEOD\n", time_from(p) + p->raster.columns * step,
	    (double)so_far * scale);
}

/* A round number, of which there are no more than five up to that. */
static double
round_step(double most)
{
	double power = 1;

	while (power * 10 <= most / 5)
		power *= 10;
	while (power > most / 5)
		power /= 10;
	return power * (5 * power >= most / 5 ? 2 * power >= most / 5 ? 2 : 5 : 10);
}

static void
draw_footprint(const struct survey_plot *p, const struct survey *v, FILE *to)
{
	double		    bytes = (double)v->n.footprint_blocks * p->t->block_bytes;
	struct picture_unit unit = size_unit(bytes);
	char		    text[TEXT_ROOM];

	send_footprint(p, p->t->block_bytes / unit.of, to);
	snprintf(text, sizeof(text), "footprint, %s", unit.name);
	set_panel(FOOTPRINT_TOP, FOOTPRINT_H, to);
	set_names(time_unit(p).name, text, FOOTPRINT_TOP, FOOTPRINT_H, to);
	set_time_axis(p, true, to);
	fprintf(to,
	    "set yrange [0 : %.9g]\nset ytics %.9g\nset format y '%%g'\n"
	    "plot $footprint using 1:2 with steps linecolor rgb '#004488' linewidth 1.6 notitle\n"
	    "unset label\n",
	    1.08 * bytes / unit.of, round_step(1.08 * bytes / unit.of));
}

/* ---- reuse distances ---- */

/* Of all references: those that hit in an LRU cache of that many blocks, in per cent. */
static double
hits(const struct mrc *m, uint64_t blocks)
{
	return 100 * (double)(m->references - mrc_misses(m, blocks)) / (double)m->references;
}

static void
send_distances(const struct survey *v, FILE *to)
{
	const struct mrc *m = &v->mrc;
	uint64_t	  blocks = 1;

	fputs("$reuse << EOD\n", to);
	for (; blocks < m->distinct; blocks += 1 + blocks / 128)
		fprintf(to, "%" PRIu64 " %.4f\n", blocks, hits(m, blocks));
	fprintf(to, "%" PRIu32 " %.4f\n", m->distinct, hits(m, m->distinct));
	fprintf(to, "%" PRIu32 " %.4f\nEOD\n", m->distinct < 2 ? 2 : m->distinct,
	    hits(m, m->distinct));
}

/* Powers of two of blocks as sizes, at most TICKS of them. */
static void
set_sizes(const struct survey *v, FILE *to)
{
	unsigned    doublings = 1, step;
	const char *comma = "";
	char	    text[NUMBER_TEXT];

	while (UINT64_C(2) << doublings <= v->mrc.distinct)
		doublings++;
	step = doublings / TICKS + 1;
	fputs("set xtics (", to);
	for (unsigned i = 0; i <= doublings; i += step, comma = ", ") {
		uint64_t blocks = UINT64_C(1) << i;

		fprintf(to, "%s'%s' %" PRIu64, comma,
		    plot_size_text((double)blocks * v->t->block_bytes, text), blocks);
	}
	fputs(")\n", to);
}

/* First references, which hit in no cache, are the gap above the curve. */
static void
set_first(const struct survey *v, FILE *to)
{
	double	 share = hits(&v->mrc, v->mrc.distinct);
	unsigned y = REUSE_TOP + (unsigned)((100 - share) / 2 / 100 * REUSE_H);
	char	 text[TEXT_ROOM];

	fprintf(to,
	    "set arrow from graph 0, first %.4f rto graph 1, 0 nohead back linecolor rgb '#808080' "
	    "dashtype (6, 4)\n",
	    share);
	snprintf(text, sizeof(text), "first: %.1f %%", 100 - share);
	picture_label(canvas, text, SIDE, y, grey, to);
}

static void
draw_reuse(const struct survey *v, FILE *to)
{
	set_panel(REUSE_TOP, REUSE_H, to);
	if (!v->distances)
		return;
	send_distances(v, to);
	set_names("reuse distance, as the size of the LRU cache in which the reference is a hit",
	    "share of references, %", REUSE_TOP, REUSE_H, to);
	set_first(v, to);
	set_sizes(v, to);
	fprintf(to,
	    "set format x\nset format y '%%g'\nset logscale x 2\n"
	    "set xrange [1 : %" PRIu32 "]\nset yrange [0 : 100]\nset ytics 0, 25, 100\n"
	    "plot $reuse using 1:2 with steps linecolor rgb '#004488' linewidth 1.6 notitle\n",
	    v->mrc.distinct < 2 ? 2 : v->mrc.distinct);
}

/* ---- the script ---- */

struct sheet {
	const struct survey_plot *p;
	const struct survey	 *v;
	enum plot_target	  target;
	char			  title[TEXT_ROOM];
};

/* "csq: half of the reuses hit in an LRU cache of 21.5 MiB; the footprint is 116.1 MiB". */
static void
make_title(const struct survey *v, char text[TEXT_ROOM])
{
	const struct spread *s = &v->spread[SPREAD_reuse_distance_blocks];
	char		     name[TEXT_ROOM / 2], size[NUMBER_TEXT], footprint[NUMBER_TEXT];

	text_clean(name, sizeof(name), v->t->name);
	number_bytes(footprint, v->n.footprint_blocks * v->t->block_bytes);
	number_bytes(size, (s->at[SPREAD_P50] + 1) * v->t->block_bytes);
	if (!v->distances)
		snprintf(text, TEXT_ROOM, "%s: the footprint is %s", name, footprint);
	else if (!s->n)
		snprintf(text, TEXT_ROOM, "%s: no block is referenced twice; the footprint is %s",
		    name, footprint);
	else
		snprintf(text, TEXT_ROOM,
		    "%s: half of the reuses hit in an LRU cache of %s; the footprint is %s", name,
		    size, footprint);
}

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct sheet *c = self;

	picture_canvas(c->target, WIDTH, HEIGHT, to);
	fputs("set multiplot\n"
	      "set border 3 linecolor rgb '#606060'\n"
	      "unset key\n",
	    to);
	picture_heading(canvas, c->title, LEFT, 6, WIDTH - LEFT, c->target, to);
	if (draw_blocks(c->p, c->v, to, e))
		return -1;
	fputs("set grid linecolor rgb '#e0e0e0' linewidth 0.6\n", to);
	draw_footprint(c->p, c->v, to);
	draw_reuse(c->v, to);
	fputs("unset multiplot\n", to);
	return 0;
}

int
survey_plot_draw(struct survey_plot *p, const struct survey *v, enum plot_target target,
    struct picture *to, struct error *e)
{
	struct sheet   c = { .p = p, .v = v, .target = target };
	struct drawing it = { .target = target,
		.title = c.title,
		.script = write_script,
		.self = &c };

	raster_finish(&p->raster);
	make_title(v, c.title);
	return picture_draw(to, &it, e);
}
