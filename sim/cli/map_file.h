/* map_file.h - bufsim run --map: block against time, as a picture or as JSON. */
#ifndef SIM_CLI_MAP_FILE_H
#define SIM_CLI_MAP_FILE_H

#include "sim/core/simulate.h"
#include "sim/draw/picture.h"
#include "sim/setup/options.h"

/* 0, or a usage error that is known before the run. */
int map_file_check(const struct options *o, struct error *e);

/* Simulate again what gave these statistics, and make the bytes of the file. */
int map_file_make(const struct config *cfg, const struct options *o, const struct trace *t,
    const struct stats *st, struct picture *to, struct error *e);

#endif
