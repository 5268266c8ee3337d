/*
 * plot.h - the contents of a picture of results, before gnuplot draws it.
 *
 * Rows of CSV become points: cache size, or another column, against one
 * column.  Points with the same settings are a line, and every trace has a
 * panel.  The name of a line consists of the settings in which the rows differ.
 */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include <stdio.h>

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/draw/picture.h"
#include "sim/setup/options.h"

/*
 * Settings by option_id, and the kind of command that wrote a row: rows that agree in these are a
 * line.  The last is what is on the horizontal axis, if it is not the cache size.
 */
enum { SETTING_KIND = OPTIONS, LINE_SETTINGS, SETTING_X = LINE_SETTINGS, SETTINGS };

enum { PLOT_TEXT = 512 };

/*
 * The horizontal axis.  With a setting, a parameter of a plug-in, the trace or the load, the cache
 * size is one of the settings that make a line; with a result, points are joined in the order of
 * their cache sizes, and with the load in that of --think-scale.
 */
enum x_kind { X_UNKNOWN, X_CACHE, X_SETTING, X_PARAMETER, X_TRACE, X_LOAD, X_RESULT };

/* What is on the axis.  Words have bars: the first at 1, the second at 2, and so on. */
enum plot_measure { MEASURE_PLAIN, MEASURE_BYTES, MEASURE_TIME, MEASURE_SHARE, MEASURE_WORDS };

struct plot_row {
	uint32_t    value[SETTINGS]; /* numbers in p->value, from 1; 0: not in the file */
	uint32_t    panel, line;
	double	    block, size; /* of the cache, in bytes; size 0: no cache */
	double	    x, y, error; /* NAN if unknown; error: +-, 0 if unknown */
	double	    key;	 /* the order of the points of a line: x, the size, or the load */
	bool	    level;	 /* it has no x of its own */
	const char *file;
	uint64_t    at; /* row of the file */
};

/* The points of one line in one panel, in the order in which they are joined. */
struct plot_series {
	uint32_t line, panel;
	size_t	 first, n;
};

/* A line looks the same in every picture: see plot_style.c. */
struct plot_style {
	unsigned colour, marker, dash; /* numbers from 0 */
	uint32_t rgb;
};

struct plot {
	char		    column[PLOT_TEXT];	/* what is drawn */
	char		    x[PLOT_TEXT];	/* column or parameter; "": cache size */
	char		    columns[PLOT_TEXT]; /* of the first file, for messages */
	enum x_kind	    x_kind;
	bool		    automatic; /* without --x: the cache size, or what varies instead */
	bool		    uncached;  /* rows without a cache are level lines */
	unsigned	    x_setting; /* on the axis, or SETTINGS */
	enum plot_measure   measure;
	const char	   *title; /* NULL: the finding */
	bool		    linear;
	struct names	    trace, value[SETTINGS];
	struct plot_row	   *row;
	size_t		    nrows, room;
	struct plot_series *series;
	size_t		    nseries;
	struct plot_style  *style;    /* of each line */
	struct plot_style *bar_style; /* of each name on the axis, from 1; NULL: that of the line */
	uint32_t	   nlines;
	unsigned	   base; /* the setting named by --relative; SETTINGS: not relative */
	uint32_t	   base_value;
};

/* y: time, or the name of a column; NULL: time if the first file has it, else miss-ratio.
 * x: cache, trace, load, the name of a column or of a plug-in's parameter; NULL: cache, or what
 * else varies where all rows have the same cache. */
void plot_start(struct plot *p, const char *y, const char *x);
void plot_free(struct plot *p);

/* Add the rows of a file; its name must outlive p. */
int plot_read(struct plot *p, struct csv *c, struct error *e);

/* After all files: sort the rows into lines, divided by those named base unless it is NULL. */
int plot_arrange(struct plot *p, const char *base, struct error *e);

/* ---- the horizontal axis ---- */

/* After all files: choose the axis if --x is not given, and give every row its place on it. */
int plot_place(struct plot *p, struct error *e);

/* The setting that a column is of: request of request_blocks; SETTINGS: none. */
unsigned plot_setting_of(const char *column);

static inline bool
plot_has_bars(const struct plot *p)
{
	return p->measure == MEASURE_WORDS;
}

/* ---- names ---- */

/* Do the rows differ in that setting? */
bool plot_varies(const struct plot *p, unsigned setting);

/* Is it an option that makes two rows different lines, and a column of its own? */
bool plot_is_setting(unsigned setting);

/* Has any row that plug-in? */
bool plot_has_plugin(const struct plot *p, const char *name);

/* The text of a setting in a row, or "". */
const char *plot_value(const struct plot *p, const struct plot_row *r, unsigned setting);

/* The name of the column of a setting without punctuation; "by" for the kind. */
const char *plot_setting_name(unsigned setting, char buf[PLOT_TEXT]);

/* "hit-ratio": hit_ratio, as columns are called. */
void plot_underline(char buf[PLOT_TEXT], const char *name);

/* Append a word to a list. */
void plot_join(char buf[PLOT_TEXT], const char *word);

/* Append names, as many as have room, and the number of others: "a, b and 3 more". */
void plot_list(char buf[PLOT_TEXT], char *const *names, size_t n);

/* "64 MiB", a word, or a number.  Returns buf. */
char *plot_x_text(const struct plot *p, double x, char buf[PLOT_TEXT]);

/* "cache size", "device", "pages". */
const char *plot_x_name(const struct plot *p, char buf[PLOT_TEXT]);

/* "64 MiB", "1.5 GiB".  Returns buf. */
char *plot_size_text(double bytes, char buf[NUMBER_TEXT]);

/* "linux24, 128": the settings of row r in which rows differ.  Returns buf. */
char *plot_line_name(const struct plot *p, const struct plot_row *r, char buf[PLOT_TEXT]);

/* The settings in the names of lines: "prefetcher, queue". */
char *plot_legend_title(const struct plot *p, char buf[PLOT_TEXT]);

/* Important settings common to all rows: "policy lru, device cheetah9lp". */
char *plot_shared(const struct plot *p, char buf[PLOT_TEXT]);

/* "execution time" and "s" of elapsed_us; ratio: a part of a whole. */
struct quantity {
	char name[PLOT_TEXT / 4], unit[PLOT_TEXT / 8];
	bool time, ratio;
};
void plot_quantity(const char *column, struct quantity *q);

/* ---- comparing ---- */

/* Order by line. */
int plot_compare_lines(const struct plot_row *a, const struct plot_row *b);

/* Order by line, panel and cache size; rows that are equal in these are one point.  For qsort(). */
int plot_compare_points(const void *a, const void *b);

/* The row that differs from r in one setting only, which has that value; NULL: none. */
const struct plot_row *plot_beside(const struct plot *p, const struct plot_row *r, unsigned setting,
    uint32_t value);

/* The setting whose values are compared, and the one that others are compared with; SETTINGS: none. */
unsigned plot_comparison(const struct plot *p, uint32_t *base);

/* Print ", 44 % slower than none" as XML if a point differs by more than 2 %. */
void plot_print_difference(const struct plot *p, const struct plot_row *r, FILE *to);

/* The heading: --title, or the largest loss and gain, or what is drawn.  For free(); NULL: an error. */
char *plot_heading(const struct plot *p, struct error *e);

/* ---- drawing ---- */

/* After plot_arrange(): colours, markers and dashes by the names of the lines. */
int plot_choose_styles(struct plot *p, struct error *e);

/* How a row is drawn. */
const struct plot_style *plot_style_of(const struct plot *p, const struct plot_row *r);

/* Bars in characters, without gnuplot. */
int plot_bars_text(const struct plot *p, unsigned columns, FILE *to, struct error *e);

/* Write the script that draws p on standard output; columns and rows of text for PLOT_DUMB. */
int plot_script(const struct plot *p, enum plot_target target, unsigned columns, unsigned rows,
    FILE *to, struct error *e);

/* Write SVG elements that name lines and points. */
int plot_hover(const struct plot *p, FILE *to, struct error *e);

#endif
