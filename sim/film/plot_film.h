/* plot_film.h - a picture of a film: lanes for the processes, the queue, the device and the cache. */
#ifndef SIM_PLOT_FILM_H
#define SIM_PLOT_FILM_H

#include "sim/draw/picture.h"
#include "sim/film/film.h"

struct film_plot {
	const struct film *f;	    /* after film_finish() */
	const char	  *name;    /* of the trace */
	const char	  *setting; /* "prefetch linux24, wait call, ..." */
};

int film_plot_draw(const struct film_plot *p, enum plot_target target, struct picture *to,
    struct error *e);

#endif
