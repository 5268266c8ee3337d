/* bands.h - the names of files beside a picture in which blocks go up, and lines between files. */
#ifndef SIM_BANDS_H
#define SIM_BANDS_H

#include "sim/analysis/classes.h"
#include "sim/draw/picture.h"

struct bands {
	const struct trace *t;
	block_t		    first, end; /* the blocks that are drawn */
	struct canvas_size  of;
	unsigned	    top, height; /* of the plot, in pixels */
	unsigned	    x, width;	 /* of the names */
};

/* Lines of the script before the plot. */
int bands_draw(const struct bands *b, FILE *to, struct error *e);

#endif
