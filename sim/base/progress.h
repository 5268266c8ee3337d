/*
 * progress.h - a line on the terminal that shows the progress of long work.
 * Nothing is printed if standard error is not a terminal.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include "sim/base/types.h"

struct progress {
	const char *what; /* "points" */
	size_t	    total;
	double	    started, shown; /* seconds */
	bool	    on;
};

void progress_start(struct progress *p, const char *what, size_t total);
void progress_show(struct progress *p, size_t done); /* at most ten times a second */
void progress_end(struct progress *p);		     /* clears the line */

#endif
