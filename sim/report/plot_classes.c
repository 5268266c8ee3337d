/*
 * plot_classes.c - fill the raster column by column, and write the script for
 * labels and axes.
 *
 * An isolated point would be too small to see, so it is drawn twice as wide
 * and high where its neighbours are empty.
 *
 * The colours can be distinguished with any colour vision, also in grey:
 * P. Tol, "Colour Schemes", SRON/EPS/TN/09-002, 2021, "high-contrast".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/report/plot_classes.h"

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
	SWATCH = 12,
	BAND = 4, /* a lower file gets neither lines around it nor its name */
	LABELS = 12,
	LABEL_WIDTH = RIGHT - 16,
	TITLE_NAME = 48, /* letters of the name of a trace in the title, and the end */
};

enum { RASTER_W = 2 * PLOT_W, RASTER_H = 2 * PLOT_H, TEXT_ROOM = 512 };

static const unsigned char colour[CLASSES][3] = {
	[CLASS_OTHER] = { 0xdd, 0xaa, 0x33 },
	[CLASS_SEQUENTIAL] = { 0xbb, 0x55, 0x66 },
	[CLASS_LOOPING] = { 0x00, 0x44, 0x88 },
};

static const enum reference_class legend[CLASSES] = { CLASS_SEQUENTIAL, CLASS_LOOPING,
	CLASS_OTHER };

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

static unsigned
at_most(uint64_t n, unsigned most)
{
	return n < most ? (unsigned)n : most;
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
	p->columns = at_most(p->to - p->from + 1, RASTER_W);
	p->rows = at_most(p->end - p->first, RASTER_H);
	p->count = calloc(RASTER_H, sizeof(*p->count) * CLASSES);
	p->raster = calloc(RASTER_H, RASTER_W);
	if (!p->count || !p->raster)
		return error_set(e, "out of memory for the picture");
	return 0;
}

void
class_plot_release(struct class_plot *p)
{
	free(p->count);
	free(p->raster);
}

static enum reference_class
most_of(const uint32_t n[CLASSES])
{
	enum reference_class most = 0;

	for (unsigned class = 1; class < CLASSES; class ++)
		if (n[class] > n[most])
			most = class;
	return most;
}

/* The rectangle of the raster that a point takes. */
static void
paint(struct class_plot *p, unsigned column, unsigned row, uint8_t with)
{
	unsigned left = column * RASTER_W / p->columns,
		 right = (column + 1) * RASTER_W / p->columns;
	unsigned low = row * RASTER_H / p->rows, high = (row + 1) * RASTER_H / p->rows;

	for (unsigned y = low; y < high; y++)
		memset(&p->raster[y * RASTER_W + left], with, right - left);
}

static void
end_column(struct class_plot *p)
{
	static const uint32_t none[CLASSES];

	for (unsigned row = 0; row < p->rows; row++) {
		const uint32_t *n = &p->count[row * CLASSES];

		if (memcmp(n, none, sizeof(none)) != 0)
			paint(p, p->column, row, (uint8_t)(1 + most_of(n)));
	}
	memset(p->count, 0, p->rows * sizeof(none));
}

void
class_plot_add(struct class_plot *p, uint64_t number, block_t b, enum reference_class class)
{
	unsigned column, row;

	if (number < p->from || number > p->to)
		return;
	column = (unsigned)((number - p->from) * p->columns / (p->to - p->from + 1));
	row = (unsigned)((uint64_t)(b - p->first) * p->rows / (p->end - p->first));
	if (column != p->column) {
		end_column(p);
		p->column = column;
	}
	p->count[row * CLASSES + class]++;
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

	for (unsigned class = 1; class < CLASSES; class ++)
		most = p->total[class] > p->total[most] ? class : most;
	class_is = most == CLASS_OTHER ? "neither sequential nor looping" : class_names[most];
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

/* A square of a colour, its middle at height y. */
static void
set_swatch(const unsigned char rgb[3], unsigned x, unsigned y, FILE *to)
{
	fprintf(to,
	    "set object rectangle from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
	    "fillstyle solid noborder fillcolor rgb '#%02x%02x%02x'\n",
	    x / (double)WIDTH, 1 - (y + SWATCH / 2) / (double)HEIGHT, (x + SWATCH) / (double)WIDTH,
	    1 - (y - SWATCH / 2) / (double)HEIGHT, rgb[0], rgb[1], rgb[2]);
}

static void
set_legend(const struct class_plot *p, FILE *to)
{
	unsigned x = LEFT, y = 42;
	char	 text[TEXT_ROOM];

	for (unsigned i = 0; i < CLASSES; i++) {
		enum reference_class class = legend[i];

		set_swatch(colour[class], x, y, to);
		snprintf(text, sizeof(text), "%s %.1f %%", class_names[class],
		    100 * (double)p->total[class] / (double)(p->to - p->from + 1));
		set_label(text, x + SWATCH + 6, y, "left", to);
		x += SWATCH + 30 + picture_width(text);
	}
}

/* The caption: the meaning of a point, and the parameters of the detector. */
static void
set_caption(const struct class_plot *p, FILE *to)
{
	static const char grey[] = "left textcolor rgb '#606060'";
	char		  text[TEXT_ROOM], references[NUMBER_TEXT], blocks[NUMBER_TEXT];
	uint64_t	  wide = (p->to - p->from) / p->columns + 1;
	uint64_t	  high = (p->end - p->first - 1) / p->rows + 1;

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

/* At most eight round numbers from .. to. */
static void
set_ticks(char axis, uint64_t from, uint64_t to, FILE *script)
{
	static const uint64_t digit[] = { 1, 2, 5 };
	uint64_t	      step = 1;
	const char	     *before = "";
	char		      text[NUMBER_TEXT];

	for (uint64_t i = 0, power = 1; (to - from) / step > 7; power *= i % 3 == 2 ? 10 : 1, i++)
		step = digit[i % 3] * power;
	fprintf(script, "set %ctics (", axis);
	for (uint64_t n = (from + step - 1) / step * step; n <= to; n += step, before = ", ")
		fprintf(script, "%s'%s' %" PRIu64, before, number_group(text, n), n);
	fputs(")\n", script);
}

static void
set_axes(const struct class_plot *p, FILE *to)
{
	fprintf(to,
	    "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
	    "set tmargin at screen %.5f\nset bmargin at screen %.5f\n"
	    "set border 3 linecolor rgb '#606060'\n"
	    "set tics nomirror out scale 0.7 textcolor rgb '#303030'\nunset key\n",
	    LEFT / (double)WIDTH, (LEFT + PLOT_W) / (double)WIDTH, 1 - TOP / (double)HEIGHT,
	    BOTTOM / (double)HEIGHT);
	fprintf(to, "set xrange [%" PRIu64 " : %" PRIu64 "]\nset yrange [%u : %u]\n", p->from,
	    p->to + 1, p->first, p->end);
	set_ticks('x', p->from, p->to, to);
	set_ticks('y', p->first, p->end - 1, to);
	set_label("reference", LEFT + PLOT_W / 2, TOP + PLOT_H + 46, "center", to);
	set_label("block, files end to end", 16, TOP + PLOT_H / 2, "center rotate", to);
}

/* ---- files ---- */

struct band { /* of a file, in pixels from the lower edge */
	file_t file;
	double low, high;
};

static double
height_of(const struct class_plot *p, block_t b)
{
	double n = b < p->first ? 0 : b > p->end ? p->end - p->first : b - p->first;

	return n * PLOT_H / (p->end - p->first);
}

static struct band
band_of(const struct class_plot *p, file_t f)
{
	const struct file *file = &p->t->file[f];

	return (
	    struct band){ f, height_of(p, file->base), height_of(p, file->base + file->nblocks) };
}

/* Lines where a file that is high enough begins or ends. */
static void
set_borders(const struct band *band, file_t n, FILE *to)
{
	for (file_t f = 1; f < n; f++)
		if (band[f].low > 0 && band[f].low < PLOT_H &&
		    (band[f].high - band[f].low >= BAND ||
			band[f - 1].high - band[f - 1].low >= BAND))
			fprintf(to,
			    "set arrow from graph 0, graph %.5f rto graph 1, graph 0 nohead back "
			    "linecolor rgb '#c8c8c8' linewidth 0.6\n",
			    band[f].low / PLOT_H);
}

/* The end of a path distinguishes files, so a long name keeps its end. */
static void
set_band_label(const struct class_plot *p, const struct band *b, FILE *to)
{
	char	    inode[NUMBER_TEXT], name[TEXT_ROOM], text[TEXT_ROOM + 4];
	const char *path = class_file_name(p->t, b->file, inode), *slash = strrchr(path, '/');
	const char *last = text_clean(name, sizeof(name), slash && slash[1] ? slash + 1 : path);
	bool	    whole = picture_width(last) <= LABEL_WIDTH;

	snprintf(text, sizeof(text), "%s%s", whole ? "" : "...",
	    whole ? last : picture_tail(last, LABEL_WIDTH - picture_width("...")));
	set_label(text, LEFT + PLOT_W + 8, TOP + PLOT_H - (unsigned)((b->low + b->high) / 2),
	    "left textcolor rgb '#606060'", to);
}

static bool
collides(const struct band *b, const struct band *labelled, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		double apart = (b->low + b->high - labelled[i].low - labelled[i].high) / 2;

		if (apart < LINE && apart > -LINE)
			return true;
	}
	return false;
}

static int
by_height(const void *a, const void *b)
{
	const struct band *x = a, *y = b;
	double		   more = (y->high - y->low) - (x->high - x->low);

	return more > 0 ? 1 : more < 0 ? -1 : x->file < y->file ? -1 : x->file > y->file;
}

/* Print the names of the largest files, as many as fit. */
static int
set_files(const struct class_plot *p, FILE *to, struct error *e)
{
	struct band  labelled[LABELS];
	struct band *band = calloc(p->t->nfiles, sizeof(*band));
	unsigned     n = 0;

	if (!band)
		return error_set(e, "out of memory for the picture");
	for (file_t f = 0; f < p->t->nfiles; f++)
		band[f] = band_of(p, f);
	set_borders(band, p->t->nfiles, to);
	qsort(band, p->t->nfiles, sizeof(*band), by_height);
	for (file_t f = 0; f < p->t->nfiles && band[f].high - band[f].low >= BAND; f++)
		if (n < LABELS && !collides(&band[f], labelled, n)) {
			labelled[n++] = band[f];
			set_band_label(p, &band[f], to);
		}
	free(band);
	return 0;
}

/* ---- the script ---- */

/* The class shown at a point of the raster: its own, or that of an isolated point beside it. */
static uint8_t
shown(const uint8_t *raster, unsigned x, unsigned y)
{
	const uint8_t *at = &raster[y * RASTER_W + x];

	if (*at || (!x && !y))
		return *at;
	if (x && at[-1])
		return at[-1];
	if (y && at[-RASTER_W])
		return at[-RASTER_W];
	return x && y ? at[-RASTER_W - 1] : 0;
}

static void
send_raster(const struct class_plot *p, FILE *to)
{
	static const unsigned char nothing[4];
	unsigned char		   pixel[CLASSES][4];

	for (unsigned class = 0; class < CLASSES; class ++) {
		memcpy(pixel[class], colour[class], 3);
		pixel[class][3] = 255;
	}
	for (unsigned y = 0; y < RASTER_H; y++)
		for (unsigned x = 0; x < RASTER_W; x++) {
			uint8_t it = shown(p->raster, x, y);

			fwrite(it ? pixel[it - 1] : nothing, 4, 1, to);
		}
}

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
	double			 dx = (double)(p->to + 1 - p->from) / RASTER_W;
	double			 dy = (double)(p->end - p->first) / RASTER_H;

	picture_canvas(c->target, WIDTH, HEIGHT, to);
	fputs("set encoding utf8\n", to);
	picture_heading(canvas, c->title, LEFT, 6, WIDTH - LEFT, c->target, to);
	set_legend(p, to);
	set_axes(p, to);
	set_caption(p, to);
	if (set_files(p, to, e))
		return -1;
	fprintf(to,
	    "plot '-' binary array=(%d,%d) dx=%.9g dy=%.9g origin=(%.12g,%.12g) format='%%uchar' "
	    "using 1:2:3:4 with rgbalpha notitle\n",
	    RASTER_W, RASTER_H, dx, dy, (double)p->from + dx / 2, (double)p->first + dy / 2);
	send_raster(p, to);
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

	end_column(p);
	make_title(p, c.title);
	return picture_draw(to, &it, e);
}
