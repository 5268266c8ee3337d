/*
 * plot_frames.h - pictures of bufsim frames: a panel for each workload.
 *
 * Operations per second as bars, or as lines against the threads if these differ; any other figure of
 * frames_report.h; the largest free run over the load; the share of requests met by order.
 * y: a figure, largest-order, met or met-after; NULL: operations per second.  x: threads, blocks,
 * block-pages or a parameter such as n; NULL: threads if they differ.
 */
#ifndef SIM_PLOT_FRAMES_H
#define SIM_PLOT_FRAMES_H

#include "sim/draw/panels.h"
#include "sim/studies/frames/report/frames_report.h"

extern const struct panel_source frames_panels;

/* The panels, for panels_script() and the like; free p with frames_plot_free() in any case. */
int  frames_plot_make(struct panels *p, const struct frames_report *r, size_t n,
     const struct panels_view *v, struct error *e);
void frames_plot_free(struct panels *p);

/* The picture of all results; of fragmentation if that was measured. */
int frames_plot_draw(struct picture *picture, const struct frames_report *r, size_t n,
    enum plot_target target, struct error *e);

#endif
