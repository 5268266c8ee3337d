/*
 * range.h - lists of cache sizes.
 *
 * A list is separated by commas; each of its items is a SIZE, as for --cache
 * of run, or a range of them:
 *
 *	1M:1G:x2		1M, 2M, 4M ... 1G
 *	1000b:5000b:+1000b	1000b, 2000b ... 5000b
 *	1/64:1:x2		1/64, 1/32 ... 1/1
 *	10%:50%:+10%		1/10, 1/5, 3/10, 2/5, 1/2
 *	auto			the footprint's eighths, 1/8, 1/4 ... 1/1
 *
 * The end is included if a step reaches it, and never exceeded.  The factor
 * may be a fraction, such as x1.5; intermediate sizes are then rounded: blocks
 * to whole blocks, bytes to a multiple of 4K or of the largest power of two up
 * to 1/64 of the first size if that is more, shares to about nine digits.
 */
#ifndef SIM_RANGE_H
#define SIM_RANGE_H

#include "sim/base/error.h"

enum { RANGE_SIZES_MAX = 10000 };

/*
 * Append each size, as the text of a single SIZE, to *text; *n counts them.
 * The caller frees texts and array, also after a failure.
 */
int range_expand(const char *list, char ***text, unsigned *n, struct error *e);

#endif
