/*
 * marks.h - the marks of a region of interest, as roi.h writes them: "begin" and "end", each with
 * the seconds of one clock, a line each.
 */
#ifndef SIM_SCALE_MARKS_H
#define SIM_SCALE_MARKS_H

#include <stdio.h>

#include "sim/base/error.h"

/* The seconds in the region, or in all of several regions; 0: there is no mark. */
int marks_read(FILE *in, double *region, struct error *e);

#endif
