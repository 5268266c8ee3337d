/*
 * panels.h - pictures in panels: bars whose parts are stacked, or lines over numbers.
 *
 * A row of a table is a bar: its settings have names, its parts numbers.  Without x each is drawn
 * as a bar, with x those that differ in x only are a line.
 */
#ifndef SIM_DRAW_PANELS_H
#define SIM_DRAW_PANELS_H

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/draw/picture.h"

enum { PANEL_PARTS = 10, PANEL_SETTINGS = 16, PANEL_NAME = 256 };

struct panel_bar {
	uint32_t    panel, line; /* from 0; bars that differ in panel and x only are a line */
	uint32_t    value[PANEL_SETTINGS]; /* numbers in p->value, from 1; 0: not in the file */
	double	    x, part[PANEL_PARTS], sum;
	const char *file;
	uint64_t    at; /* row of the file */
};

struct panels {
	const char *title; /* NULL: the finding */
	bool	    linear;
	bool	    measured; /* the same settings may have other numbers */
	bool	    time;     /* what is drawn, in s; the last part is the rest */
	char	    y[PANEL_NAME], x[PANEL_NAME]; /* columns; x "": bars */
	const char *x_title;			  /* NULL: the column */
	bool	    x_bytes;			  /* x is a size */
	const char *compared; /* the setting with the first value of which bars are compared */

	const char  *part[PANEL_PARTS]; /* columns that are stacked */
	unsigned     nparts;
	char	     setting[PANEL_SETTINGS][PANEL_NAME]; /* columns */
	unsigned     nsettings;
	struct names panel, value[PANEL_SETTINGS];
	struct names behind; /* what names of panels have behind a comma; one alone is said once */

	struct panel_bar *bar;
	size_t		  nbars;
	uint32_t	  room, nlines;
	bool		  relative; /* in per cent of the row with this value of this setting: */
	unsigned	  base;
	uint32_t	  base_value;
};

void panels_free(struct panels *p);

/* After all bars.  relative: the name of a value of a setting, or NULL. */
int panels_arrange(struct panels *p, const char *relative, struct error *e);

/* --title, or "radix: size has 36.8 % fewer faults than sequential".  For free(); NULL: an error. */
char *panels_heading(const struct panels *p, struct error *e);

/* Write the script that draws p on standard output. */
int panels_script(const struct panels *p, enum plot_target target, FILE *to, struct error *e);

/* The same in characters, without gnuplot. */
void panels_text(const struct panels *p, unsigned columns, FILE *to);

/* ---- names, for these ---- */

/* The settings of a row in which rows differ: "ff, 4K". */
void panels_bar_name(const struct panels *p, const struct panel_bar *b, char name[PANEL_NAME]);

/* "radix", and if panels differ in what is behind the comma ", 32 processors". */
void panels_panel_name(const struct panels *p, uint32_t panel, char name[PANEL_NAME]);

/* "faults", "time" (in s), "false faults", "faults (% of sequential)". */
void panels_y_text(const struct panels *p, char text[PANEL_NAME]);

/* "page size"; "64", "4K". */
void panels_x_text(const struct panels *p, char text[PANEL_NAME]);
void panels_x_value(const struct panels *p, double x, char text[NUMBER_TEXT]);

/* "cold", "compute". */
void panels_part_name(const struct panels *p, unsigned part, char name[PANEL_NAME]);

/* ---- from CSV ---- */

/* The options of bufsim plot. */
struct panels_view {
	const char *y, *x;    /* columns; NULL: what is usual */
	const char *title;    /* NULL: the finding */
	const char *relative; /* in per cent of that value of a setting; NULL: no */
	bool	    linear;
};

/* What makes panels of the CSV of a study. */
struct panel_source {
	const char *command; /* that prints it */
	bool (*recognises)(const struct csv *c);

	/* Before the first file: the state for the other functions; NULL: an error. */
	void *(*start)(struct panels *p, const struct panels_view *v, struct error *e);
	int (*read)(void *self, struct csv *c, struct error *e);
	/* After the last. */
	int (*arrange)(void *self, struct panels *p, const struct panels_view *v, struct error *e);
	void (*release)(void *self, struct panels *p);
};

#endif
