/*
 * writable.h - the format in which a trace is written.
 */
#ifndef SIM_WRITABLE_H
#define SIM_WRITABLE_H

#include "sim/trace/format.h"

/* The format that the name's ending tells; NULL: none, a usage error that ends in `otherwise`. */
const struct format *writable_by_ending(const char *name, const char *otherwise, struct error *e);

/* 0, or a usage error: a binary trace is mapped, so it must be a plain file. */
int writable_place(const struct format *f, const char *name, struct error *e);

#endif
