/*
 * plot_film.c - draw a film.
 *
 * gnuplot is given boxes in pixels.  The colours of requests and waits are
 * those of all pictures (picture.c), and related ones; those of the device are
 * of P. Tol, "Colour Schemes", SRON/EPS/TN/09-002, 2021, "high-contrast".
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/film/film_sheet.h"
#include "sim/film/film_words.h"
#include "sim/film/plot_film.h"

enum { /* in pixels */
	TOP = 8,
	GAP = 12,     /* between lanes */
	NUMBERS = 17, /* of calls, above the lane */
	SWATCH_GAP = 6,
	KEY_GAP = 18,
	KEY_MARGIN = 4,
	TICK = 90,
	AXIS = 52,
	LABEL = 17, /* from one label beside a lane to the next */
};

enum { LANE_PROGRAM, LANE_QUEUE, LANE_DEVICE, LANE_CACHE, LANES };
enum { KEY_MAX = FILM_ACTS + 2, KEY_TEXT = 64, TEXT_ROOM = 1024 };

static const unsigned char colour[FILM_STYLES][3] = {
	[FILM_ACT + 0] = { 0xd5, 0x5e, 0x00 },
	[FILM_ACT + 1] = { 0xe6, 0x9f, 0x00 },
	[FILM_ACT + 2] = { 0x88, 0x22, 0x55 },
	[FILM_ACT + 3] = { 0x00, 0x72, 0xb2 },
	[FILM_ACT + 4] = { 0x55, 0x55, 0x55 },
	[FILM_ACT + 5] = { 0xcc, 0x79, 0xa7 },
	[FILM_ACT + 6] = { 0x99, 0x99, 0x33 },
	[FILM_ACT + 7] = { 0x00, 0x00, 0x00 },
	[FILM_ACT + 8] = { 0x11, 0x77, 0x33 },
	[FILM_ACT + 9] = { 0x99, 0x99, 0x99 },
	[FILM_ACT + FILM_THINK] = { 0xde, 0xde, 0xde },
	[FILM_ACT + FILM_CPU] = { 0x44, 0xaa, 0x99 },
	[FILM_USE + FILM_DEMAND] = { 0xd5, 0x5e, 0x00 },
	[FILM_USE + FILM_PREFETCH] = { 0x00, 0x72, 0xb2 },
	[FILM_USE + FILM_WRITE] = { 0x55, 0x55, 0x55 },
	[FILM_PART + SERVICE_QUEUE] = { 0xe4, 0xe4, 0xe4 },
	[FILM_PART + SERVICE_OVERHEAD] = { 0xaa, 0xaa, 0xaa },
	[FILM_PART + SERVICE_SEEK] = { 0xdd, 0xaa, 0x33 },
	[FILM_PART + SERVICE_ROTATION] = { 0xbb, 0x55, 0x66 },
	[FILM_PART + SERVICE_TRANSFER] = { 0x00, 0x44, 0x88 },
	[FILM_PART + SERVICE_BUS] = { 0x66, 0xcc, 0xee },
	[FILM_FLIGHT + FILM_DEMAND] = { 0xf3, 0xc3, 0xa0 },
	[FILM_FLIGHT + FILM_PREFETCH] = { 0x9c, 0xca, 0xe8 },
	[FILM_STAY] = { 0xdb, 0xee, 0xf8 },
	[FILM_FATE + FILM_HIT] = { 0x99, 0x99, 0x99 },
	[FILM_FATE + FILM_FIRST_HIT] = { 0x00, 0x9e, 0x73 },
	[FILM_FATE + FILM_LATE] = { 0xcc, 0x79, 0xa7 },
	[FILM_FATE + FILM_DELAYED] = { 0x99, 0x99, 0x33 },
	[FILM_FATE + FILM_MISS] = { 0xd5, 0x5e, 0x00 },
	[FILM_FATE + FILM_EVICTED] = { 0xc4, 0xb4, 0xa4 },
	[FILM_FATE + FILM_UNUSED] = { 0x00, 0x00, 0x00 },
	[FILM_BAND] = { 0xf0, 0xf0, 0xf0 },
	[FILM_BEGIN] = { 0x30, 0x30, 0x30 },
};

static const char grey[] = "left textcolor rgb '#606060'";
static const char beside[] = "right textcolor rgb '#606060'";

struct key { /* what the colours of a lane mean */
	struct {
		unsigned style;
		char	 text[KEY_TEXT];
	} item[KEY_MAX];
	unsigned n, height;
};

struct page {
	const struct film_plot *p;
	enum plot_target	target;
	struct film_sheet	sheet;
	struct key		key[LANES];
	char		       *heading;
	struct canvas_size	of;
	unsigned		above[LANES];		    /* the top of the lane with its texts */
	unsigned		lane[LANES], height[LANES]; /* of its boxes */
	unsigned		bottom;			    /* of the last lane */
};

/* ---- keys ---- */

static void
add_key(struct key *k, unsigned style, const char *what, const char *much)
{
	k->item[k->n].style = style;
	snprintf(k->item[k->n++].text, KEY_TEXT, "%s%s%s", what, *much ? " " : "", much);
}

static void
add_key_time(struct key *k, unsigned style, const char *what, uint64_t us)
{
	char text[NUMBER_TEXT];

	if (us)
		add_key(k, style, what, number_time(text, us));
}

static void
add_key_count(struct key *k, unsigned style, const char *what, uint64_t n)
{
	char text[NUMBER_TEXT];

	if (n)
		add_key(k, style, what, number_group(text, n));
}

static void
make_time_keys(struct page *g)
{
	const struct film *f = g->p->f;

	add_key_time(&g->key[LANE_PROGRAM], FILM_ACT + FILM_THINK, "thinking",
	    f->act_us[FILM_THINK]);
	add_key_time(&g->key[LANE_PROGRAM], FILM_ACT + FILM_CPU, wait_info[CAUSE_CPU].what,
	    f->act_us[FILM_CPU]);
	for (unsigned i = 0; i < WAITS; i++)
		add_key_time(&g->key[LANE_PROGRAM], FILM_ACT + i, wait_info[i].what, f->act_us[i]);
	for (unsigned k = 0; k < SERVICE_PARTS; k++)
		add_key_time(&g->key[LANE_DEVICE], FILM_PART + k, film_part_word[k], f->part_us[k]);
}

static void
make_block_keys(struct page *g)
{
	const struct film *f = g->p->f;
	struct key	  *k = &g->key[LANE_CACHE];
	bool		   demanded = false, ahead = false;

	for (size_t i = 0; i < f->nrequests; i++) {
		const struct film_request *r = &f->request[i];

		if (film_shows_request(f, r) && r->use != FILM_WRITE && r->done > r->queued) {
			demanded |= r->demanded > 0;
			ahead |= r->demanded < r->count;
		}
	}
	if (demanded)
		add_key(k, FILM_FLIGHT + FILM_DEMAND, "demand being read", "");
	if (ahead)
		add_key(k, FILM_FLIGHT + FILM_PREFETCH, "prefetch being read", "");
	if (f->nstays)
		add_key(k, FILM_STAY, "prefetched, not used yet", "");
	for (unsigned i = 0; i < FILM_FATES; i++)
		add_key_count(k, FILM_FATE + i, film_fate_words[i].what,
		    film_sheet_blocks(&g->sheet, i));
}

static void
make_keys(struct page *g)
{
	char text[KEY_TEXT / 2];

	make_time_keys(g);
	for (unsigned i = 0; i < FILM_USES; i++) {
		snprintf(text, sizeof(text), "%s requests", film_use_word[i]);
		add_key_count(&g->key[LANE_DEVICE], FILM_USE + i, text, g->p->f->used[i]);
	}
	make_block_keys(g);
}

static unsigned
key_width(const struct key *k, unsigned i)
{
	return PICTURE_SWATCH + SWATCH_GAP + picture_width(k->item[i].text) + KEY_GAP;
}

/* Draw it unless to is NULL; the height. */
static unsigned
draw_key(const struct key *k, struct canvas_size of, unsigned y, FILE *to)
{
	unsigned x = FILM_LEFT, rows = k->n > 0;

	for (unsigned i = 0; i < k->n; i++) {
		if (x > FILM_LEFT && x + key_width(k, i) - KEY_GAP > FILM_RIGHT) {
			x = FILM_LEFT;
			rows++;
		}
		if (to) {
			unsigned middle = y + rows * PICTURE_LINE - PICTURE_LINE / 2;

			picture_swatch(of, colour[k->item[i].style], x, middle, to);
			picture_label(of, k->item[i].text, x + PICTURE_SWATCH + SWATCH_GAP, middle,
			    "left", to);
		}
		x += key_width(k, i);
	}
	return rows * PICTURE_LINE;
}

/* ---- the axis ---- */

static usec_t
tick_step(const struct film *f)
{
	double least = (double)(f->end - f->begin) * TICK / (FILM_RIGHT - FILM_LEFT);
	double power = pow(10, floor(log10(least < 1 ? 1 : least)));
	double digit = least / power;

	return (usec_t)llround(power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10));
}

/* A line through the lanes, but not through texts. */
static void
draw_line(const struct page *g, double x, FILE *to)
{
	for (unsigned i = 0; i < LANES; i++)
		fprintf(to,
		    "set arrow from first %.2f, first %u to first %.2f, first %u nohead back "
		    "linecolor rgb '#d8d8d8' linewidth 0.6\n",
		    x, g->lane[i], x, g->lane[i] + g->height[i] + (i + 1 == LANES ? 8 : 0));
}

static void
draw_axis(const struct page *g, FILE *to)
{
	const struct film *f = g->p->f;
	usec_t		   step = tick_step(f);
	int  digits = step % 1000 == 0 ? 0 : step % 100 == 0 ? 1 : step % 10 == 0 ? 2 : 3;
	char text[NUMBER_TEXT];

	for (usec_t at = (f->begin + step - 1) / step * step; at <= f->end; at += step) {
		double x = film_x(&g->sheet, at);

		draw_line(g, x, to);
		snprintf(text, sizeof(text), "%.*f", digits, (double)at / 1000);
		picture_label(g->of, text, (unsigned)x, g->bottom + 16, "center", to);
	}
	picture_label(g->of, "time, ms", (FILM_LEFT + FILM_RIGHT) / 2, g->bottom + 36, "center",
	    to);
}

/* ---- beside the lanes ---- */

static void
draw_beside(const struct page *g, const char *text, double y, FILE *to)
{
	char label[PICTURE_SHORT];

	picture_label(g->of, picture_shorten(label, text, FILM_LEFT - FILM_MARGIN - 8),
	    FILM_LEFT - 8, (unsigned)lround(y), beside, to);
}

/* The numbers of calls where one process makes them all, as many as fit. */
static void
draw_calls(const struct page *g, FILE *to)
{
	const struct film *f = g->p->f;
	unsigned	   free = 0, y = (unsigned)g->sheet.program_top - NUMBERS / 2 - 1;
	char		   text[NUMBER_TEXT];

	picture_label(g->of, "call", FILM_LEFT - 8, y, beside, to);
	for (size_t i = 0; i < f->ncall; i++) {
		unsigned x = (unsigned)film_x(&g->sheet, f->call[i].begin), width;

		number_group(text, f->call[i].number);
		width = picture_width(text);
		if (x < free || x + width > FILM_WIDTH)
			continue;
		picture_label(g->of, text, x, y, grey, to);
		free = x + width + 8;
	}
}

static void
draw_processes(const struct page *g, FILE *to)
{
	const struct film_sheet *s = &g->sheet;
	char			 text[TEXT_ROOM];

	if (g->p->f->nprocesses == 1) {
		draw_calls(g, to);
		return;
	}
	for (uint32_t i = 0; i < s->nshown; i++)
		draw_beside(g, film_process_name(g->p->f, s->shown[i], text),
		    s->program_top + i * FILM_ROW + FILM_ROW / 2, to);
	if (s->nhidden) {
		snprintf(text, sizeof(text), "%u more process%s not shown", s->nhidden,
		    s->nhidden > 1 ? "es are" : " is");
		picture_label(g->of, text, FILM_LEFT,
		    (unsigned)(s->program_top + s->program_height) + NUMBERS / 2, grey, to);
	}
}

static void
draw_queue(const struct page *g, FILE *to)
{
	const struct film_sheet *s = &g->sheet;
	char			 text[NUMBER_TEXT + 16] = "empty";

	if (s->most_waiting)
		snprintf(text, sizeof(text), "at most %u", s->most_waiting);
	draw_beside(g, text, s->queue_top + s->queue_height / 2, to);
}

static const char *
file_name(const struct trace *t, file_t f, char text[TEXT_ROOM])
{
	const char *name = t->file[f].name, *slash = name ? strrchr(name, '/') : NULL;

	if (name)
		text_clean(text, TEXT_ROOM, slash && slash[1] ? slash + 1 : name);
	else
		snprintf(text, TEXT_ROOM, "file %" PRIu64, t->file[f].inode);
	return text;
}

/* The name of the file unless the label below has it, and the numbers of blocks. */
static void
draw_band(const struct page *g, const struct film_band *b, bool named, double y, bool high,
    FILE *to)
{
	const struct trace *t = g->p->f->t;
	block_t		    first = b->first - t->file[b->file].base;
	char		    name[TEXT_ROOM], range[64], text[2 * TEXT_ROOM];
	unsigned	    room = FILM_LEFT - FILM_MARGIN - 8;
	bool		    whole;

	snprintf(range, sizeof(range), "%u", first);
	if (b->end - b->first > 1)
		snprintf(range, sizeof(range), "%u-%u", first, first + (b->end - b->first - 1));
	if (named) {
		draw_beside(g, range, y, to);
		return;
	}
	file_name(t, b->file, name);
	if (high) {
		draw_beside(g, name, y - LABEL / 2, to);
		draw_beside(g, range, y + LABEL / 2, to);
		return;
	}
	room -= picture_width(range) + picture_width(": ");
	whole = picture_width(name) <= room;
	snprintf(text, sizeof(text), "%s%s: %s", whole ? "" : "...",
	    whole ? name : picture_tail(name, room - picture_width("...")), range);
	draw_beside(g, text, y, to);
}

/* As many as fit, from the lowest up. */
static void
draw_bands(const struct page *g, FILE *to)
{
	const struct film_sheet *s = &g->sheet;
	double			 free = HUGE_VAL;
	file_t			 last = 0;

	for (size_t i = 0; i < s->nbands; i++) {
		const struct film_band *b = &s->band[i];
		double			height = s->block_height * (b->end - b->first);
		double			middle = b->bottom - height / 2;
		bool			named = free < HUGE_VAL && b->file == last;
		bool			high = height >= 2 * LABEL;

		if (middle + (high && !named ? LABEL : LABEL / 2) > free)
			continue;
		draw_band(g, b, named, middle, high, to);
		free = middle - (high && !named ? LABEL : LABEL / 2);
		last = b->file;
	}
}

/* The key of the device is below it: arrows come from above. */
static unsigned
key_top(const struct page *g, unsigned lane)
{
	return lane == LANE_DEVICE ? g->lane[lane] + g->height[lane] + KEY_MARGIN : g->above[lane];
}

static unsigned
name_height(const struct page *g, unsigned lane)
{
	return lane == LANE_DEVICE ? g->lane[lane] + FILM_ROW / 2
	    : lane == LANE_QUEUE   ? g->lane[lane] + g->height[lane] / 2
				   : g->above[lane] + PICTURE_LINE / 2;
}

static void
draw_names(const struct page *g, FILE *to)
{
	static const char *const lane[LANES] = { "program", "queue", "device", "cache" };

	for (unsigned i = 0; i < LANES; i++) {
		const char *name = i || g->p->f->nprocesses == 1 ? lane[i]
		    : g->p->f->programs				 ? "programs"
								 : "processes";

		picture_label(g->of, name, FILM_MARGIN, name_height(g, i), "left", to);
		draw_key(&g->key[i], g->of, key_top(g, i), to);
	}
	if (!g->key[LANE_DEVICE].n)
		draw_beside(g, "idle", name_height(g, LANE_DEVICE), to);
	draw_processes(g, to);
	draw_queue(g, to);
	draw_bands(g, to);
}

/* ---- arrows ---- */

static void
draw_arrows(const struct page *g, FILE *to)
{
	const struct film_sheet *s = &g->sheet;

	for (size_t i = 0; i < g->p->f->nlate; i++) {
		const struct film_late	  *l = &g->p->f->late[i];
		const struct film_request *r = &g->p->f->request[l->request];
		double			   top;

		if (!film_row(s, l->process, &top))
			continue;
		fprintf(to,
		    "set arrow from first %.2f, first %.2f to first %.2f, first %.2f front filled "
		    "size first 8, 18, 90 linecolor rgb '#aa3377' linewidth 1.2\n",
		    film_x(s, l->when), top + FILM_ROW - 3,
		    film_x(s, r->started > l->when ? r->started : l->when) + 1,
		    film_device_row(s, l->request));
	}
}

/* ---- the script ---- */

static void
send_boxes(const struct film_sheet *s, unsigned style, FILE *to)
{
	bool any = false;

	for (size_t i = 0; i < s->nboxes; i++) {
		const struct film_box *b = &s->box[i];

		if (b->style != style)
			continue;
		if (!any)
			fprintf(to, "$style%u << EOD\n", style);
		any = true;
		fprintf(to, "%.2f %.2f %.2f %.2f\n", b->left, b->right, b->top, b->bottom);
	}
	if (any)
		fputs("EOD\n", to);
}

/* Bands first, then in the order of styles: the later lie above. */
static void
draw_boxes(const struct film_sheet *s, FILE *to)
{
	bool	    used[FILM_STYLES] = { false };
	const char *before = "plot";

	for (unsigned i = 0; i < FILM_STYLES; i++)
		send_boxes(s, i, to);
	for (size_t i = 0; i < s->nboxes; i++)
		used[s->box[i].style] = true;
	for (unsigned k = 0; k < FILM_STYLES; k++) {
		unsigned i = k == 0 ? FILM_BAND : k <= FILM_BAND ? k - 1 : k;

		if (!used[i])
			continue;
		fprintf(to,
		    "%s $style%u using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4 with boxxyerror "
		    "fillstyle %s noborder linecolor rgb '#%02x%02x%02x' notitle",
		    before, i, i == FILM_BAND ? "transparent solid 0.7" : "solid", colour[i][0],
		    colour[i][1], colour[i][2]);
		before = ", \\\n ";
	}
	putc('\n', to);
}

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct page *g = self;
	unsigned	   wide = FILM_WIDTH - 2 * FILM_MARGIN;

	picture_canvas(g->target, g->of.width, g->of.height, to);
	fprintf(to,
	    "unset key\nunset border\nunset tics\n"
	    "set lmargin at screen 0\nset rmargin at screen 1\n"
	    "set tmargin at screen 1\nset bmargin at screen 0\n"
	    "set xrange [0 : %u]\nset yrange [%u : 0]\n",
	    g->of.width, g->of.height);
	picture_heading(g->of, g->heading, FILM_MARGIN, TOP, wide, g->target, to);
	picture_paragraph(g->of, g->p->setting, FILM_MARGIN,
	    TOP + picture_heading_height(g->heading, wide) + 8, wide, grey, to);
	draw_axis(g, to);
	draw_names(g, to);
	draw_arrows(g, to);
	draw_boxes(&g->sheet, to);
	return 0;
}

/* ---- names that a browser shows ---- */

static void
hover_box(double left, double right, double top, double bottom, FILE *to)
{
	fprintf(to,
	    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" pointer-events=\"all\"><title>",
	    left, top, right - left, bottom - top);
}

static void
hover_processes(const struct page *g, FILE *to)
{
	const struct film *f = g->p->f;
	double		   top;
	char		   time[NUMBER_TEXT];

	for (size_t i = 0; i < f->nspans; i++) {
		const struct film_span *n = &f->span[i];

		if (n->to <= n->from || n->act == FILM_THINK ||
		    !film_row(&g->sheet, n->process, &top))
			continue;
		hover_box(film_x(&g->sheet, n->from), film_x(&g->sheet, n->to), top, top + FILM_ROW,
		    to);
		fprintf(to, "%s: %s</title></rect>\n", wait_info[n->act].what,
		    number_time(time, (uint64_t)(n->to - n->from)));
	}
}

static void
hover_device(const struct page *g, FILE *to)
{
	const struct film *f = g->p->f;

	for (size_t i = 0; i < f->nrequests; i++) {
		const struct film_request *r = &f->request[i];
		uint32_t		   index = r->block;
		char			   time[NUMBER_TEXT], waited[NUMBER_TEXT];

		if (!film_shows_request(f, r) || r->started >= f->end)
			continue;
		index -= f->t->file[trace_file(f->t, r->block)].base;
		hover_box(film_x(&g->sheet, r->started), film_x(&g->sheet, r->done),
		    film_device_row(&g->sheet, i),
		    film_device_row(&g->sheet, i) + film_device_row_height(&g->sheet), to);
		fprintf(to, "%s of %u block%s from %u: %s, in the queue %s</title></rect>\n",
		    film_use_word[r->use], r->count, r->count == 1 ? "" : "s", index,
		    number_time(time, (uint64_t)(r->done - r->started)),
		    number_time(waited, (uint64_t)(r->started - r->queued)));
	}
}

static int
write_hover(const void *self, FILE *to, struct error *e)
{
	fputs("<g id=\"hover\" fill=\"none\" stroke=\"none\">\n", to);
	hover_processes(self, to);
	hover_device(self, to);
	fputs("</g>\n", to);
	return 0;
}

/* ---- all ---- */

/* The height of what is above the boxes of a lane. */
static unsigned
header(const struct page *g, unsigned lane)
{
	unsigned height =
	    lane == LANE_DEVICE || !g->key[lane].n ? 0 : g->key[lane].height + KEY_MARGIN;

	return height + (lane == LANE_PROGRAM && g->p->f->nprocesses == 1 ? NUMBERS : 0);
}

static unsigned
footer(const struct page *g, unsigned lane)
{
	return lane == LANE_DEVICE		       ? g->key[lane].height + KEY_MARGIN
	    : lane == LANE_PROGRAM && g->sheet.nhidden ? NUMBERS
						       : 0;
}

static void
place_lanes(struct page *g)
{
	struct film_sheet *s = &g->sheet;
	unsigned	   wide = FILM_WIDTH - 2 * FILM_MARGIN;
	double	*top[LANES] = { &s->program_top, &s->queue_top, &s->device_top, &s->cache_top };
	double	 height[LANES] = { s->program_height, s->queue_height, s->device_height,
		  s->cache_height };
	unsigned y = TOP + picture_heading_height(g->heading, wide) +
	    picture_lines(g->p->setting, wide) * PICTURE_LINE + GAP;

	for (unsigned i = 0; i < LANES; i++) {
		g->above[i] = y;
		g->key[i].height = draw_key(&g->key[i], g->of, 0, NULL);
		g->lane[i] = y + header(g, i);
		g->height[i] = (unsigned)ceil(height[i]);
		*top[i] = g->lane[i];
		y = g->lane[i] + g->height[i] + footer(g, i) + GAP;
	}
	g->bottom = y - GAP;
	g->of = (struct canvas_size){ FILM_WIDTH, g->bottom + AXIS };
}

int
film_plot_draw(const struct film_plot *p, enum plot_target target, struct picture *to,
    struct error *e)
{
	struct page g = { .p = p, .target = target };
	int	    failed;

	g.heading = film_heading(p->f, p->name, e);
	failed = g.heading ? film_sheet_init(&g.sheet, p->f, e) : -1;
	if (!failed) {
		make_keys(&g);
		place_lanes(&g);
		failed = film_sheet_fill(&g.sheet, e);
	}
	if (!failed)
		failed = picture_draw(to,
		    &(struct drawing){ .target = target,
			.title = g.heading,
			.script = write_script,
			.hover = write_hover,
			.self = &g },
		    e);
	free(g.heading);
	film_sheet_release(&g.sheet);
	return failed;
}
