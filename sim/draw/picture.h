/*
 * picture.h - drawing with gnuplot: texts and their size, the beginning of
 * every script, and the resulting picture.
 *
 * Sizes are in pixels, 96 per inch.  Nothing is enhanced.  Same script, same bytes.
 */
#ifndef SIM_PICTURE_H
#define SIM_PICTURE_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum plot_target { PLOT_DUMB, PLOT_SIXEL, PLOT_SVG, PLOT_PNG, PLOT_PDF };

enum { PICTURE_LINE = 19 }; /* from one line of text to the next */

struct picture {      /* zeroed: no picture */
	char  *bytes; /* the caller frees it */
	size_t n;
};

/* The format by the ending of an output's name; a usage error if it is not one of a picture. */
int picture_target(const char *path, enum plot_target *target, struct error *e);

/* What a picture shows may be written as data instead: does the name end in .json? */
bool picture_is_data(const char *path);

/* 0, or a usage error if the name that --option gives is neither of a picture nor of data. */
int picture_or_data(const char *option, const char *path, struct error *e);

/* Colour i. */
enum { PICTURE_COLOURS = 8 };
const char *picture_colour(size_t i);

struct canvas_size {
	unsigned width, height;
};

/* Begin a script: a canvas of that size; not for PLOT_DUMB. */
void picture_canvas(enum plot_target target, unsigned width, unsigned height, FILE *script);

/* A rectangle of a canvas, from its top left. */
struct picture_box {
	unsigned left, top, width, height;
};

/* Where the next plot is drawn: its axes are the sides of the box. */
void picture_place(struct canvas_size of, struct picture_box box, FILE *script);

/* The lines, ticks and numbers of the axes on the left and below. */
void picture_axes(FILE *script);

/* ---- texts ---- */

/* A text in quotes, as one line of valid UTF-8. */
void picture_text(const char *text, FILE *script);

/* The same as character data of XML, without quotes. */
void picture_xml(const char *text, FILE *to);

/* The width of a text, at least: fonts differ. */
unsigned picture_width(const char *text);

/* The bytes of the longest beginning that fits, at least one character; up to a blank,
 * or else to a comma and the like, in its second half. */
size_t picture_fit(const char *text, unsigned width);

/* The longest ending that fits. */
const char *picture_tail(const char *text, unsigned width);

/* A text without its middle, if it does not fit.  Returns buf. */
enum { PICTURE_SHORT = 512 };
char *picture_shorten(char buf[PICTURE_SHORT], const char *text, unsigned width);

/* The number of lines of a text that is wrapped at that width. */
unsigned picture_lines(const char *text, unsigned width);

/* A text at a point of a canvas of that size; "how" is gnuplot's: "left", "center rotate". */
void picture_label(struct canvas_size of, const char *text, unsigned x, unsigned y, const char *how,
    FILE *script);

/* A square of a colour, its middle at height y. */
enum { PICTURE_SWATCH = 12 };
#define PICTURE_RGB(colour)                                                                        \
	((const unsigned char[3]){ (unsigned char)((colour) >> 16),                                \
	    (unsigned char)((colour) >> 8), (unsigned char)(colour) })
void picture_swatch(struct canvas_size of, const unsigned char rgb[3], unsigned x, unsigned y,
    FILE *script);

/* Ticks of an axis, 'x' or 'y', at no more than eight round numbers from .. to. */
void picture_ticks(char axis, uint64_t from, uint64_t to, FILE *script);

/* The largest unit of time of which there are some in so many us: the name of its axis, its length in us. */
struct picture_unit {
	const char *name;
	double	    of;
};
struct picture_unit picture_time_unit(uint64_t span);

/* A text in lines of at most that width, the first at y. */
void picture_paragraph(struct canvas_size of, const char *text, unsigned x, unsigned y,
    unsigned width, const char *how, FILE *script);

/* The text of a heading: title, or what print() writes if that is NULL.  For free(); NULL: an error. */
char *picture_heading_text(const char *title, void (*print)(const void *self, FILE *to),
    const void *self, struct error *e);

/* The heading of a picture, in a larger font, and the height that it takes. */
void	 picture_heading(struct canvas_size of, const char *text, unsigned x, unsigned y,
	unsigned width, enum plot_target target, FILE *script);
unsigned picture_heading_height(const char *text, unsigned width);

/* ---- gnuplot ---- */

/* Prints a script that draws on standard output, or SVG elements; 0 or -1. */
typedef int picture_script(const void *self, FILE *script, struct error *e);

struct drawing {
	enum plot_target target;
	const char	*title; /* in words: the title of an SVG's page */
	picture_script	*script;
	picture_script	*hover; /* SVG elements that lie over the picture; NULL: none */
	const void	*self;
};

int picture_draw(struct picture *p, const struct drawing *d, struct error *e);

#endif
