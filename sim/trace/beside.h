/*
 * beside.h - the other files of a trace that is several: NAME.0, NAME.1, ...
 */
#ifndef SIM_BESIDE_H
#define SIM_BESIDE_H

#include "sim/trace/format.h"

/* Do the paths differ, and only in the number? */
bool beside_are_one(const char *path, const char *other, const char *infix);

/*
 * Take those of n paths out that are files of one trace with the first, by their names and what is
 * in them, and give them to member[n], the first one first; left[] has the others.  Their format,
 * or NULL: none is.
 */
const struct format *beside_group(const struct format *const *format, const char *const *path,
    unsigned n, const char **member, unsigned *nmembers, const char **left);

typedef int beside_add(void *self, struct input *in, struct error *e);

/*
 * Give `first` to add(), and if its path is NAME, infix, a number, and .gz or not: open all files
 * whose path differs only in the number, and add all in the order of their numbers, with gaps.  A
 * file that is there packed and unpacked is taken as `first` is.
 */
int beside_open(struct input *first, const char *infix, beside_add *add, void *self,
    struct error *e);

#endif
