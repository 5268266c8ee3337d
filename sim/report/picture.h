/*
 * picture.h - drawing with gnuplot: the beginning of every script, and the
 * resulting picture.
 *
 * Texts are in single quotes, where gnuplot interprets nothing, and nothing
 * is enhanced.  Same script, same bytes.
 */
#ifndef SIM_PICTURE_H
#define SIM_PICTURE_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum plot_target { PLOT_DUMB, PLOT_SIXEL, PLOT_SVG, PLOT_PNG, PLOT_PDF };

struct picture {      /* zeroed: no picture */
	char  *bytes; /* the caller frees it */
	size_t n;
};

/* The format by the ending of an output's name; a usage error if it is not one of a picture. */
int picture_target(const char *path, enum plot_target *target, struct error *e);

/* The colour of line i. */
enum { PICTURE_COLOURS = 7 };
const char *picture_colour(size_t i);

/* Begin a script: a canvas of that size in pixels, 96 per inch; not for PLOT_DUMB. */
void picture_canvas(enum plot_target target, unsigned width, unsigned height, FILE *script);

/* A text in quotes. */
void picture_text(const char *text, FILE *script);

/* The number of UTF-8 characters in a text, and the text behind the first n. */
unsigned    picture_letters(const char *text);
const char *picture_skip(const char *text, unsigned n);

/* Prints a script that draws on standard output; 0 or -1. */
typedef int picture_script(const void *self, FILE *script, struct error *e);

/* Run gnuplot with the script that write(self, ...) prints. */
int picture_draw(struct picture *p, enum plot_target target, picture_script *write,
    const void *self, struct error *e);

#endif
