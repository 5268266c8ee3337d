/*
 * closed_loop.h - requests to a device, so many under way at any time: the
 * next one starts when any of them ends.
 */
#ifndef TESTS_UNIT_CLOSED_LOOP_H
#define TESTS_UNIT_CLOSED_LOOP_H

#include "sim/device/device.h"
#include "tests/unit/support.h"

struct loop {
	const struct device *device;
	void		    *self;
	uint32_t	     depth;
	uint32_t	     segments;	     /* of each request; 0: one */
	usec_t		     end[DEPTH_MAX]; /* of those under way */
	usec_t		     now, last;	     /* when the latest one started, the longest ends */
	struct service	     service;
	usec_t		     us; /* of the latest one */
};

/* The next request starts when the first of those under way has ended: how long it takes. */
static inline usec_t
loop_next(struct loop *l, bool write, uint64_t sector, uint32_t sectors)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < l->depth; i++)
		if (l->end[i] < l->end[first])
			first = i;
	l->now = l->end[first] > l->now ? l->end[first] : l->now;
	l->device->service(l->self,
	    &(struct transfer){ .sector = sector,
		.sectors = sectors,
		.segments = l->segments ? l->segments : 1,
		.write = write,
		.now = l->now },
	    &l->service);
	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		REQUIRE(l->service.part[i] >= 0, "part %u is %lld", i,
		    (long long)l->service.part[i]);
	l->us = service_us(&l->service);
	REQUIRE(l->service.data_begin >= 0 && l->service.data_begin <= l->us,
	    "data begin at %lld of %lld", (long long)l->service.data_begin, (long long)l->us);
	l->end[first] = l->now + l->us;
	l->last = l->end[first] > l->last ? l->end[first] : l->last;
	return l->us;
}

#endif
