/*
 * fit.h - from measured times to the numbers of a data sheet.
 *
 * Pure: no clock and no file.  Every point has one time for each round, the
 * mean of its reads.  The numbers are fitted to the medians over the rounds,
 * and to each round by itself for their spread.
 */
#ifndef SIM_FIT_H
#define SIM_FIT_H

#include "sim/base/types.h"

enum { ROUNDS_MAX = 99, POINTS_MAX = 80, FIT_PAGE = 4096, FEW_BYTES = 100, LARGEST_PAGES = 1024 };

/* What a point measures: reads of that many bytes. */
enum series {
	SERIES_DIRECT,	  /* O_DIRECT, alone, into contiguous memory */
	SERIES_SCATTERED, /* the same into pages that lie apart */
	SERIES_COLD,	  /* through the page cache, without readahead */
	SERIES_LARGE,	  /* in memory, in folios that readahead has made */
	SERIES_SINGLE,	  /* in memory, in folios of one page */
	SERIES_DEPTH,	  /* O_DIRECT, `depth` at a time: time / number of reads */
	SERIES_FIRST,	  /* O_DIRECT, bytes that have not been read before */
	SERIES_SECOND,	  /* the same again */
	SERIES_NEAR,	  /* O_DIRECT, a few pages behind the last read */
	SERIES_FAR,	  /* O_DIRECT, half of the file or more away from it */
	SERIES_STREAM,	  /* through the page cache, in order, with readahead: a page */
	SERIES
};

struct point {
	enum series series;
	uint32_t    bytes, depth;
	double	    us[ROUNDS_MAX];
};

enum quantity_id {
#define QUANTITY(name, ...) QUANTITY_##name,
#include "sim/host/measure/quantities.def"
#undef QUANTITY
	QUANTITIES
};

struct quantity_info {
	const char *name, *unit, *meaning;
};
extern const struct quantity_info quantity_info[QUANTITIES];

struct quantity {
	double value;	  /* of the medians */
	double low, high; /* of the rounds and the value */
	double middle;	  /* width of the middle half of the rounds, as a share of the value */
};

/* How far the numbers are from the points of a series, at worst. */
struct misfit {
	double share; /* of the measured median; the sign is that of predicted - measured */
	const struct point *at; /* NULL: the numbers predict nothing of this series */
};

struct calibration {
	struct quantity quantity[QUANTITIES];
	struct misfit	misfit[SERIES];
	uint32_t	rounds, depth; /* depth: with the highest rate of 4 KB reads */
};

/* All points, without times, in the order of measurement.  Returns their number. */
unsigned points_plan(struct point point[POINTS_MAX]);

void calibration_fit(struct calibration *c, const struct point *point, unsigned npoints,
    uint32_t rounds);

/* The time by those numbers; NAN if they do not say. */
double calibration_predict(const struct calibration *c, const struct point *p);

/* The median over the rounds. */
double point_median(const struct point *p, uint32_t rounds);

/* Do the rounds differ so much that the numbers mean little?  The figure that differs most. */
enum quantity_id calibration_widest(const struct calibration *c);

/* Does the response depend on the distance, as on a disk? */
bool calibration_is_disk(const struct calibration *c);

/* Is a second read of the same bytes served by a faster tier? */
bool calibration_has_tier(const struct calibration *c);

#endif
