/*
 * spill.h - a table in a temporary file instead of memory.
 *
 * The file has no name, so nothing is left behind however the program ends,
 * and its room is taken before it is used, so a full disk is an error and not
 * a signal.
 */
#ifndef SIM_SPILL_H
#define SIM_SPILL_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct spill {
	void  *base; /* page-aligned; moves when it grows */
	size_t bytes;
	int    fd;
};

/* In a folder.  -1: it cannot be written. */
int spill_open(struct spill *s, const char *folder, struct error *e);

/* Make it larger; its contents stay.  -1: the disk is full; it is then unchanged. */
int spill_grow(struct spill *s, size_t bytes, struct error *e);

/* Also after a failed spill_open(). */
void spill_close(struct spill *s);

#endif
