/* legend.h - the names of the lines of a picture, beside the plots or below them. */
#ifndef SIM_LEGEND_H
#define SIM_LEGEND_H

#include "sim/draw/picture.h"

struct legend {
	const char	  *title; /* "": none */
	const char *const *name;
	const unsigned	  *style; /* of each name: the number of gnuplot's line style */
	size_t		   n;
	const uint32_t *swatch; /* the colour of each name: squares instead of lines; NULL: lines */

	/* set by legend_measure() */
	bool	 below;
	unsigned width, height; /* width: 0 if below */
	unsigned columns, column_width, text_width, title_width;
};

/*
 * Choose the place: to the right of plots of that height if the names are short
 * and few, else below them, in columns within that width.
 */
void legend_measure(struct legend *l, unsigned width, unsigned height);

/* Draw it, its upper left corner at x, y. */
void legend_draw(const struct legend *l, struct canvas_size of, unsigned x, unsigned y,
    FILE *script);

#endif
