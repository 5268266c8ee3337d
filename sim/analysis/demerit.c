/* demerit.c - replay measured requests and compare the response times. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/analysis/demerit.h"

/* The device counts whole microseconds; remainders are carried over, so errors do not add up. */
static int
serve_all(const struct measured *m, const struct device *d, void *self, struct service *out,
    struct error *e)
{
	usec_t now = 0;
	double rest = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct measured_request *q = &m->request[i];
		double			       due = rest + q->idle_us;
		usec_t			       whole = (usec_t)due;

		rest = due - (double)whole;
		now += whole;
		d->service(self,
		    &(struct transfer){ .sector = q->sector,
			.sectors = q->sectors,
			.segments = 1,
			.write = q->write,
			.now = now },
		    &out[i]);
		now += service_us(&out[i]);
		if (now > SPAN_MAX_US)
			return error_set(e,
			    "%s: line %" PRIu64
			    ": the simulated times add up to more than 142 years",
			    m->name, q->line);
	}
	return 0;
}

int
demerit_replay(const struct measured *m, const struct config *c, struct service *out,
    struct error *e)
{
	void *self = device_start(&c->device, e);
	int   failed = self ? serve_all(m, config_device(c), self, out, e) : -1;

	device_stop(config_device(c), self);
	return failed;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
sort_times(double *ms, size_t n)
{
	qsort(ms, n, sizeof(*ms), by_size);
}

static enum request_kind
kind_of(const struct measured_request *q)
{
	if (q->write)
		return q->sequential ? KIND_WRITE_SEQUENTIAL : KIND_WRITE_OTHER;
	return q->sequential ? KIND_READ_SEQUENTIAL : KIND_READ_OTHER;
}

static void
count(struct times *t, double measured, double simulated)
{
	t->n++;
	t->measured += measured;
	t->simulated += simulated;
}

static void
take(struct comparison *c, const struct measured_request *q, const struct service *s)
{
	double measured = q->response_us / 1000, simulated = (double)service_us(s) / 1000;

	c->measured[c->n] = measured;
	c->simulated[c->n++] = simulated;
	count(&c->all, measured, simulated);
	count(&c->kind[kind_of(q)], measured, simulated);
	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		c->part[p] += s->part[p];
}

int
comparison_init(struct comparison *c, const struct measured *m, const struct service *s,
    size_t from, size_t to, struct error *e)
{
	double square = 0;

	ASSERT(from < to && to <= m->n);
	*c = (struct comparison){
		.measured = calloc(to - from, sizeof(*c->measured)),
		.simulated = calloc(to - from, sizeof(*c->simulated)),
	};
	if (!c->measured || !c->simulated) {
		comparison_release(c);
		return error_set(e, "out of memory for the response times");
	}
	for (size_t i = from; i < to; i++)
		take(c, &m->request[i], &s[i]);
	sort_times(c->measured, c->n);
	sort_times(c->simulated, c->n);
	for (size_t i = 0; i < c->n; i++) {
		double d = c->measured[i] - c->simulated[i];

		square += d * d;
	}
	c->demerit = sqrt(square / (double)c->n);
	return 0;
}

void
comparison_release(struct comparison *c)
{
	free(c->measured);
	free(c->simulated);
	*c = (struct comparison){ 0 };
}

double
sorted_percentile(const double *sorted, size_t n, double percent)
{
	/* 99.9 % of 1,000 are 999, in spite of rounding */
	double rank = ceil(percent * (double)n / 100 - 1e-9);

	return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}
