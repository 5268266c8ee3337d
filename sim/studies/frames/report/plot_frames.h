/*
 * plot_frames.h - pictures of bufsim frames: a panel for each workload.
 *
 * Operations per second as bars, or as lines against the threads if these differ; any other figure of
 * frames_report.h; the largest free run over the load; the share of requests met by order.
 * The panels are drawn as those of bufsim share.
 */
#ifndef SIM_PLOT_FRAMES_H
#define SIM_PLOT_FRAMES_H

#include "sim/studies/frames/report/frames_report.h"
#include "sim/studies/share/report/plot_share.h"

struct frames_view {
	const char *y; /* a figure, largest-order, met or met-after; NULL: operations per second */
	const char *
	    x; /* threads, blocks, block-pages or a parameter such as n; NULL: threads if they differ */
	const char *title;    /* NULL: the finding */
	const char *relative; /* in per cent of this allocator or machine; NULL: no */
	bool	    linear;
};

/* The panels, for share_plot_script() and the like; free p with frames_plot_free() in any case. */
int  frames_plot_make(struct share_plot *p, const struct frames_report *r, size_t n,
     const struct frames_view *v, struct error *e);
void frames_plot_free(struct share_plot *p);

/* The picture of all results; of fragmentation if that was measured. */
int frames_plot_draw(struct picture *picture, const struct frames_report *r, size_t n,
    enum plot_target target, struct error *e);

#endif
