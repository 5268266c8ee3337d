/*
 * objects.h - what the formats of whole-object caches have in common.
 *
 * Such a trace has identifiers of objects, often hashes of 64 bits, and no
 * addresses.  Each identifier becomes one unit of a file, at the place of its
 * number in the order of first use.  That keeps hit ratios of caches that
 * count objects.  It says nothing about the sizes of objects, and nothing about
 * neighbours: the next number is the next new object by construction.
 */
#ifndef TRACES_OBJECTS_H
#define TRACES_OBJECTS_H

#include "sim/base/map.h"
#include "sim/trace/format.h"

/* The state of a format of objects begins with this. */
struct objects {
	uint64_t	     unit; /* bytes */
	struct map	     number;
	uint32_t	     n;
	const unsigned char *record; /* those that are at hand */
	size_t		     left;
};

enum { OBJECTS_LACK = LACKS_FILES | LACKS_PROCESSES | LACKS_LENGTHS | LACKS_ADDRESSES };

extern const struct param objects_params[];

/*
 * The next record of so many bytes, with its identifier at this place: 1, and *b is the record; 0
 * at the end; -1: error.
 */
int objects_next(struct objects *o, struct input *in, size_t bytes, size_t id,
    const unsigned char **b, struct error *e);

/* File, offset and length of a reference to the object.  0, or -1: out of memory. */
int objects_place(struct objects *o, uint64_t id, struct record *r, struct error *e);

void objects_release(void *self);

/* Can this be a next reference at all, of whatever record? */
bool objects_next_is_known(uint64_t next);

/*
 * For recognise(): the next reference of record i, as libCacheSim stores it: -1 or the largest
 * number for none, else the number of that record, from 1 or 0.
 */
bool objects_next_is_plausible(uint64_t next, size_t i);

#endif
