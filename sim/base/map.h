/*
 * map.h - a table from 64-bit keys to 32-bit numbers, and one from names to
 * numbers.  Loading a trace uses them for inodes and paths; the simulation
 * itself has only dense numbers.  A zeroed table is empty.
 */
#ifndef SIM_MAP_H
#define SIM_MAP_H

#include "sim/base/types.h"

struct map {
	struct map_entry *entry;
	uint32_t	  used, capacity; /* a power of two, or 0 */
	uint64_t	  seed;		  /* of the places of keys */
};

/* The number of a key, 0 if it is new; NULL: out of memory.  Valid until the next call. */
uint32_t *map_at(struct map *m, uint64_t key);
void	  map_release(struct map *m);

/* The same, without entering it. */
uint32_t map_get(const struct map *m, uint64_t key);

/* The key will be looked up soon: its place is brought near. */
void map_prefetch(const struct map *m, uint64_t key);

struct names {
	struct map map;
	char	 **name; /* name[1] .. name[n] */
	uint32_t   n, capacity;
};

/* The number of a name, from 1 in order of appearance; 0: out of memory. */
uint32_t names_intern(struct names *s, const char *name);
void	 names_release(struct names *s);

/* The array with room for one more element after n, possibly moved; NULL: no memory, array kept. */
void *array_grow(void *array, size_t n, uint32_t *capacity, size_t element_bytes);

#endif
