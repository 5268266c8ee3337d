/* replay_classes.c - what the text and the data of a replay both show. */
#include <math.h>

#include "sim/host/report/replay_classes.h"

const struct replay_class replay_class_info[REPLAY_CLASSES] = {
	{ 20, "<= 20 us (hits)", "calls_20us" },
	{ 200, "<= 200 us", "calls_200us" },
	{ 1000, "<= 1 ms", "calls_1ms" },
	{ INFINITY, "longer", "calls_longer" },
};

static unsigned
class_of(double us)
{
	unsigned i = 0;

	while (us > replay_class_info[i].most_us)
		i++;
	return i;
}

struct replay_classes
replay_classes_of(const struct replay_report *r)
{
	const float	     *us = rounds_median(r->rounds)->times.call_us;
	struct replay_classes c = { 0 };

	for (size_t i = 0; i < r->calls->naccess; i++) {
		c.measured[class_of((double)us[i])]++;
		if (r->predicted->timed)
			c.predicted[class_of((double)r->predicted->response[i].us)]++;
	}
	return c;
}

bool
replay_counts_pages(const struct replay_report *r)
{
	const struct run_times *t = &rounds_median(r->rounds)->times;

	return r->how->warm || t->pages_read || !t->resident_pages || !r->predicted->pages_read;
}
