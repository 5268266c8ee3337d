/*
 * plot_share.h - pictures of the rows of bufsim share: a panel for each program.
 *
 * Without --x, a bar for each row: its faults stacked by class, its time stacked by part, or any
 * column.  With --x, lines: the sum of the same against a column, such as page.  plot_frames.h
 * draws such panels too.
 */
#ifndef SIM_PLOT_SHARE_H
#define SIM_PLOT_SHARE_H

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/draw/picture.h"

enum { SHARE_PARTS = 8, SHARE_SETTINGS = 16, SHARE_NAME = 256 };

struct share_bar {
	uint32_t    panel, line; /* from 0; bars that differ in panel and x only are a line */
	uint32_t    value[SHARE_SETTINGS]; /* numbers in p->value, from 1; 0: not in the file */
	double	    x, part[SHARE_PARTS], sum;
	const char *file;
	uint64_t    at; /* row of the file */
};

struct share_plot {
	const char *title; /* NULL: the finding */
	bool	    linear;
	bool	    measured;			  /* the same settings may have other numbers */
	bool	    time;			  /* of the mean processor, in s */
	char	    y[SHARE_NAME], x[SHARE_NAME]; /* columns; x "": bars */

	const char  *part[SHARE_PARTS]; /* columns that are stacked */
	unsigned     nparts;
	char	     setting[SHARE_SETTINGS][SHARE_NAME]; /* columns */
	unsigned     nsettings;
	struct names panel, processors, value[SHARE_SETTINGS];

	struct share_bar *bar;
	size_t		  nbars;
	uint32_t	  room, nlines;
	bool		  relative; /* in per cent of the row with this value of this setting: */
	unsigned	  base;
	uint32_t	  base_value;
};

/* Has a file the columns of bufsim share? */
bool share_plot_recognises(const struct csv *c);

/* y: faults, time or a column; NULL: faults.  x: a column; NULL: bars. */
void share_plot_start(struct share_plot *p, const char *y, const char *x);
void share_plot_free(struct share_plot *p);

/* Add the rows of a file; its name must outlive p. */
int share_plot_read(struct share_plot *p, struct csv *c, struct error *e);

/* After all files.  relative: the name of an allocator or another setting, or NULL. */
int share_plot_arrange(struct share_plot *p, const char *relative, struct error *e);

/* --title, or "radix: size has 36.8 % fewer faults than sequential".  For free(); NULL: an error. */
char *share_plot_heading(const struct share_plot *p, struct error *e);

/* Write the script that draws p on standard output. */
int share_plot_script(const struct share_plot *p, enum plot_target target, FILE *to,
    struct error *e);

/* The same in characters, without gnuplot. */
void share_plot_text(const struct share_plot *p, unsigned columns, FILE *to);

/* ---- names, for these ---- */

/* The settings of a row in which rows differ: "ff, 4K". */
void share_plot_name(const struct share_plot *p, const struct share_bar *b, char name[SHARE_NAME]);

/* "radix", and if panels differ in that ", 32 processors". */
void share_plot_panel_name(const struct share_plot *p, uint32_t panel, char name[SHARE_NAME]);

/* "faults", "time" (in s), "false faults", "faults (% of sequential)". */
void share_plot_y_text(const struct share_plot *p, char text[SHARE_NAME]);

/* "cold", "compute". */
void share_plot_part_name(const struct share_plot *p, unsigned part, char name[SHARE_NAME]);

#endif
