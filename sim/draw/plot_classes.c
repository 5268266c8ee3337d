/*
 * plot_classes.c - fill the raster, and write the script for labels and axes.
 *
 * The colours can be distinguished with any colour vision, also in grey:
 * P. Tol, "Colour Schemes", SRON/EPS/TN/09-002, 2021, "high-contrast".
 */
#include <inttypes.h>

#include <string.h>

#include "sim/base/text.h"
#include "sim/draw/bands.h"
#include "sim/draw/plot_classes.h"

enum { /* in pixels of the canvas */
	LEFT = 104,
	PLOT_W = 900,
	RIGHT = 190,
	TOP = 62,
	PLOT_H = 480,
	BOTTOM = 100,
	WIDTH = LEFT + PLOT_W + RIGHT,
	HEIGHT = TOP + PLOT_H + BOTTOM,
	LINE = 17, /* of text */
	LABEL_WIDTH = RIGHT - 16,
	TITLE_NAME = 48, /* letters of the name of a trace in the title, and the end */
};

enum { RASTER_W = 2 * PLOT_W, RASTER_H = 2 * PLOT_H, TEXT_ROOM = 512 };

static const unsigned char colour[CALL_CLASSES][3] = {
	[CLASS_OTHER] = { 0xdd, 0xaa, 0x33 },
	[CLASS_SEQUENTIAL] = { 0xbb, 0x55, 0x66 },
	[CLASS_LOOPING] = { 0x00, 0x44, 0x88 },
	[CLASS_BACKWARD] = { 0x22, 0x88, 0x33 },
};

static const enum reference_class legend[CALL_CLASSES] = { CLASS_SEQUENTIAL, CLASS_LOOPING,
	CLASS_BACKWARD, CLASS_OTHER };

/* ---- the raster ---- */

/* Find the blocks touched by references from .. to, and count all references. */
static int
frame(struct class_plot *p, struct error *e)
{
	const struct trace *t = p->t;

	p->first = t->nblocks;
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		uint64_t	     before = p->all, from, to;
		block_t		     b;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		b = access_block(t, a);
		p->all += a->write ? 0 : access_count(t, a);
		from = p->from > before + 1 ? p->from : before + 1;
		to = p->to < p->all ? p->to : p->all;
		if (from > to)
			continue;
		if (b + (block_t)(from - before - 1) < p->first)
			p->first = b + (block_t)(from - before - 1);
		if (b + (block_t)(to - before) > p->end)
			p->end = b + (block_t)(to - before);
	}
	return 0;
}

int
class_plot_init(struct class_plot *p, const struct trace *t, uint64_t from, uint64_t to,
    struct error *e)
{
	char n[NUMBER_TEXT];

	*p = (struct class_plot){ .t = t, .from = from, .to = to ? to : UINT64_MAX };
	if (frame(p, e))
		return -1;
	if (p->to > p->all)
		p->to = p->all;
	if (!p->all)
		return classes_unread(t, e);
	if (from > p->to)
		return error_usage(e, "--from: nothing to draw: %s has %s references by reads",
		    t->name, number_group(n, p->all));
	return raster_init(&p->raster, (struct canvas_size){ RASTER_W, RASTER_H }, 1,
	    p->to - p->from + 1, p->end - p->first, CALL_CLASSES, e);
}

void
class_plot_release(struct class_plot *p)
{
	raster_release(&p->raster);
}

void
class_plot_add(struct class_plot *p, uint64_t number, block_t b, enum reference_class class)
{
	unsigned column, row;

	if (number < p->from || number > p->to)
		return;
	column = (unsigned)((number - p->from) * p->raster.columns / (p->to - p->from + 1));
	row = (unsigned)((uint64_t)(b - p->first) * p->raster.rows / (p->end - p->first));
	raster_add(&p->raster, column, row, class);
	p->total[class]++;
}

/* ---- around it ---- */

static const struct canvas_size canvas = { WIDTH, HEIGHT };

static void
set_label(const char *text, unsigned x, unsigned y, const char *how, FILE *to)
{
	picture_label(canvas, text, x, y, how, to);
}

/* "cscope: 93 % of 286,549 references by reads are sequential", or of references 100 to 200. */
static void
make_title(const struct class_plot *p, char text[TEXT_ROOM])
{
	char	    all[NUMBER_TEXT], from[NUMBER_TEXT], until[NUMBER_TEXT], name[TITLE_NAME];
	const char *class_is;
	unsigned    most = 0;
	double	    drawn = (double)(p->to - p->from + 1);

	for (unsigned class = 1; class < CALL_CLASSES; class ++)
		most = p->total[class] > p->total[most] ? class : most;
	class_is =
	    most == CLASS_OTHER ? "neither sequential, looping nor backward" : class_names[most];
	text_clean(name, sizeof(name), p->t->name);
	if (strlen(name) >= sizeof(name) - 1) /* such as a workload of several shapes */
		strcat(text_clean(name, sizeof(name) - strlen("..."), p->t->name), "...");
	number_group(all, p->all);
	if (p->to - p->from + 1 == p->all)
		snprintf(text, TEXT_ROOM, "%s: %.1f %% of %s references by reads are %s", name,
		    100 * (double)p->total[most] / drawn, all, class_is);
	else
		snprintf(text, TEXT_ROOM,
		    "%s: %.1f %% of references %s to %s (of %s by reads) are %s", name,
		    100 * (double)p->total[most] / drawn, number_group(from, p->from),
		    number_group(until, p->to), all, class_is);
}

static void
set_legend(const struct class_plot *p, FILE *to)
{
	unsigned x = LEFT, y = 42;
	char	 text[TEXT_ROOM];

	for (unsigned i = 0; i < CALL_CLASSES; i++) {
		enum reference_class class = legend[i];

		picture_swatch(canvas, colour[class], x, y, to);
		snprintf(text, sizeof(text), "%s %.1f %%", class_names[class],
		    100 * (double)p->total[class] / (double)(p->to - p->from + 1));
		set_label(text, x + PICTURE_SWATCH + 6, y, "left", to);
		x += PICTURE_SWATCH + 30 + picture_width(text);
	}
}

/* The caption: the meaning of a point, and the parameters of the detector. */
static void
set_caption(const struct class_plot *p, FILE *to)
{
	static const char grey[] = "left textcolor rgb '#606060'";
	char		  text[TEXT_ROOM], references[NUMBER_TEXT], blocks[NUMBER_TEXT];
	uint64_t	  wide = (p->to - p->from) / p->raster.columns + 1;
	uint64_t	  high = (p->end - p->first - 1) / p->raster.rows + 1;

	snprintf(text, sizeof(text), "detector: %s", p->params);
	set_label(text, LEFT, HEIGHT - 14, grey, to);
	if (wide == 1 && high == 1)
		return;
	snprintf(text, sizeof(text),
	    "binned: a point is up to %s reference%s by %s block%s, and has the colour of most",
	    number_group(references, wide), wide == 1 ? "" : "s", number_group(blocks, high),
	    high == 1 ? "" : "s");
	set_label(text, LEFT, HEIGHT - 14 - LINE, grey, to);
}

static void
set_axes(const struct class_plot *p, FILE *to)
{
	picture_place(canvas, (struct picture_box){ LEFT, TOP, PLOT_W, PLOT_H }, to);
	picture_axes(to);
	fputs("unset key\n", to);
	fprintf(to, "set xrange [%" PRIu64 " : %" PRIu64 "]\nset yrange [%u : %u]\n", p->from,
	    p->to + 1, p->first, p->end);
	picture_ticks('x', p->from, p->to, to);
	picture_ticks('y', p->first, p->end - 1, to);
	set_label("reference", LEFT + PLOT_W / 2, TOP + PLOT_H + 46, "center", to);
	set_label("block, files end to end", 16, TOP + PLOT_H / 2, "center rotate", to);
}

/* ---- the script ---- */

struct sheet {
	const struct class_plot *p;
	enum plot_target	 target;
	char			 title[TEXT_ROOM];
};

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct sheet	*c = self;
	const struct class_plot *p = c->p;
	const struct bands bands = { p->t, p->first, p->end, canvas, TOP, PLOT_H, LEFT + PLOT_W + 8,
		LABEL_WIDTH };
	const struct raster_area area = { (double)p->from, (double)(p->to + 1 - p->from),
		(double)p->first, (double)(p->end - p->first) };

	picture_canvas(c->target, WIDTH, HEIGHT, to);
	picture_heading(canvas, c->title, LEFT, 6, WIDTH - LEFT, c->target, to);
	set_legend(p, to);
	set_axes(p, to);
	set_caption(p, to);
	if (bands_draw(&bands, to, e))
		return -1;
	raster_send(&p->raster, &area, colour, to);
	return 0;
}

int
class_plot_draw(struct class_plot *p, enum plot_target target, struct picture *to, struct error *e)
{
	struct sheet   c = { .p = p, .target = target };
	struct drawing it = { .target = target,
		.title = c.title,
		.script = write_script,
		.self = &c };

	raster_finish(&p->raster);
	make_title(p, c.title);
	return picture_draw(to, &it, e);
}
