/*
 * notes.h - what is to be known about a trace before its figures are used.
 */
#ifndef SIM_NOTES_H
#define SIM_NOTES_H

#include <stdio.h>

#include "sim/trace/trace.h"

/* Lines that begin with "note: ", or nothing: what it lacks, and what was skipped in it. */
void notes_print_lacks(const struct trace *t, FILE *out);

/* And about its mappings and times. */
void notes_print(const struct trace *t, FILE *out);

/* The word for bit i of trace.lacks, 0 <= i < LACKS: "files". */
const char *notes_lack(unsigned i);

#endif
