/*
 * plot_classes.h - a picture of a trace: block against reference, coloured
 * by class.
 *
 * Drawn into a raster whose size does not depend on the trace.  Where several
 * references fall on one point of it, that has the class of most of them.
 */
#ifndef SIM_PLOT_CLASSES_H
#define SIM_PLOT_CLASSES_H

#include "sim/analysis/classes.h"
#include "sim/report/picture.h"

struct class_plot {
	const struct trace *t;
	char		    params[PARAMS_TEXT]; /* of the detector */
	uint64_t	    from, to, all;  /* references, counted from 1, and how many there are */
	block_t		    first, end;	    /* what they touch */
	uint64_t	    total[CLASSES]; /* of these references */
	unsigned	    columns, rows;  /* points that can be told apart */
	unsigned	    column;	    /* that `count` is of */
	uint32_t	   *count;	    /* [rows][CLASSES] */
	uint8_t		   *raster;	    /* 1 + class, by rows from the lowest; 0: nothing */
};

/* References from .. to of the trace; to 0: up to the last.  A usage error if there are none. */
int  class_plot_init(struct class_plot *p, const struct trace *t, uint64_t from, uint64_t to,
     struct error *e);
void class_plot_release(struct class_plot *p);

/* All references in order; those outside of the picture are passed over. */
void class_plot_add(struct class_plot *p, uint64_t number, block_t b, enum reference_class class);

/* All have been added: draw, in the format of that file. */
int class_plot_draw(struct class_plot *p, enum plot_target target, struct picture *to,
    struct error *e);

#endif
