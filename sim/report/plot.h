/*
 * plot.h - the contents of a picture of results, before gnuplot draws it.
 *
 * Rows of CSV become points: cache size against one column.  Points with the
 * same settings are a line, and every trace has a panel.  The name of a line
 * consists of the settings in which the rows differ.
 */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include <stdio.h>

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/report/picture.h"
#include "sim/setup/options.h"

/* Settings by option_id, and the kind of command that wrote a row. */
enum { SETTING_KIND = OPTIONS, SETTINGS };

enum { PLOT_TEXT = 512 };

struct plot_row {
	uint32_t    value[SETTINGS]; /* numbers in p->value, from 1; 0: not in the file */
	uint32_t    panel, line;
	double	    x, y, error; /* y: NAN if undefined; error: +-, 0 if unknown */
	const char *file;
	uint64_t    at; /* row of the file */
};

/* The points of one line in one panel, by cache size. */
struct plot_series {
	uint32_t line, panel;
	size_t	 first, n;
};

struct plot {
	char		    column[PLOT_TEXT]; /* what is drawn */
	struct names	    trace, value[SETTINGS];
	struct plot_row	   *row;
	size_t		    nrows, room;
	struct plot_series *series;
	size_t		    nseries;
	uint32_t	    nlines;
	double		    block_bytes; /* of the last row */
	unsigned	    base; /* the setting named by --relative; SETTINGS: not relative */
	uint32_t	    base_value;
};

/* y: time, or the name of a column; NULL: time if the first file has it, else miss-ratio. */
void plot_start(struct plot *p, const char *y);
void plot_free(struct plot *p);

/* Add the rows of a file; its name must outlive p. */
int plot_read(struct plot *p, struct csv *c, struct error *e);

/* After all files: sort the rows into lines, divided by those named base unless it is NULL. */
int plot_arrange(struct plot *p, const char *base, struct error *e);

/* Do the rows differ in that setting? */
bool plot_varies(const struct plot *p, unsigned setting);

/* The name of the column of a setting without punctuation; "" for the kind. */
const char *plot_setting_name(unsigned setting, char buf[PLOT_TEXT]);

/* "linux24, 128": the settings of row r in which rows differ.  Returns buf. */
char *plot_line_name(const struct plot *p, const struct plot_row *r, char buf[PLOT_TEXT]);

/* The settings in the names of lines: "prefetcher, queue". */
char *plot_legend_title(const struct plot *p, char buf[PLOT_TEXT]);

/* Important settings common to all rows: "policy lru, device cheetah9lp". */
char *plot_shared(const struct plot *p, char buf[PLOT_TEXT]);

/* ---- drawing (plot_script.c) ---- */

/* Write the script that draws p on standard output; columns and rows of text for PLOT_DUMB. */
int plot_script(const struct plot *p, enum plot_target target, unsigned columns, unsigned rows,
    FILE *to, struct error *e);

#endif
