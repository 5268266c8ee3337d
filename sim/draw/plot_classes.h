/*
 * plot_classes.h - a picture of a trace: block against reference, coloured
 * by class.
 *
 * The size of the raster does not depend on the trace.
 */
#ifndef SIM_PLOT_CLASSES_H
#define SIM_PLOT_CLASSES_H

#include "sim/analysis/classes.h"
#include "sim/draw/raster.h"

struct class_plot {
	const struct trace *t;
	char		    params[PARAMS_TEXT]; /* of the detector */
	uint64_t from, to, all; /* references, counted from 1; all: their number in the trace */
	block_t	 first, end;	/* the blocks that they touch */
	uint64_t total[CALL_CLASSES]; /* of these references */
	struct raster raster;
};

/* References from .. to of the trace; to 0: up to the last.  A usage error if there are none. */
int  class_plot_init(struct class_plot *p, const struct trace *t, uint64_t from, uint64_t to,
     struct error *e);
void class_plot_release(struct class_plot *p);

/* Add all references in order; those outside of the picture are ignored. */
void class_plot_add(struct class_plot *p, uint64_t number, block_t b, enum reference_class class);

/* After all references: draw, in the format of that file. */
int class_plot_draw(struct class_plot *p, enum plot_target target, struct picture *to,
    struct error *e);

#endif
