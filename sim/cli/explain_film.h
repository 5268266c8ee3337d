/* explain_film.h - bufsim explain --output: a picture of the calls, or its data, in place of the text. */
#ifndef SIM_EXPLAIN_FILM_H
#define SIM_EXPLAIN_FILM_H

#include "sim/core/config.h"
#include "sim/setup/options.h"

/* 0, or an error that is known before the run. */
int explain_film_check(const struct options *o, struct error *e);

/* Run it, and draw or write the calls that --first and --calls tell. */
int explain_film(struct config *cfg, const struct options *o, const struct trace *t,
    const char *title, struct error *e);

#endif
