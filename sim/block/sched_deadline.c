/*
 * sched_deadline.c - the deadline scheduler: batches in ascending order, and
 * a limit on the time that a request waits.
 *
 * Requests are served in batches of one direction.  The next request of a
 * batch is the nearest one at or above the end of the last one; the batch ends
 * if there is none or if it is full.  The next batch is of reads if there are
 * any, unless writes have been passed over writes_starved times.  A batch of
 * the same direction continues at the current position; it begins with the
 * oldest request if the direction changes, if no request lies above, or if the
 * oldest request has expired.
 *
 *	J. Axboe.  Deadline IO scheduler tunables.  Linux kernel
 *	documentation, block/deadline-iosched, from 2.6.0 on.
 *	J. Axboe.  Linux block IO - present and future.  Ottawa Linux
 *	Symposium, 2004.
 *
 * Departures: the next request is chosen when it is needed, as in later
 * kernels; earlier kernels chose it when its predecessor was served.
 * O(waiting requests).
 */
#include "sim/block/scheduler.h"

struct deadline {
	uint64_t expire_us[2]; /* of reads, of writes */
	uint64_t writes_starved, fifo_batch;

	bool	 write;	  /* direction of the batch */
	uint64_t served;  /* requests of the batch; 0: there has been no batch */
	uint64_t starved; /* batches of reads while writes waited */
};

enum { A_DAY = 86400 };

static const struct param deadline_params[] = {
	{ "read_expire", PARAM_USEC, 500000, 0, UINT64_C(1000000) * A_DAY,
	    offsetof(struct deadline, expire_us[0]),
	    "a read that has waited for this time starts a batch", NULL },
	{ "write_expire", PARAM_USEC, 5000000, 0, UINT64_C(1000000) * A_DAY,
	    offsetof(struct deadline, expire_us[1]),
	    "a write that has waited for this time starts a batch", NULL },
	{ "writes_starved", PARAM_COUNT, 2, 0, UINT32_MAX,
	    offsetof(struct deadline, writes_starved),
	    "batches of reads that may go before waiting writes", NULL },
	{ "fifo_batch", PARAM_COUNT, 16, 1, UINT32_MAX, offsetof(struct deadline, fifo_batch),
	    "requests in a batch, at most", NULL },
	{ 0 },
};

/* The waiting requests of one direction: indices, or q->n. */
struct candidates {
	uint32_t oldest;
	uint32_t next; /* nearest at or above the head */
};

static struct candidates
choose(const struct queue *q, bool write, uint64_t head)
{
	struct candidates c = { q->n, q->n };

	for (uint32_t i = 0; i < q->n; i++) {
		const struct request *r = &q->request[i];

		if (r->write != write)
			continue;
		if (c.oldest == q->n)
			c.oldest = i;
		if (r->sector >= head && (c.next == q->n || r->sector < q->request[c.next].sector))
			c.next = i;
	}
	return c;
}

/* The direction of a new batch. */
static bool
choose_direction(struct deadline *d, bool reads, bool writes)
{
	if (reads && !(writes && d->starved++ >= d->writes_starved))
		return false;
	d->starved = 0;
	return true;
}

static uint32_t
deadline_pick(void *self, const struct queue *q, const struct moment *m)
{
	struct deadline	 *d = self;
	struct candidates c[2] = { choose(q, false, m->head), choose(q, true, m->head) };
	bool		  last = d->write, expired;

	if (d->served && d->served < d->fifo_batch && c[last].next < q->n) {
		d->served++;
		return c[last].next;
	}
	ASSERT(q->n && d->served <= d->fifo_batch);
	d->write = choose_direction(d, c[0].oldest < q->n, c[1].oldest < q->n);
	ASSERT(c[d->write].oldest < q->n); /* there is a request of that direction */
	expired =
	    (uint64_t)(m->now - q->request[c[d->write].oldest].queued) >= d->expire_us[d->write];
	if (!d->served || d->write != last || expired || c[d->write].next == q->n)
		c[d->write].next = c[d->write].oldest;
	d->served = 1;
	return c[d->write].next;
}

SCHEDULER(deadline,
	.plugin = {
		.name = "deadline",
		.summary = "ascending batches, reads before writes, oldest first when late (Linux 2.6)",
		.source = "J. Axboe: Linux block IO - present and future, Ottawa Linux Symposium, 2004; Linux 2.6, block/deadline-iosched",
		.state_size = sizeof(struct deadline),
		.params = deadline_params,
	},
	.pick = deadline_pick);
