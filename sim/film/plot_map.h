/* plot_map.h - the map of a run as a picture. */
#ifndef SIM_PLOT_MAP_H
#define SIM_PLOT_MAP_H

#include "sim/film/run_map.h"

/* After run_map_finish(); setting: the line below the picture. */
int map_plot_draw(const struct run_map *m, const char *setting, enum plot_target target,
    struct picture *to, struct error *e);

#endif
