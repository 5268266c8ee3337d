/*
 * plot_responses.h - pictures of the response times of single calls, one line
 * per file: their distribution, or the number of calls under way over time.
 */
#ifndef SIM_PLOT_RESPONSES_H
#define SIM_PLOT_RESPONSES_H

#include "sim/base/csv.h"
#include "sim/draw/picture.h"

enum { RESPONSE_NAME = 256 };

struct call_times {
	uint64_t arrival_us, us;
};

struct response_line {
	char		   name[RESPONSE_NAME]; /* of the file */
	struct call_times *call;		/* sorted for drawing */
	size_t		   n;
	uint32_t	   room;
};

struct response_plot {
	bool	    outstanding; /* draw calls under way over time; else the distribution */
	bool	    linear;	 /* the axis of response times */
	const char *title;	 /* NULL: the finding */
	struct response_line *line;
	size_t		      nlines;
	uint32_t	      room;
};

/* Has a file the columns of response times? */
bool response_plot_recognises(const struct csv *c);

/* y: response or outstanding; NULL: response. */
int  response_plot_start(struct response_plot *p, const char *y, struct error *e);
void response_plot_free(struct response_plot *p);

/* Add a file. */
int response_plot_read(struct response_plot *p, struct csv *c, struct error *e);

/* --title, or "99 % of the calls take at most 12.5 ms (csq)".  For free(); NULL: an error. */
char *response_plot_heading(const struct response_plot *p, struct error *e);

/* Write the script that draws p on standard output; columns and rows of text for PLOT_DUMB. */
int response_plot_script(const struct response_plot *p, enum plot_target target, unsigned columns,
    unsigned rows, FILE *to, struct error *e);

#endif
