/* plot_cdf.h - a picture of distributions: the share of requests that took no longer. */
#ifndef SIM_PLOT_CDF_H
#define SIM_PLOT_CDF_H

#include "sim/draw/picture.h"

enum { CDF_LINES = 3 };

struct cdf_line {
	const char   *name;
	const double *sorted; /* ms, n of them */
};

struct cdf_plot {
	const char	*title, *subtitle;
	const char	*what;	 /* NULL: "requests" */
	bool		 orders; /* the axis of times is logarithmic */
	struct cdf_line	 line[CDF_LINES];
	unsigned	 nlines;
	size_t		 n; /* of each line, at least 1 */
	enum plot_target target;
};

int cdf_plot_draw(const struct cdf_plot *p, struct picture *to, struct error *e);

#endif
