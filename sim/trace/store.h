/*
 * store.h - the accesses of a trace while it is built: an array in memory, or
 * in a temporary file if it becomes large and a folder for one is given.
 */
#ifndef SIM_STORE_H
#define SIM_STORE_H

#include "sim/base/spill.h"
#include "sim/trace/trace.h"

struct store {
	struct access *access;
	size_t	       capacity;
	const char    *folder; /* for a temporary file; NULL: none */
	struct spill   spill;  /* used if it has a base */
};

/* Room for an access behind the first n.  -1: out of memory, or the disk is full. */
int store_grow(struct store *s, size_t n, struct error *e);

/* A pass over them has come to access i: those far behind need no memory. */
void store_pass(const struct store *s, size_t i);

/* The trace takes them over. */
int store_give(struct store *s, struct trace *t, struct error *e);

void store_release(struct store *s);

#endif
