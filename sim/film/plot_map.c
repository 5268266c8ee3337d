/*
 * plot_map.c - the script for a map: its raster, labels and axes.
 *
 * A kind has the colour that it has in a film (plot_film.c).
 */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/bands.h"
#include "sim/film/plot_map.h"

enum { /* in pixels of the canvas */
	LEFT = 104,
	RIGHT = 190,
	TOP = 62,
	BOTTOM = 100,
	WIDTH = LEFT + RUN_MAP_WIDTH + RIGHT,
	HEIGHT = TOP + RUN_MAP_HEIGHT + BOTTOM,
	LINE = 17, /* of text */
	LABEL_WIDTH = RIGHT - 16,
	SWATCH_GAP = 6,
	KEY_GAP = 18,
	TEXT_ROOM = 512,
};

static const unsigned char colour[RUN_MAP_KINDS][3] = {
	[RUN_MAP_HIT] = { 0x99, 0x99, 0x99 },
	[RUN_MAP_USED] = { 0x00, 0x9e, 0x73 },
	[RUN_MAP_LATE] = { 0xcc, 0x79, 0xa7 },
	[RUN_MAP_DELAYED] = { 0x99, 0x99, 0x33 },
	[RUN_MAP_MISS] = { 0xd5, 0x5e, 0x00 },
	[RUN_MAP_WASTED] = { 0x00, 0x00, 0x00 },
};

static const char *const kind_name[RUN_MAP_KINDS] = { "hits", "prefetched, used in time",
	"late prefetches", "delayed hits", "misses", "prefetched, never used" };

static const struct canvas_size canvas = { WIDTH, HEIGHT };
static const char		grey[] = "left textcolor rgb '#606060'";

struct sheet {
	const struct run_map *m;
	const char	     *setting;
	enum plot_target      target;
	char		     *heading;
};

/* ---- texts ---- */

/* "csq: 50.1 % of 96,187 prefetched blocks are never used"; without prefetching, how many are hits. */
static void
print_heading(const void *self, FILE *to)
{
	const struct run_map *m = self;
	uint64_t	      of = run_map_prefetched(m);
	char		      n[NUMBER_TEXT];

	text_print(m->t->name, to);
	if (of) {
		fprintf(to, ": %.1f %% of %s prefetched blocks are never used",
		    100 * (double)m->total[RUN_MAP_WASTED] / (double)of, number_group(n, of));
		return;
	}
	of = run_map_references(m);
	fprintf(to, ": %.1f %% of %s block references are hits",
	    100 * (double)m->total[RUN_MAP_HIT] / (double)of, number_group(n, of));
}

static void
set_legend(const struct run_map *m, FILE *to)
{
	unsigned x = LEFT, y = 42;
	char	 text[TEXT_ROOM], n[NUMBER_TEXT];

	for (unsigned kind = 0; kind < RUN_MAP_KINDS; kind++) {
		if (!m->total[kind])
			continue;
		picture_swatch(canvas, colour[kind], x, y, to);
		snprintf(text, sizeof(text), "%s %s", kind_name[kind],
		    number_group(n, m->total[kind]));
		picture_label(canvas, text, x + PICTURE_SWATCH + SWATCH_GAP, y, "left", to);
		x += PICTURE_SWATCH + SWATCH_GAP + picture_width(text) + KEY_GAP;
	}
}

/* The setting, and the meaning of a point. */
static void
set_caption(const struct sheet *s, FILE *to)
{
	const struct run_map *m = s->m;
	uint64_t	      wide = (uint64_t)(m->span - 1) / m->raster.columns + 1;
	uint64_t	      high = (m->last - m->first) / m->raster.rows + 1;
	char		      text[TEXT_ROOM], time[NUMBER_TEXT], blocks[NUMBER_TEXT];

	picture_label(canvas, picture_shorten(text, s->setting, WIDTH - LEFT), LEFT, HEIGHT - 14,
	    grey, to);
	snprintf(text, sizeof(text),
	    "a point is up to %s by %s block%s, and has the colour of most of it; hits do not count "
	    "beside anything else",
	    number_time(time, wide), number_group(blocks, high), high == 1 ? "" : "s");
	picture_label(canvas, text, LEFT, HEIGHT - 14 - LINE, grey, to);
}

/* ---- the script ---- */

static void
set_axes(const struct raster_area *area, const char *time, FILE *to)
{
	picture_place(canvas, (struct picture_box){ LEFT, TOP, RUN_MAP_WIDTH, RUN_MAP_HEIGHT }, to);
	picture_axes(to);
	fputs("unset key\n", to);
	fprintf(to, "set xrange [%.12g : %.12g]\nset yrange [%.0f : %.0f]\n", area->x,
	    area->x + area->width, area->y, area->y + area->height);
	fputs("set xtics autofreq\nset format x '%g'\n", to);
	picture_ticks('y', (uint64_t)area->y, (uint64_t)(area->y + area->height) - 1, to);
	picture_label(canvas, time, LEFT + RUN_MAP_WIDTH / 2, TOP + RUN_MAP_HEIGHT + 46, "center",
	    to);
	picture_label(canvas, "block, files end to end", 16, TOP + RUN_MAP_HEIGHT / 2,
	    "center rotate", to);
}

static int
write_script(const void *self, FILE *to, struct error *e)
{
	const struct sheet	 *s = self;
	const struct run_map	 *m = s->m;
	const struct picture_unit unit = picture_time_unit((uint64_t)m->span);
	const struct bands	 bands = { m->t, m->first, m->last + 1, canvas, TOP, RUN_MAP_HEIGHT,
		      LEFT + RUN_MAP_WIDTH + 8, LABEL_WIDTH };
	const struct raster_area area = { (double)m->begin / unit.of, (double)m->span / unit.of,
		m->first, (double)(m->last + 1 - m->first) };

	picture_canvas(s->target, WIDTH, HEIGHT, to);
	picture_heading(canvas, s->heading, LEFT, 6, WIDTH - LEFT, s->target, to);
	set_legend(m, to);
	set_axes(&area, unit.name, to);
	set_caption(s, to);
	if (bands_draw(&bands, to, e))
		return -1;
	raster_send(&m->raster, &area, colour, to);
	return 0;
}

int
map_plot_draw(const struct run_map *m, const char *setting, enum plot_target target,
    struct picture *to, struct error *e)
{
	struct sheet   s = { m, setting, target, picture_heading_text(NULL, print_heading, m, e) };
	struct drawing it = { .target = target,
		.title = s.heading,
		.script = write_script,
		.self = &s };
	int	       failed = s.heading ? picture_draw(to, &it, e) : -1;

	free(s.heading);
	return failed;
}
