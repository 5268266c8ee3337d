/* plot_scale.h - a picture of speed-ups: of the region with its spread, of all, and the law. */
#ifndef SIM_PLOT_SCALE_H
#define SIM_PLOT_SCALE_H

#include "sim/draw/picture.h"
#include "sim/studies/scale/scale.h"

enum { SCALE_PANELS = 12 };

struct scale_plot {
	const struct scale *scale;
	size_t		    n; /* programs, a panel each: at most SCALE_PANELS */
	enum plot_target    target;
};

int scale_plot_draw(const struct scale_plot *p, struct picture *to, struct error *e);

#endif
