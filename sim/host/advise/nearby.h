/*
 * nearby.h - machines like the given one: a little less or more cache, and the
 * next slower and the next faster drive.
 */
#ifndef SIM_ADVISE_NEARBY_H
#define SIM_ADVISE_NEARBY_H

#include "sim/base/number.h"
#include "sim/setup/setup.h"

enum { NEARBY_GIVEN, NEARBY_LESS, NEARBY_MORE, NEARBY_DRIVES, NEARBY_MAX = NEARBY_DRIVES + 2 };

struct nearby {
	uint64_t    cache_blocks;
	char	    cache[NUMBER_TEXT]; /* as --cache */
	const char *device;		/* as --device */
};

/*
 * The machine of s, which fits t, and the others; those that there are: *n.
 *
 * Near are caches of 0.75 and 1.25 times the blocks.  Near drives are those
 * with a data sheet of the same kind, disk or solid-state drive, that hold the
 * files: of those at least a twentieth slower or faster, the nearest one.  A
 * drive is as fast as it reads 64 KiB anywhere in the room of the files.
 */
void nearby_find(struct nearby list[NEARBY_MAX], unsigned *n, const struct setup *s,
    const struct options *o, const struct trace *t);

/* "cache x 0.75", "ssd-850evo": what is different. */
const char *nearby_name(const struct nearby *list, unsigned i);

#endif
