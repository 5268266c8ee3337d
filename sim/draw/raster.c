/* raster.c - count what is at each point of a column, then paint it. */
#include <stdlib.h>
#include <string.h>

#include "sim/draw/raster.h"

static unsigned
at_most(uint64_t n, unsigned most)
{
	return n < most ? (unsigned)n : most;
}

unsigned
raster_point(const struct trace *t)
{
	return t->naccess < 500 ? 8 : t->naccess < 20000 ? 4 : 1;
}

int
raster_init(struct raster *r, struct canvas_size of, unsigned point, uint64_t columns,
    uint64_t rows, unsigned kinds, struct error *e)
{
	*r = (struct raster){ .width = of.width,
		.height = of.height,
		.columns = at_most(columns, of.width / point),
		.rows = at_most(rows, of.height / point),
		.kinds = kinds };
	r->count = calloc(r->height, sizeof(*r->count) * kinds);
	r->pixel = calloc(r->height, r->width);
	if (r->count && r->pixel)
		return 0;
	raster_release(r);
	return error_set(e, "out of memory for the picture");
}

void
raster_release(struct raster *r)
{
	free(r->count);
	free(r->pixel);
	*r = (struct raster){ 0 };
}

static unsigned
most_of(const uint32_t *n, unsigned kinds)
{
	unsigned most = 0;

	for (unsigned kind = 1; kind < kinds; kind++)
		if (n[kind] > n[most])
			most = kind;
	return most;
}

/* The rectangle of pixels that a point takes. */
static void
paint(struct raster *r, unsigned column, unsigned row, uint8_t with)
{
	unsigned left = column * r->width / r->columns,
		 right = (column + 1) * r->width / r->columns;
	unsigned low = row * r->height / r->rows, high = (row + 1) * r->height / r->rows;

	for (unsigned y = low; y < high; y++)
		memset(&r->pixel[y * r->width + left], with, right - left);
}

void
raster_finish(struct raster *r)
{
	for (unsigned row = 0; row < r->rows; row++) {
		const uint32_t *n = &r->count[row * r->kinds];
		unsigned	most = most_of(n, r->kinds);

		if (n[most])
			paint(r, r->column, row, (uint8_t)(1 + most));
	}
	memset(r->count, 0, r->rows * r->kinds * sizeof(*r->count));
}

void
raster_add(struct raster *r, unsigned column, unsigned row, unsigned kind)
{
	if (column != r->column) {
		raster_finish(r);
		r->column = column;
	}
	r->count[row * r->kinds + kind]++;
}

/* ---- pixels ---- */

/* What is shown at a pixel: its own kind, or that of an isolated point beside it. */
static uint8_t
shown(const struct raster *r, unsigned x, unsigned y)
{
	const uint8_t *at = &r->pixel[y * r->width + x];
	const uint8_t  beside[] = { x ? at[-1] : 0, y ? *(at - r->width) : 0,
		 x && y ? *(at - r->width - 1) : 0 };
	uint8_t kind = *at;

	for (size_t i = 0; !kind && i < sizeof(beside); i++)
		kind = beside[i];
	return kind;
}

void
raster_send(const struct raster *r, const struct raster_area *area,
    const unsigned char (*colour)[3], FILE		     *to)
{
	static const unsigned char nothing[4];
	double			   dx = area->width / r->width, dy = area->height / r->height;

	fprintf(to,
	    "plot '-' binary array=(%u,%u) dx=%.9g dy=%.9g origin=(%.12g,%.12g) format='%%uchar' "
	    "using 1:2:3:4 with rgbalpha notitle\n",
	    r->width, r->height, dx, dy, area->x + dx / 2, area->y + dy / 2);
	for (unsigned y = 0; y < r->height; y++)
		for (unsigned x = 0; x < r->width; x++) {
			uint8_t	      it = shown(r, x, y);
			unsigned char pixel[4] = { 0, 0, 0, 255 };

			if (it)
				memcpy(pixel, colour[it - 1], 3);
			fwrite(it ? pixel : nothing, 4, 1, to);
		}
}
