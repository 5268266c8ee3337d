/*
 * here.h - the data sheet of this machine: bufsim calibrate writes it, and
 * --device here reads it.
 *
 * $XDG_DATA_HOME/bufsim/here.dev, or ~/.local/share/bufsim/here.dev.
 */
#ifndef SIM_HERE_H
#define SIM_HERE_H

#include "sim/base/error.h"

/* The name that stands for it. */
#define HERE "here"

/* Its path, for free(); NULL: an error.  here_prepare() makes the folders, too. */
char *here_path(struct error *e);
char *here_prepare(struct error *e);

#endif
