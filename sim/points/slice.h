/* slice.h - a part of many points, so that several machines compute one sweep. */
#ifndef SIM_POINTS_SLICE_H
#define SIM_POINTS_SLICE_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct points_slice {
	uint64_t part, of; /* 3, 8: the third of eight */
};

/* "3/8"; NULL is all. */
int points_slice_parse(struct points_slice *s, const char *text, struct error *e);

/* Each point is in one of the slices. */
bool points_slice_has(const struct points_slice *s, size_t point);

#endif
