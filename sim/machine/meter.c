/* meter.c - choose places, read there, and look at the clock. */
#include "sim/machine/meter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/machine/crowd.h"
#include "sim/trace/chance.h"

enum {
	SAMPLES_MIN = 8,
	TRIM = 100, /* the slowest of so many are left out */
};

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
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The trimmed mean.  Without a real-time priority some reads include a wait
 * for the processor: then the mean without that wait, if it is less.
 */
static double
summarize(struct meter *m, double waited)
{
	unsigned n = m->n, kept = n - n / TRIM;
	double	 sum = 0, kept_sum = 0, mean, trimmed;

	qsort(m->sample, n, sizeof(*m->sample), by_size);
	for (unsigned i = 0; i < n; i++) {
		sum += m->sample[i];
		kept_sum += i < kept ? m->sample[i] : 0;
	}
	trimmed = kept_sum / kept;
	mean = (sum - waited) / n;
	if (m->fifo || mean > trimmed)
		return trimmed;
	return mean > m->sample[0] ? mean : m->sample[0];
}

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

double
reads_measure(struct meter *m, const struct reads *r)
{
	double	 begin = clock_us(), now = begin, waited = waited_us();
	double	 budget = m->patient ? r->budget_us : r->budget_us / 4;
	uint64_t place[BATCH_MAX];

	for (m->n = 0; m->n < r->most; m->n++) {
		if (m->n >= SAMPLES_MIN && now - begin > budget)
			break;
		for (unsigned i = 0; i < r->batch; i++)
			place[i] = r->place(m, r, (uint64_t)m->n * r->batch + i);
		begin += clock_us() - now; /* the choice of places does not count */
		now = clock_us();
		m->sample[m->n] = now;
		if (read_batch(m, r, place))
			return -1;
		now = clock_us();
		m->sample[m->n] = (now - m->sample[m->n]) / r->batch;
	}
	return summarize(m, (waited_us() - waited) / r->batch);
}
