/* meter.c - choose places, read there, and look at the clock. */
#include "sim/host/measure/meter.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/host/measure/crowd.h"
#include "sim/trace/chance.h"

enum { BATCHES_MIN = 8 };

double
waited_us(void)
{
	unsigned long long ran = 0, waited = 0;
	FILE		  *f = fopen("/proc/thread-self/schedstat", "r");

	if (f) {
		if (fscanf(f, "%llu %llu", &ran, &waited) != 2)
			waited = 0;
		fclose(f);
	}
	return (double)waited / 1e3;
}

/* ---- places ---- */

uint64_t
place_anywhere(struct meter *m, const struct reads *r, uint64_t i)
{
	uint64_t pages = (r->length + READS_PAGE - 1) / READS_PAGE;
	uint64_t page = chance_next(&m->key) % (r->bytes / READS_PAGE - pages + 1);

	return page * READS_PAGE + chance_next(&m->key) % (pages * READS_PAGE - r->length + 1);
}

uint64_t
place_once(struct meter *m, const struct reads *r, uint64_t i)
{
	uint64_t       slots = r->bytes / r->length, part = slots / r->parts;
	struct scatter order;

	scatter_init(&order, r->parts);
	return (scatter_place(&order, i) * part + chance_next(&m->key) % part) * r->length;
}

uint64_t
place_near(struct meter *m, const struct reads *r, uint64_t i)
{
	return (i * PLACE_NEAR_PAGES + chance_next(&m->key) % PLACE_NEAR_PAGES) * READS_PAGE;
}

uint64_t
place_far(struct meter *m, const struct reads *r, uint64_t i)
{
	uint64_t quarter = r->bytes / READS_PAGE / 4;

	return (chance_next(&m->key) % quarter + (i % 2 ? 3 * quarter : 0)) * READS_PAGE;
}

/* ---- times ---- */

static int
read_batch(struct meter *m, const struct reads *r, const uint64_t *place)
{
	for (unsigned i = 0; i < r->batch; i++) {
		ssize_t got;

		errno = 0;
		got = pread(r->fd, r->buffer, r->length, (off_t)(r->first + place[i]));
		if (got != (ssize_t)r->length)
			return error_set(m->e, "reading the scratch file: %s",
			    strerror(errno ? errno : EIO));
	}
	return 0;
}

/*
 * The slowest reads count, too: they are few, but a part of the time of a
 * replay.  Waits for the processor do not.
 */
double
reads_measure(struct meter *m, const struct reads *r)
{
	double	 begin = clock_us(), now = begin, waited = waited_us();
	double	 budget = m->patient ? r->budget_us : r->budget_us / 4;
	double	 sum = 0, least = INFINITY, start;
	uint64_t place[BATCH_MAX];

	for (m->n = 0; m->n < r->most; m->n++) {
		if (m->n >= BATCHES_MIN && now - begin > budget)
			break;
		for (unsigned i = 0; i < r->batch; i++)
			place[i] = r->place(m, r, (uint64_t)m->n * r->batch + i);
		start = clock_us();
		begin += start - now; /* the choice of places does not count */
		if (read_batch(m, r, place))
			return -1;
		now = clock_us();
		sum += now - start;
		least = fmin(least, now - start);
	}
	return fmax((sum - (waited_us() - waited)) / m->n, least) / r->batch;
}
