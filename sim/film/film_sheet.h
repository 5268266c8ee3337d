/*
 * film_sheet.h - where everything in the picture of a film lies, in pixels from
 * the upper left corner.
 */
#ifndef SIM_FILM_SHEET_H
#define SIM_FILM_SHEET_H

#include "sim/film/film.h"

enum {
	FILM_WIDTH = 1000,
	FILM_LEFT = 160,
	FILM_RIGHT = 984,
	FILM_MARGIN = 14,
	FILM_ROW = 22,	       /* of a process or the device */
	FILM_ROWS = 8,	       /* most processes */
	FILM_DEVICE_ROWS = 16, /* most requests in service beside each other */
};

/* What boxes show; each has a colour. */
enum {
	FILM_ACT = 0,
	FILM_USE = FILM_ACT + FILM_ACTS,
	FILM_PART = FILM_USE + FILM_USES,
	FILM_FLIGHT = FILM_PART + SERVICE_PARTS, /* FILM_DEMAND or FILM_PREFETCH: being read */
	FILM_STAY = FILM_FLIGHT + 2,
	FILM_FATE = FILM_STAY + 1,
	FILM_BAND = FILM_FATE + FILM_FATES,
	FILM_BEGIN, /* of a call */
	FILM_STYLES
};

struct film_box {
	double	 left, right, top, bottom;
	unsigned style;
};

/* Blocks of a file that the picture shows, without a gap. */
struct film_band {
	block_t	 first, end;
	file_t	 file;
	double	 bottom; /* of its first block */
	uint64_t before; /* blocks of the bands before it */
};

struct film_sheet {
	const struct film *f;
	uint32_t	  shown[FILM_ROWS], nshown, nhidden; /* processes with a row, and without */
	uint8_t		 *row;				     /* of the device, of each request */
	unsigned	  device_rows, most_waiting;
	struct film_band *band;
	size_t		  nbands;
	double		  block_height, gap;
	struct film_box	 *box;
	size_t		  nboxes;
	uint32_t	  rooms[2];

	/* Set by the caller before film_sheet_fill(). */
	double program_top, queue_top, device_top, cache_top;
	double program_height, queue_height, device_height, cache_height; /* by film_sheet_init() */
};

/* The heights of the lanes; release s even after an error. */
int  film_sheet_init(struct film_sheet *s, const struct film *f, struct error *e);
void film_sheet_release(struct film_sheet *s);

/* The boxes of all lanes. */
int film_sheet_fill(struct film_sheet *s, struct error *e);

/* The place of a moment, within the lanes. */
double film_x(const struct film_sheet *s, usec_t when);

/* The top of a process's row; false: it has none. */
bool film_row(const struct film_sheet *s, uint32_t process, double *top);

/* The top of a request's row. */
double film_device_row(const struct film_sheet *s, size_t request);
double film_device_row_height(const struct film_sheet *s);

/* The band that holds block b, or NULL. */
const struct film_band *film_band_of(const struct film_sheet *s, block_t b);

/* The blocks with that fate that are shown. */
uint64_t film_sheet_blocks(const struct film_sheet *s, enum film_fate fate);

/* Is any of it within the picture? */
bool film_shows_request(const struct film *f, const struct film_request *r);

#endif
