/*
 * path.h - the way of a request through the stages of a device, in exact
 * microseconds: the time that it has reached, and the parts of it.
 */
#ifndef SIM_PATH_H
#define SIM_PATH_H

#include "sim/device/device.h"

/* Of a request, or of one of its pages. */
struct path {
	uint64_t request; /* its number, for stages that know whom they serve */
	double	 at;
	double	 part_us[SERVICE_PARTS];
};

static inline usec_t
path_whole(double us)
{
	return (usec_t)(us + 0.5);
}

static inline void
path_spend(struct path *p, double us, enum service_part part)
{
	ASSERT(us >= 0);
	p->at += us;
	p->part_us[part] += us;
}

/* Wait until that time. */
static inline void
path_await(struct path *p, double then, enum service_part part)
{
	if (then > p->at)
		path_spend(p, then - p->at, part);
}

/* In whole microseconds.  Edges are rounded, not lengths: the parts add up. */
static inline void
path_answer(const struct path *p, usec_t now, struct service *out)
{
	double edge = (double)now;
	usec_t begin = now;

	for (int part = 0; part < SERVICE_PARTS; part++) {
		usec_t end = path_whole(edge += p->part_us[part]);

		out->part[part] = end - begin;
		begin = end;
	}
	ASSERT(begin == path_whole(p->at) || begin + 1 == path_whole(p->at) ||
	    begin - 1 == path_whole(p->at));
}

#endif
