/*
 * calibrated.h - measurements of a machine that is known: a command of 20 us, a
 * latency of 50 us, a link of 2000 MB/s, 2 us for a segment; a call costs 600
 * ns, a page 100 ns or, by itself, 500 ns, a byte 0.05 ns, and a page brought
 * into memory 2000 ns.
 */
#ifndef TESTS_UNIT_CALIBRATED_H
#define TESTS_UNIT_CALIBRATED_H

#include <math.h>

#include "sim/host/measure/fit.h"
#include "tests/unit/support.h"

enum { KNOWN_ROUNDS = 7 };

static inline double
known_copy_us(uint32_t pages, uint32_t bytes, double page_ns)
{
	return (600 + pages * page_ns + bytes * 0.05) / 1e3;
}

static inline double
known_us(const struct point *p)
{
	uint32_t pages = (p->bytes + FIT_PAGE - 1) / FIT_PAGE;
	double	 link = p->bytes / 2000.0, direct = 70 + link, scattered = direct + 2 * (pages - 1);

	switch (p->series) {
	case SERIES_SCATTERED:
		return scattered;
	case SERIES_COLD:
		return scattered + 2 * pages + known_copy_us(pages, p->bytes, 500);
	case SERIES_LARGE:
		return known_copy_us(pages, p->bytes, 100);
	case SERIES_SINGLE:
		return known_copy_us(pages, p->bytes, 500);
	case SERIES_DEPTH:
		return fmax(fmax(20, link), direct / p->depth);
	case SERIES_STREAM:
		return 3;
	default:
		return direct;
	}
}

/* All points, the same in every round.  Returns their number. */
static inline unsigned
known_points(struct point point[POINTS_MAX])
{
	unsigned n = points_plan(point);

	for (unsigned i = 0; i < n; i++)
		for (unsigned r = 0; r < KNOWN_ROUNDS; r++)
			point[i].us[r] = known_us(&point[i]);
	return n;
}

/* Every time of a series in one round becomes so many times as long. */
static inline void
known_slow(struct point *point, unsigned n, enum series series, unsigned round, double factor)
{
	for (unsigned i = 0; i < n; i++)
		if (point[i].series == series)
			point[i].us[round] *= factor;
}

#endif
