/*
 * raster.h - a picture made of points, filled column by column from the left.
 *
 * A point that stands for several things has the kind of most of them.  An
 * isolated point would be too small to see, so it is drawn twice as wide and
 * high where its neighbours are empty.
 */
#ifndef SIM_RASTER_H
#define SIM_RASTER_H

#include "sim/draw/picture.h"
#include "sim/trace/trace.h"

struct raster {
	unsigned  width, height; /* in pixels */
	unsigned  columns, rows; /* of points: no more than pixels */
	unsigned  kinds;
	unsigned  column; /* the column of `count` */
	uint32_t *count;  /* [rows][kinds] */
	uint8_t	 *pixel;  /* 1 + kind, by rows from the lowest; 0: nothing */
};

/* The width and height of a point in pixels: few calls are to be seen as well. */
unsigned raster_point(const struct trace *t);

/*
 * A raster of that many pixels for so many columns, rows and kinds, at least one of each.  A point
 * is at least `point` pixels wide and high.
 */
int  raster_init(struct raster *r, struct canvas_size of, unsigned point, uint64_t columns,
     uint64_t rows, unsigned kinds, struct error *e);
void raster_release(struct raster *r);

/* Columns must not fall. */
void raster_add(struct raster *r, unsigned column, unsigned row, unsigned kind);

/* After the last point. */
void raster_finish(struct raster *r);

/* Where it lies on the axes. */
struct raster_area {
	double x, width, y, height;
};

/* gnuplot's command that draws it, with its data. */
void raster_send(const struct raster *r, const struct raster_area *area,
    const unsigned char (*colour)[3], FILE			  *to);

#endif
