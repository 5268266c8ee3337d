/*
 * grid.h - lists of settings and every combination of them.
 *
 * The first option of options.def, the size of the cache, changes fastest.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "sim/setup/options.h"

struct grid {
	const struct options *o;	      /* with the lists */
	char		    **value[OPTIONS]; /* of each option with a list */
	unsigned	      nvalues[OPTIONS];
	uint64_t	      npoints;
};

/* Split the lists of o that the command takes, and borrow it; an invalid list is a usage error. */
int  grid_init(struct grid *g, enum command_id command, const struct options *o, struct error *e);
void grid_release(struct grid *g);

/* How many points n inputs have; more than `most` is a usage error. */
int grid_count(const struct grid *g, uint64_t n, uint64_t most, size_t *npoints, struct error *e);

/* Set o to the options with one combination, 0 .. npoints - 1; it borrows from g. */
int grid_point(const struct grid *g, uint64_t i, struct options *o, struct error *e);

/* The number of the value that an option with a list has in combination i. */
unsigned grid_value(const struct grid *g, uint64_t i, enum option_id id);

/* The value of an option with a list in a combination. */
const char *grid_text(const struct grid *g, uint64_t i, enum option_id id);

/* Append to name the settings in which combinations differ: "--cache 4M --policy lru". */
void grid_name(const struct grid *g, uint64_t i, char *name, size_t room);

#endif
