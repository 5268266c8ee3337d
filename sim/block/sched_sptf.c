/*
 * sched_sptf.c - shortest positioning time first: the request that the heads
 * reach soonest, by seek and rotation, as the device computes them.
 *
 *	M. Seltzer, P. Chen, J. Ousterhout.  Disk scheduling revisited.
 *	USENIX Winter Technical Conference, 1990.
 *	D. M. Jacobson, J. Wilkes.  Disk scheduling algorithms based on
 *	rotational position.  Technical report HPL-CSP-91-7,
 *	Hewlett-Packard Laboratories, 1991.
 *
 * A request far from the others may wait for ever.  With aging, a fraction of
 * the time that a request has waited is subtracted from its positioning time:
 * Jacobson and Wilkes' aged shortest access time first.  0 is without aging.
 *
 * If the device does not compute positions, the nearest sector is next.  Equal
 * requests are served in order of arrival.  O(waiting requests), with a
 * computation of the device for each.
 */
#include "sim/block/scheduler.h"

struct sptf {
	uint64_t aging;
};

enum { AGING_UNIT = 1000 };

static const struct param sptf_params[] = {
	{ "aging", PARAM_COUNT, 0, 0, 1000000, offsetof(struct sptf, aging),
	    "ms of positioning that a second of waiting makes up for", NULL },
	{ 0 },
};

/* The distance of the request: in microseconds, or in sectors. */
static int64_t
distance(const struct queue *q, const struct request *r, const struct moment *m)
{
	struct transfer t = { .sector = r->sector,
		.sectors = r->count * q->block_sectors,
		.segments = queue_segments(q, r),
		.write = r->write,
		.now = m->now };

	if (m->device && m->device->positioning)
		return m->device->positioning(m->device_self, &t);
	return (int64_t)(r->sector > m->head ? r->sector - m->head : m->head - r->sector);
}

static uint32_t
sptf_pick(void *self, const struct queue *q, const struct moment *m)
{
	const struct sptf *sptf = self;
	uint32_t	   best = 0;
	int64_t		   shortest = INT64_MAX;

	for (uint32_t i = 0; i < q->n; i++) {
		const struct request *r = &q->request[i];
		int64_t		      effective =
		    distance(q, r, m) - (m->now - r->queued) / AGING_UNIT * (int64_t)sptf->aging;

		ASSERT(r->queued <= m->now);
		if (effective < shortest) {
			shortest = effective;
			best = i;
		}
	}
	return best;
}

SCHEDULER(sptf,
	.plugin = {
		.name = "sptf",
		.summary = "shortest seek and rotation first (Seltzer, Chen, Ousterhout 1990)",
		.source = "M. Seltzer, P. Chen, J. Ousterhout: Disk scheduling revisited, USENIX Winter 1990; D. M. Jacobson, J. Wilkes: Disk scheduling algorithms based on rotational position, HPL-CSP-91-7, 1991",
		.state_size = sizeof(struct sptf),
		.params = sptf_params,
	},
	.pick = sptf_pick);
