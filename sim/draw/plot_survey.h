/*
 * plot_survey.h - a picture of a trace: block against time, the footprint so
 * far, and the distribution of reuse distances.
 *
 * Its size does not depend on the trace.
 */
#ifndef SIM_PLOT_SURVEY_H
#define SIM_PLOT_SURVEY_H

#include "sim/analysis/survey.h"
#include "sim/draw/raster.h"

struct survey_plot {
	const struct trace *t;
	bool		    by_call;	/* the trace has no times: calls in their order */
	uint64_t	    span;	/* of time, in us, or of calls */
	block_t		    first, end; /* the blocks that are referenced */
	struct raster	    raster;
	uint64_t	   *footprint; /* [raster.columns] so far; 0: as in the column before */
};

int  survey_plot_init(struct survey_plot *p, const struct trace *t, struct error *e);
void survey_plot_release(struct survey_plot *p);

/* For the observer of survey_find(), with the picture as `self`. */
void survey_plot_call(void *self, const struct survey *v, size_t number, block_t b, uint32_t count);

/* After survey_find(). */
int survey_plot_draw(struct survey_plot *p, const struct survey *v, enum plot_target target,
    struct picture *to, struct error *e);

#endif
