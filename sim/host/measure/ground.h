/*
 * ground.h - the file on which a machine is measured: random bytes, written
 * past the page cache, and without a name.  Linux only; elsewhere
 * ground_make() fails.
 */
#ifndef SIM_GROUND_H
#define SIM_GROUND_H

#include "sim/base/error.h"
#include "sim/base/types.h"

#define GROUND_MIN_BYTES (UINT64_C(64) << 20)

struct ground {
	int	 fd;
	uint64_t bytes;
	void	*map;	   /* of all of it, never touched */
	char	 path[48]; /* for opening it again */
};

/* 0: a quarter of the free space, at most 4 GiB.  -1: too much, or too little is free. */
int ground_size(uint64_t *bytes, const char *dir, struct error *e);

int  ground_make(struct ground *g, const char *dir, uint64_t bytes, struct error *e);
void ground_release(struct ground *g);

/* A descriptor of its own; -1 with an error. */
int ground_open(const struct ground *g, bool direct, struct error *e);

/* Take all of it out of memory. */
int ground_drop(const struct ground *g, struct error *e);

/* The share of these bytes that is in memory; below 0 with an error. */
double ground_resident(const struct ground *g, uint64_t offset, uint64_t bytes, struct error *e);

#endif
