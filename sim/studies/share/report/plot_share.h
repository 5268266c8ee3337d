/*
 * plot_share.h - pictures of the rows of bufsim share: a panel for each program.
 *
 * Without --x, a bar for each row: its faults stacked by class, its time stacked by part, or any
 * column.  With --x, lines: the sum of the same against a column, such as page.
 */
#ifndef SIM_PLOT_SHARE_H
#define SIM_PLOT_SHARE_H

#include "sim/draw/panels.h"

extern const struct panel_source share_panels;

/* Has a file the columns of bufsim share? */
bool share_plot_recognises(const struct csv *c);

/* y: faults, time or a column; NULL: faults.  x: a column; NULL: bars. */
void share_plot_start(struct panels *p, const char *y, const char *x);

/* Add the rows of a file; its name must outlive p. */
int share_plot_read(struct panels *p, struct csv *c, struct error *e);

#endif
