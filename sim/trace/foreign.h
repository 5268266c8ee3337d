/*
 * foreign.h - what a file may be that no format recognises, for the message.
 */
#ifndef SIM_FOREIGN_H
#define SIM_FOREIGN_H

#include "sim/base/error.h"
#include "sim/base/types.h"

/* Say what the file looks like by its first n bytes, at least one, and what to do.  Returns -1. */
int foreign_explain(const char *head, size_t n, struct error *e);

#endif
