/*
 * window.h - the readahead window of the device of a directory, for a kernel
 * that does not report it.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include "sim/base/error.h"
#include "sim/base/types.h"

/* Pages of a window; -1: it cannot be seen, and why. */
int window_measure(const char *dir, uint32_t *pages, struct error *e);

#endif
